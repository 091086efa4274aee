"""Functions of two numbers: angles and sides of triangles, signs, neighbours, scales and shifts by two, divisors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.engine.core.meta import Array, Attrs
from minipaddle.engine.core.operator import Operator, operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.infer_meta import broadcast
from minipaddle.ops.common.listed import listed
from minipaddle.ops.creation.cast import cast, numpy_dtype
from minipaddle.ops.creation.convert import number_beside
from minipaddle.ops.creation.full import full, ones_like, zeros_like
from minipaddle.ops.creation.promotion import alike_pair, promote
from minipaddle.ops.logic.compare import equal
from minipaddle.ops.math.arithmetic import floor_divide
from minipaddle.ops.math.exponential import exp, log1p, sqrt
from minipaddle.ops.math.minimum import maximum
from minipaddle.ops.math.power import elementwise_pow
from minipaddle.ops.math.rounding import abs, sign
from minipaddle.ops.reduction.sum import cast_to, unbroadcast
from minipaddle.ops.search.where import where

# -- triangles ------------------------------------------------------------------------------------------------


def _double(op: Operator, x: Any, y: Any) -> tuple[Any, ...]:
    """Promote; integers become float64."""
    x, y = promote(op, x, y)
    return tuple([cast(one, "float64") if numpy_dtype(one).kind in "biu" else one for one in (x, y)])


@operator(
    "atan2", "X1, X2 -> Out", kinds="biuf", infer=broadcast, prepare=_double, latex=r"\arctan\frac{x}{y}"
)
def atan2(x: Array, y: Array) -> Array:
    """Return the angle of the point (`y`, `x`), from -pi to pi; integers give float64.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/atan2_en.html
    """
    return np.arctan2(x, y)


@atan2.gradient("x", unbroadcast=unbroadcast)
def _(dy: Value, x: Value, y: Value) -> Value:
    return dy * y / (x * x + y * y)


@atan2.gradient("y", unbroadcast=unbroadcast)
def _(dy: Value, x: Value, y: Value) -> Value:
    return -(dy * x / (x * x + y * y))


def _tensors(x: Value, y: Any) -> None:
    """Refuse what is no tensor.

    Raises:
        TypeError: **must be tensor type**.
    """
    for name, value in (("x", x), ("y", y)):
        if not hasattr(value, "stop_gradient"):
            raise TypeError(f"{name} must be tensor type, but got {type(value)}")


def hypot(x: Value, y: Any, name: str | None = None) -> Value:
    """Return the long side of right triangles, ``sqrt(x * x + y * y)``; `x` and `y` broadcast.

    Raises:
        TypeError: **must be tensor type**.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/hypot_en.html
    """
    _tensors(x, y)
    return sqrt(x * x + y * y)


def logaddexp(x: Value, y: Value, name: str | None = None) -> Value:
    """Return ``log(exp(x) + exp(y))`` without overflow; integers give float32.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/logaddexp_en.html
    """
    x, y = promote(maximum, x, y)
    x, y = (cast(one, "float32") if numpy_dtype(one).kind in "biu" else one for one in (x, y))
    return log1p(exp(-abs(x - y))) + maximum(x, y)


# -- signs and neighbours -------------------------------------------------------------------------------------


@listed(bare=True)
@operator(
    "elementwise_heaviside", "X, Y -> Out", name="heaviside", kinds="biuf", infer=broadcast, prepare=alike_pair,
    latex=r"[x > 0]",
)  # fmt: skip
def heaviside(x: Array, y: Array) -> Array:
    """Return 0 where `x` is negative, 1 where it is positive, and `y` where it is 0.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/heaviside_en.html
    """
    return np.where(x == 0, y, (x > 0).astype(x.dtype))


@heaviside.gradient("x", unbroadcast=unbroadcast)
def _(dy: Value) -> Value:
    return dy * 0.0


@heaviside.gradient("y", unbroadcast=unbroadcast)
def _(dy: Value, x: Value) -> Value:
    return dy * cast(x == 0, dy.dtype)


def _number_too(op: Operator, x: Any, y: Any) -> tuple[Any, Any]:
    """Promote; the second operand may be a number."""
    return promote(op, x, number_beside(x, y) if isinstance(y, (bool, int, float)) else y)


@operator(
    "copysign",
    "X, Y -> Out",
    kinds="biuf",
    infer=broadcast,
    prepare=_number_too,
    latex=r"|x|\,\mathrm{sgn}\,y",
)
def copysign(x: Array, y: Array) -> Array:
    """Return the size of `x` with the sign of `y`, a tensor or a number; also the sign of a zero.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/copysign_en.html
    """
    return np.copysign(x, y).astype(np.result_type(x, y))


@copysign.gradient("x", unbroadcast=unbroadcast)
def _(dy: Value, x: Value, y: Value) -> Value:
    return dy * sign(x) * copysign(ones_like(y), y)


@copysign.gradient("y", unbroadcast=unbroadcast)
def _(dy: Value) -> Value:
    return dy * 0.0


@operator("nextafter", "x, y -> out", kinds="f", infer=broadcast, prepare=promote, latex=r"x^{\to y}")
def nextafter(x: Array, y: Array) -> Array:
    """Return the float next to `x` in the direction of `y`; it stops gradients.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nextafter_en.html
    """
    return np.nextafter(x, y)


# -- scales of two and shifts of bits -------------------------------------------------------------------------


def ldexp(x: Value, y: Value, name: str | None = None) -> Value:
    """Return ``x * 2 ** y``; integers give float32.

    Raises:
        TypeError: **must be tensor type**.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/ldexp_en.html
    """
    _tensors(x, y)
    dtype = np.dtype("float64") if numpy_dtype(y) == np.float64 else numpy_dtype(x)
    dtype = dtype if dtype.kind == "f" and dtype != "float16" else np.dtype("float32")
    return cast_to(x, dtype) * elementwise_pow(full((), 2.0, dtype), cast_to(y, dtype))


def _bits(rng: np.random.Generator) -> tuple[Sequence[Any], Attrs]:
    return [rng.integers(-9, 9, (2, 3)), rng.integers(0, 4, (2, 3))], {}


def _shift(x: Array, y: Array, is_arithmetic: bool, left: bool) -> Array:
    """Shift as a signed or as an unsigned number; who shifts all bits out has none left."""
    dtype = np.result_type(x, y)
    plain = np.dtype(f"u{dtype.itemsize}") if not is_arithmetic else dtype
    x, y = x.astype(dtype).view(plain), y.astype(dtype)
    function = np.left_shift if left else np.right_shift
    return np.asarray(function(x, y.astype(plain))).astype(plain, copy=False).view(dtype)


@operator(
    "bitwise_left_shift", "X, Y -> Out", kinds="iu", infer=broadcast, prepare=alike_pair, example=_bits,
    latex=r"x \cdot 2^y",
)  # fmt: skip
def bitwise_left_shift(x: Array, y: Array, is_arithmetic: bool = True) -> Array:
    """Return integers with their bits moved up by `y` places, which fill with zeros.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/bitwise_left_shift_en.html
    """
    return _shift(x, y, is_arithmetic, True)


@operator(
    "bitwise_right_shift", "X, Y -> Out", kinds="iu", infer=broadcast, prepare=alike_pair, example=_bits,
    latex=r"\lfloor x / 2^y \rfloor",
)  # fmt: skip
def bitwise_right_shift(x: Array, y: Array, is_arithmetic: bool = True) -> Array:
    """Return integers with their bits moved down by `y` places, filled with the sign (`is_arithmetic`) or zeros.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/bitwise_right_shift_en.html
    """
    return _shift(x, y, is_arithmetic, False)


# -- divisors -------------------------------------------------------------------------------------------------


def _whole_numbers(rng: np.random.Generator) -> tuple[Sequence[Any], Attrs]:
    return [rng.integers(-9, 9, (2, 3)), rng.integers(1, 9, (2, 3))], {}


@operator(
    "gcd",
    "X, Y -> Out",
    kinds="iuf",
    infer=broadcast,
    prepare=promote,
    example=_whole_numbers,
    latex=r"\gcd(x, y)",
)
def gcd(x: Array, y: Array) -> Array:
    """Return the greatest common divisor of each pair of whole numbers; never negative, and 0 of two zeros."""
    if x.dtype.kind != "f":
        return np.gcd(x, y)
    x, y = np.broadcast_arrays(np.abs(x), np.abs(y))
    while y.any():
        x, y = np.where(y, y, x), np.where(y, np.fmod(x, np.where(y, y, 1)), 0)
    return x.copy()


def lcm(x: Value, y: Value, name: str | None = None) -> Value:
    """Return the least common multiple of each pair of whole numbers of `x` and `y`, which broadcast; 0 beside a zero.

    Raises:
        RuntimeError: **is not registered**, for bools and complex numbers.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/lcm_en.html
    """
    divisor = gcd(x, y)
    both_zero = equal(divisor, zeros_like(divisor))
    return where(
        both_zero,
        zeros_like(divisor),
        abs(x * floor_divide(y, where(both_zero, ones_like(divisor), divisor))),
    )
