"""Repeated elements: tile and repeat_interleave; another order: flip and roll."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.ops.creation.assign import constant
from minipaddle.ops.creation.range import arange
from minipaddle.ops.definition import Array, Meta, Shape, Value, invalid, operator, require, tried_with
from minipaddle.ops.definition.arguments import axis_in, integers, optional_axes, several_axes
from minipaddle.ops.definition.axis_printing import axes_as_list, axes_from_list
from minipaddle.ops.definition.program_printing import Listing, listed, of
from minipaddle.ops.indexing.index import scatter_at
from minipaddle.ops.reduction.sum import fold, reduce_sum
from minipaddle.ops.views.reshape import reshape2


def _tile_infer(x: Meta, repeat_times: tuple[int, ...]) -> Meta:
    if min(repeat_times, default=1) < 0:
        raise invalid(
            "All elements of the input 'repeat_times' for tile op must be positive integers, "
            f"but the value received is {min(repeat_times)}."
        )
    sizes, repeats = _aligned(x.shape, repeat_times)
    return Meta(
        tuple([-1 if size == -1 else size * n for size, n in zip(sizes, repeats, strict=True)]), x.dtype
    )


def _aligned(sizes: tuple[int, ...], repeats: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return both, the shorter padded with 1s in front."""
    missing = len(repeats) - len(sizes)
    return (1,) * missing + tuple(sizes), (1,) * -missing + tuple(repeats)


@tried_with((2, 3), repeat_times=(2, 1, 2))
@operator("tile", infer=_tile_infer)
def tile_op(x: Array, *, repeat_times: Any) -> Array:
    """Lay copies side by side."""
    if not x.size:  # NumPy would loop over all copies
        sizes, repeats = _aligned(x.shape, tuple(repeat_times))
        return np.empty([size * count for size, count in zip(sizes, repeats, strict=True)], x.dtype)
    return np.tile(x, repeat_times)


@tile_op.gradient("x")
def _(dy: Value, x_shape: Shape, repeat_times: Any) -> Value:
    sizes, repeats = _aligned(x_shape, repeat_times)
    if 0 in repeats:
        return reduce_sum(reshape2(dy, (0, *x_shape)), 0, False)  # zeros: the sum over an axis of size 0
    blocks = [n for pair in zip(repeats, sizes, strict=True) for n in pair]  # [times, size, times, size, ...]
    return reshape2(fold(reshape2(dy, tuple(blocks)), tuple(range(0, len(blocks), 2))), x_shape)


def tile(x: Value, repeat_times: Any, name: str | None = None) -> Value:
    """Return `x` repeated ``repeat_times[i]`` times along each axis, counted from the last."""
    return tile_op(x, integers(repeat_times))


def _repeat_infer(x: Meta, counts: Meta | None, repeats: int, axis: int) -> Meta:
    place = axis_in(axis, x.ndim, kind=IndexError)
    size = x.shape[place]
    if counts is not None and counts.shape[0] != size and -1 not in (counts.shape[0], size):
        raise invalid(
            "The length of the input tensor of repeats should be that of the axis. "
            f"Received: {list(counts.shape)}, required: [{size}]."
        )
    if counts is None and repeats <= 0:
        raise invalid(f"repeats should be larger than zero, but received {repeats}.")
    many = -1 if size == -1 or counts is not None else size * repeats
    return Meta((*x.shape[:place], many, *x.shape[place + 1 :]), x.dtype)


@listed(Listing(Repeats=of("repeats"), dim=of("axis")), inputs="X, RepeatsTensor")
@tried_with((2, 3), [2, 0, 1], axis=1)
@operator("repeat_interleave", name="repeat_interleave", infer=_repeat_infer)
def repeat_op(x: Array, counts: Array | None = None, *, repeats: int = 0, axis: int = 0) -> Array:
    """Repeat every slice along an axis, next to itself: each `counts` times, or all `repeats` times."""
    require(repeats > 0 if counts is None else len(counts) == x.shape[axis])
    return np.repeat(x, repeats if counts is None else counts, axis)


@repeat_op.gradient("x")
def _(dy: Value, counts: Value | None, x_shape: Shape, repeats: int, axis: int) -> Value:
    rows = repeat_op(arange(x_shape[axis]), counts, repeats, 0)
    return scatter_at(dy, [rows], ":, " * (axis % len(x_shape)) + "@", x_shape)


def repeat_interleave(
    x: Value,
    repeats: Any,
    axis: int | None = None,
    name: str | None = None,
    *,
    output_size: int | None = None,
) -> Value:
    """Return `x` with every element (or slice along `axis`) repeated next to itself.

    Args:
        x: tensor; flattened first if `axis` is None.
        repeats: how often, for all or (as a 1-D tensor) for each.
        output_size: the size of the result; not needed here.
    """
    if axis is None:
        x, axis = reshape2(x, (-1,)), 0
    place = axis_in(axis, x.ndim, kind=IndexError)
    if isinstance(repeats, int):
        return repeat_op(x, None, repeats, place)
    counts = repeats if isinstance(repeats, Value) else constant(np.array(integers(repeats)))
    return repeat_op(x, counts, 0, place)


@tried_with((2, 3), axis=(1,))
@operator("flip")
def flip_op(x: Array, *, axis: Any) -> Array:
    """Turn the order along some axes round."""
    return np.flip(x, axis).copy()


flip_op.gradient("x", program=True)(lambda dy, axis: flip_op(dy, axis))


def flip(x: Any, axis: Any, name: str | None = None) -> Any:
    """Return `x` with the order along `axis` (one or several) turned round."""
    axes = several_axes(integers(axis), x.ndim)
    if len({*axes}) < len(axes):
        raise invalid(f"axes has duplicates: {list(axes)}.")
    return flip_op(x, axes)


@listed(Listing(axis=of("axis", axes_as_list, axes_from_list)), grad_keeps="X")
@tried_with((2, 3), shifts=(1,), axis=(1,))
@operator("roll")
def roll_op(x: Array, *, shifts: Any, axis: Any = None) -> Array:
    """Shift the elements along some axes, or all as if flat, cyclically: the end moves to the front."""
    return np.roll(x, shifts if axis is not None else shifts[0], axis)


roll_op.gradient("x")(lambda dy, shifts, axis: roll_op(dy, tuple([-shift for shift in shifts]), axis))


def roll(x: Value, shifts: Any, axis: Any = None, name: str | None = None) -> Value:
    """Return `x` shifted cyclically along `axis` (None: as if flat)."""
    found, axes = integers(shifts), optional_axes(axis)
    where = None if axes is None else several_axes(integers(axes), x.ndim)
    if len(found) != (1 if where is None else len(where)):
        raise invalid(f"shifts and axis should have the same size, but received {shifts} and {axis}.")
    return roll_op(x, found, where)
