"""Our own drawing, for machines without Graphviz: one row a step, forward on the left, its twin on the right.

Layout is left to Graphviz wherever it is installed. This one knows a single arrangement, the mirror, but needs nothing:
the nodes of the forward run stand in the order they ran, each gradient on the row of its twin, and every other node of
the backward run on a row of its own between them.
"""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from minipaddle.viz.graph import Edge, Graph, Node
from minipaddle.viz.theme import EDGES, FONT, INK, NODES, PAPER

__all__ = ["to_svg"]

_WIDTH, _LINE, _GAP, _MARGIN, _BETWEEN = 250, 14, 26, 30, 150
_CHARACTERS = 40


class _Box:
    """A node with its place."""

    def __init__(self, node: Node, row: int) -> None:
        self.node = node
        self.lines = [_cut(line) for line in (node.title, *node.details)]
        self.row = row
        self.x = _MARGIN + (0 if node.side == "forward" else _WIDTH + _BETWEEN)
        self.y = 0.0
        self.height = len(self.lines) * _LINE + 10

    @property
    def middle(self) -> float:
        """Height of the centre."""
        return self.y + self.height / 2


def to_svg(graph: Graph) -> str:
    """Return the mirror as SVG text."""
    boxes = _placed(graph)
    height = max((box.y + box.height for box in boxes.values()), default=0) + _MARGIN
    width = 2 * _MARGIN + 2 * _WIDTH + _BETWEEN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height:g}" viewBox="0 0 {width} {height:g}" '
        f'font-family={quoteattr(FONT)} font-size="11">',
        f'<rect width="100%" height="100%" fill="{PAPER}"/>',
        f'<text x="{_MARGIN}" y="20" fill="{INK}" font-size="12">{escape(f"{graph.title} · {graph.subtitle}")}</text>',
        "<defs>" + "".join(_marker(kind) for kind in EDGES) + "</defs>",
        *(_arrow(edge, boxes[edge.tail], boxes[edge.head]) for edge in graph.edges),
        *(_drawn(box) for box in boxes.values()),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _placed(graph: Graph) -> dict[str, _Box]:
    """Give each node a row; rows are as high as their highest box."""
    boxes: dict[str, _Box] = {}
    for row, node in enumerate(node for node in graph.nodes.values() if node.side == "forward"):
        boxes[node.id] = _Box(node, row)
    order = [node for node in graph.nodes.values() if node.side == "backward"]
    rows = len(boxes)
    rank: dict[str, float] = {}
    last = float(rows)
    for step, node in enumerate(
        order
    ):  # backward runs upwards: what has no twin stands just above its predecessor
        last = float(boxes[node.twin].row) if node.twin in boxes else last - 1e-6 * (step + 1)
        rank[node.id] = last
    levels = sorted({float(box.row) for box in boxes.values()} | set(rank.values()))
    level_of = {level: number for number, level in enumerate(levels)}
    for box in boxes.values():
        box.row = level_of[float(box.row)]
    for node in order:
        boxes[node.id] = _Box(node, level_of[rank[node.id]])
    heights: dict[int, int] = {}
    for box in boxes.values():
        heights[box.row] = max(heights.get(box.row, 0), box.height)
    top, y = {}, 40.0
    for row in sorted(heights):
        top[row] = y
        y += heights[row] + _GAP
    for box in boxes.values():
        box.y = top[box.row] + (heights[box.row] - box.height) / 2
    return boxes


def _drawn(box: _Box) -> str:
    look = NODES[box.node.kind]
    fill = PAPER if look.fill == "none" else look.fill
    round_corner = box.height / 2 if look.shape in ("ellipse", "circle") else 6
    lines = "".join(
        f'<text x="{box.x + _WIDTH / 2}" y="{box.y + 5 + _LINE * (number + 0.75):g}" text-anchor="middle" '
        f'fill="{INK}">{escape(line)}</text>'
        for number, line in enumerate(box.lines)
    )
    return (
        f'<g id={quoteattr(box.node.id)} class="node"><title>{escape(box.node.tooltip)}</title>'
        f'<rect x="{box.x}" y="{box.y:g}" width="{_WIDTH}" height="{box.height}" rx="{round_corner:g}" '
        f'fill="{fill}" stroke="{look.line}"/>{lines}</g>'
    )


def _arrow(edge: Edge, tail: _Box, head: _Box) -> str:
    """Draw an edge: straight to a neighbour, across the middle to the other side, else in a bow outside the column."""
    look = EDGES[edge.kind]
    if tail.x != head.x:
        left_to_right = tail.x < head.x
        x1, x2 = (tail.x + _WIDTH, head.x) if left_to_right else (tail.x, head.x + _WIDTH)
        bend = (x1 + x2) / 2
        path = (
            f"M{x1},{tail.middle:g} C{bend:g},{tail.middle:g} {bend:g},{head.middle:g} {x2},{head.middle:g}"
        )
    elif abs(tail.row - head.row) == 1:
        down = tail.row < head.row
        y1, y2 = (tail.y + tail.height, head.y) if down else (tail.y, head.y + head.height)
        path = f"M{tail.x + _WIDTH / 2},{y1:g} L{head.x + _WIDTH / 2},{y2:g}"
    else:
        outside = 18 + 6 * min(abs(tail.row - head.row), 8)
        forward = tail.node.side == "forward"
        x, out = (tail.x, tail.x - outside) if forward else (tail.x + _WIDTH, tail.x + _WIDTH + outside)
        path = f"M{x},{tail.middle:g} C{out},{tail.middle:g} {out},{head.middle:g} {x},{head.middle:g}"
    dash = ' stroke-dasharray="4 3"' if look.style == "dashed" else ""
    arrow = "" if edge.kind == "saved" else f' marker-end="url(#{edge.kind})"'
    label = f"<title>{escape(f'{look.meaning}: {edge.label}' if edge.label else look.meaning)}</title>"
    return f'<g class="edge">{label}<path d="{path}" fill="none" stroke="{look.colour}"{dash}{arrow}/></g>'


def _marker(kind: str) -> str:
    colour = next(look.colour for name, look in EDGES.items() if name == kind)
    return (
        f'<marker id="{kind}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
        f'orient="auto-start-reverse"><path d="M0,0 L10,5 L0,10 z" fill="{colour}"/></marker>'
    )


def _cut(line: str) -> str:
    return line if len(line) <= _CHARACTERS else line[: _CHARACTERS - 1] + "…"
