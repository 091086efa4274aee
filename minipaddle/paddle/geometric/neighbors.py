"""Parts of a graph: neighbours that are drawn, and numbers from 0 for the nodes of a part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minipaddle import ops
from minipaddle.ops.graph.reindex import graph_reindex
from minipaddle.ops.graph.sample import graph_sample_neighbors, weighted_sample_neighbors_op
from minipaddle.ops.indexing.gather import gather_op


def reindex_graph(
    x: Any,
    neighbors: Any,
    count: Any,
    value_buffer: Any = None,
    index_buffer: Any = None,
    name: str | None = None,
) -> tuple[Any, Any, Any]:
    """Return where the edges of a part of a graph begin and end, by numbers from 0, and the nodes in their order.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/geometric/reindex_graph_en.html)

    Args:
        x: nodes, [N], which become 0 to N - 1.
        neighbors: their neighbours, of the first node, of the second and so on: where edges begin.
        count: how many each has, [N], int32.
        value_buffer: accepted.
        index_buffer: accepted.
        name: ignored.

    Raises:
        ValueError: for another type of `count`, or more neighbours than it counts.
    """
    return tuple(graph_reindex(x, neighbors, count))


def reindex_heter_graph(
    x: Any,
    neighbors: Sequence[Any],
    count: Sequence[Any],
    value_buffer: Any = None,
    index_buffer: Any = None,
    name: str | None = None,
) -> tuple[Any, Any, Any]:
    """Return what :func:`reindex_graph` does, of several graphs with the same nodes: their edges follow each other.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/geometric/reindex_heter_graph_en.html)
    """
    return tuple(graph_reindex(x, ops.concat(list(neighbors)), ops.concat(list(count))))


def sample_neighbors(
    row: Any,
    colptr: Any,
    input_nodes: Any,
    sample_size: int = -1,
    eids: Any = None,
    return_eids: bool = False,
    perm_buffer: Any = None,
    name: str | None = None,
) -> Any:
    """Return some neighbours of each node, and how many; with `return_eids`, also the edges' names.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/geometric/sample_neighbors_en.html)

    Args:
        row: where edges begin, sorted by where they end, [E].
        colptr: where in `row` the edges to each node stand: those to i from colptr[i] up to colptr[i + 1].
        input_nodes: the nodes, [N].
        sample_size: how many to draw without return; -1: all.
        eids: a name for each edge, [E].
        return_eids: whether to return the names of the edges.
        perm_buffer: accepted.
        name: ignored.

    Raises:
        ValueError: **eids should not be None**, with `return_eids`.
        IndexError: **out of bound**, for a node that the graph does not have.
    """
    found = graph_sample_neighbors(row, colptr, input_nodes, sample_size)
    return _with_names(found, eids, return_eids)


def weighted_sample_neighbors(
    row: Any,
    colptr: Any,
    edge_weight: Any,
    input_nodes: Any,
    sample_size: int = -1,
    eids: Any = None,
    return_eids: bool = False,
    name: str | None = None,
) -> Any:
    """Return what :func:`sample_neighbors` does, where an edge's chance grows with `edge_weight`, [E].

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/geometric/weighted_sample_neighbors_en.html)
    """
    found = weighted_sample_neighbors_op(row, colptr, edge_weight, input_nodes, sample_size)
    return _with_names(found, eids, return_eids)


def _with_names(found: Any, eids: Any, wanted: bool) -> Any:
    neighbors, count, places = found
    if not wanted:
        return neighbors, count
    if eids is None:
        raise ValueError("`eids` should not be None if return_eids is True.")
    return neighbors, count, gather_op(eids, places)
