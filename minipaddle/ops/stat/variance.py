"""Reductions: logsumexp, var, std."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.ops.creation.promotion import floating
from minipaddle.ops.definition import Array, Value, listed, operator
from minipaddle.ops.definition.arguments import optional_axes
from minipaddle.ops.definition.axis_printing import Reduced
from minipaddle.ops.definition.infer_meta import axes_of, reduced_shape
from minipaddle.ops.math.exponential import exp, sqrt
from minipaddle.ops.reduction.sum import add_up, counted, over_axes, reduce_mean, reducing
from minipaddle.ops.views.reshape import reshape2


def _kept(value: Any, x: Any, axis: Any) -> Any:
    """Return a reduced value with its lost axes back, of size 1."""
    return reshape2(value, reduced_shape(tuple(x.shape), axes_of(axis, x.ndim), True))


# -- logsumexp ------------------------------------------------------------------------


@listed(Reduced("axis", "keepdim", types=False))
@operator("logsumexp", kinds="biuf", name="logsumexp", infer=reducing(), prepare=floating)
def reduce_logsumexp(x: Array, *, axis: Any = None, keepdim: bool = False) -> Any:
    """Return the logarithm of the sum of exponentials, without overflow."""
    axes = axes_of(axis, x.ndim)
    top = np.maximum.reduce(x, axis=axes, keepdims=True, initial=-math.inf)
    top = np.where(np.isfinite(top), top, x.dtype.type(0))
    out = np.log(add_up(np.exp(x - top), axis=axes, keepdims=True)) + top
    return out if keepdim else out.reshape(reduced_shape(x.shape, axes, False))


reduce_logsumexp.gradient("x")(lambda dy, x, out, axis: _kept(dy, x, axis) * exp(x - _kept(out, x, axis)))


logsumexp = over_axes(
    reduce_logsumexp,
    "Return ``log(sum(exp(x)))`` along `axis` (an axis, several, or None for all), without overflow.",
)


# -- var and std ------------------------------------------------------------------------


@operator("reduce_var", kinds="biuf", name="var", infer=reducing(), prepare=floating)
def reduce_var(x: Array, *, axis: Any = None, unbiased: bool = True, keepdim: bool = False) -> Any:
    """Return the mean squared distance from the mean; divided by n - 1 if `unbiased`."""
    axes = axes_of(axis, x.ndim)
    away = x - add_up(x, axis=axes, keepdims=True) / counted(x.shape, axes)
    total = add_up(away * away, axis=axes, keepdims=keepdim)
    freedom = max(counted(x.shape, axes) - bool(unbiased), 0)  # 0 elements, and 1 if `unbiased`, give nan
    return np.true_divide(total, freedom, dtype=x.dtype)


@reduce_var.gradient("x")
def _(dy: Value, x: Value, axis: Any, unbiased: bool) -> Value:
    away = x - reduce_mean(x, axis, True)
    count = counted(tuple(x.shape), axis) - bool(unbiased)
    return away * (_kept(dy, x, axis) * (2.0 / count if count else math.nan))


def var(
    x: Value, axis: Any = None, unbiased: bool = True, keepdim: bool = False, name: str | None = None
) -> Value:
    """Return the variance of `x` along `axis` (an axis, several, or None for all); integers become float32."""
    return reduce_var(x, optional_axes(axis), unbiased, keepdim)


def std(
    x: Value, axis: Any = None, unbiased: bool = True, keepdim: bool = False, name: str | None = None
) -> Value:
    """Return the standard deviation of `x` along `axis`: the root of :func:`var`."""
    return sqrt(var(x, axis, unbiased, keepdim))
