"""What a ``for`` goes over though only a run knows how many items there are: ranges of Variables, and rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from minipaddle.ops.views.shape_operators import shape
from minipaddle.paddle.jit.dy2static.values import seen
from minipaddle.paddle.static.program import Variable


class Indexed(ABC):
    """Items by their places, counted from 0, which are Variables."""

    @abstractmethod
    def has(self, place: Any) -> Any:
        """Return whether there is an item at a place."""

    @abstractmethod
    def item(self, place: Any) -> Any:
        """Return the item at a place."""

    def __iter__(self) -> Any:
        raise TypeError(
            f"Only a run can tell how many items there are in this {type(self).__name__.lower()}: go over it with a "
            "plain for, without list(), unpacking or a comprehension."
        )


class Range(Indexed):
    """``range(start, stop, step)`` of Variables."""

    def __init__(self, start: Any, stop: Any, step: Any = 1) -> None:
        self.start, self.stop, self.step = start, stop, step

    def has(self, place: Any) -> Any:
        """Return whether the number at a place is before the end."""
        number = self.item(place)
        if not isinstance(self.step, Variable):
            return number < self.stop if self.step > 0 else number > self.stop
        return (self.stop - number) * self.step > 0

    def item(self, place: Any) -> Any:
        """Return the number at a place."""
        moved = place if isinstance(self.step, int) and self.step == 1 else place * self.step
        return moved if isinstance(self.start, int) and self.start == 0 else self.start + moved


class Rows(Indexed):
    """The rows of a Variable."""

    def __init__(self, variable: Variable) -> None:
        self.variable = variable

    def has(self, place: Any) -> Any:
        """Return whether there is such a row."""
        return place < shape(self.variable)[0]

    def item(self, place: Any) -> Any:
        """Return a row."""
        return self.variable[place]


def indexed(items: Any) -> Any:
    """Return what a ``for`` goes over: as it is, but a Variable whose rows nobody knows as its `Rows`."""
    if isinstance(items, Variable) and items.shape and items.shape[0] < 0:
        return Rows(items)
    return items


def as_range(*limits: Any) -> Any:
    """Return ``range(*limits)``."""
    limits = tuple([seen(one) for one in limits])
    if not any(isinstance(one, Variable) for one in limits):
        return range(*limits)
    return Range(0, *limits) if len(limits) == 1 else Range(*limits)
