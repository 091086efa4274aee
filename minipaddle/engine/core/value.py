"""Value: what a Tensor (it has numbers) and a Variable (a Program will have them) share; gradient rules work on both.

``x * y`` is a method here, which asks :meth:`Value.beside` what the sign means for this kind of value: for a Tensor
:mod:`minipaddle.ops.arithmetic`, for a Variable :mod:`minipaddle.paddle.static.program.arithmetic`. Both end in an
operator that is applied in the current mode.

Next: :mod:`minipaddle.engine.core.operator`, a definition that is called.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Self

from minipaddle.engine.core.dtype import DType


class Value:
    """One array at one time, or what stands for it in a Program."""

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
        """Sizes of the axes; -1 in a Program where a size is known only when it runs."""

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

    def __add__(self, other: Any) -> Self:
        return self.beside("+", other)

    def __radd__(self, other: Any) -> Self:
        return self.beside("+", other, reflected=True)

    def __sub__(self, other: Any) -> Self:
        return self.beside("-", other)

    def __rsub__(self, other: Any) -> Self:
        return self.beside("-", other, reflected=True)

    def __mul__(self, other: Any) -> Self:
        return self.beside("*", other)

    def __rmul__(self, other: Any) -> Self:
        return self.beside("*", other, reflected=True)

    def __truediv__(self, other: Any) -> Self:
        return self.beside("/", other)

    def __rtruediv__(self, other: Any) -> Self:
        return self.beside("/", other, reflected=True)

    def __floordiv__(self, other: Any) -> Self:
        return self.beside("//", other)

    def __rfloordiv__(self, other: Any) -> Self:
        return self.beside("//", other, reflected=True)

    def __mod__(self, other: Any) -> Self:
        return self.beside("%", other)

    def __rmod__(self, other: Any) -> Self:
        return self.beside("%", other, reflected=True)

    def __pow__(self, other: Any) -> Self:
        return self.beside("**", other)

    def __rpow__(self, other: Any) -> Self:
        return self.beside("**", other, reflected=True)

    def __matmul__(self, other: Any) -> Self:
        return self.beside("@", other)

    def __rmatmul__(self, other: Any) -> Self:
        return self.beside("@", other, reflected=True)

    def __and__(self, other: Any) -> Self:
        return self.beside("&", other)

    def __rand__(self, other: Any) -> Self:
        return self.beside("&", other, reflected=True)

    def __or__(self, other: Any) -> Self:
        return self.beside("|", other)

    def __ror__(self, other: Any) -> Self:
        return self.beside("|", other, reflected=True)

    def __xor__(self, other: Any) -> Self:
        return self.beside("^", other)

    def __rxor__(self, other: Any) -> Self:
        return self.beside("^", other, reflected=True)

    def __neg__(self) -> Self:
        return self.beside("*", -1)

    def __lt__(self, other: Any) -> Self:
        return self.beside("<", other)

    def __le__(self, other: Any) -> Self:
        return self.beside("<=", other)

    def __gt__(self, other: Any) -> Self:
        return self.beside(">", other)

    def __ge__(self, other: Any) -> Self:
        return self.beside(">=", other)

    def __eq__(self, other: object) -> Any:  # a value of truths; nothing is equal to None
        return False if other is None else self.beside("==", other)

    def __ne__(self, other: object) -> Any:
        return True if other is None else self.beside("!=", other)

    __hash__ = object.__hash__  # by identity: `==` applies an operator


class LaterMethod:
    """A method that is loaded when it is asked for; then the function takes the place of this."""

    __slots__ = ("_load", "_name", "_owner")

    def __init__(self, owner: type, name: str, load: Callable[[str], Callable[..., Any]]) -> None:
        self._owner, self._name, self._load = owner, name, load

    def __get__(self, instance: Any, owner: type) -> Any:
        function = self._load(self._name)
        setattr(self._owner, self._name, function)
        return getattr(owner if instance is None else instance, self._name)
