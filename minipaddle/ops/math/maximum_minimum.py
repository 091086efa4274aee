"""The larger or smaller of two tensors, and the step function. Ties follow Paddle 3.3.1."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.promotion import alike_pair, promote
from minipaddle.ops.definition import Array, formula, listed, mark, operator
from minipaddle.ops.definition.axis_printing import ALIGNED
from minipaddle.ops.definition.infer_meta import broadcast
from minipaddle.ops.reduction.sum import cast_to, unbroadcast


def _shared(dy: Any, winner: Any, loser: Any) -> Any:
    """All of `dy` where `winner` is greater, half where the two are equal, 0 elsewhere."""
    share = (cast(winner > loser, winner.dtype) + cast(winner >= loser, winner.dtype)) * 0.5
    return cast_to(dy * share, dy.dtype)


@listed(ALIGNED, bare=True)
@operator("elementwise_max", kinds="biuf", infer=broadcast, prepare=promote)
def maximum(x: Array, y: Array) -> Any:
    """Take the larger of each pair; nan if one of them is. A tie gives half of the gradient to each."""
    return np.maximum(x, y)


maximum.gradient("x", unbroadcast=unbroadcast)(lambda dy, x, y: _shared(dy, x, y))
formula(maximum, lambda dy, x, y: dy * ((x > y) + (x == y) / 2), of="x")
maximum.gradient("y", unbroadcast=unbroadcast)(lambda dy, x, y: _shared(dy, y, x))
formula(maximum, lambda dy, x, y: dy * ((y > x) + (x == y) / 2), of="y")


@listed(ALIGNED, bare=True)
@operator("elementwise_min", kinds="biuf", infer=broadcast, prepare=promote)
def minimum(x: Array, y: Array) -> Any:
    """Take the smaller of each pair; nan if one of them is. A tie gives half of the gradient to each."""
    return np.minimum(x, y)


minimum.gradient("x", unbroadcast=unbroadcast)(lambda dy, x, y: _shared(dy, y, x))
formula(minimum, lambda dy, x, y: dy * ((x < y) + (x == y) / 2), of="x")
minimum.gradient("y", unbroadcast=unbroadcast)(lambda dy, x, y: _shared(dy, x, y))
formula(minimum, lambda dy, x, y: dy * ((y < x) + (x == y) / 2), of="y")
mark("masks", maximum, minimum)


@listed(bare=True)
@operator("elementwise_heaviside", name="heaviside", kinds="biuf", infer=broadcast, prepare=alike_pair)
def heaviside(x: Array, y: Array) -> Array:
    """Return 0 where `x` is negative, 1 where it is positive, and `y` where it is 0."""
    return np.where(x == 0, y, (x > 0).astype(x.dtype))


heaviside.gradient("x", unbroadcast=unbroadcast)(lambda dy: dy * 0.0)
heaviside.gradient("y", unbroadcast=unbroadcast)(lambda dy, x: dy * cast(x == 0, dy.dtype))
