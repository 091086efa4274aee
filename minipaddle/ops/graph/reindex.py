"""A part of a graph with numbers of its own: nodes and their neighbours, counted from 0."""

from __future__ import annotations

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Meta
from minipaddle.engine.core.operator import operator


def _reindex_infer(x: Meta, neighbors: Meta, count: Meta) -> tuple[Meta, Meta, Meta]:
    if count.dtype != np.int32:
        raise failure(ValueError, f"The dtype of Input(Count) should be int32, but received {count.dtype}.")
    edges = Meta((-1,), x.dtype)
    return edges, edges, edges


@operator(
    "graph_reindex",
    "X, Neighbors, Count -> Reindex_Src~, Reindex_Dst~, Out_Nodes~",
    name="reindex_graph",
    infer=_reindex_infer,
    kinds="iu",
    example=lambda rng: (
        [np.array([0, 1, 2]), np.array([8, 9, 0, 4, 7, 6, 7]), np.array([2, 3, 2], "int32")],
        {},
    ),
    page="geometric/reindex_graph",
)
def graph_reindex(x: Array, neighbors: Array, count: Array) -> tuple[Array, ...]:
    """Return where each edge begins and ends, by new numbers, and the nodes in the order of these.

    First come the nodes `x`, then their neighbours, as they are met; `count` says how many each node has.

    Raises:
        ValueError: if there are not as many neighbours as `count` says.
    """
    if count.dtype != np.int32:
        raise ValueError  # worded by the shape rule
    if int(count.sum()) < neighbors.size:
        told = f"{int(count.sum())} neighbours, but there are {neighbors.size}"
        raise failure(ValueError, f"Input(Count) counts {told}.")
    number: dict[int, int] = {}
    for place, node in enumerate(x.tolist()):
        number[node] = place
    nodes = x.tolist()
    for node in neighbors.tolist():
        if node not in number:
            number[node] = len(nodes)
            nodes.append(node)
    source = np.array([number[node] for node in neighbors.tolist()], x.dtype)
    targets = np.array([number[node] for node in x.tolist()], x.dtype)
    rounds = (
        np.resize(targets, count.size) if count.size else targets[:0]
    )  # of several graphs, one after the other
    return source, np.repeat(rounds, count)[: source.size], np.array(nodes, x.dtype)
