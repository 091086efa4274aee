"""What may be shared: a graph without the numbers of whoever ran the script."""

from __future__ import annotations

from dataclasses import replace

from minipaddle.trace.events import Value
from minipaddle.viz.model import Graph

__all__ = ["without_numbers"]


def without_numbers(graph: Graph) -> Graph:
    """Return `graph` with names, shapes and sizes only: so no writer can give away more."""
    known: dict[int, Value] = {}
    nodes = {
        id_: replace(
            node,
            results=tuple(known.setdefault(value.id, _bare(value)) for value in node.results),
            before=None,
            alike=(),
        )
        for id_, node in graph.nodes.items()
    }
    edges = [replace(edge, label="") if edge.kind == "gradient" else edge for edge in graph.edges]
    return replace(graph, nodes=nodes, _edges=dict.fromkeys(edges))


def _bare(value: Value) -> Value:
    bare = Value(value.id, value.name, value.kind, value.shape, value.dtype, value.stop_gradient)
    bare.producer, bare.of, bare.source = value.producer, value.of, value.source
    return bare
