"""Shapes in a Program: tuples whose unknown sizes are -1, each with its source in a run."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.value.value import Value
from minipaddle.ops.indexing.index import getitem
from minipaddle.ops.views.shape_operators import shape


class Sizes(tuple[int, ...]):
    """A shape: a tuple, as in Paddle 2.6.2, to which lists can be added as in Paddle 3."""

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

    The source is the size of an axis of `variable`, or (``of_value=True``) an element of it, if the user put a Variable
    into a shape. In a shape it stands for the size in the run; in arithmetic it becomes a Variable.
    """

    variable: Any
    index: int
    of_value: bool

    def __new__(cls, variable: Value, index: int, of_value: bool = False) -> Dim:
        """Return a size of -1 with its source."""
        self = super().__new__(cls, -1)
        self.variable, self.index, self.of_value = variable, index, of_value
        return self

    def of(self, array: Any) -> int:
        """Return the size, given the value of `variable`."""
        return int(array.reshape(-1)[self.index] if self.of_value else array.shape[self.index])

    def as_size(self) -> Dim:
        """Return itself: ops/definition/arguments.py asks for this of values other than plain ints."""
        return self

    def as_variable(self) -> Any:
        """Return the size as a 0-D int64 Variable."""
        return getitem(self.variable if self.of_value else shape(self.variable), self.index)

    def __mul__(self, other: Any) -> Any:
        return self.as_variable() * other

    __rmul__ = __mul__

    def __rtruediv__(self, other: Any) -> Any:
        return other / self.as_variable()


def symbolic_shape(variable: Value) -> tuple[int, ...]:
    """Return the shape of `variable` with a :class:`Dim` for each unknown size."""
    return tuple([Dim(variable, axis) if size == -1 else size for axis, size in enumerate(variable.shape)])
