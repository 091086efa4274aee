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
from minipaddle.ops.search.sort import argsort
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


def _nan_wins(row: Value, out: Value) -> Value:
    """Return `out`, or nan if the row has one."""
    return where(any(isnan(row), -1, keepdim=True), full_like(out, math.nan), out)


def median(x: Value, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """Return the middle element of `x` along `axis` (an axis, or None for all); nan, where there is one.

    Of an even number it is the mean of the two in the middle; means of integers are float32.
    """
    dtype = numpy_dtype(x)
    x = cast(x, "float32") if dtype == "float16" or dtype.kind in "biu" else x
    row, shaped = _flattened(x, axis, keepdim)
    if row.shape[-1] == 0:  # of an empty row: nan, as the mean
        return shaped(sum(row, -1, keepdim=True) / zeros_like(sum(row, -1, keepdim=True)))
    order = argsort(row, -1, stable=True)
    count = sum(cast(isnan(row) == isnan(row), "int64"), -1, keepdim=True)  # for each row, [..., 1]
    low = maximum(floor_divide(count - 1, full_like(count, 2)), zeros_like(count))
    high = maximum(low, floor_divide(count, full_like(count, 2)))
    lower, upper = _at(row, order, low), _at(row, order, where(high < count, high, low))
    return shaped(_nan_wins(row, (lower + upper) * 0.5))
