"""Elementwise arithmetic, with broadcasting: each operator is a kernel on arrays, with a gradient rule for each input.

Next: :mod:`minipaddle.engine.operator.operator`, what such a definition makes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.errors import EnforceNotMet
from minipaddle.ops.creation.cast import cast, numpy_dtype
from minipaddle.ops.creation.full import full
from minipaddle.ops.creation.promotion import promote, promote_widths
from minipaddle.ops.definition import Array, Operator, Value, failure, listed, mark, operator
from minipaddle.ops.definition.axis_printing import ALIGNED
from minipaddle.ops.definition.infer_meta import broadcast
from minipaddle.ops.reduction.sum import unbroadcast


@listed(ALIGNED, bare=True)
@operator("elementwise_add", infer=broadcast, prepare=promote, run=np.add)
def add(x: Array, y: Array) -> Any:
    """Add two tensors elementwise."""
    return x + y


add.gradient("x", unbroadcast=unbroadcast)(lambda dy: dy)
add.gradient("y", unbroadcast=unbroadcast)(lambda dy: dy)


@listed(ALIGNED, bare=True)
@operator("elementwise_sub", kinds="iufc", infer=broadcast, prepare=promote, run=np.subtract)
def subtract(x: Array, y: Array) -> Any:
    """Subtract the second tensor from the first, elementwise."""
    return x - y


subtract.gradient("x", unbroadcast=unbroadcast)(lambda dy: dy)
subtract.gradient("y", unbroadcast=unbroadcast)(lambda dy: -dy)


@listed(ALIGNED, bare=True)
@operator("elementwise_mul", infer=broadcast, prepare=promote, run=np.multiply)
def multiply(x: Array, y: Array) -> Any:
    """Multiply two tensors elementwise."""
    return x * y


mark("elementwise", multiply)
multiply.gradient("x", unbroadcast=unbroadcast)(lambda dy, y: dy * y)
multiply.gradient("y", unbroadcast=unbroadcast)(lambda dy, x: dy * x)


def _floats(op: Operator, x: Any, y: Any) -> tuple[Any, Any]:
    """Promote, and cast integers to float32: the result of ``/`` is never an integer."""
    x, y = promote(op, x, y)
    if hasattr(x, "dtype") and numpy_dtype(x).kind not in "fc":
        return cast(x, "float32"), cast(y, "float32")
    return x, y


@listed(ALIGNED, bare=True)
@operator("elementwise_div", infer=broadcast, prepare=_floats)
def divide(x: Array, y: Array) -> Any:
    """Divide the first tensor by the second, elementwise; integers give float32."""
    return x / y


divide.gradient("x", unbroadcast=unbroadcast)(lambda dy, y: dy / y)
divide.gradient("y", unbroadcast=unbroadcast)(lambda dy, y, out: -dy * out / y)


def _beside_a_number(op: Operator, x: Any, y: Any) -> tuple[Any, ...]:
    """Turn a Python number `y` into a tensor of x's dtype: 2.5 beside integers is 2, but divides them as a float32."""
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
        # as Paddle: NumPy's own floor_divide answers nan for 5 / 0
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
    """Return what is left of a division rounded down, elementwise: it has the sign of `y`.

    Of complex numbers, both parts of the quotient are rounded to the nearest whole number, halves away from zero.
    """
    _refuse_zeros(y)
    if y.dtype.kind != "c":
        return np.remainder(x, y)
    quotient = x / y
    return x - y * (_nearest(quotient.real) + 1j * _nearest(quotient.imag))


def _nearest(x: Array) -> Any:
    return np.trunc(x + np.copysign(0.5, x))


@remainder.gradient("x", unbroadcast=unbroadcast)
def _(dy: Value) -> Value:
    _refuse_complex(dy)
    return dy


@remainder.gradient("y", unbroadcast=unbroadcast)
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
