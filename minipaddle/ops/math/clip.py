"""Elements kept between two bounds."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from minipaddle.ops.creation.cast import cast, numpy_dtype
from minipaddle.ops.definition import Array, Listing, Value, listed, mark, of, operator, tried_with
from minipaddle.ops.logic.compare import logical_and

LARGEST = float(np.finfo(np.float32).max)
"""What stands in a Program for a bound that is not there."""


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
    return x.copy() if min is None and max is None else np.clip(x, min, max)


mark("cuts off", clip_op)
mark("masks", clip_op)


@clip_op.gradient("x")
def _(dy: Value, x: Value, min: Any, max: Any) -> Value:
    if min is None and max is None:
        return dy
    inside = x <= max if min is None else x >= min if max is None else logical_and(x >= min, x <= max)
    return dy * cast(inside, dy.dtype)


def clip(x: Any, min: Any = None, max: Any = None, name: str | None = None) -> Any:
    """Confine every element to the range from `min` to `max`; None leaves that side open.

    Bounds are numbers or tensors with one element; an integer tensor with a float bound becomes float32.
    """
    bounds = [
        bound if bound is None or isinstance(bound, (int, float)) else bound.item() for bound in (min, max)
    ]
    if any(isinstance(bound, float) for bound in bounds) and numpy_dtype(x).kind not in "fc":
        x = cast(x, "float32")
    return clip_op(x, *bounds, name=name)


clamp = clip
