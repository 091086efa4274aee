"""The larger or smaller of two tensors, elements clipped to bounds, and the step function. Ties follow Paddle 3.3.1."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from minipaddle.engine.errors import invalid
from minipaddle.ops.creation.cast import cast, numpy_dtype
from minipaddle.ops.creation.full import zeros_like
from minipaddle.ops.creation.promotion import alike_pair, promote_floats
from minipaddle.ops.definition import Array, Listing, Value, formula, listed, mark, of, operator, tried_with
from minipaddle.ops.definition.axis_printing import ALIGNED
from minipaddle.ops.logic.compare import logical_and
from minipaddle.ops.reduction.sum import broadcast, cast_to
from minipaddle.ops.search.where import where_op


def _shared(dy: Any, winner: Any, loser: Any) -> Any:
    """Return all of `dy` where `winner` is greater, half where the two are equal, 0 elsewhere."""
    share = (cast(winner > loser, winner.dtype) + cast(winner >= loser, winner.dtype)) * 0.5
    return cast_to(dy * share, dy.dtype)


@listed(ALIGNED, bare=True)
@operator("elementwise_max", kinds="biuf", infer=broadcast, prepare=promote_floats)
def maximum(x: Array, y: Array) -> Any:
    """Take the larger of each pair; nan if one of them is. A tie gives half of the gradient to each."""
    return np.maximum(x, y)


maximum.gradient("x")(lambda dy, x, y: _shared(dy, x, y))
formula(maximum, lambda dy, x, y: dy * ((x > y) + (x == y) / 2), of="x")
maximum.gradient("y")(lambda dy, x, y: _shared(dy, y, x))
formula(maximum, lambda dy, x, y: dy * ((y > x) + (x == y) / 2), of="y")


@listed(ALIGNED, bare=True)
@operator("elementwise_min", kinds="biuf", infer=broadcast, prepare=promote_floats)
def minimum(x: Array, y: Array) -> Any:
    """Take the smaller of each pair; nan if one of them is. A tie gives half of the gradient to each."""
    return np.minimum(x, y)


minimum.gradient("x")(lambda dy, x, y: _shared(dy, y, x))
formula(minimum, lambda dy, x, y: dy * ((x < y) + (x == y) / 2), of="x")
minimum.gradient("y")(lambda dy, x, y: _shared(dy, x, y))
formula(minimum, lambda dy, x, y: dy * ((y < x) + (x == y) / 2), of="y")
mark("masks", maximum, minimum)


@listed(bare=True)
@operator("elementwise_heaviside", name="heaviside", kinds="biuf", infer=broadcast, prepare=alike_pair)
def heaviside(x: Array, y: Array) -> Array:
    """Return 0 where `x` is negative, 1 where it is positive, and `y` where it is 0."""
    return np.where(x == 0, y, (x > 0).astype(x.dtype))


heaviside.gradient("x")(lambda dy: dy * 0.0)
heaviside.gradient("y")(lambda dy, x: dy * cast(x == 0, dy.dtype))


LARGEST = float(np.finfo(np.float32).max)
"""The value in a Program for a missing bound."""


def _bound(otherwise: float, value: Any) -> float:
    return otherwise if value is None else float(value)


def _open(value: float) -> float | None:
    return None if abs(value) >= LARGEST else value


@listed(
    Listing(min=of("min", partial(_bound, -LARGEST), _open), max=of("max", partial(_bound, LARGEST), _open))
)
@tried_with((2, 3), min=0.4, max=0.6)
@operator("clip", kinds="biuf")
def clip_op(x: Array, *, min: Any = None, max: Any = None) -> Any:
    """Confine every element to the range from `min` to `max`. The slope is 1 on the bounds themselves."""
    if min is not None and max is not None and not min <= max:
        raise invalid(f"max should be greater than or equal to min. But received min = {min}, max = {max}.")
    return x.copy() if min is None and max is None else np.clip(x, min, max)


mark("cuts off", clip_op)
mark("masks", clip_op)


@clip_op.gradient("x")
def _(dy: Value, x: Value, min: Any, max: Any) -> Value:
    if min is None and max is None:
        return dy
    inside = x <= max if min is None else x >= min if max is None else logical_and(x >= min, x <= max)
    return where_op(inside, dy, zeros_like(dy))  # 0 times inf would be nan


def clip(x: Any, min: Any = None, max: Any = None, name: str | None = None) -> Any:
    """Confine every element to the range from `min` to `max`; None leaves that side open.

    Bounds are numbers or tensors with one element; an integer tensor with a float bound becomes float32.
    """
    bounds = [bound.item() if hasattr(bound, "item") else bound for bound in (min, max)]
    if any(isinstance(bound, float) for bound in bounds) and numpy_dtype(x).kind not in "fc":
        x = cast(x, "float32")
    return clip_op(x, *bounds, name=name)


clamp = clip
