"""The share of each term in a sum of gradients, and how much remains of terms that cancel."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.tools.record.events import Value

CANCELS = 0.1
"""Terms are said to cancel if less than this part of their norms remains."""


def shares(terms: Sequence[Value], total: Value) -> list[float] | None:
    """Return the share of each term in a sum, with its sign; together they are 1.

    A share is measured along the sum: a term in the opposite direction has a negative one, one at right angles 0.
    None if numbers were not kept, are not finite, or sum to zero.
    """
    whole = _flat(total)
    parts = [_flat(term) for term in terms]
    if whole is None:
        return None
    square = _scalar_product(whole, whole)
    known = [_scalar_product(part, whole) / square for part in parts if part is not None and square > 0]
    return known if len(known) == len(parts) and all(map(isfinite, known)) else None


def left_of(terms: Sequence[Value], total: Value) -> float | None:
    """Return the norm of a sum over the norms of its terms: 1 for terms in one direction, 0 for terms that cancel."""
    norms = sum(term.stats.norm for term in terms)
    stats = total.stats
    is_known = norms > 0 and isfinite(norms) and isfinite(stats.norm) and not (stats.nans or stats.infs)
    return stats.norm / norms if is_known else None


def cancels(terms: Sequence[Value], total: Value) -> bool:
    """Whether the terms of a sum nearly cancel."""
    left = left_of(terms, total)
    return left is not None and left < CANCELS


def _flat(value: Value) -> Array | None:
    """Return the numbers as one row of float64 or complex128; None if unknown."""
    array = value.array
    if array is None:
        return None
    flat: Array = array.ravel()
    return np.asarray(flat, np.result_type(flat.dtype, np.float64))


def _scalar_product(part: Array, whole: Array) -> float:
    """Return the scalar product of a part and the whole."""
    return float(np.vdot(whole, part).real) if part.size == whole.size else np.nan
