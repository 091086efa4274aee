"""Lessons that several operators share."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from minipaddle.core.meta import Array
from minipaddle.names.phrase import phrase
from minipaddle.ops.common.lesson import Claim, Seen

_FLAT = 0.05
"""Of its steepest slope: where a squashing function is flatter than that, it is said to be saturated."""


def saturation(op: str, slope: Callable[[Array], Array], steepest: float) -> Callable[..., Iterator[Claim]]:
    """Return the lesson of a function that squashes: how many elements are where it is nearly flat.

    `slope` gives its slope from its result; at its `steepest` that is so much.
    """

    def about(dy: Seen, out: Seen) -> Iterator[Claim]:
        if out.array is None:
            return
        flat = np.sum(slope(out.array) < _FLAT * steepest, dtype=np.int64)
        said = phrase(
            "{count} of {size} elements are saturated: {op} is nearly flat there, and lets little gradient pass",
            count=flat,
            size=out.array.size,
            op=op,
        )
        yield Claim(said, flat > 0)

    return about
