"""DOT: the graph in Graphviz's language.

The mirror needs nothing but plain DOT: twins share a rank (``newrank`` lets them do so across clusters), and backward
edges are written from head to tail with ``dir=back``, so that both sides agree on what is above.
"""

from __future__ import annotations

import graphviz

from minipaddle.viz.graph import Cluster, Edge, Graph, Node
from minipaddle.viz.theme import EDGES, FONT, FRAME, INK, NODES, PAPER

__all__ = ["to_dot"]

_LONGEST = 60


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
        label=_escaped(f"{graph.title} · {graph.subtitle}"),
        labelloc="t",
        charset="UTF-8",
    )
    dot.attr("node", fontname=FONT, fontsize="10", fontcolor=INK, style="filled", margin="0.12,0.06")
    dot.attr("edge", fontname=FONT, fontsize="8", fontcolor="#52606d", arrowsize="0.7")
    _add_level(dot, graph, None)
    for forward, backward in graph.rows():
        with dot.subgraph() as row:
            row.attr(rank="same")
            row.node(forward)
            row.node(backward)
    rows = dict(graph.rows())
    for edge in graph.edges:
        _add_edge(dot, edge)
    for forward, backward in rows.items():
        dot.edge(forward, backward, style="invis")  # keeps the left on the left
    source: str = dot.source
    return source


def _add_level(dot: graphviz.Digraph, graph: Graph, parent: str | None) -> None:
    """Add the nodes directly inside `parent`, then its clusters."""
    for node in graph.members(parent):
        _add_node(dot, node)
    for cluster in graph.clusters.values():
        if cluster.parent == parent:
            with dot.subgraph(name=f"cluster_{cluster.id}") as inner:
                _style_cluster(inner, cluster)
                _add_level(inner, graph, cluster.id)


def _style_cluster(dot: graphviz.Digraph, cluster: Cluster) -> None:
    dot.attr(
        id=cluster.id, label=_escaped(cluster.title), style="rounded,dashed", color=FRAME, fontsize="9", fontcolor="#52606d"
    )


def _add_node(dot: graphviz.Digraph, node: Node) -> None:
    look = NODES[node.kind]
    label = "\n".join(_cut(line) for line in (node.title, *node.details))
    dot.node(
        node.id,
        label=_escaped(label),
        id=node.id,
        shape=look.shape,
        fillcolor=look.fill,
        color=look.line,
        style="filled,rounded" if look.shape == "box" else "filled",
        tooltip=_escaped(node.tooltip),
    )


def _add_edge(dot: graphviz.Digraph, edge: Edge) -> None:
    look = EDGES[edge.kind]
    style = {"color": look.colour, "style": look.style, "label": _escaped(_cut(edge.label))}
    if edge.kind == "gradient":
        dot.edge(edge.head, edge.tail, dir="back", **style)
    elif edge.kind == "saved":
        dot.edge(edge.tail, edge.head, arrowhead="none", constraint="false", fontcolor=look.colour, **style)
    else:
        dot.edge(edge.tail, edge.head, **style)


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def _escaped(text: str) -> str:
    """Quote for DOT: backslashes and angle brackets are only characters; a line break stays one."""
    escaped: str = graphviz.escape(text.replace("\r", " "))
    return escaped.replace("\n", "\\n")
