"""Absolute value, sign, rounding, and division rounded down with its remainder.

Piecewise constant functions have the gradient zero; they do not stop gradients.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.engine.errors import EnforceNotMet
from minipaddle.engine.value.dtype import real_of
from minipaddle.ops.creation.cast import cast, numpy_dtype
from minipaddle.ops.creation.full import full, zeros_like
from minipaddle.ops.creation.promotion import promote, promote_widths
from minipaddle.ops.definition import Array, Attrs, Meta, Operator, Value, failure, mark, operator, tried_with
from minipaddle.ops.definition.axis_printing import ALIGNED
from minipaddle.ops.definition.infer_meta import elementary
from minipaddle.ops.definition.program_printing import Listing, listed
from minipaddle.ops.math.complex import is_complex, sgn
from minipaddle.ops.reduction.sum import broadcast


@operator("abs", infer=lambda x: Meta(x.shape, real_of(x.dtype)))
def abs(x: Array) -> Any:
    """Absolute value, a real number; the slope at 0 is 0."""
    return np.abs(x)


mark("elementwise", abs)


@abs.gradient("x", conjugate=False)
def _(dy: Value, x: Value) -> Value:
    return cast(dy, x.dtype) * sgn(x) if is_complex(x) else dy * sign(x)


def _zero(dy: Value) -> Value:
    """Gradient rule of a piecewise constant function."""
    return zeros_like(dy)


def _off_whole_numbers(rng: np.random.Generator) -> tuple[Sequence[Any], Attrs]:
    return [rng.integers(-3, 3, (2, 3)) + rng.uniform(0.1, 0.4, (2, 3))], {}


sign = elementary("sign", lambda x: np.sign(x), "-1, 0 or 1.", kinds="iufc")
sign.gradient("x", program=lambda dy: dy * 0.0)(_zero)

floor = tried_with(_off_whole_numbers)(
    elementary("floor", lambda x: np.floor(x), "Round down.", kinds="biuf")
)
floor.gradient("x")(_zero)

ceil = tried_with(_off_whole_numbers)(elementary("ceil", lambda x: np.ceil(x), "Round up.", kinds="biuf"))
ceil.gradient("x")(_zero)


@listed(Listing("decimals"))
@tried_with(_off_whole_numbers)
@operator("round")
def round(x: Array, *, decimals: int = 0) -> Any:
    """Round to `decimals` places; halves go to the even neighbour."""
    return np.round(x, decimals)


round.gradient("x")(_zero)
mark("flat", sign, floor, ceil, round)


# -- division with a remainder ---------------------------------------------------------------------------------


def _beside_a_number(op: Operator, x: Any, y: Any) -> tuple[Any, ...]:
    """Return a Python number `y` as a tensor of x's dtype: 2.5 beside integers is 2, but divides them as a float32."""
    if isinstance(y, (bool, int, float)) and hasattr(x, "dtype"):
        dtype = numpy_dtype(x)
        as_float = op is floor_divide and isinstance(y, float) and dtype.kind in "iu"
        y = full([], y, np.dtype("float32") if as_float else dtype)
    return (promote_widths if op is floor_divide else promote)(op, x, y)


@listed(ALIGNED, bare=True)
@operator("elementwise_floordiv", kinds="biuf", infer=broadcast, prepare=_beside_a_number)
def floor_divide(x: Array, y: Array) -> Any:
    """Divide and round down, elementwise: ``-7 // 2`` is -4. The result stops gradients."""
    if x.dtype.kind == "f":
        # as Paddle: NumPy's own floor_divide gives nan for 5 / 0
        return np.where(np.isinf(x) & (y != 0), np.nan, np.floor(x / y)).astype(x.dtype)
    _refuse_zeros(y)
    return x // y


mark("no slope", floor_divide)


def _refuse_zeros(y: Array) -> None:
    """Refuse to divide integers by zero."""
    if y.dtype.kind in "iu" and not y.all():
        raise failure(
            EnforceNotMet,
            "Integer division by zero encountered in (floor/trunc) divide. Please check the input value.",
            "floats give inf or nan: x.astype('float32')",
        )


@listed(ALIGNED, bare=True)
@operator("elementwise_mod", kinds="biufc", infer=broadcast, prepare=_beside_a_number)
def remainder(x: Array, y: Array) -> Any:
    """Return the remainder of a division rounded down, elementwise: it has the sign of `y`.

    Of complex numbers, both parts of the quotient are rounded to the nearest whole number, halves away from zero.
    """
    _refuse_zeros(y)
    if y.dtype.kind != "c":
        return np.remainder(x, y)
    quotient = x / y
    return x - y * (_nearest(quotient.real) + 1j * _nearest(quotient.imag))


def _nearest(x: Array) -> Any:
    return np.trunc(x + np.copysign(0.5, x))


@remainder.gradient("x")
def _(dy: Value) -> Value:
    _refuse_complex(dy)
    return dy


@remainder.gradient("y")
def _(dy: Value, x: Value, y: Value) -> Value:
    _refuse_complex(dy)
    return -(dy * floor_divide(x, y))


def _refuse_complex(dy: Value) -> None:
    """Refuse the gradient of a remainder of complex numbers."""
    if numpy_dtype(dy).kind == "c":
        raise failure(
            RuntimeError,
            f"The kernel with key (CPU, {numpy_dtype(dy)}) of kernel `remainder_grad` is not registered.",
            "detach() the operands: what is left of a complex division has no gradient in Paddle",
        )


mod = remainder
