"""Shapes on arrows, for pictures that are read along them."""

from __future__ import annotations

from dataclasses import replace

from minipaddle.trace.events import Value
from minipaddle.viz.model import Edge, Graph, Node
from minipaddle.viz.text import shape_text

__all__ = ["with_shapes"]


def with_shapes(graph: Graph) -> Graph:
    """Return `graph` with the shape of what flows written at every arrow of values and gradients."""
    edges = (_with_shape(graph, edge) if edge.kind in ("value", "gradient") else edge for edge in graph.edges)
    return replace(graph, _edges=dict.fromkeys(edges))


def _with_shape(graph: Graph, edge: Edge) -> Edge:
    value = _flowing(graph, edge)
    shape = "" if value is None else shape_text(value)
    if not shape:
        return edge
    said = "" if edge.label.startswith(shape) else edge.label
    return replace(edge, label=f"{shape} {said}".strip())


def _flowing(graph: Graph, edge: Edge) -> Value | None:
    """Return the value that goes along an arrow; of several results, the one of that name, or for that head."""
    tail, head = graph.nodes[edge.tail], graph.nodes[edge.head]
    if len(tail.results) < 2:
        return tail.results[0] if tail.results else None
    if edge.kind == "value":
        return next((value for value in tail.results if value.name == edge.label), None)
    wanted = _differentiated(graph, head)
    return next((value for value in tail.results if value.of in wanted), None)


def _differentiated(graph: Graph, head: Node) -> set[int | None]:
    """Return the values whose gradient a node of the backward side takes."""
    if head.kind in ("accumulate", "store"):
        return {value.of for value in head.results}
    twin = graph.nodes.get(head.twin or "")
    return {value.id for value in twin.results} if twin is not None else set()
