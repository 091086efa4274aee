"""The larger or smaller of two tensors, and clipping. Ties and bounds follow Paddle 3.3.1."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from minipaddle.core.listing import Listing, of
from minipaddle.core.meta import Array
from minipaddle.core.operator import operator
from minipaddle.ops.common.infer_meta import ALIGNED, broadcast
from minipaddle.ops.creation.cast import cast, numpy_dtype
from minipaddle.ops.creation.promotion import promote
from minipaddle.ops.logic.compare import logical_and
from minipaddle.ops.math.arithmetic import unbroadcast


def _share(winner: Any, loser: Any) -> Any:
    """1 where `winner` is greater, 1/2 where the two are equal, 0 elsewhere."""
    return (cast(winner > loser, winner.dtype) + cast(winner >= loser, winner.dtype)) * 0.5


def _first_wins(ahead: Any, y: Any, dy: Any) -> Any:
    """1 where the first is `ahead` or `y` is nan, 0 elsewhere."""
    return cast(ahead | (y != y), dy.dtype)


@operator(
    "elementwise_max",
    "X, Y -> Out",
    infer=broadcast,
    prepare=promote,
    latex=r"\max(x, y)",
    listing=ALIGNED,
    bare=True,
)
def maximum(x: Array, y: Array) -> Any:
    """Take the larger of each pair; nan if one of them is. A tie gives half of the gradient to each."""
    return np.maximum(x, y)


@maximum.gradient("x", fit=unbroadcast, formula="dy * ((x > y) + (x == y) / 2)")
def _(dy: Any, x: Any, y: Any) -> Any:
    return dy * _share(x, y)


@maximum.gradient("y", fit=unbroadcast, formula="dy * ((y > x) + (x == y) / 2)")
def _(dy: Any, x: Any, y: Any) -> Any:
    return dy * _share(y, x)


@operator(
    "elementwise_min",
    "X, Y -> Out",
    infer=broadcast,
    prepare=promote,
    latex=r"\min(x, y)",
    listing=ALIGNED,
    bare=True,
)
def minimum(x: Array, y: Array) -> Any:
    """Take the smaller of each pair; nan if one of them is. A tie gives half of the gradient to each."""
    return np.minimum(x, y)


@minimum.gradient("x", fit=unbroadcast, formula="dy * ((x < y) + (x == y) / 2)")
def _(dy: Any, x: Any, y: Any) -> Any:
    return dy * _share(y, x)


@minimum.gradient("y", fit=unbroadcast, formula="dy * ((y < x) + (x == y) / 2)")
def _(dy: Any, x: Any, y: Any) -> Any:
    return dy * _share(x, y)


@operator("elementwise_fmax", "X, Y -> Out", infer=broadcast, prepare=promote, latex=r"\max(x, y)", bare=True)
def fmax(x: Array, y: Array) -> Any:
    """Take the larger of each pair, or the one that is not nan. A tie gives the gradient to `x`."""
    return np.fmax(x, y)


@fmax.gradient("x", fit=unbroadcast, formula="dy * ((x >= y) | isnan(y))")
def _(dy: Any, x: Any, y: Any) -> Any:
    return dy * _first_wins(x >= y, y, dy)


@fmax.gradient("y", fit=unbroadcast, formula="dy * ((y > x) | isnan(x))")
def _(dy: Any, x: Any, y: Any) -> Any:
    return dy - dy * _first_wins(x >= y, y, dy)


@operator("elementwise_fmin", "X, Y -> Out", infer=broadcast, prepare=promote, latex=r"\min(x, y)", bare=True)
def fmin(x: Array, y: Array) -> Any:
    """Take the smaller of each pair, or the one that is not nan. A tie gives the gradient to `x`."""
    return np.fmin(x, y)


@fmin.gradient("x", fit=unbroadcast, formula="dy * ((x <= y) | isnan(y))")
def _(dy: Any, x: Any, y: Any) -> Any:
    return dy * _first_wins(x <= y, y, dy)


@fmin.gradient("y", fit=unbroadcast, formula="dy * ((y < x) | isnan(x))")
def _(dy: Any, x: Any, y: Any) -> Any:
    return dy - dy * _first_wins(x <= y, y, dy)


LARGEST = float(np.finfo(np.float32).max)
"""What stands in a Program for a bound that is not there."""


def _bound(otherwise: float, value: Any) -> float:
    return otherwise if value is None else float(value)


def _open(value: float) -> float | None:
    return None if abs(value) >= LARGEST else value


@operator(
    "clip",
    "X -> Out",
    name="clip",
    latex=r"\min(\max(x, a), b)",
    listing=Listing(
        min=of("min", partial(_bound, -LARGEST), _open), max=of("max", partial(_bound, LARGEST), _open)
    ),
)
def clip_(x: Array, min: Any = None, max: Any = None) -> Any:
    """Confine every element to the range from `min` to `max`. The slope is 1 on the bounds themselves."""
    return x.copy() if min is None and max is None else np.clip(x, min, max)


@clip_.gradient("x", formula=("dy * ((x >= min) & (x <= max))", "dy * (x >= min)", "dy * (x <= max)", "dy"))
def _(dy: Any, x: Any, min: Any, max: Any) -> Any:
    if min is None and max is None:
        return dy
    inside = x <= max if min is None else x >= min if max is None else logical_and(x >= min, x <= max)
    return dy * cast(inside, dy.dtype)


def clip(x: Any, min: Any = None, max: Any = None, name: str | None = None) -> Any:
    """Confine every element to the range from `min` to `max`; None leaves that side open.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/clip_en.html). Bounds are numbers or
    tensors with one element; an integer tensor with a float bound becomes float32.
    """
    bounds = [
        bound if bound is None or isinstance(bound, (int, float)) else bound.item() for bound in (min, max)
    ]
    if any(isinstance(bound, float) for bound in bounds) and numpy_dtype(x).kind not in "fc":
        x = cast(x, "float32")
    return clip_(x, *bounds, name=name)
