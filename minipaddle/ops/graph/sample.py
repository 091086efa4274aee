"""Some neighbours of nodes, drawn: of a graph whose edges are listed by where they end."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Meta
from minipaddle.engine.core.operator import operator
from minipaddle.ops.random import draws
from minipaddle.ops.random.generator import engine

_INT32 = np.dtype("int32")


def _sample_infer(row: Meta, colptr: Meta, x: Meta, *rest: Any, **attrs: Any) -> tuple[Meta, Meta, Meta]:
    edges = Meta((-1,), row.dtype)
    return edges, Meta((x.shape[0],), _INT32), edges


def _edges_of(row: Array, colptr: Array, node: int) -> Array:
    """Return the places in `row` where the neighbours of a node stand.

    Raises:
        IndexError: **out of bound**, for a node that the graph does not have.
    """
    if not 0 <= node < colptr.size - 1 or colptr[node + 1] > row.size:
        raise failure(IndexError, f"node {node} is out of bound: the graph has {colptr.size - 1} nodes.")
    return np.arange(colptr[node], colptr[node + 1])


def _told(row: Array, places: list[Array]) -> tuple[Array, ...]:
    chosen = np.concatenate([np.zeros(0, np.int64), *places])
    return row[chosen], np.array([some.size for some in places], _INT32), chosen.astype(row.dtype)


def _graph(rng: np.random.Generator) -> Any:
    row = np.array([3, 7, 0, 9, 1, 4, 2, 9, 3, 9, 1, 9, 7])
    return [row, np.array([0, 2, 4, 5, 6, 7, 9, 11, 11, 13, 13]), np.array([0, 8, 1, 2])], {"sample_size": 1}


@operator(
    "graph_sample_neighbors",
    "Row, Col_Ptr, X -> Out~, Out_Count~, Out_Eids~",
    name="sample_neighbors",
    infer=_sample_infer,
    kinds="iu",
    random=True,
    example=_graph,
    page="geometric/sample_neighbors",
)
def graph_sample_neighbors(row: Array, colptr: Array, x: Array, sample_size: int = -1) -> tuple[Array, ...]:
    """Return `sample_size` neighbours of each node of `x`, or all; how many these are; where they stand in `row`."""
    places = []
    for node in x.tolist():
        edges = _edges_of(row, colptr, node)
        if 0 <= sample_size < edges.size:
            edges = edges[np.sort(draws.permutation(engine(), edges.size)[:sample_size])]
        places.append(edges)
    return _told(row, places)


def _weighted_graph(rng: np.random.Generator) -> Any:
    (row, colptr, x), attrs = _graph(rng)
    return [row, colptr, rng.uniform(0.2, 0.9, 13).astype("float32"), x], attrs


@operator(
    "weighted_sample_neighbors",
    "row, colptr, edge_weight, input_nodes -> out_neighbors~, out_count~, out_eids~",
    infer=lambda row, colptr, edge_weight, input_nodes, **attrs: _sample_infer(row, colptr, input_nodes),
    random=True,
    example=_weighted_graph,
    page="geometric/weighted_sample_neighbors",
)
def weighted_sample_neighbors_op(
    row: Array, colptr: Array, edge_weight: Array, input_nodes: Array, sample_size: int = -1
) -> tuple[Array, ...]:
    """Return what :func:`graph_sample_neighbors` does, where an edge's chance grows with its weight.

    Each edge draws u to the power of 1 / weight, and the largest are taken (Efraimidis and Spirakis).
    """
    places = []
    for node in input_nodes.tolist():
        edges = _edges_of(row, colptr, node)
        if 0 <= sample_size < edges.size:
            drawn = draws.uniform(engine(), edges.shape, np.dtype("float64"), 0.0, 1.0)
            keys = np.log(np.maximum(drawn, 1e-300)) / edge_weight[edges]
            edges = edges[np.sort(np.argsort(-keys)[:sample_size])]
        places.append(edges)
    return _told(row, places)
