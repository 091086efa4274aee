"""Running sums and products along an axis, and the product of all.

The gradient of a product divides by a factor in most textbooks, and so gives nan if a factor is zero. Here
nothing is divided: a factor's cofactor is the product of the factors before and after it. Both are
running products, whose own gradient is a linear recurrence, and so is the gradient of that: exact to
any order.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.ops.definition import Array, Listing, Meta, Value, failure, listed, of, operator
from minipaddle.ops.definition.arguments import axis_of_0d, integer, optional_axes
from minipaddle.ops.definition.axis_printing import Reduced
from minipaddle.ops.definition.infer_meta import axes_of, reduced_shape
from minipaddle.ops.reduction.sum import cast_to, reducing
from minipaddle.ops.views.reshape import reshape2
from minipaddle.ops.views.transpose import transpose2

_multiply: Callable[..., Any] = np.multiply.reduce


def _along(axis: int, ndim: int, part: slice | int) -> tuple[Any, ...]:
    """Return the index that takes `part` of one axis and all of the others."""
    return (slice(None),) * (axis % ndim) + (part,)


def _scan_infer(x: Meta, axis: int, **attrs: Any) -> Meta:
    if not x.ndim:
        axis_of_0d(axis)
    elif not -x.ndim <= axis < x.ndim:
        raise failure(
            IndexError,
            f"axis is out of range (expected to be in range of [{-x.ndim}, {x.ndim}), but got {axis}).",
        )
    return x


def _accumulated(by: Any, x: Array, axis: int, reverse: bool, dtype: np.dtype[Any]) -> Array:
    """Return the running results of `by` along an axis; a 0-D array has one, too."""
    if not x.ndim:
        axis_of_0d(axis)
        return x.astype(dtype)
    if not reverse:
        return by.accumulate(x, axis, dtype)
    turn = _along(axis, x.ndim, slice(None, None, -1))
    return by.accumulate(x[turn], axis, dtype)[turn]


# -- cumsum ------------------------------------------------------------------------


def _summed(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype of running sums: int64 for integers and bools."""
    return dtype if dtype.kind in "fc" else np.dtype("int64")


@listed(Listing(flatten=False, exclusive=False), grad_keeps="X")
@operator("cumsum", infer=lambda x, axis, **attrs: Meta(_scan_infer(x, axis=axis).shape, _summed(x.dtype)))
def cumsum_op(x: Array, *, axis: int = -1, reverse: bool = False) -> Array:
    """Add up from the start (or, `reverse`, from the end) to each element; bools and integers become int64."""
    return _accumulated(np.add, x, axis, reverse, _summed(x.dtype))


cumsum_op.gradient("x")(lambda dy, x_dtype, axis, reverse: cast_to(cumsum_op(dy, axis, not reverse), x_dtype))


def _scanned(x: Value, axis: Any, dtype: Any) -> tuple[Any, int]:
    """Return `x` as `dtype`, flattened if no axis is given."""
    if dtype is not None:
        x = cast_to(x, dtype)
    return (reshape2(x, (-1,)), 0) if axis is None else (x, integer(axis))


def cumsum(x: Value, axis: Any = None, dtype: Any = None, name: str | None = None) -> Value:
    """Return the running sums of `x` along `axis` (of all elements in a row, if None)."""
    flat, where = _scanned(x, axis, dtype)
    return cumsum_op(flat, where)


# -- cumprod ------------------------------------------------------------------------


@listed(Listing("reverse", dim=of("axis")), grad_keeps="Out")
@operator("cumprod", infer=_scan_infer)
def cumprod_op(x: Array, *, axis: int = -1, reverse: bool = False) -> Array:
    """Multiply from the start (or, `reverse`, from the end) to each element."""
    return _accumulated(np.multiply, x, axis, reverse, x.dtype)


@cumprod_op.gradient("x")
def _(dy: Value, x: Value, axis: int, reverse: bool) -> Value:
    before = shift(cumprod_op(x, axis, reverse), axis, reverse, 1.0)
    later = recurrence(
        shift(x, axis, not reverse, 0.0), dy, axis, not reverse
    )  # dy + next x * the later gradient
    return before * later


