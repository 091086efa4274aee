"""HostTensor: a value of a run that is passed to the user's code; ScopeTensor: one of a Scope."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from minipaddle.engine.value.meta import Array


class CallableShape(tuple[int, ...]):
    """A shape that is both: ``t.shape[0]`` as of an array, ``t.shape()`` as of Paddle's LoDTensor."""

    __slots__ = ()

    def __call__(self) -> list[int]:
        """Return the sizes as a list."""
        return list(self)


class HostTensor(np.lib.mixins.NDArrayOperatorsMixin):
    """An array that a ``py_func`` gets for an input, and a run returns with ``return_numpy=False``.

    Behaves as an array (arithmetic, indexing, NumPy's functions and methods), and answers ``shape()`` as Paddle's does.
    It cannot be written to.
    """

    __array_priority__ = 1000

    def __init__(self, array: Array) -> None:
        self._view = array.view()
        self._view.setflags(write=False)

    def _value(self) -> Array:
        return self._view

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> Array:
        return self.numpy() if dtype is None else self.numpy().astype(dtype, copy=False)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        plain = [one._value() if isinstance(one, HostTensor) else one for one in inputs]
        return getattr(ufunc, method)(*plain, **kwargs)

    @property
    def shape(self) -> CallableShape:
        """Sizes of the axes: a tuple that can also be called."""
        return CallableShape(self._value().shape)

    def numpy(self) -> Array:
        """Return a copy as an array."""
        return self._value().copy()

    def __getitem__(self, index: Any) -> Any:
        return self._value()[index]

    def __len__(self) -> int:
        return len(self._value())

    def __float__(self) -> float:
        return float(self._value())

    def __int__(self) -> int:
        return int(self._value())

    def __bool__(self) -> bool:
        return bool(self._value())

    def __repr__(self) -> str:
        return repr(self._value())


def _delegated(name: str) -> property:
    """Return a property that reads an attribute of the array."""
    return property(lambda self: getattr(self._value(), name), doc=getattr(np.ndarray, name).__doc__)


# Named one by one, not by __getattr__: NumPy asks an object for attributes that an array could be made from, and an
# AttributeError for each that is not there costs more than the array.
for _name in dir(np.ndarray):
    if not _name.startswith("_") and not hasattr(HostTensor, _name):
        setattr(HostTensor, _name, _delegated(_name))


class ScopeTensor(HostTensor):
    """The value of a Variable in a Scope: a HostTensor that can be set."""

    def __init__(self, owner: Any) -> None:
        self._owner = owner

    def _value(self) -> Any:
        return self._owner.checked()

    def set(self, array: Any, place: Any = None) -> None:
        """Replace the value by a copy of `array`."""
        self._owner.value = np.array(array)

    def _is_initialized(self) -> bool:
        return self._owner.value is not None
