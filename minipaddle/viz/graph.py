"""The graph that every writer draws: nodes, edges, clusters, with ids that are the same in every run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

__all__ = ["Cluster", "Edge", "EdgeKind", "Graph", "Node", "NodeKind", "Side"]

NodeKind = Literal["data", "parameter", "op", "pylayer", "grad", "pylayer_grad", "accumulate", "store", "seed", "update"]
EdgeKind = Literal["value", "gradient", "saved"]
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
    def tooltip(self) -> str:
        """All that is known, as one text."""
        return "\n".join(part for part in (self.title, *self.details, self.where) if part)


@dataclass(frozen=True)
class Edge:
    """An arrow of the picture. A ``saved`` edge joins an operator and its gradient: what the tape keeps for it."""

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
    nodes: dict[str, Node] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    clusters: dict[str, Cluster] = field(default_factory=dict)

    def add(self, node: Node) -> Node:
        """Add a node; a node with the same id stays."""
        return self.nodes.setdefault(node.id, node)

    def join(self, tail: str, head: str, kind: EdgeKind, label: str = "") -> None:
        """Add an edge, once."""
        edge = Edge(tail, head, kind, label)
        if edge not in self.edges and tail != head:
            self.edges.append(edge)

    def rows(self) -> Iterator[tuple[str, str]]:
        """Yield the pairs (forward, backward) that stand on one row."""
        for node in self.nodes.values():
            if node.side == "backward" and node.twin is not None:
                yield node.twin, node.id

    def members(self, cluster: str | None) -> Iterator[Node]:
        """Yield the nodes directly inside a cluster (None: inside none)."""
        return (node for node in self.nodes.values() if node.cluster == cluster)