def cumprod(x: Value, dim: Any = None, dtype: Any = None, name: str | None = None) -> Value:
    """Return the running products of `x` along `dim` (of all elements in a row, if None)."""
    flat, where = _scanned(x, dim, dtype)
    return cumprod_op(flat, where)


@operator("shift", infer=_scan_infer)
def shift(x: Array, *, axis: int = -1, reverse: bool = False, fill: float = 0.0) -> Array:
    """Shift every element by one place (`reverse`: back); `fill` is inserted, the end is dropped."""
    if not x.ndim:
        return np.full_like(x, fill)
    out = np.empty_like(x)
    here, there = (slice(None, -1), slice(1, None)) if reverse else (slice(1, None), slice(None, -1))
    out[_along(axis, x.ndim, here)] = x[_along(axis, x.ndim, there)]
    out[_along(axis, x.ndim, slice(-1, None) if reverse else slice(None, 1))] = fill
    return out


shift.gradient("x")(lambda dy, axis, reverse: shift(dy, axis, not reverse, 0.0))


@operator("linear_recurrence")
def recurrence(x: Array, y: Array, *, axis: int = -1, reverse: bool = False) -> Any:
    """Return s with ``s[i] = y[i] + x[i] * s[i - 1]`` (``s[i + 1]`` if `reverse`); the first is ``y[0]``."""
    out = y.copy()
    if not y.ndim:
        return out
    rows, factors = np.moveaxis(out, axis, 0), np.moveaxis(x, axis, 0)
    order = range(len(rows) - 2, -1, -1) if reverse else range(1, len(rows))
    back = 1 if reverse else -1
    for i in order:
        rows[i] += factors[i] * rows[i + back]
    return out


@recurrence.gradient("x")
def _(dy: Value, x: Value, out: Value, axis: int, reverse: bool) -> Value:
    return _arriving(dy, x, axis, reverse) * shift(out, axis, reverse, 0.0)


recurrence.gradient("y")(lambda dy, x, axis, reverse: _arriving(dy, x, axis, reverse))


def _arriving(dy: Any, x: Any, axis: int, reverse: bool) -> Any:
    """Return the gradient of each s[i]: its own, and the gradient of s[i + 1] through the step."""
    return recurrence(shift(x, axis, not reverse, 0.0), dy, axis, not reverse)


# -- the product of all ------------------------------------------------------------------------


@listed(Reduced(), grad_keeps="Out")
@operator("reduce_prod", name="prod", infer=reducing())
def reduce_prod(x: Array, *, axis: Any = None, keepdim: bool = False) -> Any:
    """Multiply the elements along `axis` (all of them: None)."""
    axes = None if axis is None else axes_of(axis, x.ndim)
    return _multiply(x, axis=axes, dtype=x.dtype, keepdims=keepdim)


@reduce_prod.gradient("x")
def _(dy: Value, x: Value, axis: Any) -> Value:
    axes = axes_of(axis, x.ndim)
    rest = tuple([one for one in range(x.ndim) if one not in axes])
    order = rest + axes
    turned = transpose2(x, order)
    factors = [x.shape[one] for one in axes]
    flat = reshape2(turned, (*[x.shape[one] for one in rest], -1 if -1 in factors else math.prod(factors)))
    before = shift(cumprod_op(flat, -1), -1, False, 1.0)
    after = shift(cumprod_op(flat, -1, True), -1, True, 1.0)
    others = reshape2(before * after, tuple(turned.shape))
    back = transpose2(others, tuple([order.index(one) for one in range(x.ndim)]))
    return back * reshape2(dy, reduced_shape(tuple(x.shape), axes, True))


def prod(
    x: Value, axis: Any = None, keepdim: bool = False, dtype: Any = None, name: str | None = None
) -> Value:
    """Multiply the elements of `x` along `axis`."""
    if dtype is not None:
        x = cast_to(x, dtype)
    return reduce_prod(x, optional_axes(axis), keepdim)
