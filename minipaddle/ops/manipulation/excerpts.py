"""Parts of a tensor that are named by numbers: slice, crop, narrow; and the same written to: slice_scatter."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Meta, Shape
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.arguments import axis_in, integer, integers, wanted_shape
from minipaddle.ops.creation.assign import assign_op
from minipaddle.ops.indexing.index import scatter_at, setitem, slice_op
from minipaddle.ops.indexing.index import strided_slice as strided_slice_op
from minipaddle.ops.manipulation.flip import flip
from minipaddle.ops.views.reshape import flatten, reshape2
from minipaddle.ops.views.transpose import transpose2

# -- reading --------------------------------------------------------------------------------------------------


def _index(ndim: int, axes: Any, starts: Any, ends: Any, strides: Any = None) -> list[builtins.slice]:
    """Return one slice for each axis."""
    found = [builtins.slice(None)] * ndim
    lists = [integers(one) for one in (axes, starts, ends)]
    steps = [1] * len(lists[0]) if strides is None else integers(strides)
    if len({len(one) for one in (*lists, steps)}) > 1:
        raise failure(ValueError, f"axes, starts and ends must be of one length, but received {lists}.")
    for axis, start, end, step in zip(*lists, steps, strict=True):
        found[axis_in(axis, ndim)] = builtins.slice(start, end, step)
    return found


def _written(parts: Sequence[builtins.slice], steps: bool) -> str:
    return (
        ", ".join(
            "::"
            if one == builtins.slice(None)
            else f"{one.start}:{one.stop}{f':{one.step}' if steps else ''}"
            for one in parts
        )
        or "..."
    )


def slice(input: Value, axes: Any, starts: Any, ends: Any) -> Value:
    """Return the part of `input` from `starts` to before `ends` along each of `axes`; it shares its memory.

    Args:
        input: tensor.
        axes: list of axes.
        starts: list of places, or tensor; negative ones count from the end.
        ends: list of places, or tensor; what is too large means the end.

    Raises:
        ValueError: if there is no such axis, or the lists differ in length.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/slice_en.html
    """
    return slice_op(input, _written(_index(input.ndim, axes, starts, ends), False))


def strided_slice(
    x: Value, axes: Any, starts: Any, ends: Any, strides: Any, name: str | None = None
) -> Value:
    """Return every so-many-th element of `x` from `starts` to before `ends` along each of `axes`.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/strided_slice_en.html
    """
    return strided_slice_op(x, _written(_index(x.ndim, axes, starts, ends, strides), True))


def narrow(input: Value, dim: Any, start: Any, length: int) -> Value:
    """Return `length` slices of `input` along `dim`, from `start` on; they share its memory.

    Raises:
        AssertionError: if there are not so many.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/narrow_en.html
    """
    place, first = axis_in(dim, input.ndim), integer(start)
    size = input.shape[place]
    first = first + size if first < 0 else first
    assert first >= 0 and first + length <= size and length >= 0, (
        f"start ({start}) + length ({length}) exceeds dimension size ({size})."
    )
    return slice_op(input, ":, " * place + f"{first}:{first + length}")


def _bounds(x: Shape, shape: Sequence[int], offsets: Sequence[int]) -> list[tuple[int, int]]:
    """Return where a crop begins and ends along each axis; -1 for an end that only a run will tell.

    Raises:
        ValueError: if it does not fit.
    """
    if len(shape) != len(x) or len(offsets) != len(x):
        raise failure(
            ValueError, f"shape {list(shape)} and offsets {list(offsets)} need {len(x)} numbers each."
        )
    ends = [have if size == -1 else first + size for have, size, first in zip(x, shape, offsets, strict=True)]
    if any(first < 0 or (end > have != -1) for have, end, first in zip(x, ends, offsets, strict=True)):
        raise failure(
            ValueError,
            f"The sum of the Attr(offsets) {list(offsets)} and Attr(shape) {list(shape)} of Op(crop_tensor) should be "
            f"less than or equal to corresponding input dimension size {list(x)}.",
        )
    return list(zip(offsets, ends, strict=True))


def _crop_infer(x: Meta, *, shape: Any, offsets: Any) -> Meta:
    bounds = _bounds(x.shape, shape, offsets)
    return Meta(tuple([-1 if end == -1 else end - first for first, end in bounds]), x.dtype)


@operator(
    "crop_tensor",
    "X -> Out",
    name="crop",
    infer=_crop_infer,
    latex=r"x_{o:o+s}",
    example=lambda rng: ([rng.uniform(0.2, 0.9, (3, 4))], {"shape": (-1, 2), "offsets": (1, 1)}),
)
def crop_op(x: Array, shape: Any, offsets: Any) -> Array:
    """Return a copy of the part of a shape that begins at offsets."""
    return x[tuple([builtins.slice(*both) for both in _bounds(x.shape, shape, offsets)])].copy()


@crop_op.gradient("x")
def _(dy: Value, x_shape: Shape, shape: Any, offsets: Any) -> Value:
    places = [f"{first}:{'' if size == -1 else first + size}" for size, first in zip(shape, offsets)]
    return scatter_at(dy, [], ", ".join(places) or "...", x_shape)


def crop(x: Value, shape: Any = None, offsets: Any = None, name: str | None = None) -> Value:
    """Return the part of `x` of this `shape` that begins at `offsets`, as a copy; -1 reaches to the end of an axis.

    Raises:
        ValueError: if it does not fit into `x`.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/crop_en.html
    """
    sizes = tuple(x.shape) if shape is None else wanted_shape(shape)
    return crop_op(x, tuple(sizes), (0,) * x.ndim if offsets is None else integers(offsets))


# -- writing --------------------------------------------------------------------------------------------------


def slice_scatter(
    x: Value, value: Value, axes: Any, starts: Any, ends: Any, strides: Any, name: str | None = None
) -> Value:
    """Return `x` with `value` at a part that is named as in :func:`strided_slice`; both receive gradients.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/slice_scatter_en.html
    """
    return setitem(x, tuple(_index(x.ndim, axes, starts, ends, strides)), value)


def select_scatter(x: Value, values: Value, axis: int, index: int, name: str | None = None) -> Value:
    """Return `x` with `values` as its slice number `index` along `axis`; both receive gradients.

    Raises:
        RuntimeError: if `values` has another shape than that slice.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/select_scatter_en.html
    """
    place = axis_in(axis, x.ndim)
    wanted = [size for number, size in enumerate(x.shape) if number != place]
    if list(values.shape) != wanted:
        raise RuntimeError(
            f"expected values to have a size equal to the slice of x. value size = {list(values.shape)} "
            f"slice size = {wanted}"
        )
    return setitem(x, (builtins.slice(None),) * place + (index,), values)


# -- the order of elements ------------------------------------------------------------------------------------


def rot90(x: Value, k: int = 1, axes: Any = (0, 1), name: str | None = None) -> Value:
    """Return `x` turned by `k` quarters, from the first of two axes towards the second.

    Raises:
        ValueError: if there are not two different axes.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/rot90_en.html
    """
    if x.ndim < 2:
        raise ValueError(f"Rot90 input should have at least 2 dimensions, but got {x.ndim}")
    if len(axes) != 2:
        raise ValueError(f"total rotation axes should be 2, but got {len(axes)}")
    first, second = (axis_in(axis, x.ndim) for axis in axes)
    if first == second:
        raise ValueError(
            f"expected rotation axes to be different, but got axis0 = {first} and axis1 = {second}"
        )
    k %= 4
    perm = list(range(x.ndim))
    perm[first], perm[second] = second, first
    if k == 0:
        return assign_op(x)
    if k == 2:
        return flip(flip(x, first), second)
    return transpose2(flip(x, second), tuple(perm)) if k == 1 else flip(transpose2(x, tuple(perm)), second)


def ravel(input: Value) -> Value:
    """Return the elements of `input` in a row, which share its memory.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/ravel_en.html
    """
    return flatten(input)


def view_as(x: Value, other: Value, name: str | None = None) -> Value:
    """Return `x` under the shape of `other`, sharing its memory.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/view_as_en.html
    """
    return reshape2(x, tuple(other.shape))


def permute(input: Value, *dims: Any) -> Value:
    """Return `input` with its axes in the order `dims`, a list or the axes themselves.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/permute_en.html
    """
    order = dims[0] if len(dims) == 1 and isinstance(dims[0], (list, tuple)) else dims
    return transpose2(input, integers(order))
