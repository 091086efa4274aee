"""The step function: 0 below zero, 1 above it."""

from __future__ import annotations

import numpy as np

from minipaddle.engine.operator.operator import operator
from minipaddle.engine.value.meta import Array
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.promotion import alike_pair
from minipaddle.ops.definition.infer_meta import broadcast
from minipaddle.ops.definition.program_printing import listed
from minipaddle.ops.reduction.sum import unbroadcast


@listed(bare=True)
@operator(
    "elementwise_heaviside", "X, Y -> Out", name="heaviside", kinds="biuf", infer=broadcast, prepare=alike_pair,
    latex=r"[x > 0]",
)  # fmt: skip
def heaviside(x: Array, y: Array) -> Array:
    """Return 0 where `x` is negative, 1 where it is positive, and `y` where it is 0."""
    return np.where(x == 0, y, (x > 0).astype(x.dtype))


heaviside.gradient("x", unbroadcast=unbroadcast)(lambda dy: dy * 0.0)
heaviside.gradient("y", unbroadcast=unbroadcast)(lambda dy, x: dy * cast(x == 0, dy.dtype))
