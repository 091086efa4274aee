"""Activations of several values: swiglu, one half gates the other; maxout, the largest of some channels."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Meta, Shape
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.activation.sigmoids import sigmoid
from minipaddle.ops.common.arguments import axis_in
from minipaddle.ops.common.listed import Listing, listed
from minipaddle.ops.common.listing import axis_of
from minipaddle.ops.manipulation.concat import concat_op
from minipaddle.ops.manipulation.split import split_with_num
from minipaddle.ops.reduction.minmax import share_among_ties
from minipaddle.ops.views.reshape import reshape2

# -- swiglu ---------------------------------------------------------------------------------------------------


def _swiglu_infer(x: Meta, y: Meta | None) -> Meta:
    if y is None:
        if not x.shape or (x.shape[-1] % 2 and x.shape[-1] != -1):
            raise failure(
                ValueError,
                f"The last dim of Input(X) should be exactly divided by 2, but its shape is {list(x.shape)}.",
            )
        return Meta((*x.shape[:-1], -1 if x.shape[-1] == -1 else x.shape[-1] // 2), x.dtype)
    if y.shape != x.shape and -1 not in (*x.shape, *y.shape):
        raise failure(
            ValueError,
            "The shape of Input(X) should be equal of the shape of Input(Y), but received "
            f"{list(x.shape)} and {list(y.shape)}.",
        )
    return x


@operator(
    "swiglu",
    "x, y? -> out",
    infer=_swiglu_infer,
    kinds="f",
    latex=r"x\,\sigma(x)\; y",
    page="incubate/nn/functional/swiglu",
)
def swiglu(x: Array, y: Array | None) -> Array:
    """Return ``silu(x) * y``; without `y` the two halves of `x` along its last axis are taken.

    Raises:
        ValueError: if the shapes differ, or there are no two halves.
    """
    if y is None:
        x, y = np.split(x, 2, -1)
    if x.shape != y.shape:
        raise ValueError  # worded by the shape rule
    return x * sigmoid.run(x) * y


@swiglu.gradient("x")
def _(dout: Value, x: Value, y: Value | None) -> Value:
    if y is not None:
        return dout * y * _silu_slope(x)
    signal, gate = split_with_num(x, 2, -1)
    return concat_op([dout * gate * _silu_slope(signal), dout * signal * sigmoid(signal)], -1)


@swiglu.gradient("y")
def _(dout: Value, x: Value) -> Value:
    return dout * x * sigmoid(x)


def _silu_slope(x: Any) -> Any:
    bend = sigmoid(x)
    return bend * (1.0 + x * (1.0 - bend))


# -- maxout ---------------------------------------------------------------------------------------------------


def _groups(shape: Shape, groups: int, axis: int) -> tuple[int, Shape]:
    """Return the axis of the channels, and the shape with an axis for the members of each group behind it.

    Raises:
        ValueError: if the channels do not make groups.
    """
    place = axis_in(axis, len(shape))
    channels = shape[place]
    if groups <= 1 or (channels != -1 and channels % groups):
        raise failure(
            ValueError,
            "The number of input channels for Op(maxout) should be divisible by Attr(groups), and groups larger "
            f"than 1. But received: the input's channels is {channels}, the groups is {groups}.",
        )
    return place, (*shape[:place], -1 if channels == -1 else channels // groups, groups, *shape[place + 1 :])


def _maxout_infer(x: Meta, *, groups: int, axis: int = 1) -> Meta:
    place, shape = _groups(x.shape, groups, axis)
    return Meta((*shape[: place + 1], *shape[place + 2 :]), x.dtype)


@listed(Listing(axis=axis_of("axis")))
@operator(
    "maxout",
    "X -> Out",
    infer=_maxout_infer,
    kinds="f",
    latex=r"\max_g x_g",
    example=lambda rng: ([rng.uniform(0.2, 0.9, (2, 4, 3))], {"groups": 2}),
    page="nn/functional/maxout",
)
def maxout(x: Array, groups: int, axis: int = 1) -> Array:
    """Return the maximum of each `groups` neighbouring channels: [N, C, ...] gives [N, C / groups, ...].

    Raises:
        ValueError: for an axis that is not there, or channels that `groups` does not divide.
    """
    place, shape = _groups(x.shape, groups, axis)
    return x.reshape(shape).max(place + 1)


@maxout.gradient("x")
def _(dy: Value, x: Value, out: Value, x_shape: Shape, groups: int, axis: int) -> Value:
    place = axis_in(axis, len(x_shape))
    kept = tuple(out.shape)
    apart = (*kept[: place + 1], 1, *kept[place + 1 :])
    members = reshape2(x, (*kept[: place + 1], groups, *kept[place + 1 :]))
    found = share_among_ties(reshape2(dy, apart), members, reshape2(out, apart), place + 1, True)
    return reshape2(found, x_shape)
