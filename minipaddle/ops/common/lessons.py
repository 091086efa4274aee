"""Lessons that several operators share."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from minipaddle.core.meta import Array
from minipaddle.names.phrase import Phrase, phrase
from minipaddle.ops.common.lesson import Seen

_FLAT = 0.05
"""Of its steepest slope: where a squashing function is flatter than that, it is said to be saturated."""


def saturation(op: str, slope: Callable[[Array], Array], steepest: float) -> Callable[..., Iterator[Phrase]]:
    """Return the lesson of a function that squashes: how many elements are where it is nearly flat.

    `slope` gives its slope from its result; at its `steepest` that is so much.
    """

    def about(dy: Seen, out: Seen) -> Iterator[Phrase]:
        if out.array is None:
            return
        flat = int((slope(out.array) < _FLAT * steepest).sum())
        if flat:
            yield phrase(
                "{count} of {size} elements are saturated: {op} is nearly flat there, and lets little gradient pass",
                count=flat,
                size=out.array.size,
                op=op,
            )

    return about
