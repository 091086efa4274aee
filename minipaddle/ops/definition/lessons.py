"""Lessons that several operators share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from minipaddle.engine.names.translatable import phrase
from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.value.meta import Array
from minipaddle.ops.definition.lesson import Claim, Seen, lesson

_FLAT = 0.05
"""Of its steepest slope: where a squashing function is flatter than that, it is said to be saturated."""


def saturates(op: Operator, slope: Callable[[Array], Array], steepest: float) -> None:
    """Say of a function that squashes where it is nearly flat, and make a lesson of that.

    `slope` gives its slope from its result; at its `steepest` that is so much.
    """

    def flat_at(out: Any) -> Any:
        return slope(out) < _FLAT * steepest

    op.flat = flat_at

    @lesson(op)
    def _(dy: Seen, out: Seen) -> Iterator[Claim]:
        if out.array is None:
            return
        flat = np.sum(flat_at(out.array), dtype=np.int64)
        said = phrase(
            "{count} of {size} elements are saturated: {op} is nearly flat there, and lets little gradient pass",
            count=flat,
            size=out.array.size,
            op=op.name,
        )
        yield Claim(said, flat > 0)
