"""Segments, and messages along edges: an edge leads from the node `src_index` to the node `dst_index`."""

from __future__ import annotations

from typing import Any

from minipaddle import ops
from minipaddle.engine.autograd.tensor import Tensor
from minipaddle.ops.graph.messages import graph_send_ue_recv, graph_send_uv
from minipaddle.ops.graph.pooling import graph_send_recv, segment_pool


def segment_sum(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """Return the sum of the rows of each segment, 0 for a segment without rows: [segments, ...].

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/geometric/segment_sum_en.html)

    Args:
        data: rows, [N, ...].
        segment_ids: which segment each row is in, [N], integers in order.
        name: ignored.

    Raises:
        ValueError: **should be sorted**; **should be the same size**; **Unsupported index type**.
        IndexError: for a segment below 0.
    """
    return segment_pool(data, segment_ids, "SUM")[0]


def segment_mean(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """Return the mean of the rows of each segment; see :func:`segment_sum`."""
    return segment_pool(data, segment_ids, "MEAN")[0]


def segment_min(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """Return the smallest of the rows of each segment, element by element; see :func:`segment_sum`."""
    return segment_pool(data, segment_ids, "MIN")[0]


def segment_max(data: Any, segment_ids: Any, name: str | None = None) -> Any:
    """Return the largest of the rows of each segment, element by element; see :func:`segment_sum`."""
    return segment_pool(data, segment_ids, "MAX")[0]


def send_u_recv(
    x: Any,
    src_index: Any,
    dst_index: Any,
    reduce_op: str = "sum",
    out_size: Any = None,
    name: str | None = None,
) -> Any:
    """Send the row of each edge's first node to its second; return what each node gets: [nodes, ...].

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/geometric/send_u_recv_en.html)

    Args:
        x: a row for each node, [N, ...].
        src_index: where each edge begins, [E].
        dst_index: where it ends, [E].
        reduce_op: "sum", "mean", "max" or "min" of what arrives; 0 where nothing does.
        out_size: how many nodes the result has; None or 0: as `x`.
        name: ignored.

    Raises:
        ValueError: **reduce_op should be**; **should have the same shape**.
        IndexError: **out of bound**.
    """
    check_reduce(reduce_op)
    return graph_send_recv(x, src_index, dst_index, reduce_op.upper(), (_size(out_size),))[0]


def check_reduce(reduce_op: str) -> None:
    """Refuse an unknown way to put messages together.

    Raises:
        ValueError: **reduce_op should be**.
    """
    if reduce_op not in ("sum", "mean", "max", "min"):
        raise ValueError(f"reduce_op should be `sum`, `mean`, `max` or `min`, but received {reduce_op}")


def _size(out_size: Any) -> int:
    if out_size is None:
        return 0
    return int(out_size.item()) if isinstance(out_size, Tensor) else int(out_size)


def send_ue_recv(
    x: Any,
    y: Any,
    src_index: Any,
    dst_index: Any,
    message_op: str = "add",
    reduce_op: str = "sum",
    out_size: Any = None,
    name: str | None = None,
) -> Any:
    """Send the row of each edge's first node, with the edge's own, to its second; return what each node gets.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/geometric/send_ue_recv_en.html)

    Args:
        x: a row for each node, [N, ...].
        y: a row for each edge, [E, ...], which broadcasts.
        src_index: where each edge begins, [E].
        dst_index: where it ends, [E].
        message_op: "add", "sub", "mul" or "div": what is done with the two.
        reduce_op: "sum", "mean", "max" or "min" of what arrives; 0 where nothing does.
        out_size: how many nodes the result has; None or 0: as `x`.
        name: ignored.

    Raises:
        ValueError: **message_op should be**; **reduce_op should be**; for shapes that do not fit.
        IndexError: **out of bound**.
    """
    check_reduce(reduce_op)
    x, y, message = _prepared(x, y, message_op)
    attrs = (message, reduce_op.upper(), (_size(out_size),))
    return graph_send_ue_recv(x, y, src_index, dst_index, *attrs)[0]


def send_uv(
    x: Any, y: Any, src_index: Any, dst_index: Any, message_op: str = "add", name: str | None = None
) -> Any:
    """Return, for each edge, the row `x` of its first node with the row `y` of its second: [E, ...].

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/geometric/send_uv_en.html)

    Args:
        x: a row for each node, [N, ...].
        y: another, which broadcasts.
        src_index: where each edge begins, [E].
        dst_index: where it ends, [E].
        message_op: "add", "sub", "mul" or "div".
        name: ignored.

    Raises:
        ValueError: **message_op should be**; for shapes that do not fit.
        IndexError: **out of bound**.
    """
    x, y, message = _prepared(x, y, message_op)
    return graph_send_uv(x, y, src_index, dst_index, message)


def _prepared(x: Any, y: Any, message_op: str) -> tuple[Any, Any, str]:
    """Return two rows and what the operator does with them, which adds or multiplies.

    The shorter shape gets its axes behind the first.
    """
    if message_op not in ("add", "sub", "mul", "div"):
        raise ValueError(f"message_op should be `add`, `sub`, `mul`, `div`, but received {message_op}")
    rank = max(x.ndim, y.ndim)
    x, y = _ranked(x, rank), _ranked(y, rank)
    if message_op == "sub":
        return x, -y, "ADD"
    return x, 1.0 / (y + 1e-12) if message_op == "div" else y, "ADD" if message_op == "add" else "MUL"


def _ranked(rows: Any, rank: int) -> Any:
    missing = rank - rows.ndim
    return ops.unsqueeze(rows, list(range(1, 1 + missing))) if missing else rows
