"""Second names of operators, and those whose in-place variants few scripts need."""

from __future__ import annotations

from typing import Any

from minipaddle.core.errors import failure
from minipaddle.ops.creation.cast import cast, numpy_dtype
from minipaddle.ops.indexing.take_along_axis import take_along_axis
from minipaddle.ops.linalg.product import add_n, addmm, outer
from minipaddle.ops.logic.compare import equal, greater_equal, greater_than, less_equal, less_than, not_equal
from minipaddle.ops.logic.logical import bitwise_and, bitwise_not, bitwise_or, bitwise_xor, logical_xor
from minipaddle.ops.manipulation.concat import concat
from minipaddle.ops.manipulation.flip import flip
from minipaddle.ops.math.arithmetic import divide, floor_divide, floor_mod, mod, multiply, subtract
from minipaddle.ops.math.clip import clip
from minipaddle.ops.math.cumulative import cumprod, cumsum
from minipaddle.ops.math.rounding import trunc
from minipaddle.ops.math.trigonometry import acos, asin, atan
from minipaddle.ops.reduction.sum import written_to
from minipaddle.ops.views.transpose import swapaxes, t, transpose

__all__ = [
    "acos", "add_n", "addmm", "asin", "atan", "bitwise_and", "bitwise_invert", "bitwise_not", "bitwise_or",
    "bitwise_xor",
    "cat", "clamp", "concatenate", "cumprod", "cumsum", "div", "eq", "equal", "floor_mod", "ge", "ger", "greater",
    "greater_equal", "greater_than", "gt", "le", "less", "less_equal", "less_than", "logical_xor", "lt", "mod", "mul",
    "ne", "not_equal", "reverse", "sub", "swapdims", "t", "take_along_dim", "transpose", "true_divide",
]  # fmt: skip

eq, ne, lt, le, gt, ge = equal, not_equal, less_than, less_equal, greater_than, greater_equal
less, greater = less_than, greater_than
mul, clamp, reverse, bitwise_invert, ger = multiply, clip, flip, bitwise_not, outer
take_along_dim = take_along_axis


def sub(x: Any, y: Any, name: str | None = None, *, alpha: Any = 1, out: Any = None) -> Any:
    """Return ``x - alpha * y``.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/subtract_en.html
    """
    return written_to(subtract(x, y if alpha == 1 else y * alpha), out)


def div(x: Any, y: Any, name: str | None = None, *, rounding_mode: str | None = None, out: Any = None) -> Any:
    """Return ``x / y``; rounded towards zero ("trunc") or down ("floor"), if asked to.

    Raises:
        ValueError: for another rounding mode.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/divide_en.html
    """
    if rounding_mode not in (None, "trunc", "floor"):
        raise failure(
            ValueError, f"rounding_mode must be None, 'trunc' or 'floor', but received {rounding_mode!r}."
        )
    if rounding_mode == "floor":
        return written_to(floor_divide(x, y), out)
    found = divide(x, y)
    if rounding_mode == "trunc":
        found = trunc(found)
        found = cast(found, numpy_dtype(x)) if numpy_dtype(x).kind in "iu" else found
    return written_to(found, out)


def true_divide(input: Any, other: Any, *, out: Any = None) -> Any:
    """Return ``input / other``.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/divide_en.html
    """
    return div(input, other, out=out)


def cat(
    x: Any = None,
    axis: Any = 0,
    name: str | None = None,
    *,
    tensors: Any = None,
    dim: Any = None,
    out: Any = None,
) -> Any:
    """Return the tensors of a list one behind the other along `axis`; they may be called `tensors`, it `dim`.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/concat_en.html
    """
    return written_to(concat(tensors if x is None else x, axis if dim is None else dim), out)


concatenate = cat


def swapdims(x: Any, *axes: Any) -> Any:
    """Return `x` with two axes exchanged, or, for a list, with its axes in that order.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/transpose_en.html
    """
    return transpose(x, axes[0]) if len(axes) == 1 else swapaxes(x, *axes)
