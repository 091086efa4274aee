"""Colours and shapes: one table for every writer. Meaning is never in the colour alone: shapes and words carry it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, get_args

from minipaddle.viz.choices import Detail, Direction, Layout, ThemeName
from minipaddle.viz.model.graph import EdgeKind, Graph, Node, NodeKind

FONT = "Helvetica,Arial,Noto Sans CJK SC,Microsoft YaHei,PingFang SC,sans-serif"


class NodeStyle(NamedTuple):
    """How a kind of node looks, and what the legend calls it."""

    shape: str  # Graphviz's name
    role: str
    """Which of the colours of a theme it has."""
    meaning: str


class EdgeStyle(NamedTuple):
    """How a kind of edge looks, and what the legend calls it."""

    style: str
    meaning: str


NODES: dict[NodeKind, NodeStyle] = {
    "data": NodeStyle("ellipse", "data", "data"),
    "parameter": NodeStyle("ellipse", "leaf", "leaf that wants a gradient"),
    "op": NodeStyle("box", "op", "operator"),
    "pylayer": NodeStyle("box3d", "custom", "PyLayer forward"),
    "layer": NodeStyle("component", "op", "folded layer"),
    "error": NodeStyle("octagon", "alarm", "what raised"),
    "grad": NodeStyle("box", "grad", "gradient rule"),
    "pylayer_grad": NodeStyle("box3d", "custom_grad", "PyLayer backward"),
    "layer_grad": NodeStyle("component", "grad", "its backward"),
    "accumulate": NodeStyle("circle", "sum", "+ sum of gradients"),
    "store": NodeStyle("note", "leaf", ".grad of a leaf"),
    "seed": NodeStyle("plaintext", "seed", "@GRAD where backward starts"),
    "hook": NodeStyle("tab", "hook", "hook"),
    "update": NodeStyle("cds", "update", "optimizer"),
}

EDGES: dict[EdgeKind, EdgeStyle] = {
    "value": EdgeStyle("solid", "value"),
    "gradient": EdgeStyle("solid", "gradient"),
    "saved": EdgeStyle("dashed", "saved for backward"),
    "update": EdgeStyle("dotted", "update"),
    "cut": EdgeStyle("dashed", "cut: no gradient passes"),
    "order": EdgeStyle("invis", ""),
}


@dataclass(frozen=True)
class Theme:
    """The colours of a picture: (fill, line) for each role of nodes, one for each kind of edge."""

    paper: str
    ink: str
    pale: str
    frame: str
    roles: dict[str, tuple[str, str]]
    edges: dict[EdgeKind, str]
    scale: tuple[str, str]
    """Colours of the smallest and the largest number, where colour says a number."""
    heavy: frozenset[EdgeKind] = frozenset()
    """Arrows that are drawn twice as thick, where no colour tells them from others."""

    def colours(self, node: Node, alarm: bool = True) -> tuple[str, str]:
        """Return the colours inside and around a node: those of its role, or of an alarm."""
        return self.roles[role_of(node, alarm)]

    def fill(self, kind: NodeKind) -> str:
        """Return the colour inside a node."""
        return self.roles[NODES[kind].role][0]

    def line(self, kind: NodeKind) -> str:
        """Return the colour of a node's outline."""
        return self.roles[NODES[kind].role][1]


def role_of(node: Node, alarm: bool = True) -> str:
    """Return the role of a node: what is not healthy is an `alarm`, where numbers may be told."""
    return "alarm" if alarm and node.alarming else NODES[node.kind].role


_ROLES = ("data", "leaf", "op", "custom", "grad", "custom_grad", "sum", "seed", "hook", "update", "alarm")


def _roles(*pairs: str) -> dict[str, tuple[str, str]]:
    """Read "fill line" for each role."""
    fills = (pair.split() for pair in pairs)
    return {role: (fill, line) for role, (fill, line) in zip(_ROLES, fills, strict=True)}


def _edges(*colours: str) -> dict[EdgeKind, str]:
    return dict(zip(get_args(EdgeKind), (*colours, "none"), strict=True))


