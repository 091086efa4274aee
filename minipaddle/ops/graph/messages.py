"""Messages along the edges of a graph: what an edge makes of its nodes, and what a node makes of its messages."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Meta, Shape
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.infer_meta import broadcast_shapes
from minipaddle.ops.common.listed import listed
from minipaddle.ops.creation.full import zeros_like
from minipaddle.ops.graph.pooling import check_edges, check_places, of_each_row, pooled
from minipaddle.ops.indexing.gather import gather_op
from minipaddle.ops.indexing.scatter import index_add_op
from minipaddle.ops.reduction.sum import unbroadcast
from minipaddle.ops.views.reshape import reshape2

_INT32 = np.dtype("int32")


def _message(sent: Array, own: Array, message_op: str) -> Array:
    return sent + own if message_op == "ADD" else sent * own


def _rows(grad: Any, shape: Shape) -> Any:
    """Return the gradient of one row for each edge, of the shape that rows of a tensor of `shape` have."""
    return unbroadcast(grad, (grad.shape[0], *shape[1:]))


def _to_nodes(x: Value, place: Value, rows: Any) -> Any:
    """Add up, for each node, the gradients of the edges that took its row."""
    return index_add_op(zeros_like(x), reshape2(place, (-1,)), rows, 0)


# -- send_uv --------------------------------------------------------------------------------------------------


def _uv_infer(x: Meta, y: Meta, src_index: Meta, dst_index: Meta, *, message_op: str = "ADD") -> Meta:
    check_edges(src_index, dst_index)
    rest = broadcast_shapes(x.shape[1:], y.shape[1:])
    return Meta((src_index.shape[0], *rest), x.dtype)


@operator(
    "graph_send_uv",
    "x, y, src_index, dst_index -> out",
    name="send_uv",
    infer=_uv_infer,
    kinds="iuf",
    latex=r"x_{s_e} \circ y_{d_e}",
    example=lambda rng: (
        [*rng.uniform(0.2, 0.9, (2, 3, 2)), np.array([0, 1, 2, 0]), np.array([1, 2, 1, 0])],
        {"message_op": "MUL"},
    ),
    page="geometric/send_uv",
)
def graph_send_uv(x: Array, y: Array, src_index: Array, dst_index: Array, message_op: str = "ADD") -> Array:
    """Return, for each edge, the row `x` of its first node and the row `y` of its second, added or multiplied.

    Raises:
        ValueError: for indices of the wrong shape or type.
        IndexError: **out of bound**, for an edge to or from no node.
    """
    source, target = src_index.reshape(-1), dst_index.reshape(-1)
    if source.size != target.size:
        raise ValueError  # worded by the shape rule
    check_places((source, len(x)), (target, len(y)))
    return _message(x[source], y[target], message_op)


@graph_send_uv.gradient("x")
def _(
    dy: Value, x: Value, y: Value, src_index: Value, dst_index: Value, x_shape: Shape, message_op: str
) -> Value:
    grad = dy if message_op == "ADD" else dy * gather_op(y, reshape2(dst_index, (-1,)))
    return _to_nodes(x, src_index, _rows(grad, x_shape))


@graph_send_uv.gradient("y")
def _(
    dy: Value, x: Value, y: Value, src_index: Value, dst_index: Value, y_shape: Shape, message_op: str
) -> Value:
    grad = dy if message_op == "ADD" else dy * gather_op(x, reshape2(src_index, (-1,)))
    return _to_nodes(y, dst_index, _rows(grad, y_shape))


# -- send_ue_recv ---------------------------------------------------------------------------------------------


def _ue_infer(
    x: Meta, y: Meta, src_index: Meta, dst_index: Meta, *, message_op: str = "ADD", reduce_op: str = "SUM",
    out_size: tuple[int, ...] = (0,),
) -> tuple[Meta, Meta]:  # fmt: skip
    check_edges(src_index, dst_index)
    if y.shape[0] != src_index.shape[0] and -1 not in (y.shape[0], src_index.shape[0]):
        raise failure(
            ValueError,
            "Expect Input Y to have size of edges, but received "
            f"{y.shape[0]} rows for {src_index.shape[0]} edges.",
        )
    rest = broadcast_shapes(x.shape[1:], y.shape[1:])
    size = out_size[0] if out_size[0] > 0 else x.shape[0]
    return Meta((size, *rest), x.dtype), Meta((size,), _INT32)


@listed(kind="send_ue_recv")
@operator(
    "graph_send_ue_recv",
    "X, Y, Src_index, Dst_index -> Out, Dst_count~",
    name="send_ue_recv",
    infer=_ue_infer,
    kinds="iuf",
    latex=r"\mathrm{pool}_{d_e = j}\, x_{s_e} \circ y_e",
    example=lambda rng: (
        [
            rng.uniform(0.2, 0.9, (3, 2)),
            rng.uniform(0.2, 0.9, (4, 1)),
            np.array([0, 1, 2, 0]),
            np.array([1, 2, 1, 0]),
        ],
        {"message_op": "MUL", "reduce_op": "MEAN"},
    ),
    page="geometric/send_ue_recv",
)
def graph_send_ue_recv(
    x: Array,
    y: Array,
    src_index: Array,
    dst_index: Array,
    message_op: str = "ADD",
    reduce_op: str = "SUM",
    out_size: tuple[int, ...] = (0,),
) -> tuple[Array, ...]:
    """Return, for each node, the SUM, MEAN, MAX or MIN of what edges bring it: a node's row and the edge's own.

    Raises:
        ValueError: for indices of the wrong shape or type.
        IndexError: **out of bound**, for an edge to or from no node.
    """
    source, target = src_index.reshape(-1), dst_index.reshape(-1)
    if source.size != target.size or source.size != len(y):
        raise ValueError  # worded by the shape rule
    size = out_size[0] if out_size[0] > 0 else len(x)
    check_places((source, len(x)), (target, size))
    out, count = pooled(_message(x[source], y, message_op), target, size, reduce_op)
    return out, count.astype(_INT32)


def _of_messages(
    dy: Any, x: Any, y: Any, source: Any, target: Any, out: Any, count: Any, message_op: str, reduce_op: str
) -> Any:
    """Return the gradient of the message of each edge."""
    return of_each_row(
        dy, lambda: _message(gather_op(x, source), y, message_op), out, target, count, reduce_op
    )


@graph_send_ue_recv.gradient("x")
def _(
    dy: Value,
    x: Value,
    y: Value,
    src_index: Value,
    dst_index: Value,
    out: Value,
    dst_count: Value,
    x_shape: Shape,
    message_op: str,
    reduce_op: str,
) -> Value:
    source, target = reshape2(src_index, (-1,)), reshape2(dst_index, (-1,))
    grad = _of_messages(dy, x, y, source, target, out, dst_count, message_op, reduce_op)
    return _to_nodes(x, source, _rows(grad if message_op == "ADD" else grad * y, x_shape))


@graph_send_ue_recv.gradient("y")
def _(
    dy: Value,
    x: Value,
    y: Value,
    src_index: Value,
    dst_index: Value,
    out: Value,
    dst_count: Value,
    y_shape: Shape,
    message_op: str,
    reduce_op: str,
) -> Value:
    source, target = reshape2(src_index, (-1,)), reshape2(dst_index, (-1,))
    grad = _of_messages(dy, x, y, source, target, out, dst_count, message_op, reduce_op)
    return _rows(grad if message_op == "ADD" else grad * gather_op(x, source), y_shape)
