"""The median: the middle element, or the mean of the two in the middle."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from minipaddle.ops.creation.cast import cast, numpy_dtype
from minipaddle.ops.creation.full import full_like, zeros_like
from minipaddle.ops.definition import Value
from minipaddle.ops.definition.arguments import optional_axes
from minipaddle.ops.definition.infer_meta import axes_of, reduced_shape
from minipaddle.ops.indexing.take_along_axis import take_along_axis_op
from minipaddle.ops.logic.compare import any, isnan
from minipaddle.ops.math.maximum_minimum import maximum
from minipaddle.ops.math.rounding import floor_divide
from minipaddle.ops.reduction.sum import sum
from minipaddle.ops.search.sort import argmax, argsort
from minipaddle.ops.search.where import where
from minipaddle.ops.views.reshape import reshape2
from minipaddle.ops.views.transpose import transpose2


def _flattened(x: Value, axis: Any, keepdim: bool) -> tuple[Any, Callable[[Any], Any]]:
    """Return `x` with the reduced axes as one at the end, and a function that reshapes a result [..., 1]."""
    axes = axes_of(optional_axes(axis), x.ndim)
    shape = tuple(x.shape)
    rest = tuple(one for one in range(x.ndim) if one not in axes)
    if x.ndim:
        x = transpose2(x, (*rest, *axes)) if axes != tuple(range(x.ndim)) else x
    x = reshape2(x, (*(shape[one] for one in rest), math.prod(shape[one] for one in axes)))
    return x, lambda out: reshape2(out, reduced_shape(shape, axes, keepdim))


def _at(row: Value, order: Value, place: Value) -> Value:
    """Return the element of each row at position `place` in `order`."""
    return take_along_axis_op(row, take_along_axis_op(order, place, -1), -1)


def _place(row: Value, order: Value, low: Value) -> Value:
    """Return the index of the element that is `low` in order, or of the first nan, if any."""
    first = argmax(cast(isnan(row), "int64"), -1, keepdim=True)
    return where(any(isnan(row), -1, keepdim=True), first, take_along_axis_op(order, low, -1))


def _nan_wins(row: Value, out: Value) -> Value:
    """Return `out`, or nan if the row has one."""
    return where(any(isnan(row), -1, keepdim=True), full_like(out, math.nan), out)


def _middle(x: Value, axis: Any, keepdim: bool, mode: str) -> Any:
    """Return the mean of the two middle elements; or, ``mode="min"``, the lower one and its place."""
    if mode not in ("avg", "min"):
        raise ValueError(f"Mode {mode} is not supported. Must be avg or min.")
    row, shaped = _flattened(x, axis, keepdim)
    if row.shape[-1] == 0:  # of an empty row: nan, as the mean
        return shaped(sum(row, -1, keepdim=True) / zeros_like(sum(row, -1, keepdim=True)))
    order = argsort(row, -1, stable=True)
    count = sum(cast(isnan(row) == isnan(row), "int64"), -1, keepdim=True)  # for each row, [..., 1]
    low = maximum(floor_divide(count - 1, full_like(count, 2)), zeros_like(count))
    lower = _at(row, order, low)
    if mode == "min":
        out = _nan_wins(row, lower)
        if not isinstance(axis, int):  # Paddle returns an index only for one axis
            return shaped(out)
        return shaped(out), shaped(_place(row, order, low))
    high = maximum(low, floor_divide(count, full_like(count, 2)))
    upper = _at(row, order, where(high < count, high, low))
    out = lower + (upper - lower) * 0.5 if numpy_dtype(row).kind in "iu" else (lower + upper) * 0.5
    return shaped(_nan_wins(row, out))


def median(
    x: Value, axis: Any = None, keepdim: bool = False, mode: str = "avg", name: str | None = None
) -> Any:
    """Return the middle element of `x` along `axis` (an axis, or None for all); nan, where there is one.

    Args:
        x: tensor; means of integers are float32.
        mode: "avg": of an even number the mean of the two in the middle; "min": the lower, and, along one axis,
            its place.
    """
    dtype = numpy_dtype(x)
    found = _middle(
        cast(x, "float32") if dtype == "float16" or dtype.kind in "biu" else x, axis, keepdim, mode
    )
    if mode == "min" and dtype.kind in "iu":
        return (cast(found[0], dtype), found[1]) if isinstance(found, tuple) else cast(found, dtype)
    return found
