"""Exponentials, logarithms, powers and the error function."""

from __future__ import annotations

import math as python_math
from typing import Any

import numpy as np

from minipaddle.engine.operator.operator import operator
from minipaddle.engine.value.meta import Array
from minipaddle.ops.creation.promotion import floating
from minipaddle.ops.definition.traits import mark
from minipaddle.ops.math import erf_tanh as special

TWO_OVER_ROOT_PI = 2 / python_math.sqrt(python_math.pi)


LOG_2 = python_math.log(2)


@operator("exp", "X -> Out", prepare=floating, run=np.exp, latex="e^x")
def exp(x: Array) -> Any:
    """Exponential; integers give float32."""
    return np.exp(x)


exp.gradient("x")(lambda dy, out: dy * out)


@operator("expm1", "X -> Out", prepare=floating, run=np.expm1, latex="e^x - 1")
def expm1(x: Array) -> Any:
    """Exponential minus one, exact for small numbers."""
    return np.expm1(x)


expm1.gradient("x")(lambda dy, out: dy * out + dy)


@operator("log", "X -> Out", prepare=floating, run=np.log, latex=r"\ln x")
def log(x: Array) -> Any:
    """Natural logarithm; integers give float32."""
    return np.log(x)


log.gradient("x")(lambda dy, x: dy / x)


@operator("log2", "X -> Out", prepare=floating, run=np.log2, latex=r"\log_2 x")
def log2(x: Array) -> Any:
    """Logarithm to base 2."""
    return np.log2(x)


log2.gradient("x")(lambda dy, x: dy / (x * LOG_2))


@operator("log1p", "X -> Out", prepare=floating, run=np.log1p, latex=r"\ln(1 + x)")
def log1p(x: Array) -> Any:
    """Natural logarithm of one plus the element, exact for small numbers."""
    return np.log1p(x)


log1p.gradient("x")(lambda dy, x: dy / (x + 1))


# -- powers --------------------------------------------------------------------------------------------------


@operator("sqrt", "X -> Out", prepare=floating, run=np.sqrt, latex=r"\sqrt x")
def sqrt(x: Array) -> Any:
    """Square root; integers give float32."""
    return np.sqrt(x)


sqrt.gradient("x")(lambda dy, out: dy / (out + out))


@operator("rsqrt", "X -> Out", kinds="biuf", prepare=floating, latex=r"\frac{1}{\sqrt x}")
def rsqrt(x: Array) -> Any:
    """One over the square root."""
    return np.reciprocal(np.sqrt(x))


rsqrt.gradient("x")(lambda dy, out: dy * (out * out * out * -0.5))


@operator("square", "X -> Out", run=np.square, latex="x^2")
def square(x: Array) -> Any:
    """Square."""
    return np.square(x)


mark("elementwise", square, sqrt)
square.gradient("x")(lambda dy, x: dy * (x + x))


@operator("reciprocal", "X -> Out", prepare=floating, run=np.reciprocal, latex=r"\frac{1}{x}")
def reciprocal(x: Array) -> Any:
    """One over the element."""
    return np.reciprocal(x)


reciprocal.gradient("x")(lambda dy, out: -(dy * out * out))


# -- the error function ---------------------------------------------------------------------------------------


@operator("erf", "X -> Out", kinds="biuf", prepare=floating, latex=r"\mathrm{erf}\,x")
def erf(x: Array) -> Array:
    """Error function: the probability that a normal number of variance 1/2 is within the element of 0."""
    return special.erf(x) if x.ndim else special.erf(x.reshape(1)).reshape(())


erf.gradient("x")(lambda dy, x: dy * (exp(-(x * x)) * TWO_OVER_ROOT_PI))
