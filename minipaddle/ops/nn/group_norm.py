"""Normalisation within each image: over groups of channels (group_norm), or every channel (instance_norm).

As in :mod:`minipaddle.ops.nn.norm`, which has the formula, gradients also flow through mean and variance.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.ops.creation.promotion import alike
from minipaddle.ops.definition import Array, Meta, invalid, listed, mark, operator, require, tried_with
from minipaddle.ops.definition.arguments import sizes
from minipaddle.ops.nn.norm import normalised, through_statistics
from minipaddle.ops.reduction.sum import reduce_sum
from minipaddle.ops.views.reshape import reshape2
from minipaddle.ops.views.transpose import transpose2


def _channels_first(ndim: int) -> tuple[int, ...]:
    """Return the order of axes that brings channels from the end to the front."""
    return (0, ndim - 1, *range(1, ndim - 1))


def _channels_last(ndim: int) -> tuple[int, ...]:
    """Return the inverse of :func:`_channels_first`."""
    return (0, *range(2, ndim), 1)


def _turned(x: Any, layout: str, order: Callable[[int], tuple[int, ...]]) -> Any:
    """Return `x` with its channels moved, if they are the last axis."""
    return transpose2(x, order(x.ndim)) if layout.endswith("C") and x.ndim > 2 else x


def _normalised(
    x: Array, scale: Array | None, bias: Array | None, groups: int, epsilon: float
) -> tuple[Array, Array, Array]:
    """Return the result, and mean and variance of each group, [N, groups]."""
    apart = x.reshape(x.shape[0], groups, x.shape[1] // groups, -1)
    scale, bias = [None if one is None else one.reshape(1, groups, -1, 1) for one in (scale, bias)]
    y, mean, variance = normalised(apart, (2, 3), scale, bias, epsilon)
    return y.reshape(x.shape), mean.reshape(-1, groups), variance.reshape(-1, groups)


def _apart(x: Any, groups: int) -> Any:
    """Return `x` as [N, groups, channels of a group, places]."""
    images, channels, *places = sizes(x)
    return reshape2(x, (images, groups, channels // groups, math.prod(places)))


def _statistic(value: Any, groups: int) -> Any:
    """Return one number per group, shaped to broadcast."""
    return reshape2(value, (-1, groups, 1, 1))


def _slope(grads: Any, x: Any, scale: Any, statistics: Any, groups: int, epsilon: float, layout: str) -> Any:
    """Return the gradient of `x`, given those of y, mean, variance."""
    dy, x = _turned(grads[0], layout, _channels_first), _turned(x, layout, _channels_first)
    mean, variance = statistics
    g, centred = _apart(dy, groups), _apart(x, groups) - _statistic(mean, groups)
    if scale is not None:
        g = g * reshape2(scale, (1, groups, -1, 1))
    inverse = _statistic(variance + epsilon, groups) ** -0.5
    m = sizes(g)[2] * sizes(g)[3]
    dmean, dvariance = [_statistic(one, groups) for one in grads[1:]]
    dx = reshape2(through_statistics(g, centred, inverse, dmean, dvariance, [2, 3], m), tuple(sizes(x)))
    return _turned(dx, layout, _channels_last)


def _scale_slope(dy: Any, x: Any, statistics: Any, groups: int, epsilon: float, layout: str) -> Any:
    """Return the gradient of the factors."""
    dy, x = _turned(dy, layout, _channels_first), _turned(x, layout, _channels_first)
    inverse = _statistic(statistics[1] + epsilon, groups) ** -0.5
    normal = (_apart(x, groups) - _statistic(statistics[0], groups)) * inverse
    return reshape2(reduce_sum(_apart(dy, groups) * normal, axis=[0, 3]), (-1,))


def _over_channels(dy: Any) -> Any:
    return reduce_sum(dy, axis=[axis for axis in range(dy.ndim) if axis != 1])


def _check_flat(op: str, channels: int, **given: Meta | None) -> None:
    """Raise for factors or summands that are not one per channel."""
    for name, meta in given.items():
        if meta is not None and (
            meta.ndim != 1 or (meta.shape[0] != channels and -1 not in (channels, meta.shape[0]))
        ):
            raise invalid(
                f"The {name} of {op} must have one number for each of {channels} channels, but its shape is "
                f"{list(meta.shape)}."
            )


# -- group_norm -----------------------------------------------------------------------------------------------


def _group_infer(
    x: Meta, scale: Meta | None, bias: Meta | None, groups: int, data_layout: str, **attrs: Any
) -> tuple[Meta, Meta, Meta]:
    channels = x.shape[-1 if data_layout.endswith("C") and x.ndim > 2 else 1]
    if channels % groups and channels != -1:
        raise invalid(
            "Expected number of channels in input to be divisible by num_groups, but got input channel is "
            f"{channels} and num_groups is {groups}"
        )
    _check_flat("group_norm", channels, Scale=scale, Bias=bias)
    statistics = Meta((x.shape[0], groups), x.dtype)
    return x, statistics, statistics


@listed(numbered="Mean, Variance, Y", grad_keeps="Bias, Y", grad_takes="Y")
@tried_with((2, 3, 4), (4,), (4,), within=(-1, 1), groups=2, data_layout="NLC")
@operator("group_norm", kinds="f", prepare=alike, infer=_group_infer, outputs=("y", "mean", "variance"))
def group_norm(
    x: Array,
    scale: Array | None = None,
    bias: Array | None = None,
    *,
    groups: int = 1,
    epsilon: float = 1e-5,
    data_layout: str = "NCHW",
) -> tuple[Array, ...]:
    """Normalise each image over groups of channels."""
    behind = data_layout.endswith("C") and x.ndim > 2
    channels = x.transpose(_channels_first(x.ndim)) if behind else x
    require(not channels.shape[1] % groups)
    y, mean, variance = _normalised(channels, scale, bias, groups, epsilon)
    return np.ascontiguousarray(y.transpose(_channels_last(x.ndim))) if behind else y, mean, variance


group_norm.gradient("x")(
    lambda dy, dmean, dvariance, x, scale, mean, variance, groups, epsilon, data_layout: _slope(
        (dy, dmean, dvariance), x, scale, (mean, variance), groups, epsilon, data_layout
    )
)
group_norm.gradient("scale")(
    lambda dy, dmean, dvariance, x, mean, variance, groups, epsilon, data_layout: _scale_slope(
        dy, x, (mean, variance), groups, epsilon, data_layout
    )
)
group_norm.gradient("bias")(
    lambda dy, dmean, dvariance, data_layout: _over_channels(_turned(dy, data_layout, _channels_first))
)


# -- instance_norm --------------------------------------------------------------------------------------------


def _instance_infer(x: Meta, scale: Meta | None, bias: Meta | None, **attrs: Any) -> tuple[Meta, Meta, Meta]:
    if x.ndim < 2:
        raise invalid(f"The input of instance_norm must have 2 axes or more, not {x.ndim}.")
    _check_flat("instance_norm", x.shape[1], Scale=scale, Bias=bias)
    statistics = Meta((x.shape[0], x.shape[1]), x.dtype)
    return x, statistics, statistics


@listed(numbered="SavedMean, SavedVariance, Y", grad_takes="Y")
@tried_with((2, 3, 4), (3,), (3,), within=(-1, 1))
@operator(
    "instance_norm",
    kinds="f",
    prepare=alike,
    infer=_instance_infer,
    outputs=("y", "saved_mean", "saved_variance"),
)
def instance_norm(
    x: Array, scale: Array | None = None, bias: Array | None = None, *, epsilon: float = 1e-5
) -> tuple[Array, ...]:
    """Normalise every channel of every image on its own."""
    require(x.ndim >= 2)
    return _normalised(x, scale, bias, x.shape[1], epsilon)


mark("normalises", group_norm, instance_norm)
instance_norm.gradient("x")(
    lambda dy, dmean, dvariance, x, scale, saved_mean, saved_variance, epsilon: _slope(
        (dy, dmean, dvariance), x, scale, (saved_mean, saved_variance), x.shape[1], epsilon, "NCHW"
    )
)
instance_norm.gradient("scale")(
    lambda dy, dmean, dvariance, x, saved_mean, saved_variance, epsilon: _scale_slope(
        dy, x, (saved_mean, saved_variance), x.shape[1], epsilon, "NCHW"
    )
)
instance_norm.gradient("bias")(lambda dy, dmean, dvariance: _over_channels(dy))
