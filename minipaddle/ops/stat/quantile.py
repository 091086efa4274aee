"""Medians, quantiles, and sums and means that leave nan out."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from minipaddle.core.errors import failure
from minipaddle.ops.common.arguments import optional_axes
from minipaddle.ops.common.infer_meta import axes_of, reduced_shape
from minipaddle.ops.creation.cast import cast, numpy_dtype
from minipaddle.ops.creation.full import full_like, zeros_like
from minipaddle.ops.indexing.take_along_axis import take_along_axis_op
from minipaddle.ops.logic.compare import isnan
from minipaddle.ops.logic.logical import all, any, logical_not
from minipaddle.ops.manipulation.concat import stack
from minipaddle.ops.math.arithmetic import floor_divide
from minipaddle.ops.math.minimum import maximum
from minipaddle.ops.math.rounding import ceil, floor, round
from minipaddle.ops.reduction.sum import sum
from minipaddle.ops.search.argmax import argmax
from minipaddle.ops.search.sort import argsort
from minipaddle.ops.search.where import where
from minipaddle.ops.views.reshape import reshape2
from minipaddle.ops.views.transpose import transpose2

# -- what all share: the reduced axes as one, at the end --------------------------------------------------------


def _in_a_row(x: Any, axis: Any, keepdim: bool) -> tuple[Any, Callable[[Any], Any]]:
    """Return `x` with the reduced axes as one at the end, and what gives a result [..., 1] its shape."""
    axes = axes_of(optional_axes(axis), x.ndim)
    shape = tuple(x.shape)
    rest = tuple(one for one in range(x.ndim) if one not in axes)
    if x.ndim:
        x = transpose2(x, (*rest, *axes)) if axes != tuple(range(x.ndim)) else x
    x = reshape2(x, (*(shape[one] for one in rest), math.prod(shape[one] for one in axes)))
    return x, lambda out: reshape2(out, reduced_shape(shape, axes, keepdim))


def _as_float(x: Any) -> Any:
    return cast(x, "float32") if numpy_dtype(x).kind in "biu" else x


def _count(row: Any, ignore_nan: bool) -> Any:
    """Return how many elements of each row count, as int64 [..., 1]."""
    there = logical_not(isnan(row)) if ignore_nan else isnan(row) == isnan(row)
    return sum(cast(there, "int64"), -1, keepdim=True)


def _at(row: Any, order: Any, place: Any) -> Any:
    """Return the element of each row that stands at `place` in order."""
    return take_along_axis_op(row, take_along_axis_op(order, place, -1), -1)


def _place(row: Any, order: Any, low: Any, ignore_nan: bool) -> Any:
    """Return where the element that is `low` in order stands; a nan has its own place, or -1 where all are ignored."""
    place = take_along_axis_op(order, low, -1)
    if ignore_nan:
        return where(all(isnan(row), -1, keepdim=True), full_like(place, -1), place)
    first = argmax(cast(isnan(row), "int64"), -1, keepdim=True)
    return where(any(isnan(row), -1, keepdim=True), first, place)


def _nan_wins(row: Any, out: Any) -> Any:
    """Return `out`, or nan where there is one in the row."""
    return where(any(isnan(row), -1, keepdim=True), full_like(out, math.nan), out)


# -- medians --------------------------------------------------------------------------------------------------


def _middle(x: Any, axis: Any, keepdim: bool, mode: str, ignore_nan: bool) -> Any:
    """Return the mean of the two middle elements; or, ``mode="min"``, the lower one and its place.

    Raises:
        ValueError: for another mode.
    """
    if mode not in ("avg", "min"):
        raise ValueError(f"Mode {mode} is not supported. Must be avg or min.")
    row, shaped = _in_a_row(x, axis, keepdim)
    if row.shape[-1] == 0:  # of nothing: nan, as the mean
        return shaped(sum(row, -1, keepdim=True) / zeros_like(sum(row, -1, keepdim=True)))
    order = argsort(row, -1, stable=True)
    count = _count(row, ignore_nan)
    low = maximum(floor_divide(count - 1, full_like(count, 2)), zeros_like(count))
    lower = _at(row, order, low)
    if mode == "min":
        out = lower if ignore_nan else _nan_wins(row, lower)
        if not isinstance(axis, int):  # of all, or of several axes, Paddle says no place
            return shaped(out)
        return shaped(out), shaped(_place(row, order, low, ignore_nan))
    high = maximum(low, floor_divide(count, full_like(count, 2)))
    upper = _at(row, order, where(high < count, high, low))
    out = lower + (upper - lower) * 0.5 if numpy_dtype(row).kind in "iu" else (lower + upper) * 0.5
    return shaped(out if ignore_nan else _nan_wins(row, out))


def median(
    x: Any, axis: Any = None, keepdim: bool = False, mode: str = "avg", name: str | None = None
) -> Any:
    """Return the middle element of `x` along `axis` (an axis, or None for all); nan, where there is one.

    Args:
        x: tensor; means of integers are float32.
        axis: where, or None.
        keepdim: whether the axis stays, with size 1.
        mode: "avg": of an even number the mean of the two in the middle; "min": the lower, and, along one axis,
            its place.
        name: ignored.

    Raises:
        ValueError: for another mode, or if there is no such axis.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/median_en.html
    """
    dtype = numpy_dtype(x)
    found = _middle(cast(x, "float32") if dtype == "float16" else _as_float(x), axis, keepdim, mode, False)
    if mode == "min" and dtype.kind in "iu":
        return (cast(found[0], dtype), found[1]) if isinstance(found, tuple) else cast(found, dtype)
    return found


def nanmedian(
    x: Any, axis: Any = None, keepdim: bool = False, mode: str = "avg", name: str | None = None
) -> Any:
    """Return what :func:`median` does, with nan left out; `axis` may be several.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nanmedian_en.html
    """
    if numpy_dtype(x).kind in "biu":
        found = _middle(cast(x, "float64"), axis, keepdim, mode, True)
        if isinstance(found, tuple):
            return cast(found[0], numpy_dtype(x)), found[1]
        return cast(found, numpy_dtype(x))
    return _middle(x, axis, keepdim, mode, True)


# -- quantiles ------------------------------------------------------------------------------------------------

_INTERPOLATIONS = ("linear", "lower", "higher", "midpoint", "nearest")


def _quantile(row: Any, order: Any, q: float, interpolation: str, ignore_nan: bool) -> Any:
    """Return one quantile of each row."""
    last = cast(_count(row, ignore_nan) - 1, "float64")
    exact = maximum(last * q, zeros_like(last))
    if interpolation == "nearest":
        exact = round(exact)
    down, up = floor(exact), ceil(exact)
    low = _at(row, order, cast(up if interpolation == "higher" else down, "int64"))
    if interpolation in ("linear", "midpoint"):
        high = _at(row, order, cast(up, "int64"))
        share = exact - down if interpolation == "linear" else (up - down) * 0.5
        low = low + (high - low) * cast(share, numpy_dtype(row))
    return low if ignore_nan else _nan_wins(row, low)


def _quantiles(x: Any, q: Any, axis: Any, keepdim: bool, interpolation: str, ignore_nan: bool) -> Any:
    if numpy_dtype(x).kind != "f":
        raise failure(
            RuntimeError, f"The kernel with key (CPU, {x.dtype}) of kernel `lerp` is not registered.",
            "convert it first: x.astype('float32')",
        )  # fmt: skip
    chances = q.tolist() if hasattr(q, "tolist") else q
    many = isinstance(chances, (list, tuple))
    chances = list(chances) if many else [chances]
    if many and not chances:
        raise ValueError("q should not be empty")
    for chance in chances:
        if not 0 <= chance <= 1:
            raise ValueError("q should be in range [0, 1]")
    if interpolation not in _INTERPOLATIONS:
        raise ValueError(f"interpolation must be one of {list(_INTERPOLATIONS)}, but got {interpolation!r}")
    row, shaped = _in_a_row(x, axis, keepdim)
    order = argsort(row, -1, stable=True)
    found = [shaped(_quantile(row, order, chance, interpolation, ignore_nan)) for chance in chances]
    return stack(found, 0) if many else found[0]


def quantile(
    x: Any,
    q: Any,
    axis: Any = None,
    keepdim: bool = False,
    interpolation: str = "linear",
    name: str | None = None,
) -> Any:
    """Return the value below which a share `q` of the elements lie along `axis`; nan, where there is one.

    Args:
        x: tensor of floats.
        q: a share from 0 to 1, or several, along a new first axis.
        axis: where: an axis, several, or None for all.
        keepdim: whether the axes stay, with size 1.
        interpolation: between two elements: "linear", "lower", "higher", "midpoint" or "nearest".
        name: ignored.

    Raises:
        ValueError: if `q` is out of [0, 1], or there is no such axis.
        RuntimeError: **is not registered**, for integers.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/quantile_en.html
    """
    return _quantiles(x, q, axis, keepdim, interpolation, False)


def nanquantile(
    x: Any,
    q: Any,
    axis: Any = None,
    keepdim: bool = False,
    interpolation: str = "linear",
    name: str | None = None,
) -> Any:
    """Return what :func:`quantile` does, with nan left out.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nanquantile_en.html
    """
    return _quantiles(x, q, axis, keepdim, interpolation, True)


# -- without nan ----------------------------------------------------------------------------------------------


def nansum(
    x: Any, axis: Any = None, dtype: Any = None, keepdim: bool = False, name: str | None = None
) -> Any:
    """Return the sum of `x` along `axis`, with nan counted as 0.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nansum_en.html
    """
    return sum(where(isnan(x), zeros_like(x), x), axis, dtype=dtype, keepdim=keepdim)


def nanmean(x: Any, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """Return the mean of `x` along `axis`, with nan left out; integers give float32.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nanmean_en.html
    """
    x = _as_float(x)
    count = sum(cast(logical_not(isnan(x)), numpy_dtype(x)), axis, keepdim=keepdim)
    return nansum(x, axis, keepdim=keepdim) / count
