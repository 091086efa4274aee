"""Statistics of an array."""

import math
from typing import NamedTuple

import numpy as np

from minipaddle.engine.value.meta import Array

_LARGE = 1 << 14
"""Elements up to which a product with ones sums in a third of np.sum's time; beyond it, einsum needs half."""
_LEAST = {"f": 1e-30, "d": 1e-280}
"""Sums of squares below this have lost digits in these types."""
_ONES = {char: np.ones(_LARGE, char) for char in "fd"}


class Stats(NamedTuple):
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

    @property
    def bad(self) -> int:
        """The number of elements that are NaN or Inf."""
        return self.nans + self.infs


def stats_of(array: Array) -> Stats:
    """Return the statistics of an array of numbers (bools count as 0 and 1; complex by modulus)."""
    flat = array.ravel()
    if flat.dtype.char in "fd" and flat.size:
        return _of_plain(flat, flat.size) or _of_any(flat)
    return _of_any(np.abs(flat) if flat.dtype.kind == "c" else flat)


def unknown(size: int) -> Stats:
    """Return the statistics of unknown numbers: all NaN."""
    return Stats(size, *(float("nan"),) * 5, zeros=0, nans=0, infs=0)


def _of_plain(flat: Array, size: int) -> Stats | None:
    """The quick way, without temporary floats: for ordinary floats that are all finite; None for others."""
    square_sum = float(flat.dot(flat))
    if not _LEAST[flat.dtype.char] < square_sum < math.inf and (square_sum != 0 or flat.any()):
        return None
    if size <= _LARGE:  # the calls themselves take most of the time: these are the quickest
        low, high = flat.item(flat.argmin()), flat.item(flat.argmax())
        total = float(flat.dot(_ONES[flat.dtype.char][:size]))
    else:
        low, high = float(flat.min()), float(flat.max())
        total = float(np.einsum("i->", flat))
    zeros = 0 if low > 0 or high < 0 else int(np.count_nonzero(flat == 0))
    norm = math.sqrt(square_sum)
    return Stats(size, low, high, total / size, math.sqrt(square_sum / size), norm, zeros, 0, 0)


def _of_any(flat: Array) -> Stats:
    """The slow way: NaN and Inf are counted and left out."""
    numbers = flat.astype(np.float64, copy=False)
    finite = numbers[np.isfinite(numbers)]
    nans = int(np.isnan(numbers).sum())
    if not finite.size:
        return Stats(flat.size, *(float("nan"),) * 5, zeros=0, nans=nans, infs=flat.size - nans)
    largest = float(np.abs(finite).max()) or 1.0
    near = finite / largest  # its squares neither underflow nor overflow
    norm = largest * math.sqrt(float(np.dot(near, near)))
    return Stats(
        size=flat.size, min=float(finite.min()), max=float(finite.max()), mean=float(finite.mean()),
        rms=norm / math.sqrt(finite.size), norm=norm, zeros=int(finite.size - np.count_nonzero(finite)),
        nans=nans, infs=flat.size - nans - finite.size,
    )  # fmt: skip
