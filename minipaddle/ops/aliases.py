"""Second names of operators, and those whose in-place variants few scripts need."""

from __future__ import annotations

from minipaddle.engine.core.value import Value
from minipaddle.ops.indexing.take_along_axis import take_along_axis
from minipaddle.ops.linalg.product import add_n, addmm, outer
from minipaddle.ops.logic.compare import equal, greater_equal, greater_than, less_equal, less_than, not_equal
from minipaddle.ops.logic.logical import bitwise_and, bitwise_not, bitwise_or, bitwise_xor, logical_xor
from minipaddle.ops.manipulation.concat import concat
from minipaddle.ops.manipulation.flip import flip
from minipaddle.ops.math.arithmetic import divide, floor_mod, mod, multiply, subtract
from minipaddle.ops.math.clip import clip
from minipaddle.ops.math.cumulative import cumprod, cumsum
from minipaddle.ops.math.trigonometry import acos, asin, atan
from minipaddle.ops.views.transpose import t, transpose

__all__ = [
    "acos", "add_n", "addmm", "asin", "atan", "bitwise_and", "bitwise_invert", "bitwise_not", "bitwise_or",
    "bitwise_xor",
    "cat", "clamp", "concatenate", "cumprod", "cumsum", "div", "eq", "equal", "floor_mod", "ge", "ger", "greater",
    "greater_equal", "greater_than", "gt", "le", "less", "less_equal", "less_than", "logical_xor", "lt", "mod", "mul",
    "ne", "not_equal", "reverse", "sub", "swapdims", "t", "take_along_dim", "transpose", "true_divide",
]  # fmt: skip

eq, ne, lt, le, gt, ge = equal, not_equal, less_than, less_equal, greater_than, greater_equal
less, greater = less_than, greater_than
mul, clamp, swapdims, reverse, bitwise_invert, ger = multiply, clip, transpose, flip, bitwise_not, outer
take_along_dim = take_along_axis


cat = concatenate = concat
sub, div = subtract, divide


def true_divide(input: Value, other: Value) -> Value:
    """Return ``input / other``.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/divide_en.html
    """
    return divide(input, other)
