"""Picking rows and cells by index tensors: gather, index_select, gather_nd; putting them back: scatter; slice."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.errors import failure, invalid, locate
from minipaddle.ops.creation.cast import numpy_dtype
from minipaddle.ops.creation.full import zeros
from minipaddle.ops.creation.promotion import alike_around
from minipaddle.ops.definition import Array, Meta, Operator, Shape, Value, mark, operator, require, tried_with
from minipaddle.ops.definition.arguments import axis_in, integer, integers
from minipaddle.ops.definition.program_printing import Listing, listed, of
from minipaddle.ops.indexing.index import getitem_op, scatter_at, set_value, slice_op
from minipaddle.ops.views.reshape import reshape2


def _rows(axis: int) -> str:
    """Return the index text for whole slices along `axis`."""
    return ":, " * axis + "@"


def _must_be_integers(meta: Meta, op: str) -> None:
    if meta.dtype.kind not in "iu":
        raise invalid(
            f"The data type of Input(Index) of {op} must be int32 or int64, but received {meta.dtype}."
        )


def _picked(x: Array, index: Array, axis: int) -> Any:
    """Return slices of `x` along `axis`; refuse indices of an empty axis: NumPy accepts them if another is empty."""
    if not x.shape[axis] and index.size:
        raise IndexError(f"index {index.flat[0]} is out of bounds for axis {axis} with size 0")
    return np.take(x, index, axis)


# -- gather and index_select ------------------------------------------------------------------------


def _gather_infer(x: Meta, index: Meta, axis: int) -> Meta:
    _must_be_integers(index, "gather")
    if index.ndim > 2 or (index.ndim == 2 and index.shape[1] not in (1, -1)):
        raise invalid(
            f"The last dim of index should be 1 when it is 2D, but the shape of index is {list(index.shape)}.",
            "paddle.gather_nd picks by tuples, x[index] by arrays of any shape",
        )
    if not -x.ndim <= axis < x.ndim:
        raise failure(IndexError, f"Attr(axis) is out of range [{-x.ndim}, {x.ndim - 1}]: {axis}.")
    place = axis % x.ndim
    return Meta((*x.shape[:place], *index.shape[:1], *x.shape[place + 1 :]), x.dtype)


@tried_with((3, 2), [2, 0, 2])
@operator("gather", infer=_gather_infer)
def gather_op(x: Array, index: Array, *, axis: int = 0) -> Array:
    """Pick whole slices along an axis."""
    index = index[:, 0] if index.ndim == 2 and index.shape[1] == 1 else index
    require(index.dtype.kind in "iu" and index.ndim <= 1 and -x.ndim <= axis < x.ndim)
    return _picked(x, index, axis)


@gather_op.gradient("x")
def _(dy: Value, index: Value, axis: int, x_shape: Shape) -> Value:
    if index.ndim == 2:
        index = reshape2(index, (-1,))
    return scatter_at(dy, [index], _rows(axis % len(x_shape)), x_shape)


def gather(x: Value, index: Value, axis: Any = None, name: str | None = None) -> Any:
    """Return the slices of `x` along `axis` (0) that `index` names: [N], [N, 1] or 0-D; gradients add up."""
    return gather_op(x, index, 0 if axis is None else integer(axis))


def _select_infer(x: Meta, index: Meta, axis: int) -> Meta:
    _must_be_integers(index, "index_select")
    place = axis_in(axis, x.ndim, kind=IndexError)
    if index.ndim != 1 and index.shape[1:] != (1,):
        raise invalid(f"The 'shape' of Input(Index) must be 1-D tensor, but it is {list(index.shape)}.")
    return Meta((*x.shape[:place], index.shape[0], *x.shape[place + 1 :]), x.dtype)


@listed(Listing(dim=of("axis")))
@tried_with((3, 2), [2, 0, 2])
@operator("index_select", infer=_select_infer)
def index_select(x: Array, index: Array, *, axis: int = 0) -> Array:
    """Pick whole slices along `axis` by a 1-D integer tensor; gradients of repeated ones add up."""
    require(index.dtype.kind in "iu" and (index.ndim == 1 or index.shape[1:] == (1,)))
    try:
        return _picked(x, index.reshape(-1), axis)
    except IndexError as error:
        raise invalid(f"Variable value (index) of OP(index_select): {error}.") from None


@index_select.gradient("x")
def _(dy: Value, index: Value, axis: int, x_shape: Shape) -> Value:
    return scatter_at(dy, [reshape2(index, (-1,))], _rows(axis % len(x_shape)), x_shape)


# -- by tuples: gather_nd and scatter_nd ---------------------------------------------------------------------


def _cells(index: Array) -> tuple[Array, ...]:
    """Return the index arrays in the last axis of `index`."""
    return tuple(np.moveaxis(index, -1, 0))


def _gather_nd_infer(x: Meta, index: Meta) -> Meta:
    if index.shape[-1] > x.ndim:
        raise invalid(
            "Input(Index).shape[-1] should be no greater than Input(X).rank, but they are "
            f"{index.shape[-1]} and {x.ndim}."
        )
    return Meta((*index.shape[:-1], *x.shape[index.shape[-1] :]), x.dtype)


@tried_with((3, 2), [[0, 1], [2, 0], [0, 1]])
@operator("gather_nd", infer=_gather_nd_infer)
def gather_nd(x: Array, index: Array) -> Array:
    """Pick the cells (or slices) that the tuples in the last axis of `index` name."""
    try:
        return (
            x[_cells(index)] if index.shape[-1] else np.broadcast_to(x, (*index.shape[:-1], *x.shape)).copy()
        )
    except IndexError as error:
        raise invalid(f"Input(index[-1]) has wrong value: {error}.") from None


mark("selects", gather_op, gather_nd, index_select)


def check_updates(x: Meta, index: Meta, updates: Meta) -> Meta:
    """Shape rule: as `x`; `updates` must have the shape that `index` picks from `x`."""
    wanted = (*index.shape[:-1], *x.shape[index.shape[-1] :])
    if updates.shape != wanted and -1 not in (*updates.shape, *wanted):
        raise invalid(
            f"Updates has wrong shape. It should be {list(wanted)}, but received {list(updates.shape)}.",
            "its shape is that of gather_nd with the same index",
        )
    return x


@tried_with([[0, 1], [2, 0], [0, 1]], (3,), shape=(3, 2))
@operator(
    "scatter_nd",
    infer=lambda index, updates, shape: check_updates(Meta(tuple(shape), updates.dtype), index, updates),
)
def scatter_nd_op(index: Array, updates: Array, *, shape: Any) -> Array:
    """Start from zeros of `shape` and add `updates` at the tuples of `index`: the rule of `gather_nd` needs it."""
    out = np.zeros(shape, updates.dtype)
    np.add.at(out, _cells(index), updates)
    return out


gather_nd.gradient("x")(lambda dy, index, x_shape: scatter_nd_op(index, dy, x_shape))
scatter_nd_op.gradient("updates")(lambda dy, index: gather_nd(dy, index))


def slice(input: Value, axes: Any, starts: Any, ends: Any) -> Value:
    """Return the part of `input` from `starts` to before `ends` along each of `axes`; it shares its memory.

    Args:
        starts: list of positions, or tensor; negative ones count from the end.
        ends: list of positions, or tensor; larger numbers mean the end.
    """
    lists = [integers(one) for one in (axes, starts, ends)]
    if len({len(one) for one in lists}) > 1:
        raise invalid(f"axes, starts and ends must be of one length, but received {lists}.")
    parts = ["::"] * input.ndim
    for axis, start, end in zip(*lists, strict=True):
        parts[axis_in(axis, input.ndim)] = f"{start}:{end}"
    return slice_op(input, ", ".join(parts) or "...")


def _of_one_type(op: Operator, x: Any, index: Any, updates: Any) -> tuple[Any, ...]:
    """Return the inputs of :func:`scatter_nd_add`."""
    if not isinstance(x, np.ndarray) and numpy_dtype(x) != numpy_dtype(updates):
        raise locate(failure(TypeError, "ref and updates must have same data type."), op.type)
    return x, index, updates


@listed(grad_keeps="Updates")
@tried_with((3, 2), [[0, 1], [2, 0], [0, 1]], (3,))
@operator("scatter_nd_add", prepare=_of_one_type, infer=check_updates)
def scatter_nd_add(x: Array, index: Array, updates: Array) -> Array:
    """Add `updates` to a copy of `x` at the tuples in the last axis of `index`; repeated places add up."""
    require(updates.shape == (*index.shape[:-1], *x.shape[index.shape[-1] :]))
    out = x.copy()
    np.add.at(out, _cells(index), updates)
    return out


scatter_nd_add.gradient("x")(lambda dy: dy)
scatter_nd_add.gradient("updates")(lambda dy, index: gather_nd(dy, index))


@listed(inputs="X, Ids, Updates")
@tried_with((3, 2), [2, 0], (2, 2))
@operator("scatter", prepare=alike_around, infer=lambda x, index, updates, **attrs: x)
def scatter(x: Array, index: Array, updates: Array, *, overwrite: bool = True) -> Array:
    """Return `x` with the rows that `index` names replaced by `updates`.

    Args:
        index: integer tensor [N], [N, 1] or 0-D.
        overwrite: whether the last of repeated rows wins; otherwise rows become zero first and then add up.
    """
    out = x.copy()
    rows = index.reshape(-1) if index.ndim else index
    out[rows] = updates if overwrite else 0
    if not overwrite:
        np.add.at(out, rows, updates)
    return out


@scatter.gradient("x")
def _(dy: Value, index: Value) -> Value:
    return set_value(dy, None, [index if index.ndim < 2 else reshape2(index, (-1,))], "@")


@scatter.gradient("updates")
def _(dy: Value, index: Value, updates_shape: Shape) -> Value:
    return reshape2(getitem_op(dy, [reshape2(index, (-1,))], "@"), updates_shape)


def scatter_nd(index: Value, updates: Value, shape: Any, name: str | None = None) -> Value:
    """Return zeros of `shape` with `updates`, shaped as their :func:`gather_nd`, added at the tuples of `index`."""
    return scatter_nd_add(zeros(shape, updates.dtype), index, updates)
