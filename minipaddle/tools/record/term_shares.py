"""The share of each term in a sum of gradients, and how much remains of terms that cancel."""

from collections.abc import Sequence
from math import inf, isfinite, nan

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.tools.record.events import Value
from minipaddle.tools.words.fields import is_field
from minipaddle.tools.words.numbers import few_numbers, percent

CANCELS = 0.1
"""Terms are said to cancel if less than this part of their norms remains."""


def shares(terms: Sequence[Value], total: Value) -> list[float] | None:
    """Return the share of each term in a sum: of the sum of all terms' absolute elements; together they are 1.

    None if numbers were not kept, are not finite, or are all zero.
    """
    sizes = [_size(term) for term in terms]
    whole = sum(sizes)
    return [size / whole for size in sizes] if 0 < whole < inf and total.array is not None else None


def contribution(terms: Sequence[Value], share: float | None) -> str:
    """Return what terms add to a sum: ``+2, -1`` if they have few numbers; else their share, from 1% to 99%, or ""."""
    if share is None:
        return ""
    few = len({term.shape for term in terms}) == 1 and few_numbers(terms[0])
    if few and not any(is_field(term) for term in terms):
        numbers: Array = np.sum([term.array for term in terms if term.array is not None], axis=0)
        return ", ".join(f"{one + 0.0:+.4g}" for one in numbers.ravel().tolist())
    return percent(share) if 0.005 < share < 0.995 else ""


def left_of(terms: Sequence[Value], total: Value) -> float | None:
    """Return the norm of a sum over the norms of its terms: 1 for terms in one direction, 0 for terms that cancel."""
    norms = sum(term.stats.norm for term in terms)
    stats = total.stats
    is_known = norms > 0 and isfinite(norms) and isfinite(stats.norm) and not stats.bad
    return stats.norm / norms if is_known else None


def cancels(terms: Sequence[Value], total: Value) -> bool:
    """Whether the terms of a sum nearly cancel."""
    left = left_of(terms, total)
    return left is not None and left < CANCELS


def _size(value: Value) -> float:
    """Return the sum of the absolute elements; NaN if they are not known."""
    return nan if value.array is None else float(np.abs(value.array).sum(dtype=np.float64))
