"""Mathematical functions of one tensor."""

from __future__ import annotations

import math as python_math
from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.core.meta import Array, Attrs
from minipaddle.core.operator import operator
from minipaddle.ops import special
from minipaddle.ops.creation import zeros_like
from minipaddle.ops.promotion import floating

__all__ = [
    "abs", "acos", "asin", "atan", "ceil", "cos", "cosh", "erf", "exp", "expm1", "floor", "log", "log1p",
    "log2", "log10", "reciprocal", "round", "rsqrt", "sign", "sin", "sinh", "sqrt", "square", "stanh", "tan",
    "tanh", "trunc",
]  # fmt: skip

LOG_2 = python_math.log(2)
LOG_10 = python_math.log(10)
TWO_OVER_ROOT_PI = 2 / python_math.sqrt(python_math.pi)


# -- exponentials and logarithms -----------------------------------------------------------------------------


@operator("exp", "X -> Out", prepare=floating, latex="e^x")
def exp(x: Array) -> Any:
    """Exponential; integers give float32."""
    return np.exp(x)


@exp.gradient("x")
def _(dy: Any, out: Any) -> Any:
    return dy * out


@operator("expm1", "X -> Out", prepare=floating, latex="e^x - 1")
def expm1(x: Array) -> Any:
    """Exponential minus one, exact for small numbers."""
    return np.expm1(x)


@expm1.gradient("x")
def _(dy: Any, out: Any) -> Any:
    return dy * out + dy


@operator("log", "X -> Out", prepare=floating, latex=r"\ln x")
def log(x: Array) -> Any:
    """Natural logarithm; integers give float32."""
    return np.log(x)


@log.gradient("x")
def _(dy: Any, x: Any) -> Any:
    return dy / x


@operator("log2", "X -> Out", prepare=floating, latex=r"\log_2 x")
def log2(x: Array) -> Any:
    """Logarithm to base 2."""
    return np.log2(x)


@log2.gradient("x")
def _(dy: Any, x: Any) -> Any:
    return dy / (x * LOG_2)


@operator("log10", "X -> Out", prepare=floating, latex=r"\log_{10} x")
def log10(x: Array) -> Any:
    """Logarithm to base 10."""
    return np.log10(x)


@log10.gradient("x")
def _(dy: Any, x: Any) -> Any:
    return dy / (x * LOG_10)


@operator("log1p", "X -> Out", prepare=floating, latex=r"\ln(1 + x)")
def log1p(x: Array) -> Any:
    """Natural logarithm of one plus the element, exact for small numbers."""
    return np.log1p(x)


@log1p.gradient("x")
def _(dy: Any, x: Any) -> Any:
    return dy / (x + 1)


# -- powers --------------------------------------------------------------------------------------------------


@operator("sqrt", "X -> Out", prepare=floating, latex=r"\sqrt x")
def sqrt(x: Array) -> Any:
    """Square root; integers give float32."""
    return np.sqrt(x)


@sqrt.gradient("x")
def _(dy: Any, out: Any) -> Any:
    return dy / (out + out)


@operator("rsqrt", "X -> Out", prepare=floating, latex=r"\frac{1}{\sqrt x}")
def rsqrt(x: Array) -> Any:
    """One over the square root."""
    return np.reciprocal(np.sqrt(x))


@rsqrt.gradient("x")
def _(dy: Any, out: Any) -> Any:
    return dy * (out * out * out * -0.5)


@operator("square", "X -> Out", latex="x^2")
def square(x: Array) -> Any:
    """Square."""
    return np.square(x)


@square.gradient("x")
def _(dy: Any, x: Any) -> Any:
    return dy * (x + x)


@operator("reciprocal", "X -> Out", prepare=floating, latex=r"\frac{1}{x}")
def reciprocal(x: Array) -> Any:
    """One over the element."""
    return np.reciprocal(x)


@reciprocal.gradient("x")
def _(dy: Any, out: Any) -> Any:
    return -(dy * out * out)


# -- trigonometry --------------------------------------------------------------------------------------------


@operator("sin", "X -> Out", prepare=floating, latex=r"\sin x")
def sin(x: Array) -> Any:
    """Sine of an angle in radians."""
    return np.sin(x)


@sin.gradient("x")
def _(dy: Any, x: Any) -> Any:
    return dy * cos(x)


@operator("cos", "X -> Out", prepare=floating, latex=r"\cos x")
def cos(x: Array) -> Any:
    """Cosine of an angle in radians."""
    return np.cos(x)


@cos.gradient("x")
def _(dy: Any, x: Any) -> Any:
    return -(dy * sin(x))


@operator("tan", "X -> Out", prepare=floating, latex=r"\tan x")
def tan(x: Array) -> Any:
    """Tangent of an angle in radians."""
    return np.tan(x)


@tan.gradient("x")
def _(dy: Any, out: Any) -> Any:
    return dy * (out * out + 1)


@operator("asin", "X -> Out", prepare=floating, latex=r"\arcsin x")
def asin(x: Array) -> Any:
    """Angle in radians whose sine is the element."""
    return np.arcsin(x)


