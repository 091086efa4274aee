"""Parts of a tensor that are named by numbers: slice, crop, narrow; and the same written to: slice_scatter."""

from __future__ import annotations

import builtins
import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.core.errors import failure
from minipaddle.ops.common.arguments import axis_in, integer, integers
from minipaddle.ops.common.infer_meta import broadcast_shapes as _fit
from minipaddle.ops.creation.assign import assign_op, constant
from minipaddle.ops.creation.range import arange
from minipaddle.ops.indexing.gather import gather
from minipaddle.ops.indexing.index import getitem, setitem, slice_op
from minipaddle.ops.indexing.index import strided_slice as strided_slice_op
from minipaddle.ops.manipulation.concat import stack
from minipaddle.ops.manipulation.flip import flip
from minipaddle.ops.reduction.broadcast import expand_v2
from minipaddle.ops.views.reshape import flatten, reshape, reshape2
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


def slice(input: Any, axes: Any, starts: Any, ends: Any) -> Any:
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


def strided_slice(x: Any, axes: Any, starts: Any, ends: Any, strides: Any, name: str | None = None) -> Any:
    """Return every so-many-th element of `x` from `starts` to before `ends` along each of `axes`.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/strided_slice_en.html
    """
    return strided_slice_op(x, _written(_index(x.ndim, axes, starts, ends, strides), True))


def narrow(input: Any, dim: Any, start: Any, length: int) -> Any:
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


def crop(x: Any, shape: Any = None, offsets: Any = None, name: str | None = None) -> Any:
    """Return the part of `x` of this `shape` that begins at `offsets`; -1 reaches to the end of an axis.

    Raises:
        ValueError: if it does not fit into `x`.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/crop_en.html
    """
    sizes = tuple(x.shape) if shape is None else integers(shape)
    firsts = (0,) * x.ndim if offsets is None else integers(offsets)
    if len(sizes) != x.ndim or len(firsts) != x.ndim:
        raise failure(
            ValueError, f"shape {list(sizes)} and offsets {list(firsts)} need {x.ndim} numbers each."
        )
    ends = [
        have if size == -1 else first + size for have, size, first in zip(x.shape, sizes, firsts, strict=True)
    ]
    if any(first < 0 or (end > have != -1) for have, end, first in zip(x.shape, ends, firsts, strict=True)):
        raise failure(
            ValueError,
            f"The sum of the Attr(offsets) {list(firsts)} and Attr(shape) {list(sizes)} of Op(crop_tensor) should be "
            f"less than or equal to corresponding input dimension size {list(x.shape)}.",
        )
    return slice(x, list(range(x.ndim)), firsts, ends)


# -- writing --------------------------------------------------------------------------------------------------


def slice_scatter(
    x: Any, value: Any, axes: Any, starts: Any, ends: Any, strides: Any, name: str | None = None
) -> Any:
    """Return `x` with `value` at a part that is named as in :func:`strided_slice`; both receive gradients.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/slice_scatter_en.html
    """
    return setitem(x, tuple(_index(x.ndim, axes, starts, ends, strides)), value)


def select_scatter(x: Any, values: Any, axis: int, index: int, name: str | None = None) -> Any:
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


def rot90(x: Any, k: int = 1, axes: Any = (0, 1), name: str | None = None) -> Any:
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


def ravel(input: Any) -> Any:
    """Return the elements of `input` in a row, which share its memory.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/ravel_en.html
    """
    return flatten(input)


def view_as(x: Any, other: Any, name: str | None = None) -> Any:
    """Return `x` under the shape of `other`, sharing its memory.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/view_as_en.html
    """
    return reshape2(x, tuple(other.shape))


def permute(input: Any, *dims: Any) -> Any:
    """Return `input` with its axes in the order `dims`, a list or the axes themselves.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/permute_en.html
    """
    order = dims[0] if len(dims) == 1 and isinstance(dims[0], (list, tuple)) else dims
    return transpose2(input, integers(order))


