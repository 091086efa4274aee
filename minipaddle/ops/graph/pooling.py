"""Rows that belong together, as one: segments that follow each other, and what a node is told along its edges."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Meta
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.full import zeros_like
from minipaddle.ops.indexing.gather import gather_op
from minipaddle.ops.indexing.scatter import index_add_op
from minipaddle.ops.logic.compare import equal
from minipaddle.ops.views.reshape import reshape2

_INT32 = np.dtype("int32")


def pooled(rows: Array, group: Array, size: int, how: str) -> tuple[Array, Array]:
    """Return the SUM, MEAN, MAX or MIN of the rows of each group, 0 where there are none, and how many there are."""
    count = np.bincount(group, minlength=size)
    column = count.reshape(-1, *[1] * (rows.ndim - 1))
    if how in ("SUM", "MEAN"):
        out = np.zeros((size, *rows.shape[1:]), rows.dtype)
        np.add.at(out, group, rows)
        return (out / np.maximum(column, 1)).astype(rows.dtype) if how == "MEAN" else out, count
    limits = np.finfo(rows.dtype) if rows.dtype.kind == "f" else np.iinfo(rows.dtype)
    least, extreme = (limits.min, np.maximum) if how == "MAX" else (limits.max, np.minimum)
    out = np.full((size, *rows.shape[1:]), least, rows.dtype)
    extreme.at(out, group, rows)
    return np.where(column > 0, out, 0).astype(rows.dtype), count


def of_each_row(dy: Value, row: Any, out: Value, group: Value, count: Value, how: str) -> Value:
    """Return the gradient of each row that was pooled: that of its group, where it is the extreme one, or its share.

    `row` returns the rows: only an extreme asks for them.
    """
    if how == "MEAN":
        parts = reshape2(cast(count, dy.dtype), (-1, *[1] * (dy.ndim - 1)))
        return gather_op(dy, group) / gather_op(parts, group)
    if how == "SUM":
        return gather_op(dy, group)
    return gather_op(dy, group) * cast(equal(row(), gather_op(out, group)), dy.dtype)


# -- segments ---------------------------------------------------------------------------------------------------------


def _segment_infer(x: Meta, segment_ids: Meta, *, pooltype: str = "SUM") -> tuple[Meta, Meta]:
    if segment_ids.dtype.kind not in "iu":
        raise failure(
            ValueError, f"Unsupported index type, Expected int, int64, but got {segment_ids.dtype}."
        )
    if not x.shape or (-1 not in (x.shape[0], *segment_ids.shape) and prod(segment_ids.shape) != x.shape[0]):
        raise failure(
            ValueError,
            "Segment_ids should be the same size as dimension 0 of input X, but received "
            f"{list(segment_ids.shape)} and {list(x.shape)}.",
        )
    return Meta((-1, *x.shape[1:]), x.dtype), Meta((-1,), _INT32)


@operator(
    "segment_pool",
    "X, SegmentIds -> Out, SummedIds~",
    name="segment_pool",
    infer=_segment_infer,
    kinds="biuf",
    latex=r"\mathrm{pool}_{s_i = j}\, x_i",
    example=lambda rng: ([rng.uniform(0.2, 0.9, (4, 2)), np.array([0, 0, 1, 3])], {"pooltype": "MEAN"}),
    page="geometric/segment_sum",
)
def segment_pool(x: Array, segment_ids: Array, pooltype: str = "SUM") -> tuple[Array, ...]:
    """Return the SUM, MEAN, MAX or MIN of the rows of each segment, and how many there are.

    Raises:
        ValueError: **should be sorted**; **should be the same size**.
        IndexError: **must be greater than 0**, for a segment below it.
    """
    group = segment_ids.reshape(-1)
    if group.size != x.shape[0]:
        raise ValueError  # worded by the shape rule
    if (group[1:] < group[:-1]).any():
        raise failure(ValueError, f"The segment ids should be sorted, but got {group.tolist()}.")
    if group.size and group[0] < 0:
        raise failure(IndexError, f"The start row index must be greater than 0, but received {group[0]}.")
    out, count = pooled(x, group, int(group[-1]) + 1 if group.size else 0, pooltype)
    return out, count.astype(_INT32)


@segment_pool.gradient("x")
def _(dy: Value, x: Value, segment_ids: Value, out: Value, summedids: Value, pooltype: str) -> Value:
    group = reshape2(segment_ids, (-1,))
    return of_each_row(dy, lambda: x, out, group, summedids, pooltype)


# -- along edges -----------------------------------------------------------------------------------------


def check_edges(src_index: Meta, dst_index: Meta) -> None:
    """Refuse indices that are no edges.

    Raises:
        ValueError: for another type, or shapes that differ.
    """
    for name, index in {"Src_index": src_index, "Dst_index": dst_index}.items():
        if index.dtype.kind not in "iu":
            raise failure(ValueError, f"The dtype of {name} should be int32 or int64, but got {index.dtype}.")
        if index.ndim == 2 and index.shape[1] not in (1, -1):
            raise failure(
                ValueError, f"The last dim of {name} should be 1 when it is 2D, but we get {index.shape[1]}."
            )
    if -1 not in (*src_index.shape, *dst_index.shape) and prod(src_index.shape) != prod(dst_index.shape):
        raise failure(
            ValueError,
            "Src_index and Dst_index should have the same shape, but received "
            f"{list(src_index.shape)} and {list(dst_index.shape)}.",
        )


def check_places(*ends: tuple[Array, int]) -> None:
    """Refuse edges to or from no node: places and how many nodes there are, for each end.

    Raises:
        IndexError: **out of bound**.
    """
    for index, end in ends:
        if index.size and not 0 <= index.min() <= index.max() < end:
            raise failure(
                IndexError,
                f"The row index is out of bound: expected 0 to {end - 1}, but got {index.tolist()}.",
            )


def _send_infer(
    x: Meta, src_index: Meta, dst_index: Meta, *, reduce_op: str = "SUM", out_size: tuple[int, ...] = (0,)
) -> tuple[Meta, Meta]:
    check_edges(src_index, dst_index)
    size = out_size[0] if out_size[0] > 0 else x.shape[0]
    return Meta((size, *x.shape[1:]), x.dtype), Meta((size,), _INT32)


@operator(
    "graph_send_recv",
    "X, Src_index, Dst_index -> Out, Dst_count~",
    name="send_u_recv",
    infer=_send_infer,
    kinds="biuf",
    latex=r"\mathrm{pool}_{d_e = j}\, x_{s_e}",
    example=lambda rng: (
        [rng.uniform(0.2, 0.9, (3, 2)), np.array([0, 1, 2, 0]), np.array([1, 2, 1, 0])],
        {"reduce_op": "MEAN"},
    ),
    page="geometric/send_u_recv",
)
def graph_send_recv(
    x: Array, src_index: Array, dst_index: Array, reduce_op: str = "SUM", out_size: tuple[int, ...] = (0,)
) -> tuple[Array, ...]:
    """Return, for each node, the SUM, MEAN, MAX or MIN of the rows that edges bring it, and how many these are.

    Raises:
        ValueError: for indices of the wrong shape or type.
        IndexError: **out of bound**, for an edge to or from no node.
    """
    source, target = src_index.reshape(-1), dst_index.reshape(-1)
    if source.size != target.size:
        raise ValueError  # worded by the shape rule
    size = out_size[0] if out_size[0] > 0 else x.shape[0]
    check_places((source, x.shape[0]), (target, size))
    out, count = pooled(x[source], target, size, reduce_op)
    return out, count.astype(_INT32)


@graph_send_recv.gradient("x")
def _(
    dy: Value, x: Value, src_index: Value, dst_index: Value, out: Value, dst_count: Value, reduce_op: str
) -> Value:
    source, target = reshape2(src_index, (-1,)), reshape2(dst_index, (-1,))
    d_rows = of_each_row(dy, lambda: gather_op(x, source), out, target, dst_count, reduce_op)
    return index_add_op(zeros_like(x), source, d_rows, 0)
