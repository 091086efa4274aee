"""What a ``for`` goes over though only a run knows how many items there are: ranges of Variables, rows, and so on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from minipaddle.ops.views.attribute import shape
from minipaddle.paddle.jit.dy2static.logic import all_of
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


class Enumerated(Indexed):
    """``enumerate(items, start)``."""

    def __init__(self, items: Indexed, start: Any = 0) -> None:
        self.items, self.first = items, start

    def has(self, place: Any) -> Any:
        """Return whether there is such an item."""
        return self.items.has(place)

    def item(self, place: Any) -> Any:
        """Return the number and the item."""
        return self.first + place, self.items.item(place)


class Zipped(Indexed):
    """``zip(*items)``."""

    def __init__(self, *items: Indexed) -> None:
        self.items = items

    def has(self, place: Any) -> Any:
        """Return whether all have such an item."""
        return all_of(*[lambda one=one: one.has(place) for one in self.items])

    def item(self, place: Any) -> Any:
        """Return the item of each."""
        return tuple([one.item(place) for one in self.items])


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


def as_enumerate(items: Any, start: Any = 0) -> Any:
    """Return ``enumerate(items, start)``."""
    items = indexed(seen(items))
    return Enumerated(items, start) if isinstance(items, Indexed) else enumerate(items, start)


def as_zip(*items: Iterable[Any], strict: bool = False) -> Any:
    """Return ``zip(*items)``.

    Raises:
        TypeError: if only a run knows the number of some items, but that of others is known.
    """
    found = [indexed(seen(one)) for one in items]
    if not any(isinstance(one, Indexed) for one in found):
        return zip(*found, strict=strict)
    found = [Rows(one) if isinstance(one, Variable) else one for one in found]
    for one in found:
        if not isinstance(one, Indexed):
            raise TypeError(
                f"zip() over Tensors whose rows only a run can count cannot go over a {type(one).__name__}, too."
            )
    return Zipped(*found)
