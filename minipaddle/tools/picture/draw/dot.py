"""DOT: the graph in Graphviz's language.

The mirror is plain DOT: twins share a rank (``newrank`` allows that across clusters), and backward
edges are written from head to tail with ``dir=back``, so that both sides have the same order of ranks.

Graphviz takes seconds or minutes for a large graph, nearly all of them for two things. One is reserving room for edge
labels, at twice the number of rows: from LARGE nodes on, they are placed where room is left, or nowhere. The
other is moving nodes until every arrow is as straight as possible: from HUGE nodes on, that ends early, and every
node is as far to the left as its neighbours allow (``nslimit``).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from rich.cells import cell_len

from minipaddle.tools.picture.choices import Options
from minipaddle.tools.picture.draw.chips import users_of_chips, with_chips
from minipaddle.tools.picture.draw.legend import head
from minipaddle.tools.picture.draw.places import Places
from minipaddle.tools.picture.draw.theme import EDGES, FONT, NODES, THEMES, widths
from minipaddle.tools.picture.model.focus import matching
from minipaddle.tools.picture.model.graph import Cluster, Edge, Graph, Node, bytes_kept
from minipaddle.tools.picture.model.labels import details, label, tooltip
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.language import spoken
from minipaddle.tools.words.numbers import bytes_text, cut_cells, cut_list

if TYPE_CHECKING:
    import graphviz

_LONGEST = 60  # cells of a line in a box: as wide as two or three boxes
_TITLE_LETTER = 4.6  # points: width of a letter of a frame's title
_ARROWS = 40.0  # points: room for two arrows beside a title
_MOST_ROOM = 420.0  # points: a title with its room is at most as wide as three boxes
_LONGEST_ON_EDGE = 26  # cells: an edge label lies between two boxes
LARGE = 100
"""From so many nodes on, no room is reserved for edge labels: dot would take too long."""
HUGE = 400
"""From so many nodes on, dot does not straighten edges (``nslimit``): it would take too long."""
_TRIES = "3"
"""How often a node of a large graph is moved, on average."""
_SPINE = ("op", "pylayer", "layer", "rule", "grad", "pylayer_grad", "layer_grad")
_COLUMN = (*_SPINE, "hook")
_STRAIGHT = "3"
"""Weight of the edge to the next operator: it keeps a side of the mirror a straight column, not a stair."""
_LETTER = 4.2
"""Width of a letter of a label, in points."""
_GAP = 25
"""Gap between nodes, in points (``nodesep``)."""
_TALLEST = 1000
"""Inches that a drawing of a given width may be tall: as many as it needs."""
_MARK = "► "
_CHIP = {"fontsize": "8", "margin": "0.05,0.02", "height": "0.2", "width": "0.3"}
"""DOT attributes that make a chip smaller than other nodes."""


def to_dot(graph: Graph, options: Options | None = None, places: Places | None = None) -> str:
    """Return the graph as DOT text, the same in every run; with the `places` of a layout, without what guides it."""
    return _Writer(graph, options or Options(), places or {}).text()


class _Writer:
    """Writes one graph."""

    def __init__(self, graph: Graph, options: Options, places: Places) -> None:
        self.marked = matching(graph, options.pattern("highlight"))
        self.graph = graph = with_chips(graph, options.layout)
        self.options, self.theme, self.places = options, THEMES[options.theme], places
        self.users = users_of_chips(graph)
        self.widths = widths(graph, self.theme)
        import graphviz

        self.dot = graphviz.Digraph("minipaddle")
        self.place = {id_: number for number, id_ in enumerate(graph.nodes)}
        self.inner = grouped((cluster.parent, cluster) for cluster in graph.clusters.values())
        self.members = grouped((node.cluster, node) for node in graph.nodes.values())
        self.large = len(graph.nodes) > LARGE
        self.column = _column(graph) if self.options.layout != "tape" else {}
        by_side = grouped((node.side, node) for node in self.column.values()).values()
        pairs = (pair for ran in by_side for pair in pairwise(ran))
        self.next = {(one.id, other.id) for one, other in pairs if one.cluster == other.cluster}
        """The pairs that run in succession on one side and in one frame: frames may be moved aside."""
        self.rows = dict.fromkeys(graph.rows()) if self.options.layout == "mirror" else {}

    def text(self) -> str:
        """Return the whole DOT text."""
        self._defaults()
        self._add_level(self.dot, None)
        for forward, row in grouped(self.rows).items():
            # as plain text: the library copies everything for each subgraph
            self.dot.body.append(f"\t{{rank=same; {'; '.join([forward, *row])}}}\n")
        self._align_chips()
        for number, edge in enumerate(self.graph.edges):
            self._add_edge(edge, number)
        saved = {(edge.tail, edge.head) for edge in self.graph.edges if edge.kind == "saved"}
        # keeps the left on the left, as saved edges do
        self._invisible(pair for pair in self.rows if pair not in saved)
        self._keep_order()
        source: str = self.dot.source
        return source

    def _defaults(self) -> None:
        theme, font = self.theme, self.options.font or FONT
        limits = {"forcelabels": "false", "nslimit": "0" if len(self.graph.nodes) > HUGE else _TRIES}
        self.dot.attr(
            newrank="true",
            rankdir=self.options.direction,
            fontname=font,
            fontsize="11",
            fontcolor=theme.ink,
            bgcolor=theme.paper,
            nodesep="0.35",
            ranksep="0.35",
            charset="UTF-8",
            **(limits if self.large else {}),
        )
        if self.options.inches is not None:
            self.dot.attr(size=f"{self.options.inches:.4g},{_TALLEST}!")
        if not self.options.bare:
            self.dot.attr(label=head(self.graph, self.theme), labelloc="t", **self.places.get("", {}))
        self.dot.attr("node", fontname=font, fontsize="10", fontcolor=theme.ink, margin="0.12,0.06")
        self.dot.attr("edge", fontname=font, fontsize="8", fontcolor=theme.pale, arrowsize="0.7")

    # -- order ----------------------------------------------------------------------------------------------------

    def _align_chips(self) -> None:
        """Put chips on the rows of their users, each also joined to the node below.

        dot moves a node without an arrow to another row past its neighbours, even if one of those is to its right.
        """
        below: dict[str, str] = {}
        for side in ("forward", "backward"):
            ran = [id_ for id_, node in self.graph.nodes.items() if node.side == side and node.kind in _SPINE]
            upwards = side == "backward" and self.options.layout == "mirror"
            below |= dict(pairwise(reversed(ran) if upwards else ran))
        for chip, user in self.users.items():
            self.dot.body.append(f"\t{{rank=same; {chip}; {user}}}\n")
        self._invisible((chip, below[user]) for chip, user in self.users.items() if user in below)

    def _keep_order(self) -> None:
        """Give each forward operator its own row, in the order of the run, so that saved edges do not cross.

        In a tape this includes every node.
        """
        nodes = self.graph.nodes.values()
        if self.options.layout == "tape":
            self._invisible(pairwise(node.id for node in nodes))
            return
        joined = {(edge.tail, edge.head) for edge in self.graph.edges if edge.kind in ("value", "cut")}
        ran = [node.id for node in nodes if node.side == "forward" and node.kind in _SPINE]
        self._invisible(pair for pair in pairwise(ran) if pair not in joined)

    def _invisible(self, pairs: Iterable[tuple[str, str]]) -> None:
        if not self.places:
            self.dot.body.extend(f"\t{tail} -> {head} [style=invis]\n" for tail, head in pairs)

    # -- nodes and frames -----------------------------------------------------------------------------------------

    def _add_level(self, dot: graphviz.Digraph, parent: str | None) -> None:
        """Add the nodes directly inside `parent`, then its clusters."""
        for node in self.members.get(parent, ()):
            self._add_node(dot, node)
        for cluster in self.inner.get(parent, ()):
            with dot.subgraph(name=f"cluster_{cluster.id}") as inside:
                self._style_cluster(inside, cluster)
                self._add_level(inside, cluster.id)

    def _style_cluster(self, dot: graphviz.Digraph, cluster: Cluster) -> None:
        title = cut_cells(spoken(cluster.title), _LONGEST)
        style = {
            "id": cluster.id,
            "labeljust": "l" if cluster.side == "forward" else "r",
            "style": "rounded,dashed" if cluster.kind == "body" else "rounded",
            "color": self.theme.around(cluster),
            "fontsize": "9",
            "fontcolor": self.theme.pale,
        }
        if self.places:
            style |= {"label": title, **self.places.get(cluster.id, {})}
        else:
            table = f'table border="0" cellpadding="0" cellspacing="0" width="{room_of(title):.0f}"'
            dot.attr(label=f"<<{table}><tr><td>{escape(title)}</td></tr></table>>")
        dot.body.append(f"\tgraph {attributes(style)}\n")

    def _add_node(self, dot: graphviz.Digraph, node: Node) -> None:
        pill = self.large and node.kind == "accumulate"  # with its sum inside
        shape = "ellipse" if pill else NODES[node.kind].shape
        fill, line = self.theme.colours(node, self.options.values != "none")
        style = {
            "label": self._label(node),
            "id": node.id,
            "shape": shape,
            "fillcolor": fill,
            "color": line,
            "style": "filled,rounded" if shape == "box" else "filled",
            "tooltip": tooltip(node),
        }
        if node.id in self.column:
            style["group"] = node.side  # edges within a group are drawn straight
        if node.kind == "accumulate" and node.count == 1 and not pill:
            style |= {"fixedsize": "true", "width": "0.26", "margin": "0"}
        if node.kind == "chip":
            style |= _CHIP
        if node.kind == "update":
            lines = style["label"].count("\n") + 1  # each line of its label takes room
            style["margin"] = f"0.22,{0.05 * lines + 0.01:.2f}"
        if node.id in self.marked:
            style["penwidth"] = "3"
        dot.body.append(f"\t{node.id} {attributes(style | self.places.get(node.id, {}))}\n")

    def _label(self, node: Node) -> str:
        if self.large and node.kind == "accumulate":
            ends = details(node, self.options.values)[-2 if node.state else -1 :]
            return " ".join((spoken(node.heading), *ends))
        lines = [cut_list(line, _LONGEST) for line in label(node, self.options.values)]
        if node.id in self.marked:
            lines[0] = f"{_MARK}{lines[0]}"
        return "\n".join(lines)

    # -- edges ----------------------------------------------------------------------------------------------------

    def _add_edge(self, edge: Edge, number: int) -> None:
        if edge.kind == "order":
            self._invisible([(edge.head, edge.tail)] if self.options.layout == "mirror" else [])
            return
        style = {"id": f"e{number}", "color": self.theme.edges[edge.kind], "style": EDGES[edge.kind].style}
        style |= self._words(edge)
        if number in self.widths:
            style["penwidth"] = f"{self.widths[number]:g}"
        again = self.place[edge.tail] > self.place[edge.head]  # an edge back, from a fold
        if again or self.options.layout == "tape":
            style["constraint"] = "false"
        elif (edge.tail, edge.head) in self.next:
            style["weight"] = _STRAIGHT
        tail, head = edge.tail, edge.head
        begins, ends = (self.graph.nodes[id_].side for id_ in (tail, head))
        if edge.kind == "value" and begins != ends:  # the body of backward reads a forward value
            style["constraint"] = "false"
        upwards = self.options.layout == "mirror"
        if edge.kind in ("gradient", "value") and begins == "backward" and upwards:
            tail, head = head, tail
            style["dir"] = "back"
        elif edge.kind == "cut":
            style |= {"arrowhead": "tee"}
        elif edge.kind == "value" and edge.label == "+":  # around the layer that adds it
            style |= {"headport": "se", "constraint": "false"}
        elif edge.kind == "saved":
            style["arrowhead"] = "none"
            if (tail, head) not in self.rows:
                style["constraint"] = "false"
        style |= self.places.get(style["id"], {})
        self.dot.body.append(f"\t{tail} -> {head} {attributes(style)}\n")

    def _words(self, edge: Edge) -> dict[str, str]:
        """Return the DOT attributes of an edge's label."""
        words = short = spoken(edge.label)
        if self.options.saved and (size := bytes_kept([edge])):
            words = short = f"{cut_list(words, _LONGEST_ON_EDGE)} ({bytes_text(size)})"
        if not self.options.saved:
            short = cut_list(words, _LONGEST_ON_EDGE)
        if not words:
            return {}
        # dot reserves no room between frames
        earlier = edge.kind == "saved" and self.graph.nodes[edge.tail].earlier
        if not (self.large or earlier):
            return {"label": f" {short} ", "labeltooltip": words}
        if edge.kind == "gradient":
            return {}
        # placed last, in free room: as long as its label, or with a row for it
        long = cell_len(short) * _LETTER / _GAP + 1 if edge.kind == "saved" else 2.0
        return {"xlabel": short, "labeltooltip": words, "minlen": f"{long:.0f}"}


def room_of(title: str) -> float:
    """Return the width of a frame's title in points, with room beside it for arrows into a narrow frame."""
    return min(3 * cell_len(title) * _TITLE_LETTER + _ARROWS, _MOST_ROOM)


def _column(graph: Graph) -> dict[str, Node]:
    """Return the nodes in the column of a side: those that ran, and sums that lead to another rule."""
    heads = {edge.tail: edge.head for edge in reversed(graph.edges) if edge.kind == "gradient"}
    column: dict[str, Node] = {}
    for node in reversed(graph.nodes.values()):  # a sum of sums ran before it: what it leads to is known
        on_the_way = node.kind == "accumulate" and heads.get(node.id) in column
        if node.side != "update" and (node.kind in _COLUMN or on_the_way):
            column[node.id] = node
    return dict(reversed(column.items()))


_QUOTED = str.maketrans({"\\": r"\\", "\n": r"\n", '"': r"\""})


def attributes(style: dict[str, str]) -> str:
    """Return attributes as DOT, all quoted: the library takes five times as long to quote only where needed."""
    return "[" + " ".join(f'{name}="{text.translate(_QUOTED)}"' for name, text in style.items()) + "]"