@asin.gradient("x", formula="dy / sqrt(1 - x * x)")
def _(dy: Any, x: Any) -> Any:
    return dy * rsqrt(1 - x * x)


@operator("acos", "X -> Out", prepare=floating, latex=r"\arccos x")
def acos(x: Array) -> Any:
    """Angle in radians whose cosine is the element."""
    return np.arccos(x)


@acos.gradient("x", formula="-dy / sqrt(1 - x * x)")
def _(dy: Any, x: Any) -> Any:
    return -(dy * rsqrt(1 - x * x))


@operator("atan", "X -> Out", prepare=floating, latex=r"\arctan x")
def atan(x: Array) -> Any:
    """Angle in radians whose tangent is the element."""
    return np.arctan(x)


@atan.gradient("x")
def _(dy: Any, x: Any) -> Any:
    return dy / (x * x + 1)


# -- hyperbolic functions and erf ----------------------------------------------------------------------------


@operator("sinh", "X -> Out", prepare=floating, latex=r"\sinh x")
def sinh(x: Array) -> Any:
    """Hyperbolic sine."""
    return np.sinh(x)


@sinh.gradient("x")
def _(dy: Any, x: Any) -> Any:
    return dy * cosh(x)


@operator("cosh", "X -> Out", prepare=floating, latex=r"\cosh x")
def cosh(x: Array) -> Any:
    """Hyperbolic cosine."""
    return np.cosh(x)


@cosh.gradient("x")
def _(dy: Any, x: Any) -> Any:
    return dy * sinh(x)


@operator("tanh", "X -> Out", prepare=floating, latex=r"\tanh x")
def tanh(x: Array) -> Any:
    """Squash every element into (-1, 1); integers give float32."""
    return np.tanh(x)


@tanh.gradient("x")
def _(dy: Any, out: Any) -> Any:
    return dy - dy * out * out  # dy (1 - out^2): three passes too, and no number to be made into an array


@operator("stanh", "X -> Out", prepare=floating, latex=r"b \tanh(a x)")
def stanh(x: Array, scale_a: float = 0.67, scale_b: float = 1.7159) -> Any:
    """Scaled tanh, as LeCun's networks used it."""
    return np.tanh(x * scale_a) * scale_b


@stanh.gradient("x")
def _(dy: Any, out: Any, scale_a: float, scale_b: float) -> Any:
    return dy * (scale_a * scale_b - out * out * (scale_a / scale_b))


@operator("erf", "X -> Out", prepare=floating, latex=r"\mathrm{erf}\,x")
def erf(x: Array) -> Any:
    """Error function: the probability that a normal number of variance 1/2 is within the element of 0."""
    return special.erf(x) if x.ndim else special.erf(x.reshape(1)).reshape(())


@erf.gradient("x", formula="dy * exp(-x * x) * 2 / sqrt(pi)")
def _(dy: Any, x: Any) -> Any:
    return dy * (exp(-(x * x)) * TWO_OVER_ROOT_PI)


# -- sign and rounding: piecewise constant functions have the gradient zero, and do not stop it --------------


@operator("abs", "X -> Out", name="abs", latex="|x|")
def abs(x: Array) -> Any:
    """Absolute value; the slope at 0 is 0."""
    return np.abs(x)


@abs.gradient("x")
def _(dy: Any, x: Any) -> Any:
    return dy * sign(x)


def _zero(dy: Any) -> Any:
    """Gradient rule of a piecewise constant function."""
    return zeros_like(dy)


def _off_whole_numbers(rng: np.random.Generator) -> tuple[Sequence[Any], Attrs]:
    return [rng.integers(-3, 3, (2, 3)) + rng.uniform(0.1, 0.4, (2, 3))], {}


@operator("sign", "X -> Out", latex=r"\mathrm{sgn}\,x")
def sign(x: Array) -> Any:
    """-1, 0 or 1."""
    return np.sign(x)


sign.gradient("x")(_zero)


@operator("floor", "X -> Out", example=_off_whole_numbers, latex=r"\lfloor x \rfloor")
def floor(x: Array) -> Any:
    """Round down."""
    return np.floor(x)


floor.gradient("x")(_zero)


@operator("ceil", "X -> Out", example=_off_whole_numbers, latex=r"\lceil x \rceil")
def ceil(x: Array) -> Any:
    """Round up."""
    return np.ceil(x)


ceil.gradient("x")(_zero)


@operator("round", "X -> Out", example=_off_whole_numbers, latex=r"\lfloor x \rceil")
def round(x: Array, decimals: int = 0) -> Any:
    """Round to `decimals` places; halves go to the even neighbour."""
    return np.round(x, decimals)


round.gradient("x")(_zero)


@operator("trunc", "Input -> Out", example=_off_whole_numbers)
def trunc(input: Array) -> Any:
    """Drop what is behind the point."""
    return np.trunc(input)


trunc.gradient("input")(_zero)
