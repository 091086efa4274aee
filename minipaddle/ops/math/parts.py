"""What is in a number: fraction, mantissa and exponent, sign bit, degrees, and numbers for nan."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.engine.core.meta import Array
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.creation.cast import cast, numpy_dtype
from minipaddle.ops.creation.full import full, full_like
from minipaddle.ops.logic.compare import isnan, to_bool
from minipaddle.ops.math.power import elementwise_pow
from minipaddle.ops.math.rounding import trunc
from minipaddle.ops.math.scale import neg
from minipaddle.ops.search.where import where


def frac(x: Value, name: str | None = None) -> Value:
    """Return what stands behind the point, with the sign of the number; 0 for integers.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/frac_en.html
    """
    return x - trunc(x)


@operator("frexp", "X -> Mantissa, Exponent~", kinds="f", infer=lambda x: (x, x), latex=r"x = m \cdot 2^{e}")
def frexp_op(x: Array) -> tuple[Array, ...]:
    """Split every number into a mantissa of size 0.5 to 1, and the power of two to multiply it by."""
    mantissa, exponent = np.frexp(x)
    return mantissa, exponent.astype(x.dtype)


@frexp_op.gradient("x")
def _(dy: Value, exponent: Value) -> Value:
    return dy * elementwise_pow(full_like(exponent, 2.0), -exponent)


def frexp(x: Value, name: str | None = None) -> tuple[Value, ...]:
    """Return mantissas of size 0.5 to 1, and exponents: ``x = mantissa * 2 ** exponent``.

    Args:
        x: tensor of float32 or float64.
        name: ignored.

    Raises:
        TypeError: for another type.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/frexp_en.html
    """
    if numpy_dtype(x) not in (np.dtype("float32"), np.dtype("float64")):
        raise TypeError(f"The data type of input must be one of ['float32', 'float64'], but got {x.dtype}")
    return tuple(frexp_op(x))


@operator("signbit", "X -> Out", kinds="iuf", infer=to_bool)
def signbit(x: Array) -> Array:
    """Tell where the sign is a minus, also that of a zero. The result stops gradients.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/signbit_en.html
    """
    return np.signbit(x) if x.dtype.kind == "f" else np.less(x, 0)


def isneginf(x: Value, name: str | None = None) -> Value:
    """Tell where a tensor is negative infinity.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/isneginf_en.html
    """
    return x == full((), -math.inf, "float32") if numpy_dtype(x).kind == "f" else x != x


def isposinf(x: Value, name: str | None = None) -> Value:
    """Tell where a tensor is positive infinity.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/isposinf_en.html
    """
    return x == full((), math.inf, "float32") if numpy_dtype(x).kind == "f" else x != x


def nan_to_num(
    x: Value,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
    name: str | None = None,
) -> Value:
    """Return `x` with numbers for what is none.

    Args:
        x: tensor of floats.
        nan: what stands for nan.
        posinf: what stands for infinity; the largest number of the type, if None.
        neginf: what stands for negative infinity; the smallest one, if None.
        name: ignored.

    Raises:
        AssertionError: for other numbers than floats.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nan_to_num_en.html
    """
    dtype = numpy_dtype(x)
    assert dtype.kind == "f", f"nan_to_num takes floats, but received {dtype}."
    limits = np.finfo(dtype)
    high = float(limits.max) if posinf is None else posinf
    low = float(limits.min) if neginf is None else neginf
    found = where(isnan(x), full_like(x, nan), x)
    found = where(isposinf(found), full_like(x, high), found)
    return where(isneginf(found), full_like(x, low), found)


# -- degrees ---------------------------------------------------------------------------------------------------


def _scaled(x: Value, factor: float) -> Value:
    return (cast(x, "float32") if numpy_dtype(x).kind in "biu" else x) * factor


def deg2rad(x: Value, name: str | None = None) -> Value:
    """Return degrees as radians; integers give float32.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/deg2rad_en.html
    """
    return _scaled(x, math.pi / 180)


def rad2deg(x: Value, name: str | None = None) -> Value:
    """Return radians as degrees; integers give float32.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/rad2deg_en.html
    """
    return _scaled(x, 180 / math.pi)


# -- signs ----------------------------------------------------------------------------------------------------


def positive(x: Any, name: str | None = None) -> Any:
    """Return `x` itself.

    Raises:
        TypeError: for bools.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/positive_en.html
    """
    if numpy_dtype(x).kind == "b":
        raise TypeError("The `+` operator, on a bool tensor is not supported.")
    return +x


def negative(x: Value, name: str | None = None) -> Value:
    """Return `x` with the other sign.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/negative_en.html
    """
    if numpy_dtype(x).kind == "b":
        raise TypeError("The negative operator, on a bool tensor is not supported.")
    return neg(x)
