"""The meaning of ``+ - * / // % ** @ < ==`` if at least one operand is a Tensor.

The other may be a Tensor, a Python number, a bool or a NumPy array. A number becomes an attribute if
Paddle makes it one (``x * 2``, ``x + 3``, ``2 - x`` and ``x / 2`` are one `scale`, ``x ** 2`` is one `pow`),
else a 0-D tensor. It never widens a tensor; beside integers a float makes float32. The common type of two tensors
is defined in :mod:`minipaddle.ops.creation.promotion`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.ops.creation.assign import constant
from minipaddle.ops.creation.cast import cast, numpy_dtype
from minipaddle.ops.creation.convert import number_beside, number_dtype
from minipaddle.ops.definition import TensorSize, Value, failure, mode_now
from minipaddle.ops.linalg.matmul import matmul
from minipaddle.ops.logic import compare
from minipaddle.ops.math.arithmetic import add, divide, multiply, subtract
from minipaddle.ops.math.power import elementwise_pow, pow_op
from minipaddle.ops.math.rounding import floor_divide, remainder
from minipaddle.ops.math.scale import scale_op, whole

Sign = Callable[[Any, Any], Any]
_PLAIN = (float, int, TensorSize)  # by `type(x) in`: not for bool (an int) and np.float64 (a float)


def plus(x: Any, y: Any) -> Value:
    """``x + y``."""
    if type(y) in _PLAIN:
        return _scaled(x, 1.0, y, y)
    if type(x) in _PLAIN:
        return _scaled(y, 1.0, x, x)
    return binary(add, "+", x, y)


def minus(x: Any, y: Any) -> Value:
    """``x - y``."""
    if type(y) in _PLAIN:
        return _scaled(x, 1.0, -y, y)
    if type(x) in _PLAIN:
        return _scaled(y, -1, x, x)
    return binary(subtract, "-", x, y)


def times(x: Any, y: Any) -> Value:
    """``x * y``."""
    if type(y) in _PLAIN:
        return _scaled(x, y, 0.0, y)
    if type(x) in _PLAIN:
        return _scaled(y, x, 0.0, x)
    return binary(multiply, "*", x, y)


def over(x: Any, y: Any) -> Value:
    """``x / y``."""
    if type(y) in _PLAIN and y != 0:
        return _scaled(x, 1.0 / y, 0.0, 1.0)
    return binary(divide, "/", x, y)


def power(x: Any, y: Any) -> Value:
    """``x ** y``."""
    if type(y) in _PLAIN:
        return pow_op(_beside(x, y), y)
    return binary(elementwise_pow, "**", x, y)


def floor_over(x: Any, y: Any) -> Value:
    """``x // y``."""
    return binary(floor_divide, "//", x, y)


def modulo(x: Any, y: Any) -> Value:
    """``x % y``."""
    return binary(remainder, "%", x, y)


def matmul_(x: Any, y: Any) -> Value:
    """Return ``x @ y``, for real numbers in the type of `x`; a number is no matrix."""
    if isinstance(x, (int, float, complex)) or isinstance(y, (int, float, complex)):
        raise _unsupported("@", x, y)
    if isinstance(x, Value) and isinstance(y, Value):
        dtypes = numpy_dtype(x), numpy_dtype(y)
        if dtypes[0] != dtypes[1] and "c" not in (dtypes[0].kind, dtypes[1].kind):
            y = cast(y, dtypes[0])
    return binary(matmul, "@", x, y)


def binary(op: Callable[..., Any], sign: str, x: Any, y: Any) -> Value:
    """Apply a binary operator to operands; at least one is a tensor."""
    x, y = _number(x), _number(y)
    if isinstance(y, (int, float, complex)):
        x = _beside(x, y)
        return op(x, number_beside(x, y))
    if isinstance(x, (int, float, complex)):
        y = _beside(y, x)
        return op(number_beside(y, x), y)
    return op(_tensor(sign, x, x, y), _tensor(sign, y, x, y))


def _number(value: Any) -> Any:
    """Return a NumPy scalar as a Python number; any other value unchanged."""
    return value.item() if isinstance(value, np.generic) else value


def _tensor(sign: str, value: Any, x: Any, y: Any) -> Value:
    """Return an operand as a tensor."""
    if isinstance(value, np.ndarray):
        return constant(value)
    if not hasattr(value, "stop_gradient"):
        raise _unsupported(sign, x, y)
    return value


def _unsupported(sign: str, x: Any, y: Any) -> TypeError:
    return failure(
        TypeError,
        f"unsupported operand types for {sign}: '{type(x).__name__}' and '{type(y).__name__}'. "
        "They must be int, float, bool, numpy.ndarray or Tensor.",
        "" if x is None or y is None else "str(tensor) makes a text, paddle.to_tensor(numbers) a tensor",
    )


def _beside(x: Value, number: Any) -> Value:
    """Return the tensor `x` cast to its type in arithmetic with a number."""
    dtype = numpy_dtype(x)
    if dtype.kind == "f" and not isinstance(number, complex):
        return x
    wanted = number_dtype(dtype, number)
    return x if wanted == dtype else cast(x, wanted)


def _scaled(x: Value, factor: Any, bias: Any, number: Any) -> Value:
    """Return ``factor * x + bias`` as one `scale`, in the type of `x` combined with `number`."""
    if not hasattr(x, "array") or x.array.dtype.kind != "f":  # a Variable has no array
        x = _beside(x, number)
        dtype = numpy_dtype(x)
        if dtype.kind in "iu":
            factor, bias = whole(factor, dtype), whole(bias, dtype)
    attrs = {"scale": factor, "bias": bias, "bias_after_scale": True}
    return mode_now().apply(scale_op, (x,), attrs)


def _applied(op: Callable[..., Any], sign: str) -> Sign:
    return lambda x, y: binary(op, sign, x, y)


SIGNS: dict[str, Sign] = {
    "+": plus,
    "-": minus,
    "*": times,
    "/": over,
    "//": floor_over,
    "%": modulo,
    "**": power,
    "@": matmul_,
    "&": _applied(compare.bitwise_and, "&"),
    "|": _applied(compare.bitwise_or, "|"),
    "^": _applied(compare.bitwise_xor, "^"),
    "<": _applied(compare.less_than, "<"),
    "<=": _applied(compare.less_equal, "<="),
    ">": _applied(compare.greater_than, ">"),
    ">=": _applied(compare.greater_equal, ">="),
    "==": _applied(compare.equal, "=="),
    "!=": _applied(compare.not_equal, "!="),
}
"""The meaning of each symbol between a Tensor and another operand."""

OPERATORS = {"+": add, "-": subtract, "*": multiply, "@": matmul}
"""The operator of a symbol between two Tensors of one dtype: no promotion is needed."""
