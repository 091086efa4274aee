"""Putting rows and cells into a copy of a tensor: scatter, scatter_nd_add."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.ops.creation.cast import numpy_dtype
from minipaddle.ops.creation.full import zeros
from minipaddle.ops.creation.promotion import alike_around
from minipaddle.ops.definition import Array, Meta, Operator, Shape, Value, failure, listed, locate, operator
from minipaddle.ops.definition.example import tried_with
from minipaddle.ops.indexing.gather import check_updates, gather_nd
from minipaddle.ops.indexing.index import getitem_op, set_value
from minipaddle.ops.views.reshape import reshape2


def _scatter_nd_add_infer(x: Meta, index: Meta, updates: Meta) -> Meta:
    check_updates(x, index, updates)
    return x


def _of_one_type(op: Operator, x: Any, index: Any, updates: Any) -> tuple[Any, ...]:
    """Return the inputs of :func:`scatter_nd_add`."""
    if not isinstance(x, np.ndarray) and numpy_dtype(x) != numpy_dtype(updates):
        raise locate(failure(TypeError, "ref and updates must have same data type."), op.type)
    return x, index, updates


@listed(grad_keeps="Updates")
@tried_with(
    lambda rng: (
        [rng.uniform(0.2, 0.9, (3, 2)), np.array([[0, 1], [2, 0], [0, 1]]), rng.uniform(0.2, 0.9, 3)],
        {},
    )
)
@operator("scatter_nd_add", prepare=_of_one_type, infer=_scatter_nd_add_infer)
def scatter_nd_add(x: Array, index: Array, updates: Array) -> Array:
    """Add `updates` to a copy of `x` at the tuples in the last axis of `index`; repeated places add up."""
    if updates.shape != (*index.shape[:-1], *x.shape[index.shape[-1] :]):
        raise ValueError  # worded by the shape rule
    out = x.copy()
    np.add.at(out, tuple(np.moveaxis(index, -1, 0)), updates)
    return out


scatter_nd_add.gradient("x")(lambda dy: dy)
scatter_nd_add.gradient("updates")(lambda dy, index: gather_nd(dy, index))


@listed(inputs="X, Ids, Updates")
@tried_with(
    lambda rng: ([rng.uniform(0.2, 0.9, (3, 2)), np.array([2, 0]), rng.uniform(0.2, 0.9, (2, 2))], {})
)
@operator("scatter", prepare=alike_around, infer=lambda x, index, updates, overwrite=True: x)
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
    """Return zeros of `shape`, with `updates` added at the tuples in the last axis of `index`.

    Args:
        index: integer tensor, [..., axes].
        updates: tensor, shaped as :func:`gather_nd` of the result would be.
    """
    return scatter_nd_add(zeros(shape, updates.dtype), index, updates)
