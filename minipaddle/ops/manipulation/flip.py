"""Copies with the elements in another order or number: tile, flip, roll, triangles, diagonals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.core.errors import failure
from minipaddle.core.listing import Listing, of
from minipaddle.core.meta import Array, Meta
from minipaddle.core.mode import Eager
from minipaddle.core.operator import operator
from minipaddle.ops.common.arguments import axis_in, integers, optional_axes, several_axes
from minipaddle.ops.common.infer_meta import axes_as_list, axes_from_list
from minipaddle.ops.indexing.index import getitem
from minipaddle.ops.reduction.sum import reduce_sum
from minipaddle.ops.views.reshape import reshape2

# -- tile ------------------------------------------------------------------------


def _tile_infer(x: Meta, *, repeat_times: tuple[int, ...]) -> Meta:
    if min(repeat_times, default=1) < 0:
        raise failure(
            ValueError,
            "All elements of the input 'repeat_times' for tile op must be positive integers, "
            f"but the value received is {min(repeat_times)}.",
        )
    sizes, repeats = _aligned(x.shape, repeat_times)
    return Meta(
        tuple([-1 if size == -1 else size * n for size, n in zip(sizes, repeats, strict=True)]), x.dtype
    )


def _aligned(sizes: tuple[int, ...], repeats: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Fill the shorter one with ones in front."""
    missing = len(repeats) - len(sizes)
    return (1,) * missing + tuple(sizes), (1,) * -missing + tuple(repeats)


@operator(
    "tile",
    "X -> Out",
    name="tile",
    infer=_tile_infer,
    latex=r"\mathrm{tile}(x)",
    example=lambda rng: ([rng.uniform(0.2, 0.9, (2, 3))], {"repeat_times": (2, 1, 2)}),
)
def times(x: Array, repeat_times: Any) -> Any:
    """Lay copies side by side."""
    return np.tile(x, repeat_times)


@times.gradient("x")
def _(dy: Any, x_shape: Any, repeat_times: Any) -> Any:
    sizes, repeats = _aligned(x_shape, repeat_times)
    if 0 in repeats:
        return _zeros_of(dy, x_shape)
    blocks = [n for pair in zip(repeats, sizes, strict=True) for n in pair]  # [times, size, times, size, ...]
    folded = reduce_sum(reshape2(dy, tuple(blocks)), tuple(range(0, len(blocks), 2)), False)
    return reshape2(folded, x_shape)


def _zeros_of(empty: Any, x_shape: Any) -> Any:
    """Return zeros of `x_shape`, made of nothing: the sum over an axis of size 0."""
    return reduce_sum(reshape2(empty, (0, *x_shape)), 0, False)


def tile(x: Any, repeat_times: Any, name: str | None = None) -> Any:
    """Return `x` repeated ``repeat_times[i]`` times along each axis, counted from the last.

    Raises:
        ValueError: for a negative number.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/tile_en.html
    """
    return times(x, integers(repeat_times))


def repeat_interleave(x: Any, repeats: Any, axis: int | None = None, name: str | None = None) -> Any:
    """Return `x` with every element (or slice along `axis`) repeated in place.

    Args:
        x: tensor; flattened first if `axis` is None.
        repeats: how often, for all or (as a 1-D tensor) for each.
        axis: where, or None.
        name: ignored.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/repeat_interleave_en.html
    """
    if axis is None:
        x, axis = reshape2(x, (-1,)), 0
    place = axis_in(axis, x.ndim)
    counts = repeats if isinstance(repeats, int) else np.array(integers(repeats))
    rows = np.repeat(np.arange(x.shape[place]), counts)
    return getitem(x, (slice(None),) * place + (rows,))


# -- flip and roll ------------------------------------------------------------------------


@operator(
    "flip",
    "X -> Out",
    name="flip",
    latex=r"\mathrm{flip}(x)",
    example=lambda rng: ([rng.uniform(0.2, 0.9, (2, 3))], {"axis": (1,)}),
)
def reverse(x: Array, axis: Any) -> Any:
    """Turn the order along some axes round."""
    return np.flip(x, axis).copy()


@reverse.gradient("x", program=True, formula="flip(dy, axis)")
def _(dy: Any, axis: Any) -> Any:
    return reverse(dy, axis)


def flip(x: Any, axis: Any, name: str | None = None) -> Any:
    """Return `x` with the order along `axis` (one or several) turned round.

    Raises:
        ValueError: for an axis that is not there, or named twice.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/flip_en.html
    """
    axes = several_axes(integers(axis), x.ndim)
    if len({*axes}) < len(axes):
        raise failure(ValueError, f"axes has duplicates: {list(axes)}.")
    return reverse(x, axes)


