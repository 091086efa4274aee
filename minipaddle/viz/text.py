"""Short words for shapes and numbers, the same in every picture."""

from __future__ import annotations

import numpy as np

from minipaddle.core.meta import Array
from minipaddle.trace.events import Value

__all__ = ["look", "number", "shape_text", "sparkline"]

_FEW = 3


def shape_text(value: Value) -> str:
    """``[4, 2]``; ``[]`` for a single number."""
    return str(list(value.shape))


def number(value: float) -> str:
    """Four significant digits, as short as that can be written."""
    return f"{value:.4g}"


def look(value: Value) -> str:
    """A glance at the numbers: all of them if they are few, else a norm; what is not finite is always said."""
    stats = value.stats
    if stats.nans or stats.infs:
        return ", ".join(f"{count} {what}" for count, what in ((stats.nans, "NaN"), (stats.infs, "Inf")) if count)
    if value.array is not None and value.array.size <= _FEW and value.array.dtype.kind in "biuf":
        items = [number(float(item)) for item in value.array.ravel()]
        return items[0] if len(items) == 1 else ", ".join(items)
    if stats.size and stats.zeros == stats.size:
        return "all zero"
    return f"norm {number(stats.norm)}" if value.kind == "gradient" else ""


def sparkline(array: Array, bars: str, width: int = 8) -> str:
    """Draw the sizes of up to `width` elements (means of neighbours, if there are more) as bars of growing height."""
    sizes = np.abs(array.ravel().astype(np.float64, copy=False))
    if sizes.size < 2 or not np.isfinite(sizes).all() or not sizes.any():
        return ""
    if sizes.size > width:
        sizes = np.array([part.mean() for part in np.array_split(sizes, width)])
    levels = np.rint(sizes / sizes.max() * (len(bars) - 1)).astype(int)
    return "".join(bars[level] for level in levels)
