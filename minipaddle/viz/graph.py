"""The graph that every writer draws: nodes, edges, clusters, with ids that are the same in every run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["Cluster", "Edge", "EdgeKind", "Graph", "Node", "NodeKind", "Side"]

NodeKind = Literal[
    "data", "parameter", "op", "pylayer", "grad", "pylayer_grad", "accumulate", "store", "seed", "update"
]
EdgeKind = Literal["value", "gradient", "saved", "order"]
Side = Literal["forward", "backward"]


@dataclass(frozen=True)
class Node:
    """A box of the picture."""

    id: str
    kind: NodeKind
    title: str
    """What it is: an operator's public name, a variable's name."""
    details: tuple[str, ...] = ()
    """Further lines: result and shape, a short look at the numbers."""
    side: Side = "forward"
    twin: str | None = None
    """Id of the node that stands on the same row on the other side."""
    cluster: str | None = None
    event: int | None = None
    value: int | None = None
    where: str = ""
    """``file:line`` of the user's code."""

    @property
    def lines(self) -> tuple[str, ...]:
        """What is written in the box. A sum is small: what it adds up to stands at its arrow and in the tooltip."""
        return (self.title,) if self.kind == "accumulate" else (self.title, *self.details)

    @property
    def tooltip(self) -> str:
        """All that is known, as one text."""
        return "\n".join(part for part in (self.title, *self.details, self.where) if part)


@dataclass(frozen=True)
class Edge:
    """An arrow of the picture.

    A ``saved`` edge joins an operator and its gradient: what the tape keeps for it. An ``order`` edge is not drawn:
    its head ran later than its tail, though nothing flows between them.
    """

    tail: str
    head: str
    kind: EdgeKind
    label: str = ""


@dataclass(frozen=True)
class Cluster:
    """A frame around nodes: the inside of a PyLayer."""

    id: str
    title: str
    side: Side
    parent: str | None = None


@dataclass
class Graph:
    """Nodes in the order in which they ran, edges, clusters."""

    title: str
    subtitle: str = ""
    pass_number: int = 0
    nodes: dict[str, Node] = field(default_factory=dict)
    clusters: dict[str, Cluster] = field(default_factory=dict)
    _edges: dict[Edge, None] = field(default_factory=dict)  # a set that keeps the order

    @property
    def edges(self) -> tuple[Edge, ...]:
        """The arrows, in the order in which they were added."""
        return tuple(self._edges)

    def add(self, node: Node) -> Node:
        """Add a node; a node with the same id stays."""
        return self.nodes.setdefault(node.id, node)

    def join(self, tail: str, head: str, kind: EdgeKind, label: str = "") -> None:
        """Add an edge, once."""
        if tail != head:
            self._edges.setdefault(Edge(tail, head, kind, label))

    def rows(self) -> Iterator[tuple[str, str]]:
        """Yield the pairs (forward, backward) that stand on one row."""
        for node in self.nodes.values():
            if node.side == "backward" and node.twin is not None:
                yield node.twin, node.id

    def frames_of(self, cluster: str | None) -> Iterator[str]:
        """Yield a cluster and those around it, from the inside out."""
        while cluster is not None:
            yield cluster
            cluster = self.clusters[cluster].parent

    def members(self) -> dict[str | None, list[Node]]:
        """Return the nodes directly inside each cluster (None: inside none)."""
        inside: dict[str | None, list[Node]] = {}
        for node in self.nodes.values():
            inside.setdefault(node.cluster, []).append(node)
        return inside