THEMES: dict[str, Theme] = {
    "light": Theme(
        *("#ffffff", "#1f2933", "#52606d", "#9aa5b1"),
        _roles(
            *("#eef1f4 #7b8794", "#fdecc8 #b7791f", "#e3f0fd #2b6cb0", "#e5e0fb #553c9a", "#fde8e8 #c53030"),
            *("#fbdfec #97266d", "#ffffff #c53030", "none #c53030", "#eef6c8 #5f7a0a", "#e6f6ec #276749"),
            "#ff9e80 #b00020",
        ),
        _edges("#2b6cb0", "#c53030", "#7b8794", "#276749", "#b7410e"),
        ("#f7fbff", "#6baed6"),
    ),
    "dark": Theme(
        *("#14181d", "#e4e7eb", "#9aa5b1", "#616e7c"),
        _roles(
            *("#272e36 #9aa5b1", "#453716 #ecc94b", "#16324f #63b3ed", "#322659 #b794f4", "#4a1d1d #fc8181"),
            *("#521b41 #f687b3", "#14181d #fc8181", "none #fc8181", "#3a4312 #c5d94f", "#1c4532 #68d391"),
            "#a3000f #ffab91",
        ),
        _edges("#63b3ed", "#fc8181", "#9aa5b1", "#68d391", "#ff9f5a"),
        ("#1b2733", "#2c6fb0"),
    ),
    "print": Theme(  # grey survives every copying machine; shapes and dashes carry the meaning
        *("#ffffff", "#000000", "#333333", "#777777"),
        _roles(
            *("#ffffff #777777", "#eeeeee #000000", "#ffffff #000000", "#f6f6f6 #000000", "#e2e2e2 #000000"),
            *("#d6d6d6 #000000", "#ffffff #000000", "none #000000", "#eeeeee #333333", "#ffffff #555555"),
            "#bdbdbd #000000",
        ),
        _edges("#000000", "#000000", "#777777", "#555555", "#000000"),
        ("#ffffff", "#b0b0b0"),
        frozenset({"gradient"}),
    ),
    "cb": Theme(  # Okabe and Ito's colours, which no common colour blindness mixes up
        *("#ffffff", "#1f2933", "#4a5560", "#9aa5b1"),
        _roles(
            *("#eef1f4 #7b8794", "#fff3c4 #b08900", "#dceefa #0072b2", "#d9f2ea #009e73", "#fde3d3 #d55e00"),
            *("#f8e1ee #cc79a7", "#ffffff #d55e00", "none #d55e00", "#e6e6e6 #000000", "#e9f6fd #56b4e9"),
            "#f0e442 #000000",
        ),
        _edges("#0072b2", "#d55e00", "#7b8794", "#56b4e9", "#000000"),
        ("#fff7ec", "#fdbb84"),
    ),
}


def node_legend(graph: Graph) -> list[NodeKind]:
    """Return the kinds of nodes that `graph` has."""
    present = {node.kind for node in graph.nodes.values()}
    return [kind for kind in NODES if kind in present]


def edge_legend(graph: Graph) -> list[EdgeKind]:
    """Return the kinds of arrows that `graph` has."""
    present = {edge.kind for edge in graph.edges}
    return [kind for kind in EDGES if kind in present and kind != "order"]


@dataclass(frozen=True)
class Style:
    """How a graph is drawn: options, colours of single nodes, what is pointed out."""

    layout: Layout = "mirror"
    direction: Direction = "TB"
    values: Detail = "stats"
    theme_name: ThemeName = "light"
    saved: bool = False
    """Whether to say how much memory each rung keeps."""
    fills: Mapping[str, str] = field(default_factory=dict)
    """Node id -> colour that says a number, instead of that of its kind."""
    scale: str = ""
    """What those colours mean, in words."""
    legend: bool = True
    """Whether the picture itself has a title and a legend."""
    marked: frozenset[str] = frozenset()
    """Ids of the nodes to point out."""

    @property
    def theme(self) -> Theme:
        """The colours."""
        return THEMES[self.theme_name]
