"""Our own drawing, for machines without Graphviz: one row a step, forward on the left, its twin on the right.

Layout is left to Graphviz wherever it is installed. This one knows a single arrangement, the mirror, but needs nothing.
:mod:`minipaddle.viz.rows` says what stands on which row; here the rows get their heights, and ink.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log2
from xml.sax.saxutils import escape, quoteattr

from minipaddle.viz.labels import label, tooltip
from minipaddle.viz.model import Edge, EdgeKind, Graph, Node
from minipaddle.viz.rows import rows_of
from minipaddle.viz.style import Style
from minipaddle.viz.text import bytes_text, cut_cells
from minipaddle.viz.theme import EDGES, FONT, NODES, Theme, edge_legend, node_legend

__all__ = ["to_svg"]

_WIDTH, _LINE, _GAP, _BETWEEN = 250, 14, 30, 150
_MARGIN = 90  # room for the widest bow
_TOP = 78  # room for title and legend
_CELLS = 40
_TITLE = 13  # height of a frame's title
_COLUMN = {"forward": 0, "backward": 1, "update": 2}
_DASHES = {"dashed": ' stroke-dasharray="4 3"', "dotted": ' stroke-dasharray="1 3"'}
_ROUND = {
    "ellipse": 0.5,
    "circle": 0.5,
    "note": 0.0,
    "plaintext": 0.0,
}  # corner as part of the height; else 6


class _Box:
    """A node with its place."""

    def __init__(self, node: Node, row: int, style: Style) -> None:
        self.node = node
        self.row = row
        self.lines = [cut_cells(line, _CELLS, "…") for line in label(node, style.values)]
        self.height = len(self.lines) * _LINE + 10
        self.width = self.height if node.kind == "accumulate" else _WIDTH
        self.column = _COLUMN[node.side] if style.layout == "mirror" else 0
        self.x = _MARGIN + self.column * (_WIDTH + _BETWEEN) + (_WIDTH - self.width) / 2
        self.y = 0.0
        self.place = 0  # number in its column, from above

    @property
    def middle(self) -> float:
        """Height of the centre."""
        return self.y + self.height / 2

    @property
    def center(self) -> float:
        """The centre, from the left."""
        return self.x + self.width / 2


def to_svg(graph: Graph, style: Style | None = None) -> str:
    """Return the graph as SVG text: a mirror, or a tape for every other layout."""
    return _Drawing(graph, style or Style()).text()


class _Drawing:
    """One picture."""

    def __init__(self, graph: Graph, style: Style) -> None:
        self.graph = graph
        self.style = style
        self.theme: Theme = style.theme
        self.boxes = _placed(graph, style)
        self.columns = max((box.column for box in self.boxes.values()), default=0) + 1

    def text(self) -> str:
        """Return the SVG text."""
        graph, theme, boxes = self.graph, self.theme, self.boxes
        height = max((box.y + box.height for box in boxes.values()), default=_TOP) + _GAP
        width = 2 * _MARGIN + self.columns * _WIDTH + (self.columns - 1) * _BETWEEN
        drawn = [(number, edge) for number, edge in enumerate(graph.edges) if edge.kind != "order"]
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height:g}" viewBox="0 0 {width} '
            f'{height:g}" font-family={quoteattr(FONT)} font-size="11">',
            f'<rect width="100%" height="100%" fill="{theme.paper}"/>',
            *self._head(width),
            "<defs>" + "".join(self._marker(kind) for kind in ("value", "gradient", "update")) + "</defs>",
            *self._frames(),
            *(
                self._arrow(edge, number, boxes[edge.tail], boxes[edge.head], self.columns)
                for number, edge in drawn
            ),
            *(self._drawn(box) for box in boxes.values()),
            "</svg>",
        ]
        return "\n".join(parts) + "\n"

    def _head(self, width: float) -> Iterator[str]:
        """Say what this is, and what the signs mean."""
        if self.style.legend:
            title = f"{cut_cells(self.graph.title, 60, '…')} · {self.graph.subtitle}"
            yield (
                f'<text x="{width / 2:g}" y="20" fill="{self.theme.ink}" font-size="12" text-anchor="middle">'
                f"{escape(title)}</text>"
            )
            yield from self._legend()

    def _drawn(self, box: _Box) -> str:
        node, theme = box.node, self.theme
        shape, fill = NODES[node.kind].shape, self.style.fills.get(node.id) or theme.fill(node.kind)
        bare = fill == "none"
        marked = node.id in self.style.marked
        lines = "".join(
            f'<text x="{box.center:g}" y="{box.y + 5 + _LINE * (number + 0.75):g}" text-anchor="middle" '
            f'fill="{theme.ink}">{"► " if marked and not number else ""}{escape(line)}</text>'
            for number, line in enumerate(box.lines)
        )
        return (
            f'<g id={quoteattr(node.id)} class="node"><title>{escape(tooltip(node))}</title>'
            f'<rect x="{box.x:g}" y="{box.y:g}" width="{box.width}" height="{box.height}" '
            f'rx="{box.height * _ROUND[shape] if shape in _ROUND else 6:g}" '
            f'fill="{theme.paper if bare else fill}" stroke="{"none" if bare else theme.line(node.kind)}" '
            f'stroke-width="{3 if marked else 2.5 if shape == "box3d" else 1}"/>{lines}</g>'
        )

    def _arrow(self, edge: Edge, number: int, tail: _Box, head: _Box, columns: int) -> str:
        """Draw an edge with its label."""
        look = EDGES[edge.kind]
        path, x, y = _route(tail, head, columns)
        dash = _DASHES.get(look.style, "")
        arrow = "" if edge.kind == "saved" else f' marker-end="url(#{edge.kind})"'
        kept = f" ({bytes_text(edge.nbytes)})" if self.style.saved and edge.nbytes else ""
        words = f"{look.meaning}: {edge.label}{kept}" if edge.label else look.meaning
        label = (
            f'<text x="{x:g}" y="{y:g}" text-anchor="middle" font-size="8" fill="{self.theme.pale}">'
            f"{escape(cut_cells(edge.label, 24, '…'))}{kept}</text>"
            if edge.label
            else ""
        )
        return (
            f'<g id="e{number}" class="edge"><title>{escape(words)}</title>'
            f'<path d="{path}" fill="none" stroke="{self.theme.edges[edge.kind]}"{dash}{arrow}/>{label}</g>'
        )

    def _frames(self) -> Iterator[str]:
        """Draw the frames, outer ones wider than those in them; each has a line of its own for its title."""
        graph = self.graph
        for id_, (boxes, titles) in _framed(graph, self.boxes).items():
            cluster = graph.clusters[id_]
            pad = max(18 - 4 * len(list(graph.frames_of(id_))), 2)
            x, right = min(box.x for box in boxes) - pad, max(box.x + box.width for box in boxes) + pad
            y, bottom = (
                min(box.y for box in boxes) - _TITLE * titles,
                max(box.y + box.height for box in boxes) + pad,
            )
            dash = _DASHES["dashed"] if cluster.kind == "body" else ""
            yield (
                f'<g id={quoteattr(id_)} class="cluster"><rect x="{x:g}" y="{y:g}" width="{right - x:g}" '
                f'height="{bottom - y:g}" rx="8" fill="none" stroke="{self.theme.frame}"{dash}/>'
                f'<text x="{x + 6:g}" y="{y + 9:g}" font-size="9" fill="{self.theme.pale}">'
                f"{escape(cut_cells(cluster.title, _CELLS, '…'))}</text></g>"
            )

    def _legend(self) -> Iterator[str]:
        """Say what the colours mean, in two rows below the title."""
        theme = self.theme
        x = float(_MARGIN)
        for kind in node_legend(self.graph):
            meaning = NODES[kind].meaning
            width = 5 * len(meaning) + 10
            yield (
                f'<rect x="{x:g}" y="30" width="{width}" height="14" rx="3" fill="{theme.fill(kind)}" '
                f'stroke="{theme.line(kind)}"/><text x="{x + width / 2:g}" y="40" text-anchor="middle" font-size="9" '
                f'fill="{theme.pale}">{meaning}</text>'
            )
            x += width + 6
        x = float(_MARGIN)
        for edge in edge_legend(self.graph):
            look = EDGES[edge]
            yield (
                f'<path d="M{x:g},56 h22" stroke="{theme.edges[edge]}"{_DASHES.get(look.style, "")}/>'
                f'<text x="{x + 27:g}" y="59" font-size="9" fill="{theme.pale}">{look.meaning}</text>'
            )
            x += 5 * len(look.meaning) + 50
        if self.style.scale:
            yield (
                f'<text x="{x:g}" y="59" font-size="9" fill="{theme.pale}">{escape(self.style.scale)}</text>'
            )

    def _marker(self, kind: EdgeKind) -> str:
        return (
            f'<marker id="{kind}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
            f'orient="auto-start-reverse"><path d="M0,0 L10,5 L0,10 z" fill="{self.theme.edges[kind]}"/></marker>'
        )


def _placed(graph: Graph, style: Style) -> dict[str, _Box]:
    """Put each node on its row; rows are as high as their highest box."""
    rows = rows_of(graph) if style.layout == "mirror" else {id_: row for row, id_ in enumerate(graph.nodes)}
    boxes = {id_: _Box(graph.nodes[id_], row, style) for id_, row in rows.items()}
    heights: dict[int, int] = {}
    for box in boxes.values():
        heights[box.row] = max(heights.get(box.row, 0), box.height)
    above: dict[int, int] = {}  # room for the titles of the frames that begin at a row
    for framed, titles in _framed(graph, boxes).values():
        row = min(box.row for box in framed)
        above[row] = max(above.get(row, 0), titles)
    top, y = {}, float(_TOP)
    for row in sorted(heights):
        y += _TITLE * above.get(row, 0)
        top[row] = y
        y += heights[row] + _GAP
    column = [0] * 3
    for box in sorted(boxes.values(), key=lambda box: box.row):
        box.y = top[box.row] + (heights[box.row] - box.height) / 2
        box.place = column[box.column]
        column[box.column] += 1
    return boxes


def _route(tail: _Box, head: _Box, columns: int) -> tuple[str, float, float]:
    """Go straight to a neighbour, across the middle to the other side, else in a bow outside the column.

    Returns:
        the path, and where its label goes
    """
    if tail.column != head.column:
        x1, x2 = (tail.x + tail.width, head.x) if tail.x < head.x else (tail.x, head.x + head.width)
        bend = (x1 + x2) / 2
        path = f"M{x1:g},{tail.middle:g} C{bend:g},{tail.middle:g} {bend:g},{head.middle:g} {x2:g},{head.middle:g}"
        return path, bend, (tail.middle + head.middle) / 2 - 4
    if abs(tail.place - head.place) == 1:
        y1, y2 = (tail.y + tail.height, head.y) if tail.y < head.y else (tail.y, head.y + head.height)
        return f"M{tail.center:g},{y1:g} L{head.center:g},{y2:g}", tail.center + 44, (y1 + y2) / 2 + 3
    left = tail.column == 0 and (columns > 1 or tail.node.side == "forward")
    x1, x2 = (tail.x, head.x) if left else (tail.x + tail.width, head.x + head.width)
    # the edge of the column: a small box lies inside
    edge = _MARGIN if left else _MARGIN + _WIDTH + tail.column * (_WIDTH + _BETWEEN)
    reach = 18 + 10 * log2(max(abs(tail.place - head.place), 1))
    out = edge - reach if left else edge + reach
    path = (
        f"M{x1:g},{tail.middle:g} H{edge} C{out:g},{tail.middle:g} {out:g},{head.middle:g} {edge},{head.middle:g} "
        f"H{x2:g}"
    )
    return path, edge / 4 + out * 3 / 4, (tail.middle + head.middle) / 2


def _framed(graph: Graph, boxes: dict[str, _Box]) -> dict[str, tuple[list[_Box], int]]:
    """Return for each frame the boxes in it, and how many titles stand above its first row: its own, and inner ones."""
    inside: dict[str, list[_Box]] = {}
    for box in boxes.values():
        for id_ in graph.frames_of(box.node.cluster):
            inside.setdefault(id_, []).append(box)
    first = {id_: min(box.row for box in members) for id_, members in inside.items()}
    titles = dict.fromkeys(inside, 1)
    for id_ in sorted(inside, key=lambda id_: -len(list(graph.frames_of(id_)))):
        parent = graph.clusters[id_].parent
        if parent is not None and first[parent] == first[id_]:
            titles[parent] = max(titles[parent], titles[id_] + 1)
    return {id_: (members, titles[id_]) for id_, members in inside.items()}