# -- shapes that meet -----------------------------------------------------------------------------------------


def broadcast_shapes(*shapes: Any) -> list[int]:
    """Return the shape that several shapes broadcast to.

    Raises:
        ValueError: **Broadcast dimension mismatch**.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/broadcast_shapes_en.html
    """
    found: tuple[int, ...] = ()
    for shape in shapes:
        found = _fit(found, tuple(shape))
    return list(found)


def broadcast_shape(x_shape: Any, y_shape: Any) -> list[int]:
    """Return the shape that two shapes broadcast to.

    Raises:
        ValueError: **Broadcast dimension mismatch**.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/broadcast_shape_en.html
    """
    return broadcast_shapes(x_shape, y_shape)


def broadcast_tensors(input: Any, name: str | None = None) -> list[Any]:
    """Return a list of tensors, each repeated to the shape that they all broadcast to.

    Raises:
        ValueError: if none is given, or **Broadcast dimension mismatch**.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/broadcast_tensors_en.html
    """
    if len(input) < 1:
        raise failure(
            ValueError, "broadcast_tensors(): argument 'input' must be list of Tensors, but got empty list"
        )
    shape = tuple(broadcast_shapes(*(one.shape for one in input)))
    return [expand_v2(one, shape) for one in input]


def meshgrid(*args: Any, name: str | None = None, indexing: str = "ij") -> list[Any]:
    """Return the grids of coordinates that vectors span: one tensor for each, of as many axes as there are vectors.

    Args:
        args: vectors, or one list of them.
        name: ignored.
        indexing: "ij": the first vector runs along the first axis; "xy": the first two are exchanged.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/meshgrid_en.html
    """
    vectors = list(args[0]) if len(args) == 1 and isinstance(args[0], (list, tuple)) else list(args)
    if indexing == "xy" and len(vectors) > 1:
        grids = meshgrid(vectors[1], vectors[0], *vectors[2:])
        return [grids[1], grids[0], *grids[2:]]
    sizes = tuple(one.shape[0] if one.ndim else 1 for one in vectors)
    ndim = len(sizes)
    columns = [
        reshape(one, [-1 if axis == at else 1 for axis in range(ndim)]) for at, one in enumerate(vectors)
    ]
    return [expand_v2(one, sizes) for one in columns]


def cartesian_prod(x: Any, name: str | None = None) -> Any:
    """Return all tuples with one element of each vector of a list, as rows; of one vector that itself.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/cartesian_prod_en.html
    """
    if len(x) == 1:
        return x[0]
    return stack([reshape2(one, (-1,)) for one in meshgrid(*x)], 1)


def combinations(x: Any, r: int = 2, with_replacement: bool = False, name: str | None = None) -> Any:
    """Return all choices of `r` elements of a vector, as rows.

    Raises:
        TypeError: if `x` is no vector, or `r` no number of elements.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/combinations_en.html
    """
    if x.ndim != 1:
        raise TypeError(f"Expect a 1-D vector, but got x shape {list(x.shape)}")
    if r < 0:
        raise ValueError(f"Expect a non-negative int, but got r={r}")
    if r == 0:
        return x[:0]
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    rows = np.array(list(choose(range(x.shape[0]), r)), np.int64).reshape(-1, r)
    return reshape2(gather(x, constant(rows.reshape(-1))), rows.shape)


def multiplex(inputs: Any, index: Any, name: str | None = None) -> Any:
    """Return a tensor whose row number i is that row of the tensor that ``index[i]`` chooses from a list.

    Raises:
        ValueError: for less than two tensors, or tensors of fewer than two axes.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/multiplex_en.html
    """
    if len(inputs) < 2 or len(inputs[0].shape) < 2:
        raise failure(ValueError, "MultiplexOp needs two candidates or more, of two axes or more.")
    rows = arange(inputs[0].shape[0])
    return getitem(stack(list(inputs), 0), (reshape2(index, (-1,)), rows))
