"""Medians, quantiles, and sums and means that leave nan out."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Meta, Shape
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.arguments import optional_axes
from minipaddle.ops.common.infer_meta import axes_of, reduced_shape
from minipaddle.ops.common.listed import Listing, listed, of
from minipaddle.ops.common.listing import axes_as_list, axes_from_list
from minipaddle.ops.creation.cast import cast, numpy_dtype
from minipaddle.ops.creation.full import full_like, zeros_like
from minipaddle.ops.indexing.take_along_axis import add_along, take_along_axis_op
from minipaddle.ops.logic.compare import isnan
from minipaddle.ops.logic.logical import any, logical_not
from minipaddle.ops.manipulation.concat import stack
from minipaddle.ops.math.arithmetic import floor_divide
from minipaddle.ops.math.minimum import maximum
from minipaddle.ops.math.rounding import ceil, floor, round
from minipaddle.ops.reduction.sum import cast_to, sum
from minipaddle.ops.search.argmax import argmax
from minipaddle.ops.search.sort import argsort
from minipaddle.ops.search.where import where
from minipaddle.ops.views.reshape import reshape2
from minipaddle.ops.views.transpose import transpose2

# -- what all share: the reduced axes as one, at the end --------------------------------------------------------


def _in_a_row(x: Value, axis: Any, keepdim: bool) -> tuple[Any, Callable[[Any], Any]]:
    """Return `x` with the reduced axes as one at the end, and what gives a result [..., 1] its shape."""
    axes = axes_of(optional_axes(axis), x.ndim)
    shape = tuple(x.shape)
    rest = tuple(one for one in range(x.ndim) if one not in axes)
    if x.ndim:
        x = transpose2(x, (*rest, *axes)) if axes != tuple(range(x.ndim)) else x
    x = reshape2(x, (*(shape[one] for one in rest), math.prod(shape[one] for one in axes)))
    return x, lambda out: reshape2(out, reduced_shape(shape, axes, keepdim))


def _as_float(x: Value) -> Value:
    return cast(x, "float32") if numpy_dtype(x).kind in "biu" else x


def _count(row: Value, ignore_nan: bool) -> Value:
    """Return how many elements of each row count, as int64 [..., 1]."""
    there = logical_not(isnan(row)) if ignore_nan else isnan(row) == isnan(row)
    return sum(cast(there, "int64"), -1, keepdim=True)


def _at(row: Value, order: Value, place: Value) -> Value:
    """Return the element of each row that stands at `place` in order."""
    return take_along_axis_op(row, take_along_axis_op(order, place, -1), -1)


def _place(row: Value, order: Value, low: Value) -> Value:
    """Return where the element that is `low` in order stands, or the first nan, if there is one."""
    first = argmax(cast(isnan(row), "int64"), -1, keepdim=True)
    return where(any(isnan(row), -1, keepdim=True), first, take_along_axis_op(order, low, -1))


def _nan_wins(row: Value, out: Value) -> Value:
    """Return `out`, or nan where there is one in the row."""
    return where(any(isnan(row), -1, keepdim=True), full_like(out, math.nan), out)


# -- medians --------------------------------------------------------------------------------------------------


def _check_mode(mode: str) -> None:
    """Refuse another mode than these two.

    Raises:
        ValueError: **Mode**.
    """
    if mode not in ("avg", "min"):
        raise ValueError(f"Mode {mode} is not supported. Must be avg or min.")


def _middle(x: Value, axis: Any, keepdim: bool, mode: str) -> Any:
    """Return the mean of the two middle elements; or, ``mode="min"``, the lower one and its place."""
    _check_mode(mode)
    row, shaped = _in_a_row(x, axis, keepdim)
    if row.shape[-1] == 0:  # of nothing: nan, as the mean
        return shaped(sum(row, -1, keepdim=True) / zeros_like(sum(row, -1, keepdim=True)))
    order = argsort(row, -1, stable=True)
    count = _count(row, False)
    low = maximum(floor_divide(count - 1, full_like(count, 2)), zeros_like(count))
    lower = _at(row, order, low)
    if mode == "min":
        out = _nan_wins(row, lower)
        if not isinstance(axis, int):  # of all, or of several axes, Paddle says no place
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
    found = _middle(cast(x, "float32") if dtype == "float16" else _as_float(x), axis, keepdim, mode)
    if mode == "min" and dtype.kind in "iu":
        return (cast(found[0], dtype), found[1]) if isinstance(found, tuple) else cast(found, dtype)
    return found


def _order(ndim: int, axes: tuple[int, ...]) -> tuple[int, ...]:
    """Return all axes, those of `axes` last."""
    return (*(one for one in range(ndim) if one not in axes), *axes)


def _middles(x: Array, axes: tuple[int, ...], both: bool) -> tuple[Array, Array]:
    """Return the lower element in the middle of each row, or both, [..., 1 or 2], and their places.

    A row has the elements along `axes`; nan is left out, and the places are -1 where there is nothing else.
    """
    rest = reduced_shape(x.shape, axes, False)
    row = np.transpose(x, _order(x.ndim, axes)).reshape(*rest, math.prod(x.shape[one] for one in axes))
    row = row.astype("float64") if x.dtype.kind in "biu" else row
    there = np.count_nonzero(~np.isnan(row), -1)[..., None]
    low, high = np.maximum(there - 1, 0) // 2, there // 2
    middle = np.concatenate([low, np.maximum(low, high)], -1) if both else low
    if not row.shape[-1]:
        return np.full(middle.shape, np.nan, row.dtype), np.full(middle.shape, -1)
    places = np.take_along_axis(np.argsort(row, -1, kind="stable"), middle, -1)
    return np.take_along_axis(row, places, -1), np.where(there > 0, places, -1)


def _to_middles(dy: Any, places: Any, shape: Shape, axis: Any) -> Any:
    """Return `dy` shared out to the elements at `places` of each row, [..., 1 or 2], in a tensor of `shape`."""
    axes = axes_of(axis, len(shape))
    rest, last = reduced_shape(tuple(shape), axes, False), tuple(shape[one] for one in axes)
    count = cast_to(places >= 0, dy.dtype)
    share = reshape2(dy, (*rest, 1)) * count / places.shape[-1]
    rows = add_along(share, maximum(places, zeros_like(places)), -1, (*rest, math.prod(last)))
    back = np.argsort(_order(len(shape), axes)).tolist()
    return transpose2(reshape2(rows, (*rest, *last)), tuple(back)) if back else reshape2(rows, ())


def _avg_infer(x: Meta, *, axis: Any = None, keepdim: bool = False) -> tuple[Meta, Meta]:
    axes = axes_of(axis, x.ndim)
    places = Meta((*reduced_shape(x.shape, axes, False), 2), np.dtype("int64"))
    return Meta(reduced_shape(x.shape, axes, keepdim), x.dtype), places


@listed(Listing(axis=of("axis", axes_as_list, axes_from_list)))
@operator(
    "nanmedian",
    "X -> Out, MedianIndex~",
    kinds="biuf",
    infer=_avg_infer,
    latex=r"\mathrm{median}(x)",
    example=lambda rng: ([rng.uniform(0.2, 0.9, (2, 4))], {"axis": 1}),
)
def nanmedian_op(x: Array, axis: Any = None, keepdim: bool = False) -> Any:
    """Return the mean of the two middle elements along `axis`, nan left out.

    Returns:
        that; and the places of the two among those of their row, [..., 2]: -1 in a row of nothing but nan.
    """
    axes = axes_of(axis, x.ndim)
    found, places = _middles(x, axes, True)
    out = found.sum(-1) * np.array(0.5, found.dtype)
    return out.reshape(reduced_shape(x.shape, axes, keepdim)).astype(x.dtype), places


@nanmedian_op.gradient("x")
def _(dy: Value, medianindex: Value, x_shape: Shape, axis: Any) -> Value:
    return _to_middles(dy, medianindex, x_shape, axis)


def _min_infer(x: Meta, *, axis: Any = None, keepdim: bool = False) -> tuple[Meta, Meta]:
    shape = reduced_shape(x.shape, axes_of(axis, x.ndim), keepdim)
    return Meta(shape, x.dtype), Meta(shape, np.dtype("int64"))


@operator(
    "nanmedian_min",
    "X -> Out, MedianIndex~",
    kinds="biuf",
    infer=_min_infer,
    latex=r"\mathrm{median}(x)",
    example=lambda rng: ([rng.uniform(0.2, 0.9, (2, 4))], {"axis": 1}),
    page="nanmedian",
)
def nanmedian_min(x: Array, axis: Any = None, keepdim: bool = False) -> tuple[Array, ...]:
    """Return the lower of the two middle elements along `axis`, nan left out, and its place: -1 if all are nan."""
    axes = axes_of(axis, x.ndim)
    found, places = _middles(x, axes, False)
    shape = reduced_shape(x.shape, axes, keepdim)
    return found.reshape(shape).astype(x.dtype), places.reshape(shape)


@nanmedian_min.gradient("x")
def _(dy: Value, medianindex: Value, x_shape: Shape, axis: Any) -> Value:
    rest = reduced_shape(tuple(x_shape), axes_of(axis, len(x_shape)), False)
    return _to_middles(dy, reshape2(medianindex, (*rest, 1)), x_shape, axis)


def nanmedian(
    x: Value, axis: Any = None, keepdim: bool = False, mode: str = "avg", name: str | None = None
) -> Any:
    """Return what :func:`median` does, with nan left out; `axis` may be several.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nanmedian_en.html
    """
    _check_mode(mode)
    if mode == "avg":
        return nanmedian_op(x, optional_axes(axis), keepdim)[0]
    out, place = nanmedian_min(x, optional_axes(axis), keepdim)
    return (out, place) if isinstance(axis, int) else out


# -- quantiles ------------------------------------------------------------------------------------------------

_INTERPOLATIONS = ("linear", "lower", "higher", "midpoint", "nearest")


def _quantile(row: Value, order: Value, q: float, interpolation: str, ignore_nan: bool) -> Value:
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


def _quantiles(x: Value, q: Any, axis: Any, keepdim: bool, interpolation: str, ignore_nan: bool) -> Value:
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
    x: Value,
    q: Any,
    axis: Any = None,
    keepdim: bool = False,
    interpolation: str = "linear",
    name: str | None = None,
) -> Value:
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
    x: Value,
    q: Any,
    axis: Any = None,
    keepdim: bool = False,
    interpolation: str = "linear",
    name: str | None = None,
) -> Value:
    """Return what :func:`quantile` does, with nan left out.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nanquantile_en.html
    """
    return _quantiles(x, q, axis, keepdim, interpolation, True)


# -- without nan ----------------------------------------------------------------------------------------------


def nansum(
    x: Value, axis: Any = None, dtype: Any = None, keepdim: bool = False, name: str | None = None
) -> Value:
    """Return the sum of `x` along `axis`, with nan counted as 0.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nansum_en.html
    """
    return sum(where(isnan(x), zeros_like(x), x), axis, dtype=dtype, keepdim=keepdim)


def nanmean(x: Value, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Value:
    """Return the mean of `x` along `axis`, with nan left out; integers give float32.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nanmean_en.html
    """
    x = _as_float(x)
    count = sum(cast(logical_not(isnan(x)), numpy_dtype(x)), axis, keepdim=keepdim)
    return nansum(x, axis, keepdim=keepdim) / count
