"""Numbers about numbers: what can be said of an array in one line."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from minipaddle.core.meta import Array

__all__ = ["Stats", "stats_of"]


@dataclass(frozen=True)
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
        rms=float(np.sqrt(square_sum / finite.size)),
        norm=float(np.sqrt(square_sum)),
        zeros=int(finite.size - np.count_nonzero(finite)),
        nans=nans,
        infs=flat.size - nans - finite.size,
    )
