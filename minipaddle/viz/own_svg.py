"""Our own drawing, for machines without Graphviz: one row a step, forward on the left, its twin on the right.

Layout is left to Graphviz wherever it is installed. This one knows a single arrangement, the mirror, but needs nothing.
:mod:`minipaddle.viz.rows` says what stands on which row; here the rows get their heights, and ink.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log2
from xml.sax.saxutils import escape, quoteattr

from minipaddle.viz.graph import Edge, Graph, Node
from minipaddle.viz.rows import rows_of
from minipaddle.viz.text import cut_cells
from minipaddle.viz.theme import EDGES, FONT, FRAME, INK, NODES, PALE, PAPER, edge_legend, node_legend

__all__ = ["to_svg"]

_WIDTH, _LINE, _GAP, _BETWEEN = 250, 14, 30, 150
_MARGIN = 90  # room for the widest bow
_TOP = 78  # room for title and legend
_CELLS = 40
_ROUND = {
    "ellipse": 0.5,
    "circle": 0.5,
    "note": 0.0,
    "plaintext": 0.0,
}  # corner as part of the height; else 6


class _Box:
    """A node with its place."""

    def __init__(self, node: Node, row: int) -> None:
        self.node = node
        self.row = row
        self.lines = [cut_cells(line, _CELLS, "…") for line in node.lines]
        self.height = len(self.lines) * _LINE + 10
        self.width = self.height if node.kind == "accumulate" else _WIDTH
        column = _MARGIN + (0 if node.side == "forward" else _WIDTH + _BETWEEN)
        self.x = column + (_WIDTH - self.width) / 2
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


def to_svg(graph: Graph) -> str:
    """Return the mirror as SVG text."""
    boxes = _placed(graph)
    height = max((box.y + box.height for box in boxes.values()), default=_TOP) + _GAP
    width = 2 * _MARGIN + 2 * _WIDTH + _BETWEEN
    title = f"{cut_cells(graph.title, 60, '…')} · {graph.subtitle}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height:g}" viewBox="0 0 {width} '
        f'{height:g}" font-family={quoteattr(FONT)} font-size="11">',
        f'<rect width="100%" height="100%" fill="{PAPER}"/>',
        f'<text x="{width / 2:g}" y="20" fill="{INK}" font-size="12" text-anchor="middle">{escape(title)}</text>',
        "<defs>" + "".join(_marker(kind) for kind in ("value", "gradient")) + "</defs>",
        *_legend(graph),
        *_frames(graph, boxes),
        *(_arrow(edge, boxes[edge.tail], boxes[edge.head]) for edge in graph.edges if edge.kind != "order"),
        *(_drawn(box) for box in boxes.values()),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _placed(graph: Graph) -> dict[str, _Box]:
    """Put each node on its row; rows are as high as their highest box."""
    boxes = {id_: _Box(graph.nodes[id_], row) for id_, row in rows_of(graph).items()}
    heights: dict[int, int] = {}
    for box in boxes.values():
        heights[box.row] = max(heights.get(box.row, 0), box.height)
    top, y = {}, float(_TOP)
    for row in sorted(heights):
        top[row] = y
        y += heights[row] + _GAP
    column = {"forward": 0, "backward": 0}
    for box in sorted(boxes.values(), key=lambda box: box.row):
        box.y = top[box.row] + (heights[box.row] - box.height) / 2
        box.place = column[box.node.side]
        column[box.node.side] += 1
    return boxes


# -- ink ---------------------------------------------------------------------------------------------------------------


def _drawn(box: _Box) -> str:
    look = NODES[box.node.kind]
    bare = look.fill == "none"
    lines = "".join(
        f'<text x="{box.center:g}" y="{box.y + 5 + _LINE * (number + 0.75):g}" text-anchor="middle" '
        f'fill="{INK}">{escape(line)}</text>'
        for number, line in enumerate(box.lines)
    )
    return (
        f'<g id={quoteattr(box.node.id)} class="node"><title>{escape(box.node.tooltip)}</title>'
        f'<rect x="{box.x:g}" y="{box.y:g}" width="{box.width}" height="{box.height}" '
        f'rx="{box.height * _ROUND[look.shape] if look.shape in _ROUND else 6:g}" '
        f'fill="{PAPER if bare else look.fill}" stroke="{"none" if bare else look.line}" '
        f'stroke-width="{2.5 if look.shape == "box3d" else 1}"/>{lines}</g>'
    )


def _arrow(edge: Edge, tail: _Box, head: _Box) -> str:
    """Draw an edge with its label."""
    look = EDGES[edge.kind]
    path, x, y = _route(tail, head)
    dash = ' stroke-dasharray="4 3"' if look.style == "dashed" else ""
    arrow = "" if edge.kind == "saved" else f' marker-end="url(#{edge.kind})"'
    words = f"{look.meaning}: {edge.label}" if edge.label else look.meaning
    label = (
        f'<text x="{x:g}" y="{y:g}" text-anchor="middle" font-size="8" fill="{PALE}">'
        f"{escape(cut_cells(edge.label, 24, '…'))}</text>"
        if edge.label
        else ""
    )
    return (
        f'<g class="edge"><title>{escape(words)}</title>'
        f'<path d="{path}" fill="none" stroke="{look.colour}"{dash}{arrow}/>{label}</g>'
    )


def _route(tail: _Box, head: _Box) -> tuple[str, float, float]:
    """Go straight to a neighbour, across the middle to the other side, else in a bow outside the column.

    Returns:
        the path, and where its label goes
    """
    if tail.node.side != head.node.side:
        x1, x2 = (tail.x + tail.width, head.x) if tail.x < head.x else (tail.x, head.x + head.width)
        bend = (x1 + x2) / 2
        path = f"M{x1:g},{tail.middle:g} C{bend:g},{tail.middle:g} {bend:g},{head.middle:g} {x2:g},{head.middle:g}"
        return path, bend, (tail.middle + head.middle) / 2 - 4
    if abs(tail.place - head.place) == 1:
        y1, y2 = (tail.y + tail.height, head.y) if tail.y < head.y else (tail.y, head.y + head.height)
        return f"M{tail.center:g},{y1:g} L{head.center:g},{y2:g}", tail.center + 44, (y1 + y2) / 2 + 3
    forward = tail.node.side == "forward"
    x1, x2 = (tail.x, head.x) if forward else (tail.x + tail.width, head.x + head.width)
    edge = _MARGIN if forward else _MARGIN + 2 * _WIDTH + _BETWEEN  # of the column: a small box lies inside
    reach = 18 + 10 * log2(abs(tail.place - head.place))
    out = edge - reach if forward else edge + reach
    path = (
        f"M{x1:g},{tail.middle:g} H{edge} C{out:g},{tail.middle:g} {out:g},{head.middle:g} {edge},{head.middle:g} "
        f"H{x2:g}"
    )
    return path, edge / 4 + out * 3 / 4, (tail.middle + head.middle) / 2


def _frames(graph: Graph, boxes: dict[str, _Box]) -> Iterator[str]:
    """Frame the insides of PyLayers, outer ones wider than those in them."""
    inside: dict[str, list[_Box]] = {id_: [] for id_ in graph.clusters}
    for box in boxes.values():
        for id_ in graph.frames_of(box.node.cluster):
            inside[id_].append(box)
    for cluster in graph.clusters.values():
        members = inside[cluster.id]
        pad = max(18 - 4 * len(list(graph.frames_of(cluster.id))), 4)
        x, right = min(box.x for box in members) - pad, max(box.x + box.width for box in members) + pad
        y, bottom = min(box.y for box in members) - pad, max(box.y + box.height for box in members) + pad
        yield (
            f'<g id={quoteattr(cluster.id)} class="cluster"><rect x="{x:g}" y="{y:g}" width="{right - x:g}" '
            f'height="{bottom - y:g}" rx="8" fill="none" stroke="{FRAME}" stroke-dasharray="4 3"/>'
            f'<text x="{x + 6:g}" y="{y + 10:g}" font-size="9" fill="{PALE}">'
            f"{escape(cut_cells(cluster.title, _CELLS, '…'))}</text></g>"
        )


def _legend(graph: Graph) -> Iterator[str]:
    """Say what the colours mean, in two rows below the title."""
    x = float(_MARGIN)
    for node in node_legend(graph):
        width = 5 * len(node.meaning) + 10
        yield (
            f'<rect x="{x:g}" y="30" width="{width}" height="14" rx="3" fill="{node.fill}" stroke="{node.line}"/>'
            f'<text x="{x + width / 2:g}" y="40" text-anchor="middle" font-size="9" fill="{PALE}">{node.meaning}</text>'
        )
        x += width + 6
    x = float(_MARGIN)
    for edge in edge_legend(graph):
        dash = ' stroke-dasharray="4 3"' if edge.style == "dashed" else ""
        yield (
            f'<path d="M{x:g},56 h22" stroke="{edge.colour}"{dash}/>'
            f'<text x="{x + 27:g}" y="59" font-size="9" fill="{PALE}">{edge.meaning}</text>'
        )
        x += 5 * len(edge.meaning) + 50


def _marker(kind: str) -> str:
    colour = next(look.colour for name, look in EDGES.items() if name == kind)
    return (
        f'<marker id="{kind}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
        f'orient="auto-start-reverse"><path d="M0,0 L10,5 L0,10 z" fill="{colour}"/></marker>'
    )
