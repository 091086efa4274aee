"""DOT: the graph in Graphviz's language.

The mirror needs nothing but plain DOT: twins share a rank (``newrank`` lets them do so across clusters), and backward
edges are written from head to tail with ``dir=back``, so that both sides agree on what is above.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from xml.sax.saxutils import escape

import graphviz

from minipaddle.viz.labels import label, tooltip
from minipaddle.viz.model import Cluster, Edge, Graph, Node
from minipaddle.viz.style import Style
from minipaddle.viz.text import bytes_text, cut
from minipaddle.viz.theme import EDGES, FONT, NODES, edge_legend, node_legend

__all__ = ["to_dot"]

_LONGEST = 60
_LONGEST_ON_EDGE = 26
_LARGE = 400
"""Nodes from which on labels of rungs are put where there is room: making room takes four times as long."""
_SPINE = ("op", "pylayer", "layer", "grad", "pylayer_grad", "layer_grad")
_SIGNS = {"solid": "⟶", "dashed": "╌╌", "dotted": "┈┈"}
_MARK = "► "


def to_dot(graph: Graph, style: Style | None = None) -> str:
    """Return the graph as DOT text, the same for the same graph and style in every run."""
    return _Writer(graph, style or Style()).source()


class _Writer:
    """Writes one graph."""

    def __init__(self, graph: Graph, style: Style) -> None:
        self.graph = graph
        self.style = style
        self.theme = style.theme
        self.dot = graphviz.Digraph("minipaddle")
        self.place = {id_: number for number, id_ in enumerate(graph.nodes)}

    def source(self) -> str:
        """Return all of it."""
        self._defaults()
        self._add_level(self.dot, _levels(self.graph), self.graph.members(), None)
        if self.style.layout == "mirror":
            self._align_rows()
        for number, edge in enumerate(self.graph.edges):
            self._add_edge(edge, number)
        if self.style.layout == "mirror":
            self._invisible(self.graph.rows())  # keeps the left on the left
        self._keep_order()
        source: str = self.dot.source
        return source

    def _defaults(self) -> None:
        theme = self.theme
        self.dot.attr(
            newrank="true",
            rankdir=self.style.direction,
            fontname=FONT,
            fontsize="11",
            fontcolor=theme.ink,
            bgcolor=theme.paper,
            nodesep="0.35",
            ranksep="0.35",
            charset="UTF-8",
        )
        if self.style.legend:
            self.dot.attr(label=self._head(), labelloc="t")
        self.dot.attr("node", fontname=FONT, fontsize="10", fontcolor=theme.ink, margin="0.12,0.06")
        self.dot.attr("edge", fontname=FONT, fontsize="8", fontcolor=theme.pale, arrowsize="0.7")

    # -- order ----------------------------------------------------------------------------------------------------

    def _align_rows(self) -> None:
        rows: dict[str, list[str]] = {}
        for forward, other in self.graph.rows():
            rows.setdefault(forward, [forward]).append(other)
        for row in rows.values():
            # as plain text: the library copies all there is for each subgraph
            self.dot.body.append(f"\t{{rank=same; {'; '.join(row)}}}\n")

    def _keep_order(self) -> None:
        """Let each operator of the forward run have a row of its own, in the order they ran: so no rung meets another.

        In a tape that holds for every node.
        """
        nodes = self.graph.nodes.values()
        if self.style.layout == "tape":
            self._invisible(pairwise(node.id for node in nodes if node.side != "update"))
            return
        joined = {(edge.tail, edge.head) for edge in self.graph.edges if edge.kind == "value"}
        ran = [node.id for node in nodes if node.side == "forward" and node.kind in _SPINE]
        self._invisible(pair for pair in pairwise(ran) if pair not in joined)
        if self.style.layout == "stack":
            first = next((node.id for node in nodes if node.side == "backward"), None)
            self._invisible([(ran[-1], first)] if ran and first else [])

    def _invisible(self, pairs: Iterable[tuple[str, str]]) -> None:
        self.dot.body.extend(f"\t{tail} -> {head} [style=invis]\n" for tail, head in pairs)

    # -- nodes and frames -----------------------------------------------------------------------------------------

    def _add_level(
        self,
        dot: graphviz.Digraph,
        inner: dict[str | None, list[Cluster]],
        members: dict[str | None, list[Node]],
        parent: str | None,
    ) -> None:
        """Add the nodes directly inside `parent`, then its clusters."""
        for node in members.get(parent, ()):
            self._add_node(dot, node)
        for cluster in inner.get(parent, ()):
            with dot.subgraph(name=f"cluster_{cluster.id}") as inside:
                self._style_cluster(inside, cluster)
                self._add_level(inside, inner, members, cluster.id)

    def _style_cluster(self, dot: graphviz.Digraph, cluster: Cluster) -> None:
        dot.attr(
            id=cluster.id,
            label=_escaped(cut(cluster.title, _LONGEST)),
            labeljust="l" if cluster.side == "forward" else "r",
            style="rounded,dashed" if cluster.kind == "body" else "rounded",
            color=self.theme.frame,
            fontsize="9",
            fontcolor=self.theme.pale,
        )

    def _add_node(self, dot: graphviz.Digraph, node: Node) -> None:
        shape = NODES[node.kind].shape
        straight = node.kind in _SPINE and self.style.layout != "tape"
        more: dict[str, str] = (
            {"group": node.side} if straight else {}
        )  # edges within a group are drawn straight
        more |= (
            {"fixedsize": "true", "width": "0.26", "margin": "0"}
            if node.kind == "accumulate" and node.count == 1
            else {}
        )
        if node.kind == "update":
            more["margin"] = "0.22,0.06"  # its arrow takes room
        marked = node.id in self.style.marked
        lines = [cut(line, _LONGEST) for line in label(node, self.style.values)]
        dot.node(
            node.id,
            label=_escaped(_MARK * marked + "\n".join(lines)),
            id=node.id,
            shape=shape,
            fillcolor=self.style.fills.get(node.id) or self.theme.fill(node.kind),
            color=self.theme.line(node.kind),
            style="filled,rounded" if shape == "box" else "filled",
            tooltip=_escaped(tooltip(node)),
            **({"penwidth": "3"} if marked else {}),
            **more,
        )

    # -- edges ----------------------------------------------------------------------------------------------------

    def _add_edge(self, edge: Edge, number: int) -> None:
        style = {"id": f"e{number}", "color": self.theme.edges[edge.kind], "style": EDGES[edge.kind].style}
        words = edge.label
        if self.style.saved and edge.nbytes:
            words = f"{cut(words, _LONGEST_ON_EDGE)} ({bytes_text(edge.nbytes)})"
        if words:
            short = words if self.style.saved else cut(words, _LONGEST_ON_EDGE)
            beside = edge.kind == "saved" and len(self.graph.nodes) > _LARGE
            style |= {
                "xlabel" if beside else "label": _escaped(f" {short} "),
                "labeltooltip": _escaped(words),
            }
        again = self.place[edge.tail] > self.place[edge.head]  # a fold has bent it back
        if again or self.style.layout == "tape":
            style["constraint"] = "false"
        if edge.kind == "order":
            self._invisible([(edge.head, edge.tail)] if self.style.layout == "mirror" else [])
        elif edge.kind == "gradient" and self.style.layout == "mirror":
            self.dot.edge(edge.head, edge.tail, dir="back", **style)
        elif edge.kind == "saved":
            style["constraint"] = "false"
            self.dot.edge(edge.tail, edge.head, arrowhead="none", **style)
        else:
            self.dot.edge(edge.tail, edge.head, **style)

    # -- head -----------------------------------------------------------------------------------------------------

    def _head(self) -> str:
        """Return the title and the legend. As the picture's label they take no part in the layout."""
        theme = self.theme
        nodes = "".join(
            f'<td border="1" color="{theme.line(kind)}" bgcolor="{theme.fill(kind)}">{NODES[kind].meaning}</td>'
            for kind in node_legend(self.graph)
        )
        arrows = "".join(
            f'<td><font color="{theme.edges[kind]}">{_SIGNS[EDGES[kind].style]}</font> {EDGES[kind].meaning}</td>'
            for kind in edge_legend(self.graph)
        )
        scale = f"<td>{escape(self.style.scale)}</td>" if self.style.scale else ""
        rows = "".join(
            f'<tr><td><table border="0" cellspacing="4" cellpadding="2"><tr>{cells}</tr></table></td></tr>'
            for cells in (nodes, arrows + scale)
            if cells
        )
        title = escape(cut(self.graph.title, _LONGEST))
        legend = f'<table border="0" cellspacing="0" cellpadding="0">{rows}</table>' if rows else ""
        small = (
            f'<tr><td><font point-size="8" color="{theme.pale}">{legend}</font></td></tr>' if legend else ""
        )
        return (
            f'<<table border="0" cellspacing="0" cellpadding="1"><tr><td>{title} · {escape(self.graph.subtitle)}'
            f"</td></tr>{small}</table>>"
        )


def _levels(graph: Graph) -> dict[str | None, list[Cluster]]:
    """Return the clusters directly inside each cluster."""
    inner: dict[str | None, list[Cluster]] = {}
    for cluster in graph.clusters.values():
        inner.setdefault(cluster.parent, []).append(cluster)
    return inner


def _escaped(text: str) -> str:
    """Quote for DOT: backslashes and angle brackets are only characters; a line break stays one."""
    escaped: str = graphviz.nohtml(graphviz.escape(text).replace("\n", "\\n"))
    return escaped
