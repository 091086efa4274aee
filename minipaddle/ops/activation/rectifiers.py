"""Piecewise linear activations, and smooth ones that approach them. Slopes at 0 are as in Paddle 3.3.1."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minipaddle.ops.creation.promotion import alike_pair, floating
from minipaddle.ops.definition import Array, Attrs, Meta, Value, formula, invalid, mark, operator, tried_with
from minipaddle.ops.definition.infer_meta import broadcast_shapes, require
from minipaddle.ops.definition.program_printing import Listing, Metas, derived, listed, of
from minipaddle.ops.definition.traits import is_flat
from minipaddle.ops.math.exponential import exp
from minipaddle.ops.math.rounding import abs
from minipaddle.ops.reduction.sum import unbroadcast
from minipaddle.ops.views.reshape import reshape

SELU_SCALE, SELU_ALPHA = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717
Example = Callable[["np.random.Generator"], tuple[Sequence[Any], Attrs]]


def around_zero(**attrs: Any) -> Example:
    """Example: numbers of both signs, none near 0, +-1/2, +-1 or +-3, where activations have their kinks."""

    def example(rng: np.random.Generator) -> tuple[Sequence[Any], Attrs]:
        middle = np.array([[-4.0, -2.0, -0.8], [0.2, 0.7, 2.0], [4.0, 7.0, -0.3]])
        return [middle + rng.uniform(0, 0.1, middle.shape)], attrs

    return example


@tried_with(around_zero())
@operator("step", kinds="biuf")
def step(x: Array) -> Any:
    """1 where the element is positive, else 0; it stops gradients. Rules of kinked functions use it."""
    return (x > 0).astype(x.dtype)


mark("no slope", step)


@tried_with(around_zero())
@operator("relu", kinds="biuf")
def relu(x: Array) -> Array:
    """Replace what is negative by 0; the slope at 0 is 0."""
    out = np.empty_like(x)
    out.fill(0)  # NumPy compares two arrays in vectors, but an array and a number one by one
    return np.maximum(x, out, out=out)


mark("masks", relu)
relu.gradient("x")(lambda dy, out: dy * step(out))
is_flat(relu, lambda out: out <= 0)


@tried_with(around_zero())
@operator("relu6", kinds="biuf", prepare=floating)
def relu6(x: Array) -> Array:
    """Confine to [0, 6]; the slope at 0 and 6 is 0."""
    return np.clip(x, 0, 6)


mark("cuts off", relu6)
relu6.gradient("x")(lambda dy, out: dy * (step(out) * step(6 - out)))


@listed(Listing(alpha=of("negative_slope")))
@tried_with(around_zero())
@operator("leaky_relu", kinds="biuf", prepare=floating)
def leaky_relu(x: Array, *, negative_slope: float = 0.01) -> Any:
    """Multiply negative elements by `negative_slope`; the slope at 0 is 1."""
    return (np.maximum if negative_slope <= 1 else np.minimum)(x, x * negative_slope)


leaky_relu.gradient("x")(lambda dy, x, negative_slope: dy * (1 - step(-x) * (1 - negative_slope)))


def _prelu_mode(attrs: Attrs, metas: Metas) -> str:
    """Return the scope of one weight: "all" elements, or a "channel"."""
    weight = metas[1] if len(metas) > 1 else None
    return "all" if weight is None or math.prod(weight.shape) == 1 else "channel"


@listed(Listing(mode=derived(_prelu_mode), data_format="NCHW"), inputs="X, Alpha")
@tried_with(lambda rng: ([*around_zero()(rng)[0], rng.uniform(0.2, 0.9, 3)], {}))
@operator(
    "prelu",
    kinds="biuf",
    prepare=alike_pair,
    infer=lambda x, weight: Meta(broadcast_shapes(x.shape, weight.shape), x.dtype),
)
def prelu_op(x: Array, weight: Array) -> Array:
    """Multiply negative elements by a learnt weight, broadcast; the slope at 0 is the weight."""
    return np.maximum(x, 0) + weight * np.minimum(x, 0)


@prelu_op.gradient("x")
def _(dy: Value, x: Value, weight: Value) -> Value:
    positive = step(x)
    return dy * (positive + (1 - positive) * weight)


prelu_op.gradient("weight")(lambda dy, x, weight_shape: unbroadcast(dy * -relu(-x), weight_shape))


def prelu(x: Value, weight: Value, data_format: str = "NCHW", name: str | None = None) -> Value:
    """Multiply negative elements by a learnt `weight`, one or one per channel (axis 1; last if format ends in C)."""
    count = math.prod(weight.shape)
    if count != 1 and data_format.startswith("NC"):
        weight = reshape(weight, [count] + [1] * (x.ndim - 2))
    return prelu_op(x, weight, name=name)


def _elu(x: Array, alpha: float) -> Any:
    return np.maximum(x, 0) + np.expm1(np.minimum(x, 0)) * alpha


@listed(grad_keeps="Out")
@tried_with(around_zero())
@operator("elu", kinds="biuf", prepare=floating)
def elu(x: Array, *, alpha: float = 1.0) -> Any:
    """Bend negative elements towards ``-alpha``; the slope at 0 is `alpha`."""
    return _elu(x, alpha)


@elu.gradient("x")
def _(dy: Value, x: Value, alpha: float) -> Value:
    positive = step(x)  # 1 there, else alpha e^x, with an exponent below 0: an overflow times 0 would be nan
    return dy * (positive + (1 - positive) * (exp(-relu(-x)) * alpha))


@tried_with(around_zero())
@operator("selu", kinds="biuf", prepare=floating)
def selu(x: Array, *, scale: float = SELU_SCALE, alpha: float = SELU_ALPHA) -> Any:
    """Scaled `elu`, with constants under which activations keep mean 0 and variance 1."""
    return _elu(x, alpha) * scale


mark("levels out", elu, selu)


@selu.gradient("x")
def _(dy: Value, out: Value, scale: float, alpha: float) -> Value:
    positive = step(out)
    return dy * (positive * scale + (1 - positive) * (scale * alpha - relu(-out)))


def _shrink_infer(x: Meta, threshold: float) -> Meta:
    if threshold < 0:
        raise invalid(f"The threshold must be no less than zero. Received: {threshold}.")
    return x


@listed(Listing(**{"lambda": of("threshold")}))
@tried_with(around_zero())
@operator("softshrink", kinds="biuf", prepare=floating, infer=_shrink_infer)
def softshrink(x: Array, *, threshold: float = 0.5) -> Array:
    """Move every element towards 0 by `threshold`, stopping there; the slope at the threshold is 0."""
    require(threshold >= 0)
    return x - np.clip(x, -threshold, threshold)


softshrink.gradient("x")(lambda dy, x, threshold: dy * step(abs(x) - threshold))


@listed(kind="hardsigmoid")
@tried_with(around_zero())
@operator("hard_sigmoid", kinds="biuf", name="hardsigmoid", prepare=floating)
def hardsigmoid(x: Array, *, slope: float = 0.1666667, offset: float = 0.5) -> Any:
    """Straight approximation of `sigmoid`: ``slope x + offset``, confined to [0, 1]."""
    return np.clip(x * slope + offset, 0, 1)


hardsigmoid.gradient("x")(lambda dy, out, slope: dy * (step(out) * step(1 - out) * slope))


@listed(Listing(threshold=6.0, scale=6.0, offset=3.0), kind="hardswish")
@tried_with(around_zero())
@operator("hard_swish", kinds="biuf", name="hardswish", prepare=floating)
def hardswish(x: Array) -> Array:
    """Approximation of `swish` without exponentials: ``x relu6(x + 3) / 6``."""
    return x * np.clip(x + 3, 0, 6) / 6


@hardswish.gradient("x")
def _(dy: Value, x: Value) -> Value:
    below = step(3 - x)
    return dy * (1 - below + below * step(x + 3) * (x * (1 / 3) + 0.5))


formula(hardswish, lambda dy, x: dy * np.where(x > 3, 1, np.where(x < -3, 0, x / 3 + 0.5)), of="x")
mark("cuts off", hardsigmoid, softshrink, hardswish)
