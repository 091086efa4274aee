"""Shapes in a Program: tuples whose unknown sizes are -1, each with its source in a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from minipaddle.engine.value.dtype import as_numpy
from minipaddle.engine.value.meta import Meta
from minipaddle.ops.indexing.index import getitem
from minipaddle.ops.views.shape_operators import shape

if TYPE_CHECKING:
    from minipaddle.paddle.static.program.variable import Variable


class Sizes(tuple[int, ...]):
    """A shape: a tuple, as in Paddle 2.6.2, to which lists may be added as to Paddle 3's."""

    __slots__ = ()

    def __add__(self, other: Any) -> Any:
        return Sizes((*self, *other)) if isinstance(other, (tuple, list)) else NotImplemented

    def __radd__(self, other: Any) -> Any:
        return type(other)((*other, *self)) if isinstance(other, (tuple, list)) else NotImplemented

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        return Sizes(found) if isinstance(index, slice) else found


class Dim(int):
    """A size known only in a run: -1, with a reference to its source.

    That is the size of an axis of `variable`, or (``of_value=True``) an element of it, when the user wrote a Variable
    into a shape. In a shape it stands for the size in the run; in arithmetic it becomes a Variable.
    """

    variable: Variable
    index: int
    of_value: bool

    def __new__(cls, variable: Variable, index: int, of_value: bool = False) -> Dim:
        """Return a size of -1 with its source."""
        self = super().__new__(cls, -1)
        self.variable, self.index, self.of_value = variable, index, of_value
        return self

    def of(self, array: Any) -> int:
        """Return the size, given the value of `variable`."""
        return int(array.reshape(-1)[self.index] if self.of_value else array.shape[self.index])

    def as_size(self) -> Dim:
        """Return itself: what ops/definition/arguments.py asks of a value that is no plain int."""
        return self

    def as_variable(self) -> Any:
        """Return the size as a 0-D int64 Variable."""
        return getitem(self.variable if self.of_value else shape(self.variable), self.index)

    def __mul__(self, other: Any) -> Any:
        return self.as_variable() * other

    __rmul__ = __mul__

    def __rtruediv__(self, other: Any) -> Any:
        return other / self.as_variable()


def symbolic_shape(variable: Variable) -> tuple[int, ...]:
    """Return the shape of `variable` with a :class:`Dim` for each size that is not known yet."""
    return tuple([Dim(variable, axis) if size == -1 else size for axis, size in enumerate(variable.shape)])


def meta_from(shape: Any, dtype: Any) -> Meta:
    """Return the Meta for a shape as users write it: None and -1 mean "known later"."""
    if not isinstance(shape, (list, tuple)):
        raise TypeError(f"The shape must be a list or tuple, but received {type(shape).__name__}.")
    sizes = [-1 if size is None else size for size in shape]
    for size in sizes:
        if not isinstance(size, (int, np.integer)) or isinstance(size, bool):
            raise TypeError(f"The sizes in a shape must be int or None, but received {size!r} in {shape!r}.")
    return Meta(tuple([-1 if size < 0 else int(size) for size in sizes]), as_numpy(dtype))