@operator(
    "roll",
    "X -> Out",
    name="roll",
    latex=r"\mathrm{roll}(x)",
    example=lambda rng: ([rng.uniform(0.2, 0.9, (2, 3))], {"shifts": (1,), "axis": (1,)}),
    listing=Listing(axis=of("axis", axes_as_list, axes_from_list)),
    grad_keeps="X",
)
def rotate(x: Array, shifts: Any, axis: Any = None) -> Any:
    """Shift the elements along some axes, or through all; what falls out comes in at the other end."""
    return np.roll(x, shifts if axis is not None else shifts[0], axis)


@rotate.gradient(
    "x",
    formula=(
        "roll(dy, [-shift for shift in shifts], axis)",
        "roll(dy.ravel(), [-shift for shift in shifts]).reshape(dy.shape)",
    ),
)
def _(dy: Any, shifts: Any, axis: Any) -> Any:
    return rotate(dy, tuple([-shift for shift in shifts]), axis)


def roll(x: Any, shifts: Any, axis: Any = None, name: str | None = None) -> Any:
    """Return `x` shifted along `axis`; what falls out at one end comes in at the other.

    Args:
        x: tensor.
        shifts: by how much, one number for each axis.
        axis: where; None shifts as if `x` were flat.
        name: ignored.

    Raises:
        ValueError: if there is no such axis, or not one shift for each.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/roll_en.html
    """
    found, axes = integers(shifts), optional_axes(axis)
    where = None if axes is None else several_axes(integers(axes), x.ndim)
    if len(found) != (1 if where is None else len(where)):
        raise failure(
            ValueError, f"shifts and axis should have the same size, but received {shifts} and {axis}."
        )
    return rotate(x, found, where)


# -- triangles ------------------------------------------------------------------------


def _matrix(x: Meta, **attrs: Any) -> Meta:
    if x.ndim < 2:
        raise failure(
            ValueError,
            f"Input(X)'s rank must be at least 2 in TrilTriuOp, but received shape {list(x.shape)}.",
        )
    return x


@operator(
    "tril",
    "X -> Out",
    infer=_matrix,
    latex=r"\mathrm{tril}(x)",
    listing=Listing(lower=True),
    listed_as="tril_triu",
    kind="tril",
    bare=True,
)
def tril(x: Array, diagonal: int = 0) -> Any:
    """Keep the lower triangle of a matrix (or a batch), up to `diagonal`; zeros elsewhere.

    Raises:
        ValueError: for fewer than two axes.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/tril_en.html
    """
    if x.ndim < 2:
        raise ValueError  # worded by the shape rule
    return np.tril(x, diagonal)


@tril.gradient("x", formula="tril(dy, diagonal)")
def _(dy: Any, diagonal: int) -> Any:
    return tril(dy, diagonal)


@operator(
    "triu",
    "X -> Out",
    infer=_matrix,
    latex=r"\mathrm{triu}(x)",
    listing=Listing(lower=False),
    listed_as="tril_triu",
    kind="triu",
    bare=True,
)
def triu(x: Array, diagonal: int = 0) -> Any:
    """Keep the upper triangle of a matrix (or a batch), from `diagonal` on; zeros elsewhere.

    Raises:
        ValueError: for fewer than two axes.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/triu_en.html
    """
    if x.ndim < 2:
        raise ValueError  # worded by the shape rule
    return np.triu(x, diagonal)


@triu.gradient("x", formula="triu(dy, diagonal)")
def _(dy: Any, diagonal: int) -> Any:
    return triu(dy, diagonal)


# -- questions about the shape ------------------------------------------------------------------------


@operator(
    "shape", "Input -> Out", infer=lambda x: Meta((x.ndim,), np.dtype("int64")), latex=r"\mathrm{shape}(x)"
)
def shape(input: Array) -> Any:
    """Return the sizes of the axes as a tensor of int64.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/shape_en.html
    """
    return np.array(input.shape, np.int64)


@operator("size", "Input -> Out", infer=lambda x: Meta((), np.dtype("int64")), latex=r"|x|", kind="numel")
def numel(x: Array) -> Any:
    """Return the number of elements as a 0-D tensor of int64.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/numel_en.html
    """
    return np.int64(math.prod(x.shape))


def rank(input: Any) -> Any:
    """Return the number of axes as a 0-D tensor of int32.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/rank_en.html
    """
    return Eager.tensor(np.array(input.ndim, np.int32))
