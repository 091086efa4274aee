"""The inverse functions of sinh, cosh and tanh."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.engine.core.meta import Array, Attrs
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.creation.promotion import floating
from minipaddle.ops.math.exponential import sqrt


def _above_one(rng: np.random.Generator) -> tuple[Sequence[Any], Attrs]:
    return [rng.uniform(1.2, 1.9, (2, 3))], {}


@operator("asinh", "X -> Out", prepare=floating, latex=r"\mathrm{arsinh}\,x")
def asinh(x: Array) -> Array:
    """Return the inverse hyperbolic sine; integers give float32.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/asinh_en.html
    """
    return np.arcsinh(x)


@asinh.gradient("x")
def _(dy: Value, x: Value) -> Value:
    return dy / sqrt(x * x + 1)


@operator("acosh", "X -> Out", prepare=floating, example=_above_one, latex=r"\mathrm{arcosh}\,x")
def acosh(x: Array) -> Array:
    """Return the inverse hyperbolic cosine; nan below 1, integers give float32.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/acosh_en.html
    """
    return np.arccosh(x)


@acosh.gradient("x")
def _(dy: Value, x: Value) -> Value:
    return dy / (sqrt(x - 1) * sqrt(x + 1))


@operator("atanh", "X -> Out", prepare=floating, latex=r"\mathrm{artanh}\,x")
def atanh(x: Array) -> Array:
    """Return the inverse hyperbolic tangent; nan outside of [-1, 1], integers give float32.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/atanh_en.html
    """
    return np.arctanh(x)


@atanh.gradient("x")
def _(dy: Value, x: Value) -> Value:
    return dy / (1 - x * x)
