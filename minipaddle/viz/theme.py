"""Colours and shapes: one table for every writer. Meaning is never in the colour alone: shapes and words carry it."""

from __future__ import annotations

from typing import NamedTuple

from minipaddle.viz.graph import EdgeKind, Graph, NodeKind

__all__ = [
    "EDGES",
    "FONT",
    "INK",
    "NODES",
    "PALE",
    "PAPER",
    "EdgeStyle",
    "NodeStyle",
    "edge_legend",
    "node_legend",
]

FONT = "Helvetica,Arial,Noto Sans CJK SC,Microsoft YaHei,PingFang SC,sans-serif"
PAPER = "#ffffff"
INK = "#1f2933"
FRAME = "#9aa5b1"
PALE = "#52606d"


class NodeStyle(NamedTuple):
    """How a kind of node looks, and what the legend calls it."""

    shape: str  # Graphviz's name
    fill: str
    line: str
    meaning: str


class EdgeStyle(NamedTuple):
    """How a kind of edge looks, and what the legend calls it."""

    colour: str
    style: str
    meaning: str


NODES: dict[NodeKind, NodeStyle] = {
    "data": NodeStyle("ellipse", "#eef1f4", "#7b8794", "data"),
    "parameter": NodeStyle("ellipse", "#fdecc8", "#b7791f", "leaf that wants a gradient"),
    "op": NodeStyle("box", "#e3f0fd", "#2b6cb0", "operator"),
    "pylayer": NodeStyle("box3d", "#e5e0fb", "#553c9a", "PyLayer forward"),
    "grad": NodeStyle("box", "#fde8e8", "#c53030", "gradient rule"),
    "pylayer_grad": NodeStyle("box3d", "#fbdfec", "#97266d", "PyLayer backward"),
    "accumulate": NodeStyle("circle", "#ffffff", "#c53030", "sum of gradients"),
    "store": NodeStyle("note", "#fdecc8", "#b7791f", ".grad of a leaf"),
    "seed": NodeStyle("plaintext", "none", "#c53030", "where backward starts"),
    "update": NodeStyle("box", "#e6f6ec", "#276749", "optimizer"),
}

EDGES: dict[EdgeKind, EdgeStyle] = {
    "value": EdgeStyle("#2b6cb0", "solid", "value"),
    "gradient": EdgeStyle("#c53030", "solid", "gradient"),
    "saved": EdgeStyle("#7b8794", "dashed", "saved for backward"),
    "order": EdgeStyle("none", "invis", ""),
}


def node_legend(graph: Graph) -> list[NodeStyle]:
    """Return the looks of the nodes that `graph` has and that do not explain themselves."""
    present = {node.kind for node in graph.nodes.values()}
    return [look for kind, look in NODES.items() if kind in present and kind not in ("seed", "accumulate")]


def edge_legend(graph: Graph) -> list[EdgeStyle]:
    """Return the looks of the arrows that `graph` has."""
    present = {edge.kind for edge in graph.edges}
    return [look for kind, look in EDGES.items() if kind in present and kind != "order"]
