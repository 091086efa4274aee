"""Inverses of functions that squash, erf and sigmoid: what number leads to this share."""

from __future__ import annotations

import math

import numpy as np

from minipaddle.engine.core.meta import Array
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.scipy import special
from minipaddle.ops.creation.promotion import floating
from minipaddle.ops.math.exponential import exp
from minipaddle.ops.reduction.sum import cast_to

HALF_ROOT_PI = math.sqrt(math.pi) / 2


@operator("erfinv", "X -> Out", kinds="biuf", prepare=floating, latex=r"\mathrm{erf}^{-1}(x)")
def erfinv(x: Array) -> Array:
    """Return the number whose :func:`erf` is the element; 1 and -1 give infinities.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/erfinv_en.html
    """
    return special("erfinv", x)


@erfinv.gradient("x")
def _(dy: Value, out: Value) -> Value:
    return dy * (exp(out * out) * HALF_ROOT_PI)


@operator("logit", "X -> Out", kinds="biuf", prepare=floating, latex=r"\ln\frac{x}{1-x}")
def logit_op(x: Array, eps: float = 0.0) -> Array:
    """Return the number whose sigmoid is the element."""
    if eps:
        x = np.clip(x, x.dtype.type(eps), x.dtype.type(1 - eps))
    return np.log(x / (1 - x))


@logit_op.gradient("x")
def _(dy: Value, x: Value, eps: float) -> Value:
    if not eps:
        return dy / (x * (1 - x))
    inside = cast_to((x >= eps) & (x <= 1 - eps), x.dtype)
    return dy * inside / (x * (1 - x) * inside + (1 - inside))


def logit(x: Value, eps: float | None = None, name: str | None = None) -> Value:
    """Return the number whose sigmoid is the element.

    Args:
        x: tensor of numbers from 0 to 1; others give nan, integers are taken as float32.
        eps: what is nearer than this to 0 or 1 is taken for this, and has no gradient; None is 0.
        name: ignored.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/logit_en.html
    """
    return logit_op(x, 0.0 if eps is None else float(eps))
