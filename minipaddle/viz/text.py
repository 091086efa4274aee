"""Short words for shapes and numbers, the same in every picture."""

from __future__ import annotations

from minipaddle.trace.events import Value

__all__ = ["look", "number", "shape_text"]

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
