"""Picking along one axis by an index for every element: take_along_axis, put_along_axis, index_sample."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.ops.creation.assign import constant
from minipaddle.ops.creation.cast import numpy_dtype
from minipaddle.ops.creation.full import zeros_like
from minipaddle.ops.creation.promotion import alike
from minipaddle.ops.definition import Array, Meta, Shape, Value, invalid, mark, operator, require, tried_with
from minipaddle.ops.definition.arguments import axis_in
from minipaddle.ops.definition.program_printing import Listing, listed, of
from minipaddle.ops.reduction.sum import cast_to, expand_v2, unbroadcast


def places_along(indices: Array, axis: int) -> tuple[Any, ...]:
    """Return the full index for `indices` along `axis`."""
    grid = list(np.ogrid[tuple([slice(size) for size in indices.shape])])
    grid[axis] = indices
    return tuple(grid)


def _along_infer(x: Meta, index: Meta, axis: int, **attrs: Any) -> Meta:
    if x.ndim != index.ndim:
        raise invalid(
            "`indices` and `arr` must have the same number of dimensions!", f"got {x.ndim} and {index.ndim}"
        )
    axis_in(axis, x.ndim)
    return Meta(index.shape, x.dtype)


@listed(Listing(Axis=of("axis")), inputs="Input, Index")
@tried_with((3, 4), [[1, 0], [3, 3], [2, 0]], axis=1)
@operator("take_along_axis", infer=_along_infer, outputs=("result",))
def take_along_axis_op(x: Array, index: Array, *, axis: int) -> Array:
    """Pick ``x[..., index[..., j, ...], ...]`` for every element of `index`."""
    require(x.ndim == index.ndim)
    return x[places_along(index, axis)]


@tried_with((3, 2), [[1, 0], [3, 3], [2, 0]], axis=1, shape=(3, 4))
@operator("add_along_axis", infer=lambda x, index, axis, shape, **attrs: Meta(tuple(shape), x.dtype))
def add_along(x: Array, index: Array, *, axis: int, shape: Any, distinct: bool = False) -> Array:
    """Start from zeros of `shape` and add `x` at the places of `index`, perhaps known to be `distinct`."""
    out = np.zeros(shape, x.dtype)
    if distinct:
        out[places_along(index, axis)] = x
    else:
        np.add.at(out, places_along(index, axis), x)
    return out


take_along_axis_op.gradient("x")(lambda dy, index, axis, x_shape: add_along(dy, index, axis, x_shape))
add_along.gradient("x")(lambda dy, index, axis: take_along_axis_op(dy, index, axis))


def _put_infer(x: Meta, index: Meta, value: Meta, reduce: str, **attrs: Any) -> Meta:
    if reduce not in ("assign", "add"):
        raise invalid(f"reduce must be assign or add, but received {reduce!r}.")
    return x


@listed(
    Listing(Axis=of("axis"), Reduce=of("reduce"), Include_self=True),
    grad_keeps="Result",
    inputs="Input, Index, Value",
)
@tried_with((3, 4), [[1], [3], [2]], (3, 1), axis=1)
@operator("put_along_axis", infer=_put_infer, outputs=("result",))
def put_along_axis_op(x: Array, index: Array, value: Array, *, axis: int, reduce: str = "assign") -> Array:
    """Write `value` at (or, ``reduce="add"``, add it to) the places of `index` in a copy of `x`."""
    require(reduce in ("assign", "add"))
    out = x.copy()
    if reduce == "add":
        np.add.at(out, places_along(index, axis), value)
    else:
        out[places_along(index, axis)] = value
    return out


@put_along_axis_op.gradient("x")
def _(dy: Value, index: Value, axis: int, reduce: str) -> Value:
    if reduce == "add":
        return dy
    return put_along_axis_op(dy, index, zeros_like(take_along_axis_op(dy, index, axis)), axis)


@put_along_axis_op.gradient("value")
def _(dy: Value, index: Value, axis: int, reduce: str, x_shape: Shape, value_shape: Shape) -> Value:
    dvalue = take_along_axis_op(dy, index, axis)
    if reduce == "assign":
        dvalue = dvalue * cast_to(last_along(index, axis, x_shape[axis]), dvalue.dtype)
    return unbroadcast(dvalue, value_shape)


@tried_with([[1, 1], [3, 0]], axis=1, size=4)
@operator("last_along_axis", infer=lambda index, axis, size: Meta(index.shape, np.dtype(bool)))
def last_along(index: Array, *, axis: int, size: int) -> Array:
    """Return the entries that are the last with their index (of `size` along `axis`): their values remain."""
    turns = np.arange(index.shape[axis]).reshape(
        [-1 if one == axis % index.ndim else 1 for one in range(index.ndim)]
    )
    last = np.zeros([size if one == axis % index.ndim else n for one, n in enumerate(index.shape)], np.int64)
    last[places_along(index, axis)] = turns
    return last[places_along(index, axis)] == turns


def _stretched(arr: Any, indices: Any, axis: int, broadcast: bool) -> Any:
    """Repeat `indices` over the other axes of `arr`, as Paddle does unless told not to."""
    if not broadcast or indices.ndim != arr.ndim:
        return indices
    shape = list(arr.shape)
    shape[axis] = indices.shape[axis]
    widest = tuple([wanted if size == 1 else size for size, wanted in zip(indices.shape, shape, strict=True)])
    return indices if tuple(indices.shape) == tuple(shape) else expand_v2(indices, widest)


def take_along_axis(arr: Any, indices: Any, axis: int, broadcast: bool = True) -> Any:
    """Return the elements of `arr` that `indices` name along `axis`.

    Args:
        indices: integer tensor with as many axes; repeated gradients add up.
        broadcast: whether axes of size 1 in `indices` are broadcast.
    """
    place = axis_in(axis, arr.ndim) if indices.ndim == arr.ndim else axis
    return take_along_axis_op(arr, _stretched(arr, indices, place, broadcast), place)


def put_along_axis(
    arr: Value,
    indices: Value,
    values: Any,
    axis: int,
    reduce: str = "assign",
    include_self: bool = True,
    broadcast: bool = True,
) -> Value:
    """Return `arr` with `values` at the places that `indices` name along `axis`.

    Args:
        values: number or tensor, broadcast to the shape of `indices`.
        reduce: "assign", or "add": values are added to the elements there.
        include_self: whether old elements count.
        broadcast: whether axes of size 1 in `indices` are broadcast.
    """
    place = axis_in(axis, arr.ndim)
    index = _stretched(arr, indices, place, broadcast)
    is_tensor = hasattr(values, "dtype") and hasattr(values, "ndim")
    value = values if is_tensor else constant(values)
    if not is_tensor and (numpy_dtype(arr).kind in "fc" or numpy_dtype(value).kind != "f"):
        value = cast_to(value, numpy_dtype(arr))  # half a number is not stored among whole ones
    alike(put_along_axis_op, arr, value)
    value = expand_v2(value, tuple(index.shape))
    if reduce == "add" and not include_self:
        arr = put_along_axis_op(arr, index, zeros_like(value), place)
    return put_along_axis_op(arr, index, value, place, reduce)


def _sample_infer(x: Meta, index: Meta) -> Meta:
    if x.ndim != 2 or index.ndim != 2:
        raise invalid(
            f"Inputs(X) and Inputs(Index) of IndexSample op should be 2-D, but got the shapes {list(x.shape)} and "
            f"{list(index.shape)}, please check index shape."
        )
    if x.shape[0] != index.shape[0] and -1 not in (x.shape[0], index.shape[0]):
        raise invalid(
            f"Inputs(X)'s value of dimension 0 must same with Inputs(Index)'s value of dimension 0, but got "
            f"{x.shape[0]} of Inputs(X), and got {index.shape[0]} of Inputs(Index), please check Inputs shape."
        )
    return Meta(index.shape, x.dtype)


@tried_with((2, 3), [[2, 0, 2, 1], [1, 1, 0, 2]])
@operator("index_sample", infer=_sample_infer)
def index_sample(x: Array, index: Array) -> Array:
    """Return from each row of `x` the elements that the same row of `index` names."""
    require(x.ndim == index.ndim == 2 and len(x) == len(index))
    if index.size and not 0 <= index.min() <= index.max() < x.shape[1]:
        wrong = index.min() if index.min() < 0 else index.max()
        raise invalid(
            f"Variable value (index) of OP(index_sample) expected >= 0 and < {x.shape[1]}, but got {wrong}. "
            "Please check input value."
        )
    return np.take_along_axis(x, index, 1)


mark("selects", take_along_axis_op, last_along, index_sample)
index_sample.gradient("x")(lambda dy, index, x_shape: add_along(dy, index, 1, x_shape))
