"""Versions of memory: which arrays were written in place, how often, and when.

Paddle counts the in-place writes of a tensor (``inplace_version``) and refuses to differentiate with a value that
was overwritten after it was kept. Views share memory and must share the count, so the count belongs to the memory
(the array that owns it), not to a tensor. Only memory that *was* written is listed here, under a clock reading of
each write: a program without in-place operations pays nothing, neither per tensor nor per node.
"""

from __future__ import annotations

import itertools
import math
import weakref
from functools import lru_cache
from typing import Any

import numpy as np

from minipaddle.engine.value.meta import Array, Shape

clock = itertools.count(0, -1).__next__
"""The engine's one clock. It counts down, so that a min-heap of nodes pops the latest first."""


written: dict[int, tuple[weakref.ref[Array], list[int]]] = {}
"""Written memory by the id of its owning array, with which an entry is removed: the array, the time of each write."""


def owner_of(array: Array) -> Array:
    """Return the array that owns the memory of `array`."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def _times(array: Array) -> list[int]:
    return written[key][1] if (key := id(owner_of(array))) in written else []


def note_write(array: Array) -> None:
    """Record that the memory of `array` was written in place now."""
    owner = owner_of(array)
    key = id(owner)
    if key not in written:
        written[key] = weakref.ref(owner, lambda _: written.pop(key, None)), []
    written[key][1].append(clock())


def take_over(tensor: Any, new: Array) -> None:
    """Give a tensor fresh memory, which takes over the history of the old."""
    if times := _times(tensor.array):
        note_write(new)
        _times(new)[:] = times
    tensor.array = new


ZERO = np.zeros(16, np.uint8)
"""A zero as wide as the widest element (complex128), on which all zeros are views."""


@lru_cache
def zeros(shape: Shape, dtype: np.dtype[Any]) -> Array:
    """Return read-only zeros that take neither memory nor time: all elements are :data:`ZERO`."""
    return read_only(np.ndarray(shape, dtype, ZERO, strides=(0,) * len(shape)))


def read_only(array: Array) -> Array:
    """Return `array`, read-only from now on: several tensors may hold it, so a writer must copy first."""
    array.setflags(write=False)
    return array


def ensure_writable(tensor: Any) -> None:
    """Copy the memory of `tensor` if it is read-only: a broadcast, or a gradient that is shared."""
    if not tensor.array.flags.writeable:
        take_over(tensor, tensor.array.copy())


def version(array: Array, time: float = -math.inf) -> int:
    """Return the number of in-place writes to the memory of `array`: so far, or until the clock showed `time`."""
    return sum(moment > time for moment in _times(array)) if written else 0
