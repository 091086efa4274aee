"""Sine, tangent and their like, their inverses, and their hyperbolic sisters."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.operator.operator import operator
from minipaddle.engine.value.meta import Array
from minipaddle.engine.value.value import Value
from minipaddle.ops.creation.promotion import floating
from minipaddle.ops.definition.lesson import saturates
from minipaddle.ops.definition.traits import mark
from minipaddle.ops.math.exponential import sqrt


@operator("sin", "X -> Out", prepare=floating, run=np.sin, latex=r"\sin x")
def sin(x: Array) -> Any:
    """Sine of an angle in radians."""
    return np.sin(x)


@operator("cos", "X -> Out", prepare=floating, run=np.cos, latex=r"\cos x")
def cos(x: Array) -> Any:
    """Cosine of an angle in radians."""
    return np.cos(x)


sin.gradient("x")(lambda dy, x: dy * cos(x))
cos.gradient("x")(lambda dy, x: -(dy * sin(x)))


@operator("tan", "X -> Out", prepare=floating, run=np.tan, latex=r"\tan x")
def tan(x: Array) -> Any:
    """Tangent of an angle in radians."""
    return np.tan(x)


tan.gradient("x")(lambda dy, out: dy * (out * out + 1))


@operator("asin", "X -> Out", prepare=floating, run=np.arcsin, latex=r"\arcsin x")
def asin(x: Array) -> Any:
    """Angle in radians whose sine is the element."""
    return np.arcsin(x)


asin.gradient("x")(lambda dy, x: dy / sqrt(1 - x * x))


@operator("acos", "X -> Out", prepare=floating, run=np.arccos, latex=r"\arccos x")
def acos(x: Array) -> Any:
    """Angle in radians whose cosine is the element."""
    return np.arccos(x)


acos.gradient("x")(lambda dy, x: -(dy / sqrt(1 - x * x)))


@operator("atan", "X -> Out", prepare=floating, run=np.arctan, latex=r"\arctan x")
def atan(x: Array) -> Any:
    """Angle in radians whose tangent is the element."""
    return np.arctan(x)


atan.gradient("x")(lambda dy, x: dy / (x * x + 1))


@operator("sinh", "X -> Out", prepare=floating, run=np.sinh, latex=r"\sinh x")
def sinh(x: Array) -> Any:
    """Hyperbolic sine."""
    return np.sinh(x)


@operator("cosh", "X -> Out", prepare=floating, run=np.cosh, latex=r"\cosh x")
def cosh(x: Array) -> Any:
    """Hyperbolic cosine."""
    return np.cosh(x)


sinh.gradient("x")(lambda dy, x: dy * cosh(x))
cosh.gradient("x")(lambda dy, x: dy * sinh(x))


@operator("tanh", "X -> Out", prepare=floating, run=np.tanh, latex=r"\tanh x")
def tanh(x: Array) -> Any:
    """Squash every element into (-1, 1); integers give float32."""
    return np.tanh(x)


mark("levels out", tanh)


@tanh.gradient("x")
def _(dy: Value, out: Value) -> Value:
    return dy - dy * out * out  # dy (1 - out^2): three passes too, and no number to be made into an array


saturates(tanh, lambda out: 1 - out * out, 1.0)
