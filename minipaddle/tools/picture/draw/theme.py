"""Colours, shapes and widths, the same for every writer. No meaning is in colours alone: shapes and words repeat it."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite, log10
from pathlib import Path
from typing import NamedTuple

from minipaddle.tools.picture.model.graph import Cluster, EdgeKind, Graph, Node, NodeKind
from minipaddle.tools.words.language import phrase, say, spoken

FONT = "Helvetica,Arial,Noto Sans CJK SC,Microsoft YaHei,PingFang SC,sans-serif"


class NodeStyle(NamedTuple):
    """The look of a kind of node, and its name in the legend."""

    shape: str  # Graphviz's name
    role: str
    """The key of its colours in a theme."""
    meaning: str


class EdgeStyle(NamedTuple):
    """The look of a kind of edge, and its name in the legend."""

    style: str
    meaning: str


NODES: dict[NodeKind, NodeStyle] = {
    "data": NodeStyle("ellipse", "data", "data"),
    "parameter": NodeStyle("ellipse", "leaf", "leaf that requires gradient"),
    "op": NodeStyle("box", "op", "operator"),
    "pylayer": NodeStyle("box3d", "custom", "PyLayer forward"),
    "layer": NodeStyle("component", "op", "folded layer"),
    "rule": NodeStyle("box", "grad", "operator of an earlier rule"),
    "error": NodeStyle("octagon", "alarm", "what raised"),
    "grad": NodeStyle("box", "grad", "gradient rule"),
    "pylayer_grad": NodeStyle("box3d", "custom_grad", "PyLayer backward"),
    "layer_grad": NodeStyle("component", "grad", "its backward"),
    "accumulate": NodeStyle("circle", "sum", "+ sum of gradients"),
    "store": NodeStyle("note", "leaf", ".grad of a leaf"),
    "seed": NodeStyle("plaintext", "seed", "@GRAD where backward starts"),
    "hook": NodeStyle("tab", "hook", "hook"),
    "update": NodeStyle("cds", "update", "optimizer"),
    "chip": NodeStyle("box", "data", "made or kept at the other ①"),
}

EDGES: dict[EdgeKind, EdgeStyle] = {
    "value": EdgeStyle("solid", "value"),
    "gradient": EdgeStyle("solid", "gradient"),
    "saved": EdgeStyle("dashed", "saved for backward"),
    "update": EdgeStyle("dotted", "update"),
    "cut": EdgeStyle("dashed", "cut: no gradient passes"),
    "write": EdgeStyle("dotted", "writes over what is saved"),
    "order": EdgeStyle("invis", ""),
}


@dataclass(frozen=True)
class Theme:
    """The colours of a picture; ``themes.toml`` explains each."""

    title: str
    paper: str
    ink: str
    pale: str
    frame: str
    found: str
    heavy: Sequence[EdgeKind]
    roles: dict[str, tuple[str, str]]
    edges: dict[EdgeKind, str]

    def colours(self, node: Node, alarm: bool = True) -> tuple[str, str]:
        """Return the colours inside and around a node: those of its role, or of an alarm."""
        return self.roles[role_of(node, alarm)]

    def around(self, frame: Cluster) -> str:
        """Return the colour of a frame; around an earlier pass's nodes, their red."""
        return self.line("grad") if frame.earlier and frame.side == "forward" else self.frame

    def fill(self, kind: NodeKind) -> str:
        """Return the colour inside a node."""
        return self.roles[NODES[kind].role][0]

    def line(self, kind: NodeKind) -> str:
        """Return the colour of a node's outline."""
        return self.roles[NODES[kind].role][1]


def role_of(node: Node, alarm: bool = True) -> str:
    """Return the role of a node: an unhealthy one is an alarm, if `alarm` (numbers may be shown)."""
    node = node.stands_for or node
    return "alarm" if alarm and node.alarming else NODES[node.kind].role


_TABLES = tomllib.loads(Path(__file__).with_name("themes.toml").read_text(encoding="utf-8"))
THEMES = {name: Theme(**table) for name, table in _TABLES.items()}
"""The themes of ``themes.toml``, by name."""


def node_legend(*graphs: Graph) -> dict[NodeKind, str]:
    """Return the kinds of nodes in graphs, with their meanings."""
    nodes = [node for graph in graphs for node in graph.nodes.values()]
    present = {node.kind for node in nodes}
    meant = {kind: one.meaning for kind, one in NODES.items() if kind in present}
    if not all(one.name.endswith(".grad") for node in nodes if node.kind == "store" for one in node.results):
        meant["store"] = phrase("where a gradient ends")  # returned, or a Program's
    return meant


def edge_legend(graph: Graph) -> list[EdgeKind]:
    """Return the kinds of arrows in `graph`."""
    present = {edge.kind for edge in graph.edges}
    return [kind for kind in EDGES if kind in present and kind != "order"]


WIDEST = 2.5
"""Width of the arrow of the largest gradient norm, in points."""
A_DECADE = 0.5
"""Points by which an arrow gets thinner for each factor of ten in the norm."""
THINNEST = 0.5  # points: a thinner arrow would vanish on a screen
ALIKE = 2
"""Norms within this factor of each other are drawn with equal widths."""
SHARES = phrase("%: of the sum's absolute terms")
WORDS = "the wider, the larger the gradient's norm"
_HEAVY = 2.0  # points: twice the standard width


def widths(graph: Graph, theme: Theme) -> dict[int, float]:
    """Return the widths of arrows in points, by edge number, except arrows of the standard width.

    A theme that distinguishes kinds of arrows by width has fixed widths; in others the width of a gradient's arrow
    follows the logarithm of its norm.
    """
    if theme.heavy:
        return {number: _HEAVY for number, edge in graph.drawn_edges() if edge.kind in theme.heavy}
    norms = norms_of(graph)
    largest = max(norms.values(), default=0.0)
    if not _differ(norms):
        return {}
    decades = {number: log10(largest / norm) if norm > 0 else inf for number, norm in norms.items()}
    return {number: max(THINNEST, round(WIDEST - A_DECADE * far, 1)) for number, far in decades.items()}


def width_words(graph: Graph, theme: Theme) -> str:
    """Return the meaning of arrow widths; "" if they have none."""
    return "" if theme.heavy or not _differ(norms_of(graph)) else say(WORDS)


def share_words(graph: Graph) -> str:
    """Return the meaning of percentages at arrows into sums; "" if there are none."""
    shown = any(edge.share is not None and edge.label.endswith("%") for edge in graph.edges)
    return spoken(SHARES) if shown else ""


def norms_of(graph: Graph) -> dict[int, float]:
    """Return the norms of gradients by the numbers of their arrows, if known and finite."""
    gradients = ((number, edge) for number, edge in graph.drawn_edges() if edge.kind == "gradient")
    norms = {
        number: max((value.stats.norm for value in edge.values), default=float("nan"))
        for number, edge in gradients
    }
    return {number: norm for number, norm in norms.items() if isfinite(norm)}


def _differ(norms: dict[int, float]) -> bool:
    return bool(norms) and max(norms.values()) > ALIKE * min(norms.values())
