"""The numbers of a recording: which arrays own their memory, and how many bytes are kept.

Arrays are kept by reference, and copied only when they are about to be overwritten. Without room, statistics
are kept instead of numbers.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from minipaddle.engine.tape.memory import owner_of
from minipaddle.engine.value.meta import Array
from minipaddle.tools.record.events import Trace, Value
from minipaddle.tools.record.stats import stats_of
from minipaddle.tools.words.language import phrase

_SMALL = 1024
"""Bytes that are always kept: no more than an event needs itself, and copied faster than counted."""


class Memory:
    """Gives the values of `trace` their numbers, of which `budget` bytes are kept."""

    def __init__(self, trace: Trace, budget: int) -> None:
        self.trace = trace
        self.room = self._budget = budget
        """Bytes of numbers that still fit; below 0: those of the numbers that did not fit."""
        self._said = False
        # Keyed by id(owner of the memory): the values over it, while one of them keeps it alive.
        self._kept: dict[int, list[int]] = {}

    def give(self, value: Value, array: Array, same: int | None = None) -> None:
        """Give a value its numbers, or statistics if there is no room; `same` is a value with the same numbers."""
        memory = id(array if array.base is None else owner_of(array))
        if memory not in self._kept:
            self.room -= array.nbytes
        if self.room < 0:
            self._summarize(value, array, same)
            return
        value.kept = array
        self._kept.setdefault(memory, []).append(value.id)

    def _summarize(self, value: Value, array: Array, same: int | None) -> None:
        """Keep statistics in place of the numbers, unless these are few."""
        if self._budget and not self._said:  # once
            self._said = True
            said = phrase(
                "memory limit of {size} MB reached: from event {number} on, only statistics "
                "are kept (--max-mb N to keep more)",
                size=f"{self._budget / 1e6:g}",
                number=value.producer or 0,
            )
            self.trace.notes.append(said)
        if array.nbytes <= _SMALL:
            value.kept = array.copy()
        else:
            value.kept_stats = stats_of(array) if same is None else self.trace.values[same].stats

    def before_write(self, array: Array) -> None:
        """Save the numbers of every value in the memory that is about to be overwritten."""
        owner = owner_of(array)
        if id(owner) in self._kept:
            self.replace(owner, owner.copy(order="K"))

    def replace(self, owner: Array, before: Array) -> None:
        """Point each value that views the overwritten memory of `owner` at the copy `before` instead."""
        for id_ in self._kept.pop(id(owner), ()):
            value = self.trace.values[id_]
            if value.kept is not None:
                value.kept = _moved(value.kept, owner, before)


def _moved(array: Array, owner: Array, copy: Array) -> Array:
    """Return `array`, a view into `owner`, as the same view into a copy of it."""
    if (array.shape, array.strides, array.dtype) == (owner.shape, owner.strides, owner.dtype):
        return copy
    offset = array.__array_interface__["data"][0] - owner.__array_interface__["data"][0]
    return np.ndarray(array.shape, array.dtype, copy, offset, array.strides)


@contextmanager
def uncollected() -> Iterator[None]:
    """Disable garbage collection within a ``with`` block: for code that makes many lasting objects.

    The collector would scan them all, again and again, and find nothing to free.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
