"""Colours and shapes: one table for every writer. Meaning is never in the colour alone: shapes and words carry it."""

from __future__ import annotations

from typing import NamedTuple

from minipaddle.viz.graph import EdgeKind, NodeKind

__all__ = ["EDGES", "FONT", "INK", "NODES", "PAPER", "EdgeStyle", "NodeStyle"]

FONT = "Helvetica,Arial,Noto Sans CJK SC,Microsoft YaHei,PingFang SC,sans-serif"
PAPER = "#ffffff"
INK = "#1f2933"
FRAME = "#9aa5b1"


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
    "parameter": NodeStyle("ellipse", "#fdecc8", "#b7791f", "wants a gradient"),
    "op": NodeStyle("box", "#e3f0fd", "#2b6cb0", "operator"),
    "pylayer": NodeStyle("box3d", "#e5e0fb", "#553c9a", "PyLayer forward"),
    "grad": NodeStyle("box", "#fde8e8", "#c53030", "gradient rule"),
    "pylayer_grad": NodeStyle("box3d", "#fbdfec", "#97266d", "PyLayer backward"),
    "accumulate": NodeStyle("circle", "#ffffff", "#c53030", "gradients are added"),
    "store": NodeStyle("note", "#fdecc8", "#b7791f", ".grad of a leaf"),
    "seed": NodeStyle("plaintext", "none", "#c53030", "where backward starts"),
    "update": NodeStyle("box", "#e6f6ec", "#276749", "optimizer"),
}

EDGES: dict[EdgeKind, EdgeStyle] = {
    "value": EdgeStyle("#2b6cb0", "solid", "value"),
    "gradient": EdgeStyle("#c53030", "solid", "gradient"),
    "saved": EdgeStyle("#7b8794", "dashed", "saved for backward"),
}
