r"""Normalisation: subtract the mean, divide by the standard deviation, then scale and shift.

Both operators return the mean :math:`\mu` and the variance :math:`v` as outputs that gradients flow through. So
the gradient rule may use them instead of computing them again, and a second differentiation still reaches
``x``. With :math:`r = (v + \epsilon)^{-1/2}` and :math:`g` the gradient of
:math:`\hat x = (x - \mu) r`, over `m` elements:

.. math:: \bar x = g r + (x - \mu) \frac{2\bar v - r^3 \sum g (x - \mu)}{m} + \frac{\bar\mu - r \sum g}{m}
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.engine.value.meta import Array, Meta, Shape, sizes_fit
from minipaddle.ops.creation.full import zeros_like
from minipaddle.ops.creation.promotion import alike
from minipaddle.ops.definition import Value, formula, invalid, mark, operator, require, tried_with
from minipaddle.ops.definition.arguments import sizes
from minipaddle.ops.definition.program_printing import Listing, derived, listed
from minipaddle.ops.reduction.sum import reduce_sum
from minipaddle.ops.views.reshape import reshape


def normalised(
    x: Array, axes: tuple[int, ...], scale: Array | None, bias: Array | None, epsilon: float
) -> tuple[Array, Array, Array]:
    """Return the result, and mean and variance over `axes`, which are kept with size 1; all broadcasts."""
    m = math.prod([x.shape[axis] for axis in axes])
    mean = np.add.reduce(x, axes, keepdims=True) / m
    y = x - mean
    variance = np.add.reduce(y * y, axes, keepdims=True) / m
    return _stretched(y, variance, scale, bias, epsilon), mean, variance


def _stretched(y: Array, variance: Array, scale: Array | None, bias: Array | None, epsilon: float) -> Array:
    """Return `y`, centred, divided by the standard deviation in place, then scaled and shifted."""
    y *= (variance + epsilon) ** -0.5
    if scale is not None:
        y *= scale
    if bias is not None:
        y += bias
    return y


def through_statistics(
    g: Any, centred: Any, inverse: Any, dmean: Any, dvariance: Any, axes: Any, m: Any
) -> Any:
    """Return the gradient of `x`: the formula above; mean and variance are taken over `axes`."""
    tilt = reduce_sum(g * centred, axis=axes, keepdim=True) * (inverse * inverse * inverse)
    level = reduce_sum(g, axis=axes, keepdim=True) * inverse
    return g * inverse + centred * _share(2 * dvariance - tilt, m) + _share(dmean - level, m)


def _readable_slope(g: Any, centred: Any, spread: Any, axes: Any) -> Any:
    """Return the gradient of `x` if mean and variance have no gradient."""
    normal = centred / spread
    pull = np.mean(g, axes, keepdims=True) + normal * np.mean(g * normal, axes, keepdims=True)
    return (g - pull) / spread


def _share(value: Any, m: Any) -> Any:
    """Divide by a count; in a Program that may be a Variable, and its inverse would be a rough float32."""
    return value * (1 / max(m, 1)) if isinstance(m, int) else value / m


def _infer_layer_norm(
    x: Meta, scale: Meta | None, bias: Meta | None, begin_norm_axis: int, **attrs: Any
) -> tuple[Meta, Meta, Meta]:
    """Shape rule: `x` stays; mean and variance are flat, one per normalised row."""
    if begin_norm_axis <= 0:
        raise invalid(
            f"'begin_norm_axis' in Op(LayerNorm) should be greater than zero. But received [{begin_norm_axis}].",
            "the input needs an axis before the normalised ones: x.unsqueeze(0)",
        )
    size, rows = math.prod(x.shape[begin_norm_axis:]), math.prod(x.shape[:begin_norm_axis])
    for name, meta in (("scale", scale), ("bias", bias)):
        if meta is not None and -1 not in x.shape[begin_norm_axis:] and not sizes_fit(meta.shape, (size,)):
            raise invalid(
                f"The {name} of layer_norm must be flat with {size} elements, but received shape {list(meta.shape)}."
            )
    statistics = Meta((-1 if -1 in x.shape[:begin_norm_axis] else rows,), x.dtype)
    return x, statistics, statistics


@listed(numbered="Mean, Variance, Y", grad_keeps="Bias", grad_takes="Y")
@tried_with((2, 3, 4), (12,), (12,), within=(-1, 1))
@operator(
    "layer_norm", kinds="biuf", prepare=alike, infer=_infer_layer_norm, outputs=("y", "mean", "variance")
)
def layer_norm(
    x: Array,
    scale: Array | None = None,
    bias: Array | None = None,
    *,
    begin_norm_axis: int = 1,
    epsilon: float = 1e-5,
) -> tuple[Array, ...]:
    """Normalise over all axes from `begin_norm_axis` on."""
    require(begin_norm_axis > 0)
    rows = x.reshape(math.prod(x.shape[:begin_norm_axis]), math.prod(x.shape[begin_norm_axis:]))
    y, mean, variance = normalised(rows, (1,), scale, bias, epsilon)
    return y.reshape(x.shape), mean.reshape(-1), variance.reshape(-1)


def _readable_layer_slope(
    dy: Any, x: Any, scale: Any, mean: Any, variance: Any, x_shape: Any, epsilon: float
) -> Any:
    """Return the gradient of `x`, row by row."""
    rows = len(mean)
    g = dy.reshape(rows, -1) if scale is None else dy.reshape(rows, -1) * scale
    spread = np.sqrt(variance.reshape(rows, 1) + epsilon)
    return _readable_slope(g, x.reshape(rows, -1) - mean.reshape(rows, 1), spread, 1).reshape(x_shape)


def _by_rows(value: Value, mean: Value, x_shape: Shape, begin_norm_axis: int) -> Value:
    """Return `value`, of the shape of `x`, as a matrix; a row length of -1 is impossible without rows."""
    rows = sizes(mean)[0]
    return reshape(value, (rows, -1) if rows else (0, math.prod(x_shape[begin_norm_axis:])))


@layer_norm.gradient("x")
def _(
    dy: Value,
    dmean: Value,
    dvariance: Value,
    x: Value,
    scale: Value | None,
    mean: Value,
    variance: Value,
    x_shape: Shape,
    begin_norm_axis: int,
    epsilon: float,
) -> Value:
    g, of_x = [_by_rows(one, mean, x_shape, begin_norm_axis) for one in (dy, x)]
    mean, variance, dmean, dvariance = [reshape(one, (-1, 1)) for one in (mean, variance, dmean, dvariance)]
    if scale is not None:
        g = g * scale
    inverse = (variance + epsilon) ** -0.5
    dx = through_statistics(g, of_x - mean, inverse, dmean, dvariance, [1], sizes(g)[1])
    return reshape(dx, x_shape)


formula(layer_norm, _readable_layer_slope, of="x")


@layer_norm.gradient("scale")
def _(
    dy: Value,
    dmean: Value,
    dvariance: Value,
    x: Value,
    mean: Value,
    variance: Value,
    x_shape: Shape,
    begin_norm_axis: int,
    epsilon: float,
) -> Value:
    g, of_x = [_by_rows(one, mean, x_shape, begin_norm_axis) for one in (dy, x)]
    normal = (of_x - reshape(mean, (-1, 1))) * reshape(variance + epsilon, (-1, 1)) ** -0.5
    return reduce_sum(g * normal, axis=[0])


@layer_norm.gradient("bias")
def _(dy: Value, dmean: Value, dvariance: Value, mean: Value, x_shape: Shape, begin_norm_axis: int) -> Value:
    return reduce_sum(_by_rows(dy, mean, x_shape, begin_norm_axis), axis=[0])


def _channel(ndim: int, data_layout: str) -> int:
    """Return the axis of the channels."""
    return ndim - 1 if data_layout.endswith("C") and ndim > 2 else 1


def _others(ndim: int, data_layout: str) -> list[int]:
    """Return the axes that are averaged over: all but the channels."""
    return [axis for axis in range(ndim) if axis != _channel(ndim, data_layout)]


def _along(value: Any, ndim: int, data_layout: str) -> Any:
    """Return one number per channel, of an array or a Value, in a shape that broadcasts; None stays None."""
    shape = [1] * ndim
    shape[_channel(ndim, data_layout)] = -1
    return value if value is None else value.reshape(shape)


def _infer_batch_norm(
    x: Meta, scale: Meta | None, bias: Meta | None, mean: Meta, variance: Meta, data_layout: str, **attrs: Any
) -> tuple[Meta, ...]:
    """Shape rule: `x` stays; everything else has one element per channel."""
    if x.ndim < 2:
        raise invalid(f"input dim must be larger than 1, but received shape {list(x.shape)}")
    channels = x.shape[_channel(x.ndim, data_layout)]
    for name, meta in (("mean", mean), ("variance", variance), ("scale", scale), ("bias", bias)):
        if meta is not None and not sizes_fit((channels,), meta.shape[:1]):
            raise invalid(
                f"The first dimension of {name} must equal to the number of Channels, which is [{channels}]. But "
                f"received: the first dimension of {name} is [{meta.shape[0]}], the dimensions of {name} is "
                f"{list(meta.shape)}."
            )
    return (x, *[mean] * 4)


def _are_alone(x: Any, mean: Any, is_test: bool) -> bool:
    """Return whether no channel has two values to normalise: Paddle then hands `x` on and keeps the averages."""
    return not is_test and -1 not in x.shape and math.prod(x.shape) <= mean.shape[0]


@listed(
    Listing(
        use_global_stats=derived(lambda attrs, metas: bool(attrs["is_test"])), trainable_statistics=False
    ),
    numbered="SavedMean, SavedVariance, Y, MeanOut, VarianceOut",
    grad_keeps="Bias, MeanOut, VarianceOut",
    grad_takes="Y",
)
@tried_with(
    lambda rng: (
        [rng.uniform(-1, 1, (3, 2, 2, 2)), *rng.uniform(-1, 1, (3, 2)), rng.uniform(0.5, 1.5, 2)],
        {},
    )
)
@operator(
    "batch_norm",
    kinds="biuf",
    prepare=alike,
    infer=_infer_batch_norm,
    optional=("scale", "bias"),
    outputs=("y", "mean_out", "variance_out", "saved_mean", "saved_variance"),
    by_products=("mean_out", "variance_out"),
)
def batch_norm(
    x: Array,
    scale: Array | None,
    bias: Array | None,
    mean: Array,
    variance: Array,
    *,
    momentum: float = 0.9,
    epsilon: float = 1e-5,
    is_test: bool = False,
    data_layout: str = "NCHW",
) -> tuple[Array, ...]:
    """Normalise every channel: over the batch, or (`is_test`) with the running `mean` and `variance`.

    Returns:
        y, the new running mean and variance (``momentum * old + (1 - momentum) * batch``), the mean and
        variance used. Where each channel has one value, `x` and the old averages.
    """
    if _are_alone(x, mean, is_test):
        return (x.copy(), *[one.copy() for one in (mean, variance, mean, variance)])
    scale, bias, moved, spread = [_along(one, x.ndim, data_layout) for one in (scale, bias, mean, variance)]
    if is_test:
        momentum, used = 1.0, [mean.copy(), variance.copy()]
        y = _stretched(x - moved, spread, scale, bias, epsilon)
    else:
        y, *batch = normalised(x, tuple(_others(x.ndim, data_layout)), scale, bias, epsilon)
        used = [one.reshape(-1) for one in batch]
    new = [momentum * old + (1 - momentum) * one for old, one in zip((mean, variance), used)]
    return (y, *new, *used)


mark("normalises", batch_norm, layer_norm)


def _readable_batch_slope(
    dy: Any,
    x: Any,
    scale: Any,
    saved_mean: Any,
    saved_variance: Any,
    is_test: bool,
    epsilon: float,
    data_layout: str,
) -> Any:
    """Return the gradient of `x`, channel by channel."""
    if _are_alone(x, saved_mean, is_test):
        return dy
    channel = _channel(x.ndim, data_layout)
    along = [-1] + [1] * (x.ndim - 1 - channel)
    g = dy if scale is None else dy * scale.reshape(along)
    spread = np.sqrt(saved_variance.reshape(along) + epsilon)
    if is_test:
        return g / spread
    return _readable_slope(g, x - saved_mean.reshape(along), spread, tuple(_others(x.ndim, data_layout)))


@batch_norm.gradient("x")
def _(
    dy: Value,
    dmean: Value,
    dvariance: Value,
    x: Value,
    scale: Value | None,
    saved_mean: Value,
    saved_variance: Value,
    is_test: bool,
    epsilon: float,
    data_layout: str,
) -> Value:
    if _are_alone(x, saved_mean, is_test):
        return dy
    ndim = len(x.shape)
    inverse = _along((saved_variance + epsilon) ** -0.5, ndim, data_layout)
    g = dy if scale is None else dy * _along(scale, ndim, data_layout)
    if is_test:
        return g * inverse
    m = math.prod(sizes(x)) // sizes(saved_mean)[0]
    mean, dmean, dvariance = [_along(one, ndim, data_layout) for one in (saved_mean, dmean, dvariance)]
    return through_statistics(g, x - mean, inverse, dmean, dvariance, _others(ndim, data_layout), m)


formula(batch_norm, _readable_batch_slope, of="x")


@batch_norm.gradient("scale")
def _(
    dy: Value,
    dmean: Value,
    dvariance: Value,
    x: Value,
    saved_mean: Value,
    saved_variance: Value,
    is_test: bool,
    epsilon: float,
    data_layout: str,
) -> Value:
    if _are_alone(x, saved_mean, is_test):
        return zeros_like(saved_mean)
    centred = x - _along(saved_mean, len(x.shape), data_layout)
    total = reduce_sum(dy * centred, axis=_others(len(x.shape), data_layout))
    return total * (saved_variance + epsilon) ** -0.5


@batch_norm.gradient("bias")
def _(dy: Value, dmean: Value, dvariance: Value, saved_mean: Value, is_test: bool, data_layout: str) -> Value:
    if _are_alone(dy, saved_mean, is_test):
        return zeros_like(saved_mean)
    return reduce_sum(dy, axis=_others(len(dy.shape), data_layout))
