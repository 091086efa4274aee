"""Reductions by adding and choosing: sum, mean, max, min, amax, amin, all, any, count_nonzero."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.core.dtype import as_numpy
from minipaddle.core.errors import failure
from minipaddle.core.meta import Array, Meta
from minipaddle.core.mode import current
from minipaddle.core.operator import Operator, operator
from minipaddle.ops.common.arguments import optional_axes
from minipaddle.ops.common.infer_meta import Reduced, axes_of, reduced_shape
from minipaddle.ops.creation.cast import assign, cast
from minipaddle.ops.reduction.broadcast import spread
from minipaddle.ops.views.reshape import reshape2

# NumPy's `sum` and its like spend more time on looking at their arguments than a small sum takes.
add_up: Callable[..., Any] = np.add.reduce
_and: Callable[..., Any] = np.logical_and.reduce
_or: Callable[..., Any] = np.logical_or.reduce


# -- what all reductions share -------------------------------------------------------------------------------


def reducing(dtype: str | None = None) -> Callable[..., Meta]:
    """Shape rule of a reduction, whose result is of type `dtype` (None: that of the input)."""

    def infer(x: Meta, *, axis: Any = None, keepdim: bool = False, **attrs: Any) -> Meta:
        return Meta(
            reduced_shape(x.shape, axes_of(axis, x.ndim), keepdim), np.dtype(dtype) if dtype else x.dtype
        )

    return infer


def expand_back(dy: Any, x_shape: tuple[int, ...], axis: Any, keepdim: bool) -> Any:
    """Undo the shape of a reduction: repeat `dy` over the axes that were reduced away."""
    if axis is not None and not keepdim and dy.ndim != len(x_shape):
        dy = reshape2(dy, reduced_shape(x_shape, axes_of(axis, len(x_shape)), True))
    return spread(dy, tuple(x_shape))


def counted(x_shape: tuple[int, ...], axis: Any) -> int:
    """Return how many elements become one."""
    return math.prod(x_shape if axis is None else [x_shape[one] for one in axes_of(axis, len(x_shape))])


def _numpy_axis(x: Array, axis: Any) -> Any:
    """Return `axis` as NumPy wants it; a number has axis 0 and -1 in Paddle, but none in NumPy."""
    return None if axis is None or not x.ndim else axes_of(axis, x.ndim) if type(axis) is not int else axis


def _reduced(op: Operator, x: Any, axis: Any, keepdim: bool) -> Any:
    """Apply a reduction straight away: what is said once needs no sorting of arguments."""
    attrs = {"axis": axis if axis is None or type(axis) is int else optional_axes(axis), "keepdim": keepdim}
    return current.get().apply(op, (x,), attrs)


# -- sum and mean --------------------------------------------------------------------------------------------


SUM_TYPES = {np.dtype("bool"): np.dtype("int64"), np.dtype("int32"): np.dtype("int64")}
"""What small types add up to."""


def _sum_infer(x: Meta, *, axis: Any = None, keepdim: bool = False) -> Meta:
    return Meta(reduced_shape(x.shape, axes_of(axis, x.ndim), keepdim), SUM_TYPES.get(x.dtype, x.dtype))


@operator(
    "reduce_sum",
    "X -> Out",
    name="sum",
    infer=_sum_infer,
    latex=r"\sum x",
    listing=Reduced(reduce_all=False),
    kind="sum",
)
def reduce_sum(x: Array, axis: Any = None, keepdim: bool = False) -> Any:
    """Add the elements along `axis` (all of them: None). Bool and int32 add up to int64."""
    return add_up(x, _numpy_axis(x, axis), SUM_TYPES.get(x.dtype, x.dtype), None, keepdim)


@reduce_sum.gradient(
    "x", formula=("broadcast_to(dy, x_shape)", "broadcast_to(expand_dims(dy, axis), x_shape)")
)
def _(dy: Any, x_shape: Any, axis: Any, keepdim: bool) -> Any:
    return expand_back(dy, x_shape, axis, keepdim)


def sum(
    x: Any,
    axis: Any = None,
    dtype: Any = None,
    keepdim: bool = False,
    name: str | None = None,
    *,
    out: Any = None,
) -> Any:
    """Add the elements of `x` along `axis`.

    Args:
        x: tensor of any shape; bool and int32 give int64.
        axis: an axis, several, or None for all.
        dtype: type to convert to before adding.
        keepdim: whether the summed axes stay, with size 1.
        name: ignored.
        out: a Tensor to write the result into.

    Raises:
        ValueError: if there is no such axis.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/sum_en.html
    """
    if dtype is not None:
        x = cast_to(x, dtype)
    return written_to(_reduced(reduce_sum, x, axis, keepdim), out)


def written_to(result: Any, out: Any) -> Any:
    """Return `result`, or the Tensor `out` after `result` was written into it."""
    return result if out is None else assign(result, out)


def cast_to(x: Any, dtype: Any) -> Any:
    """Return `x` as `dtype`, differentiably; `x` itself if it is of that type."""
    return x if x.dtype == as_numpy(dtype) else cast(x, dtype)


@operator(
    "reduce_mean",
    "X -> Out",
    name="mean",
    infer=reducing(),
    latex=r"\frac{1}{n}\sum x",
    listing=Reduced(),
    kind="mean",
)
def reduce_mean(x: Array, axis: Any = None, keepdim: bool = False) -> Any:
    """Average the elements along `axis` (all of them: None)."""
    total = add_up(x, _numpy_axis(x, axis), None, None, keepdim)
    count = x.size if axis is None else counted(x.shape, axis)
    return total / count if x.dtype.kind in "fc" else (total / count).astype(x.dtype)


@reduce_mean.gradient(
    "x",
    formula=(
        "broadcast_to(dy / prod(x_shape), x_shape)",
        "broadcast_to(expand_dims(dy / x_shape[axis], axis), x_shape)",
        "broadcast_to(dy / x_shape[axis], x_shape)",
        "broadcast_to(expand_dims(dy, axis), x_shape) * dy.size / prod(x_shape)",
        "broadcast_to(dy, x_shape) * dy.size / prod(x_shape)",
    ),
)
def _(dy: Any, x_shape: Any, axis: Any, keepdim: bool) -> Any:
    if axis is None:
        return spread(dy / math.prod(x_shape), x_shape)
    return expand_back(dy / counted(x_shape, axis), x_shape, axis, keepdim)


def mean(
    x: Any,
    axis: Any = None,
    keepdim: bool = False,
    name: str | None = None,
    *,
    dtype: Any = None,
    out: Any = None,
) -> Any:
    """Average the elements of `x` (as `dtype`, if given) along `axis` (an axis, several, or None for all).

    The result is written into the Tensor `out`, if given.

    Raises:
        ValueError: if there is no such axis.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/mean_en.html
    """
    if dtype is not None:
        x = cast_to(x, dtype)
    return written_to(_reduced(reduce_mean, x, axis, keepdim), out)


# -- the greatest and the smallest ---------------------------------------------------------------------------


def _choose_infer(x: Meta, *, axis: Any = None, keepdim: bool = False) -> Meta:
    axes = axes_of(axis, x.ndim)
    for one in axes:
        if x.shape[one] == 0:
            raise failure(ValueError, f"Cannot perform reduction along an axis ({one}) that has a size of 0.")
    return Meta(reduced_shape(x.shape, axes, keepdim), x.dtype)


_TIES = (
    "dy * (x == out) / sum(x == out)",
    "dy * (x == out) / sum(x == out, axis, keepdims=True)",
    "chosen = x == expand_dims(out, axis)\nexpand_dims(dy, axis) * chosen / sum(chosen, axis, keepdims=True)",
)


def _share_among_ties(dy: Any, x: Any, out: Any, axis: Any, keepdim: bool) -> Any:
    """Give `dy` to the elements that were chosen, in equal parts where several are equal."""
    if not keepdim and axis is not None:
        kept = reduced_shape(tuple(x.shape), axes_of(axis, x.ndim), True)
        dy, out = reshape2(dy, kept), reshape2(out, kept)
    chosen = cast_to(x == out, dy.dtype)
    return chosen * (dy / reduce_sum(chosen, axis, True))


def _choosing(type: str, name: str, chooser: Callable[..., Any], latex: str, doc: str) -> Operator:
    """Make one of the four operators; Paddle has all four, with the same meaning since 3.0."""

    def kernel(x: Array, axis: Any = None, keepdim: bool = False) -> Any:
        return chooser(x, _numpy_axis(x, axis), None, None, keepdim)

    kernel.__name__, kernel.__doc__ = type, doc
    made = operator(
        type, "X -> Out", name=name, infer=_choose_infer, latex=latex, listing=Reduced(), kind=name
    )(kernel)
    made.gradient("x", formula=_TIES)(_share_among_ties)
    return made


reduce_max = _choosing(
    "reduce_max", "max", np.maximum.reduce, r"\max x", "Take the greatest element along `axis`."
)
reduce_min = _choosing(
    "reduce_min", "min", np.minimum.reduce, r"\min x", "Take the smallest element along `axis`."
)
reduce_amax = _choosing(
    "reduce_amax", "amax", np.maximum.reduce, r"\max x", "Take the greatest element along `axis`."
)
reduce_amin = _choosing(
    "reduce_amin", "amin", np.minimum.reduce, r"\min x", "Take the smallest element along `axis`."
)


def max(x: Any, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """Return the greatest element along `axis`; equal ones share the gradient.

    Raises:
        ValueError: if there is no such axis, or it has size 0.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/max_en.html
    """
    return reduce_max(x, optional_axes(axis), keepdim)


def min(x: Any, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """Return the smallest element along `axis`; equal ones share the gradient.

    Raises:
        ValueError: if there is no such axis, or it has size 0.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/min_en.html
    """
    return reduce_min(x, optional_axes(axis), keepdim)


def amax(x: Any, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """Return the greatest element along `axis`; equal ones share the gradient.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/amax_en.html
    """
    return reduce_amax(x, optional_axes(axis), keepdim)


def amin(x: Any, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """Return the smallest element along `axis`; equal ones share the gradient.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/amin_en.html
    """
    return reduce_amin(x, optional_axes(axis), keepdim)


# -- yes or no -----------------------------------------------------------------------------------------------


@operator(
    "reduce_all",
    "X -> Out",
    name="all",
    infer=reducing("bool"),
    latex=r"\bigwedge x",
    listing=Reduced(),
    kind="all",
)
def reduce_all(x: Array, axis: Any = None, keepdim: bool = False) -> Any:
    """Ask whether every element along `axis` is true."""
    return _and(x, _numpy_axis(x, axis), None, None, keepdim)


@operator(
    "reduce_any",
    "X -> Out",
    name="any",
    infer=reducing("bool"),
    latex=r"\bigvee x",
    listing=Reduced(),
    kind="any",
)
def reduce_any(x: Array, axis: Any = None, keepdim: bool = False) -> Any:
    """Ask whether some element along `axis` is true."""
    return _or(x, _numpy_axis(x, axis), None, None, keepdim)


def all(x: Any, axis: Any = None, keepdim: bool = False, name: str | None = None, *, out: Any = None) -> Any:
    """Return whether all elements along `axis` are true (not zero).

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/all_en.html
    """
    return written_to(reduce_all(x, optional_axes(axis), keepdim), out)


def any(x: Any, axis: Any = None, keepdim: bool = False, name: str | None = None, *, out: Any = None) -> Any:
    """Return whether at least one element along `axis` is true (not zero).

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/any_en.html
    """
    return written_to(reduce_any(x, optional_axes(axis), keepdim), out)


def count_nonzero(x: Any, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """Return how many elements along `axis` are not zero, as int64.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/count_nonzero_en.html
    """
    return reduce_sum(cast_to(x, "bool"), optional_axes(axis), keepdim)
