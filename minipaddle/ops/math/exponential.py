"""Exponentials, logarithms, powers, the error function; sine, tangent and their like, inverse and hyperbolic."""

from __future__ import annotations

import math as python_math
from functools import partial

import numpy as np

from minipaddle.ops.creation.promotion import floating
from minipaddle.ops.definition import Array, mark, operator
from minipaddle.ops.definition.infer_meta import elementary
from minipaddle.ops.definition.lesson import saturates

TWO_OVER_ROOT_PI = 2 / python_math.sqrt(python_math.pi)
LOG_2 = python_math.log(2)  # by which logarithms to base 2 are scaled

of_floats = partial(elementary, prepare=floating)
"""Integers become floats first."""

exp = of_floats("exp", lambda x: np.exp(x), "Exponential; integers give float32.", run=np.exp)
exp.gradient("x")(lambda dy, out: dy * out)

expm1 = of_floats(
    "expm1", lambda x: np.expm1(x), "Exponential minus one, exact for small numbers.", run=np.expm1
)
expm1.gradient("x")(lambda dy, out: dy * out + dy)

log = of_floats("log", lambda x: np.log(x), "Natural logarithm; integers give float32.", run=np.log)
log.gradient("x")(lambda dy, x: dy / x)

log2 = of_floats("log2", lambda x: np.log2(x), "Logarithm to base 2.", run=np.log2)
log2.gradient("x")(lambda dy, x: dy / (x * LOG_2))

log1p = of_floats(
    "log1p",
    lambda x: np.log1p(x),
    "Natural logarithm of one plus the element, exact for small numbers.",
    run=np.log1p,
)
log1p.gradient("x")(lambda dy, x: dy / (x + 1))


# -- powers --------------------------------------------------------------------------------------------------

sqrt = of_floats("sqrt", lambda x: np.sqrt(x), "Square root; integers give float32.", run=np.sqrt)
sqrt.gradient("x")(lambda dy, out: dy / (out + out))

rsqrt = of_floats("rsqrt", lambda x: np.reciprocal(np.sqrt(x)), "One over the square root.", kinds="biuf")
rsqrt.gradient("x")(lambda dy, out: dy * (out * out * out * -0.5))

square = elementary("square", lambda x: np.square(x), "Square.", run=np.square)
mark("elementwise", square, sqrt, log)
square.gradient("x")(lambda dy, x: dy * (x + x))

reciprocal = of_floats("reciprocal", lambda x: np.reciprocal(x), "One over the element.", run=np.reciprocal)
reciprocal.gradient("x")(lambda dy, out: -(dy * out * out))


# -- the error function ---------------------------------------------------------------------------------------


@operator("erf", kinds="biuf", prepare=floating)
def erf(x: Array) -> Array:
    """Error function: the probability that a normal number of variance 1/2 is within the element of 0."""
    from scipy import special  # NumPy has no error function

    return special.erf(x).astype(x.dtype)  # float16 comes back as float32


erf.gradient("x")(lambda dy, x: dy * (exp(-(x * x)) * TWO_OVER_ROOT_PI))


# -- angles --------------------------------------------------------------------------------------------------


sin = of_floats("sin", lambda x: np.sin(x), "Sine of an angle in radians.", run=np.sin)
cos = of_floats("cos", lambda x: np.cos(x), "Cosine of an angle in radians.", run=np.cos)
tan = of_floats("tan", lambda x: np.tan(x), "Tangent of an angle in radians.", run=np.tan)

sin.gradient("x")(lambda dy, x: dy * cos(x))
cos.gradient("x")(lambda dy, x: -(dy * sin(x)))
tan.gradient("x")(lambda dy, x: dy * (square(tan(x)) + 1))

asin = of_floats("asin", lambda x: np.arcsin(x), "Angle in radians whose sine is the element.", run=np.arcsin)
acos = of_floats(
    "acos", lambda x: np.arccos(x), "Angle in radians whose cosine is the element.", run=np.arccos
)
atan = of_floats(
    "atan", lambda x: np.arctan(x), "Angle in radians whose tangent is the element.", run=np.arctan
)

asin.gradient("x")(lambda dy, x: dy / sqrt(1 - x * x))
acos.gradient("x")(lambda dy, x: -(dy / sqrt(1 - x * x)))
atan.gradient("x")(lambda dy, x: dy / (x * x + 1))

sinh = of_floats("sinh", lambda x: np.sinh(x), "Hyperbolic sine.", run=np.sinh)
cosh = of_floats("cosh", lambda x: np.cosh(x), "Hyperbolic cosine.", run=np.cosh)
tanh = of_floats(
    "tanh", lambda x: np.tanh(x), "Squash every element into (-1, 1); integers give float32.", run=np.tanh
)

sinh.gradient("x")(lambda dy, x: dy * cosh(x))
cosh.gradient("x")(lambda dy, x: dy * sinh(x))
# dy (1 - out^2): also three passes, and no number to convert to an array
tanh.gradient("x")(lambda dy, out: dy - dy * out * out)
mark("levels out", tanh)
saturates(tanh, lambda out: 1 - out * out, 1.0)
