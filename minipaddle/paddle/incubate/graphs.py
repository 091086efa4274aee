"""Older names of :mod:`paddle.geometric`, masks before a softmax, and losses that are marked as such."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minipaddle import ops
from minipaddle.ops.activation.masked import softmax_mask, softmax_mask_upper_triangle
from minipaddle.ops.creation.range import arange
from minipaddle.ops.indexing.gather import gather_op
from minipaddle.ops.loss.labels import identity_loss as identity_loss_operator
from minipaddle.paddle.geometric.neighbors import reindex_graph, sample_neighbors
from minipaddle.paddle.geometric.send_recv import send_u_recv

_REDUCTIONS: dict[Any, int] = {"sum": 0, 0: 0, "mean": 1, 1: 1, "none": 2, 2: 2}


def graph_send_recv(
    x: Any,
    src_index: Any,
    dst_index: Any,
    pool_type: str = "sum",
    out_size: Any = None,
    name: str | None = None,
) -> Any:
    """Return what each node gets along its edges: :func:`paddle.geometric.send_u_recv`.

    Raises:
        ValueError: **should be**, for another `pool_type`.
    """
    return send_u_recv(x, src_index, dst_index, pool_type, out_size)


def graph_reindex(
    x: Any,
    neighbors: Any,
    count: Any,
    value_buffer: Any = None,
    index_buffer: Any = None,
    flag_buffer_hashtable: bool = False,
    name: str | None = None,
) -> tuple[Any, Any, Any]:
    """Return edges by numbers from 0, and the nodes: :func:`paddle.geometric.reindex_graph`."""
    return reindex_graph(x, neighbors, count)


def graph_sample_neighbors(
    row: Any,
    colptr: Any,
    input_nodes: Any,
    eids: Any = None,
    perm_buffer: Any = None,
    sample_size: int = -1,
    return_eids: bool = False,
    flag_perm_buffer: bool = False,
    name: str | None = None,
) -> Any:
    """Return some neighbours of each node: :func:`paddle.geometric.sample_neighbors`."""
    return sample_neighbors(row, colptr, input_nodes, sample_size, eids, return_eids)


def graph_khop_sampler(
    row: Any,
    colptr: Any,
    input_nodes: Any,
    sample_sizes: Sequence[int],
    sorted_eids: Any = None,
    return_eids: bool = False,
    name: str | None = None,
) -> Any:
    """Return a part of a graph: neighbours of nodes, theirs, and so on, with numbers from 0.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/graph_khop_sampler_en.html)

    Args:
        row: where edges begin, sorted by where they end, [E].
        colptr: where in `row` the edges to each node stand.
        input_nodes: the nodes to begin with, [N] or [N, 1].
        sample_sizes: how many neighbours of a node to draw in each round; nodes that are new are the next round's.
        sorted_eids: a name for each edge, [E].
        return_eids: whether to return the names of the edges, too.
        name: ignored.

    Returns:
        Where edges begin and end, [edges, 1] each; the nodes in the order of their numbers; the numbers of
        `input_nodes`; with `return_eids`, the names of the edges.
    """
    first = ops.reshape(input_nodes, [-1])
    frontier, nodes, rounds = first, first, []
    places = arange(row.shape[0], dtype=row.dtype)
    for size in sample_sizes:
        found = sample_neighbors(row, colptr, frontier, size, places, True)
        rounds.append(found)
        known = nodes.shape[0]
        _, _, nodes = reindex_graph(nodes, found[0], _all_of_the_first(found[0], known))
        frontier = nodes[known:]
    neighbors, count, edges = (ops.concat(list(parts)) for parts in zip(*rounds))
    source, target, nodes = reindex_graph(nodes[: count.shape[0]], neighbors, count)
    numbers = ops.reshape(arange(first.shape[0], dtype=row.dtype), input_nodes.shape)
    result = (ops.unsqueeze(source, 1), ops.unsqueeze(target, 1), nodes, numbers)
    return (*result, gather_op(sorted_eids, edges)) if return_eids else result


def _all_of_the_first(neighbors: Any, nodes: int) -> Any:
    """Return a count for each node, as if all neighbours were the first one's: only the nodes' order is wanted."""
    return ops.full([nodes], neighbors.shape[0], "int32")


def softmax_mask_fuse(x: Any, mask: Any, name: str | None = None) -> Any:
    """Return the softmax of ``x + mask`` along the last axis.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/softmax_mask_fuse_en.html)

    Args:
        x: [batch, heads, queries, keys].
        mask: [batch, 1, queries, keys], minus infinity, or very little, where nothing may be seen.
        name: ignored.
    """
    return softmax_mask(x, mask)


def softmax_mask_fuse_upper_triangle(x: Any) -> Any:
    """Return the softmax along the last axis of what is not above the diagonal; above stands 0.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/softmax_mask_fuse_upper_triangle_en.html)

    Args:
        x: [batch, heads, n, n].
    """
    return softmax_mask_upper_triangle(x)


def identity_loss(x: Any, reduction: str | int = "none") -> Any:
    """Return `x` as the loss: its sum (0), its mean (1) or itself (2).

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/identity_loss_en.html)

    Raises:
        TypeError: **Unsupported reduction type**, for another word.
        ValueError: **reduction should be 0, 1 and 2**, for another number.
    """
    if reduction not in _REDUCTIONS:
        if isinstance(reduction, str):
            raise TypeError("Unsupported reduction type.")
        raise ValueError(f"reduction should be 0, 1 and 2. But get {reduction}")
    return identity_loss_operator(x, _REDUCTIONS[reduction])
