"""Sine, tangent and their like, their inverses, and their hyperbolic sisters."""

from __future__ import annotations

import numpy as np

from minipaddle.ops.definition import mark
from minipaddle.ops.definition.lesson import saturates
from minipaddle.ops.math.exponential import of_floats, sqrt

sin = of_floats("sin", lambda x: np.sin(x), "Sine of an angle in radians.", run=np.sin)
cos = of_floats("cos", lambda x: np.cos(x), "Cosine of an angle in radians.", run=np.cos)
tan = of_floats("tan", lambda x: np.tan(x), "Tangent of an angle in radians.", run=np.tan)

sin.gradient("x")(lambda dy, x: dy * cos(x))
cos.gradient("x")(lambda dy, x: -(dy * sin(x)))
tan.gradient("x")(lambda dy, out: dy * (out * out + 1))

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
# dy (1 - out^2): three passes too, and no number to be made into an array
tanh.gradient("x")(lambda dy, out: dy - dy * out * out)
mark("levels out", tanh)
saturates(tanh, lambda out: 1 - out * out, 1.0)
