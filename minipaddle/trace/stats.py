"""Numbers about numbers: what can be said of an array in one line."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from minipaddle.core.meta import Array

__all__ = ["ALONE", "Stats", "stats_of", "unknown"]

_least, _greatest, _sum = np.minimum.reduce, np.maximum.reduce, np.add.reduce
_LARGE = 1 << 14
"""From this size on, einsum adds up in half the time: it does not add pairwise."""


@dataclass(slots=True)
class Stats:
    """Statistics of the finite elements, and how many elements are not finite or zero."""

    size: int
    min: float
    max: float
    mean: float
    rms: float
    norm: float
    zeros: int
    nans: int
    infs: int


def stats_of(array: Array) -> Stats:
    """Return the statistics of an array of numbers (bools count as 0 and 1; complex by modulus)."""
    flat = np.abs(array).ravel() if array.dtype.kind == "c" else array.ravel()
    return _of_plain(flat) or _of_any(flat)


def _norm(array: Array) -> float:
    if array.dtype.char not in "fd":
        return math.nan
    flat = array.ravel()
    return math.sqrt(float(flat.dot(flat)))


def _extreme(reduce: Callable[..., Any]) -> Callable[[Array], float]:
    return lambda array: float(reduce(array, axis=None)) if array.dtype.kind in "biuf" else math.nan


ALONE: dict[str, Callable[[Array], float]] = {
    "norm": _norm,
    "min": _extreme(_least),
    "max": _extreme(_greatest),
}
"""Statistics that are quickly had alone; what is not finite is no answer, but to be left out or counted."""


def unknown(size: int) -> Stats:
    """Return the statistics of numbers that nobody has seen."""
    return Stats(size, *(float("nan"),) * 5, zeros=0, nans=0, infs=0)


def _of_plain(flat: Array) -> Stats | None:
    """The short way, without temporary floats: for ordinary floats, all of them finite."""
    size = flat.size
    if not size or flat.dtype.char not in "fd":
        return None
    square_sum = float(flat.dot(flat))
    if not math.isfinite(square_sum):
        return None
    low, high = float(_least(flat)), float(_greatest(flat))
    return Stats(
        size,
        low,
        high,
        mean=float(_sum(flat) if size < _LARGE else np.einsum("i->", flat)) / size,
        rms=math.sqrt(square_sum / size),
        norm=math.sqrt(square_sum),
        zeros=0 if low > 0 or high < 0 else int(np.count_nonzero(flat == 0)),
        nans=0,
        infs=0,
    )


def _of_any(flat: Array) -> Stats:
    """The long way: what is not finite is counted and left out."""
    numbers = flat.astype(np.float64, copy=False)
    finite = numbers[np.isfinite(numbers)]
    nans = int(np.isnan(numbers).sum())
    if not finite.size:
        return Stats(flat.size, *(float("nan"),) * 5, zeros=0, nans=nans, infs=flat.size - nans)
    square_sum = float(np.dot(finite, finite))
    return Stats(
        size=flat.size,
        min=float(finite.min()),
        max=float(finite.max()),
        mean=float(finite.mean()),
        rms=math.sqrt(square_sum / finite.size),
        norm=math.sqrt(square_sum),
        zeros=int(finite.size - np.count_nonzero(finite)),
        nans=nans,
        infs=flat.size - nans - finite.size,
    )
