"""DOT: the graph in Graphviz's language.

The mirror needs nothing but plain DOT: twins share a rank (``newrank`` lets them do so across clusters), and backward
edges are written from head to tail with ``dir=back``, so that both sides agree on what is above.
"""

from __future__ import annotations

from itertools import pairwise
from xml.sax.saxutils import escape

import graphviz

from minipaddle.viz.graph import Cluster, Edge, Graph, Node
from minipaddle.viz.text import cut
from minipaddle.viz.theme import EDGES, FONT, FRAME, INK, NODES, PALE, PAPER, edge_legend, node_legend

__all__ = ["to_dot"]

_LONGEST = 60
_SPINE = ("op", "pylayer", "grad", "pylayer_grad")
_SIGNS = {"solid": "⟶", "dashed": "╌╌"}


def to_dot(graph: Graph) -> str:
    """Return the graph as DOT text, the same for the same graph in every run."""
    dot = graphviz.Digraph("minipaddle")
    dot.attr(
        newrank="true",
        rankdir="TB",
        fontname=FONT,
        fontsize="11",
        fontcolor=INK,
        bgcolor=PAPER,
        nodesep="0.35",
        ranksep="0.35",
        label=_head(graph),
        labelloc="t",
        charset="UTF-8",
    )
    dot.attr("node", fontname=FONT, fontsize="10", fontcolor=INK, style="filled", margin="0.12,0.06")
    dot.attr("edge", fontname=FONT, fontsize="8", fontcolor=PALE, arrowsize="0.7")
    _add_level(dot, graph, graph.members(), None)
    for forward, backward in graph.rows():
        with dot.subgraph() as row:
            row.attr(rank="same")
            row.node(forward)
            row.node(backward)
    for edge in graph.edges:
        _add_edge(dot, edge)
    for forward, backward in graph.rows():
        dot.edge(forward, backward, style="invis")  # keeps the left on the left
    _keep_order(dot, graph)
    source: str = dot.source
    return source


def _keep_order(dot: graphviz.Digraph, graph: Graph) -> None:
    """Let each operator of the forward run have a row of its own, in the order they ran: so no rung meets another."""
    joined = {(edge.tail, edge.head) for edge in graph.edges if edge.kind == "value"}
    ran = [node.id for node in graph.nodes.values() if node.side == "forward" and node.kind in _SPINE]
    for pair in pairwise(ran):
        if pair not in joined:
            dot.edge(*pair, style="invis")


def _head(graph: Graph) -> str:
    """Return the title and the legend. As the picture's label they take no part in the layout."""
    nodes = "".join(
        f'<td border="1" color="{look.line}" bgcolor="{look.fill}">{look.meaning}</td>'
        for look in node_legend(graph)
    )
    arrows = "".join(
        f'<td><font color="{look.colour}">{_SIGNS[look.style]}</font> {look.meaning}</td>'
        for look in edge_legend(graph)
    )
    rows = "".join(
        f'<tr><td><table border="0" cellspacing="4" cellpadding="2"><tr>{cells}</tr></table></td></tr>'
        for cells in (nodes, arrows)
        if cells
    )
    title = escape(cut(graph.title, _LONGEST))
    return (
        f'<<table border="0" cellspacing="0" cellpadding="1"><tr><td>{title} · {escape(graph.subtitle)}</td></tr>'
        f'<tr><td><font point-size="8" color="{PALE}"><table border="0" cellspacing="0" cellpadding="0">{rows}'
        "</table></font></td></tr></table>>"
    )


def _add_level(
    dot: graphviz.Digraph, graph: Graph, members: dict[str | None, list[Node]], parent: str | None
) -> None:
    """Add the nodes directly inside `parent`, then its clusters."""
    for node in members.get(parent, ()):
        _add_node(dot, node)
    for cluster in graph.clusters.values():
        if cluster.parent == parent:
            with dot.subgraph(name=f"cluster_{cluster.id}") as inner:
                _style_cluster(inner, cluster)
                _add_level(inner, graph, members, cluster.id)


def _style_cluster(dot: graphviz.Digraph, cluster: Cluster) -> None:
    dot.attr(
        id=cluster.id,
        label=_escaped(cut(cluster.title, _LONGEST)),
        labeljust="l" if cluster.side == "forward" else "r",
        style="rounded,dashed",
        color=FRAME,
        fontsize="9",
        fontcolor=PALE,
    )


def _add_node(dot: graphviz.Digraph, node: Node) -> None:
    look = NODES[node.kind]
    more: dict[str, str] = (
        {"group": node.side} if node.kind in _SPINE else {}
    )  # edges within a group are drawn straight
    more |= {"fixedsize": "true", "width": "0.26", "margin": "0"} if node.kind == "accumulate" else {}
    dot.node(
        node.id,
        label=_escaped("\n".join(cut(line, _LONGEST) for line in node.lines)),
        id=node.id,
        shape=look.shape,
        fillcolor=look.fill,
        color=look.line,
        style="filled,rounded" if look.shape == "box" else "filled",
        tooltip=_escaped(node.tooltip),
        **more,
    )


def _add_edge(dot: graphviz.Digraph, edge: Edge) -> None:
    look = EDGES[edge.kind]
    style = {"color": look.colour, "style": look.style}
    if edge.label:
        style["label"] = _escaped(f" {cut(edge.label, _LONGEST)} ")
    if edge.kind == "gradient":
        dot.edge(edge.head, edge.tail, dir="back", **style)
    elif edge.kind == "saved":
        dot.edge(edge.tail, edge.head, arrowhead="none", constraint="false", **style)
    elif edge.kind == "order":
        dot.edge(edge.head, edge.tail, style="invis")
    else:
        dot.edge(edge.tail, edge.head, **style)


def _escaped(text: str) -> str:
    """Quote for DOT: backslashes and angle brackets are only characters; a line break stays one."""
    escaped: str = graphviz.nohtml(graphviz.escape(text).replace("\n", "\\n"))
    return escaped
