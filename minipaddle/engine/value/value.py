"""Value: the common base of Tensor (which has numbers) and Variable (a Program will have them); rules work on both.

``x * y`` is a method here, which asks :meth:`Value.beside` for the symbol's meaning for this kind of value: for a
Tensor :mod:`minipaddle.ops.signs`, for a Variable :mod:`minipaddle.paddle.static.program.arithmetic`. Both end in an
operator that is applied in the current mode.

Next: :mod:`minipaddle.ops.math.arithmetic`, the definition of `multiply`, with its gradients.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Self, TypeVar

from minipaddle.engine.value.dtype import DType

V = TypeVar("V", bound="Value")


def _sign(sign: str, reflected: bool = False) -> Callable[[V, Any], V]:
    """Return the method for ``self sign other``; `reflected`: for ``other sign self``."""
    return lambda self, other: self.beside(sign, other, reflected)


class Value:
    """One array, or its Variable in a Program."""

    __slots__ = ()

    # `array + value` asks the value; `np.sin(value)`, which would lose the history, is refused.
    __array_ufunc__ = None

    name: str
    """Given by the user, or numbered."""
    stop_gradient: bool
    """Whether gradients stop here."""

    @property
    @abstractmethod
    def shape(self) -> Sequence[int]:
        """Sizes of the axes; -1 in a Program if a size is known only when it runs."""

    @property
    @abstractmethod
    def dtype(self) -> DType:
        """Data type, such as ``paddle.float32``."""

    @property
    @abstractmethod
    def T(self) -> Self:
        """The value with its axes in reverse order."""

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @abstractmethod
    def beside(self, sign: str, other: Any, reflected: bool = False) -> Self:
        """Return ``self sign other``; `reflected`: ``other sign self``."""

    @abstractmethod
    def astype(self, dtype: Any) -> Self:
        """Return the value as another dtype; gradients are cast back."""

    @abstractmethod
    def __getitem__(self, index: Any) -> Self:
        """Return ``self[index]``."""

    # -- operator symbols: `x * y` and `2 * y` ask for the symbol's meaning for this kind of value -----------------

    __add__, __radd__ = _sign("+"), _sign("+", reflected=True)
    __sub__, __rsub__ = _sign("-"), _sign("-", reflected=True)
    __mul__, __rmul__ = _sign("*"), _sign("*", reflected=True)
    __truediv__, __rtruediv__ = _sign("/"), _sign("/", reflected=True)
    __floordiv__, __rfloordiv__ = _sign("//"), _sign("//", reflected=True)
    __mod__, __rmod__ = _sign("%"), _sign("%", reflected=True)
    __pow__, __rpow__ = _sign("**"), _sign("**", reflected=True)
    __matmul__, __rmatmul__ = _sign("@"), _sign("@", reflected=True)
    __and__, __rand__ = _sign("&"), _sign("&", reflected=True)
    __or__, __ror__ = _sign("|"), _sign("|", reflected=True)
    __xor__, __rxor__ = _sign("^"), _sign("^", reflected=True)
    __lt__, __le__, __gt__, __ge__ = _sign("<"), _sign("<="), _sign(">"), _sign(">=")

    def __neg__(self) -> Self:
        return self.beside("*", -1)

    def __eq__(self, other: object) -> Any:  # elementwise; nothing is equal to None
        return False if other is None else self.beside("==", other)

    def __ne__(self, other: object) -> Any:
        return True if other is None else self.beside("!=", other)

    __hash__ = object.__hash__  # by identity: `==` applies an operator


class LaterMethod:
    """A method that is loaded on first use; the function then replaces this object."""

    __slots__ = ("_load", "_name", "_owner")

    def __init__(self, owner: type, name: str, load: Callable[[str], Callable[..., Any]]) -> None:
        self._owner, self._name, self._load = owner, name, load

    def __get__(self, instance: Any, owner: type) -> Any:
        function = self._load(self._name)
        setattr(self._owner, self._name, function)
        return getattr(owner if instance is None else instance, self._name)
