"""Picking rows and cells by index tensors, and putting them back: gather, scatter and their relatives."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.core.errors import failure
from minipaddle.core.meta import Array, Meta
from minipaddle.core.operator import operator
from minipaddle.ops.arguments import axis_in, integer
from minipaddle.ops.creation import constant
from minipaddle.ops.expanding import expand2
from minipaddle.ops.families import broadcast_shapes
from minipaddle.ops.indexing import pick, scatter_at, set_value
from minipaddle.ops.logic import where
from minipaddle.ops.shaping import reshape2

__all__ = [
    "add_rows", "gather", "gather_nd", "index_add", "index_select", "masked_fill",
    "masked_select", "nonzero", "scatter", "scatter_nd", "scatter_nd_add", "take", "where_index",
]  # fmt: skip

_NOTHING = np.dtype("int64")


def _rows(axis: int) -> str:
    """Return the index text for whole slices along `axis`."""
    return ":, " * axis + "@"


def _must_be_integers(meta: Any, op: str) -> None:
    if meta.dtype.kind not in "iu":
        raise failure(
            ValueError,
            f"The data type of Input(Index) of {op} must be int32 or int64, but received {meta.dtype}.",
        )


# -- gather and index_select ------------------------------------------------------------------------


def _gather_infer(x: Meta, index: Meta, *, axis: int = 0) -> Meta:
    _must_be_integers(index, "gather")
    if index.ndim > 2 or (index.ndim == 2 and index.shape[1] not in (1, -1)):
        raise failure(
            ValueError,
            "The last dim of index should be 1 when it is 2D, but the shape of index is "
            f"{list(index.shape)}.",
            "paddle.gather_nd picks by tuples, x[index] by arrays of any shape",
        )
    if not -x.ndim <= axis < x.ndim:
        raise failure(IndexError, f"Attr(axis) is out of range [{-x.ndim}, {x.ndim - 1}]: {axis}.")
    place = axis % x.ndim
    return Meta((*x.shape[:place], *index.shape[:1], *x.shape[place + 1 :]), x.dtype)


def _gather_example(rng: np.random.Generator) -> Any:
    return [rng.uniform(0.2, 0.9, (3, 2)), np.array([2, 0, 2])], {}


@operator(
    "gather", "X, Index -> Out", name="gather", infer=_gather_infer, latex="x_{i}", example=_gather_example
)
def take(x: Array, index: Array, axis: int = 0) -> Any:
    """Pick whole slices along an axis."""
    _must_be_integers(index, "gather")
    return np.take(x, index[:, 0] if index.ndim == 2 and index.shape[1] == 1 else _flat(index), axis)


def _flat(index: Array) -> Array:
    if index.ndim > 1:
        raise ValueError  # worded by the shape rule
    return index


@take.gradient("x")
def _(dy: Any, index: Any, axis: int, x_shape: Any) -> Any:
    if index.ndim == 2:
        index = reshape2(index, (-1,))
    return scatter_at(dy, [index], _rows(axis % len(x_shape)), x_shape)


def gather(x: Any, index: Any, axis: Any = None, name: str | None = None) -> Any:
    """Return the slices of `x` along `axis` that `index` names; gradients of repeated ones add up.

    Args:
        x: tensor.
        index: integer tensor [N], [N, 1] or 0-D.
        axis: int (0 if None), or a tensor with one.
        name: ignored.

    Raises:
        IndexError: **out of bounds**.
        ValueError: if `index` does not hold integers.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/gather_en.html
    """
    return take(x, index, 0 if axis is None else integer(axis))


def _select_infer(x: Meta, index: Meta, *, axis: int = 0) -> Meta:
    _must_be_integers(index, "index_select")
    place = axis_in(axis, x.ndim)
    count = -1 if -1 in index.shape else int(np.prod(index.shape))
    return Meta((*x.shape[:place], count, *x.shape[place + 1 :]), x.dtype)


@operator("index_select", "X, Index -> Out", infer=_select_infer, latex="x_{i}", example=_gather_example)
def index_select(x: Array, index: Array, axis: int = 0) -> Any:
    """Pick whole slices along `axis` by a 1-D integer tensor; gradients of repeated ones add up.

    Raises:
        ValueError: if an index is out of bounds, or `index` does not hold integers.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/index_select_en.html
    """
    _must_be_integers(index, "index_select")
    try:
        return np.take(x, index.reshape(-1), axis)
    except IndexError as error:
        raise failure(ValueError, f"Variable value (index) of OP(index_select): {error}.") from None


@index_select.gradient("x")
def _(dy: Any, index: Any, axis: int, x_shape: Any) -> Any:
    return scatter_at(dy, [reshape2(index, (-1,))], _rows(axis % len(x_shape)), x_shape)


# -- by tuples: gather_nd and scatter_nd ---------------------------------------------------------------------


def _cells(index: Array) -> tuple[Array, ...]:
    """Return the index arrays that the last axis of `index` stands for."""
    return tuple(np.moveaxis(index, -1, 0))


def _gather_nd_infer(x: Meta, index: Meta) -> Meta:
    if index.shape[-1] > x.ndim:
        raise failure(
            ValueError,
            "Input(Index).shape[-1] should be no greater than Input(X).rank, but they are "
            f"{index.shape[-1]} and {x.ndim}.",
        )
    return Meta((*index.shape[:-1], *x.shape[index.shape[-1] :]), x.dtype)


@operator(
    "gather_nd",
    "X, Index -> Out",
    infer=_gather_nd_infer,
    latex="x_{i}",
    example=lambda rng: ([rng.uniform(0.2, 0.9, (3, 2)), np.array([[0, 1], [2, 0], [0, 1]])], {}),
)
def gather_nd(x: Array, index: Array) -> Any:
    """Pick the cells (or slices) that the tuples in the last axis of `index` name.

    Raises:
        ValueError: if an index is out of bounds, or the tuples are too long.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/gather_nd_en.html
    """
    try:
        return (
            x[_cells(index)] if index.shape[-1] else np.broadcast_to(x, (*index.shape[:-1], *x.shape)).copy()
        )
    except IndexError as error:
        raise failure(ValueError, f"Input(index[-1]) has wrong value: {error}.") from None


@gather_nd.gradient("x")
def _(dy: Any, index: Any, x_shape: Any) -> Any:
    return scatter_nd(index, dy, x_shape)


def _scatter_nd_infer(index: Meta, updates: Meta, *, shape: Any) -> Meta:
    _check_updates(Meta(tuple(shape), updates.dtype), index, updates)
    return Meta(tuple(shape), updates.dtype)


def _check_updates(x: Meta, index: Meta, updates: Meta) -> None:
    wanted = (*index.shape[:-1], *x.shape[index.shape[-1] :])
    if updates.shape != wanted and -1 not in (*updates.shape, *wanted):
        raise failure(
            ValueError,
            f"Updates has wrong shape. It should be {list(wanted)}, but received {list(updates.shape)}.",
            "its shape is that of gather_nd with the same index",
        )


@operator(
    "scatter_nd",
    "Index, Updates -> Out",
    infer=_scatter_nd_infer,
    latex=r"\sum_i u_i e_i",
    example=lambda rng: (
        [np.array([[0, 1], [2, 0], [0, 1]]), rng.uniform(0.2, 0.9, 3)],
        {"shape": (3, 2)},
    ),
)
def scatter_nd(index: Array, updates: Array, shape: Any) -> Any:
    """Start from zeros of `shape` and add `updates` at the tuples in the last axis of `index`.

    Raises:
        IndexError: **out of bounds**.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/scatter_nd_en.html
    """
    out = np.zeros(shape, updates.dtype)
    np.add.at(out, _cells(index), updates)
    return out


@scatter_nd.gradient("updates")
def _(dy: Any, index: Any) -> Any:
    return gather_nd(dy, index)


def _scatter_nd_add_infer(x: Meta, index: Meta, updates: Meta) -> Meta:
    _check_updates(x, index, updates)
    return x


@operator(
    "scatter_nd_add",
    "X, Index, Updates -> Out",
    infer=_scatter_nd_add_infer,
    latex=r"x + \sum_i u_i e_i",
    example=lambda rng: (
        [rng.uniform(0.2, 0.9, (3, 2)), np.array([[0, 1], [2, 0], [0, 1]]), rng.uniform(0.2, 0.9, 3)],
        {},
    ),
)
def scatter_nd_add(x: Array, index: Array, updates: Array) -> Any:
    """Add `updates` to a copy of `x` at the tuples in the last axis of `index`; repeated places add up.

    Raises:
        IndexError: **out of bounds**.
        ValueError: if `updates` has the wrong shape.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/scatter_nd_add_en.html
    """
    if updates.shape != (*index.shape[:-1], *x.shape[index.shape[-1] :]):
        raise ValueError  # worded by the shape rule
    out = x.copy()
    np.add.at(out, _cells(index), updates)
    return out


@scatter_nd_add.gradient("x")
def _(dy: Any) -> Any:
    return dy


@scatter_nd_add.gradient("updates")
def _(dy: Any, index: Any) -> Any:
    return gather_nd(dy, index)


# -- scatter and index_add ------------------------------------------------------------------------


@operator(
    "scatter",
    "X, Ids, Updates -> Out",
    infer=lambda x, index, updates, overwrite=True: x,
    latex=r"x_i \leftarrow u_i",
    example=lambda rng: (
        [rng.uniform(0.2, 0.9, (3, 2)), np.array([2, 0]), rng.uniform(0.2, 0.9, (2, 2))],
        {},
    ),
)
def scatter(x: Array, index: Array, updates: Array, overwrite: bool = True) -> Any:
    """Return `x` with the rows that `index` names replaced by `updates`.

    Args:
        x: tensor of one axis or more.
        index: integer tensor [N], [N, 1] or 0-D.
        updates: the rows.
        overwrite: whether the last of repeated rows wins; otherwise rows become zero first and then add up.

    Raises:
        IndexError: **out of bounds**.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/scatter_en.html
    """
    out = x.copy()
    rows = index.reshape(-1) if index.ndim else index
    out[rows] = updates if overwrite else 0
    if not overwrite:
        np.add.at(out, rows, updates)
    return out


@scatter.gradient("x")
def _(dy: Any, index: Any) -> Any:
    return set_value(dy, None, [index if index.ndim < 2 else reshape2(index, (-1,))], "@")


@scatter.gradient("updates")
def _(dy: Any, index: Any, updates_shape: Any) -> Any:
    return reshape2(pick(dy, [reshape2(index, (-1,))], "@"), updates_shape)


def _add_rows_infer(x: Meta, index: Meta, value: Meta, *, axis: int = 0) -> Meta:
    axis_in(axis, x.ndim)
    return x


@operator(
    "index_add",
    "X, Index, AddValue -> Out",
    name="index_add",
    infer=_add_rows_infer,
    latex=r"x + \sum_i v_i e_i",
    example=lambda rng: (
        [rng.uniform(0.2, 0.9, (3, 2)), np.array([2, 0, 2]), rng.uniform(0.2, 0.9, (3, 2))],
        {},
    ),
)
def add_rows(x: Array, index: Array, value: Array, axis: int = 0) -> Any:
    """Add slices to those that an index names."""
    out = x.copy()
    place: Any = (slice(None),) * (axis % x.ndim) + (index,)
    np.add.at(out, place, value)
    return out


@add_rows.gradient("x")
def _(dy: Any) -> Any:
    return dy


@add_rows.gradient("value")
def _(dy: Any, index: Any, axis: int) -> Any:
    return index_select(dy, index, axis)


def index_add(x: Any, index: Any, axis: int, value: Any, name: str | None = None) -> Any:
    """Return `x` with `value` added to the slices along `axis` that `index` names; repeated ones add up.

    Raises:
        IndexError: **out of bounds**.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/index_add_en.html
    """
    return add_rows(x, index, value, axis)


# -- masks ------------------------------------------------------------------------


def masked_select(x: Any, mask: Any, name: str | None = None) -> Any:
    """Return the elements of `x` where `mask` is True, as a 1-D tensor.

    Raises:
        ValueError: if `mask` is not of type bool, or does not broadcast with `x`.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/masked_select_en.html
    """
    if np.dtype(getattr(mask.dtype, "numpy", mask.dtype)).kind != "b":
        raise failure(ValueError, f"The mask of masked_select must be bool, but received {mask.dtype}.")
    shape = broadcast_shapes(tuple(x.shape), tuple(mask.shape))
    if tuple(x.shape) != shape:
        x = expand2(x, shape)
    if tuple(mask.shape) != shape:
        mask = expand2(mask, shape)
    return pick(x, [mask], f"@{len(shape)}")


def masked_fill(x: Any, mask: Any, value: Any, name: str | None = None) -> Any:
    """Return `x` with `value`, a number or a 0-D tensor, where `mask` is True.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/masked_fill_en.html
    """
    number = value if hasattr(value, "dtype") and hasattr(value, "ndim") else constant(value)
    return where(mask, number, x)


@operator(
    "where_index",
    "Condition -> Out",
    name="nonzero",
    infer=lambda x: Meta((-1, x.ndim), _NOTHING),
    latex=r"\{i : x_i \ne 0\}",
)
def where_index(x: Array) -> Any:
    """List the indices of the elements that are not zero, one row each."""
    if not x.ndim:
        raise failure(ValueError, "Input(Condition) should have number of dimension at least 1.")
    return np.argwhere(x)


def nonzero(x: Any, as_tuple: bool = False) -> Any:
    """Return the indices of the elements of `x` that are not zero, as rows, or as one tensor for each axis.

    Raises:
        ValueError: for a 0-D tensor.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nonzero_en.html
    """
    rows = where_index(x)
    return tuple([rows[:, axis] for axis in range(x.ndim)]) if as_tuple else rows
