"""Estimates the size of a picture before its layout, from the widths and heights of the boxes in its rows.

Graphviz needs seconds for a picture that turns out too wide. Here boxes are as wide as their words, an arrow across
a row takes the room of a gap, and a frame is as wide as the widest row in it, or its title. For 78 pictures (the
gallery, and networks in every state of closing) the height is 0.8 to 1.25 times that of ``dot``, and the width of
nine in ten is 0.7 to 1.4 times; the others are narrower than their legend, or have hundreds of nodes.
"""

from collections import defaultdict
from struct import unpack
from typing import NamedTuple

from rich.cells import cell_len

from minipaddle.tools.picture.choices import Detail, Direction
from minipaddle.tools.picture.draw.chips import FLOWING, with_chips
from minipaddle.tools.picture.draw.dot import room_of
from minipaddle.tools.picture.draw.theme import NODES
from minipaddle.tools.picture.model.graph import Edge, Graph, Node
from minipaddle.tools.picture.model.labels import label
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.language import spoken
from minipaddle.tools.words.numbers import cut_cells, cut_list

_LETTER, _SMALL_LETTER = 5.1, 4.3
"""Width of a letter in a box, and at an arrow."""
_LINE, _BETWEEN_ROWS, _HEAD = 12.0, 44.0, 60.0
"""Heights of a line, of the space between rows with the margins of a box, and of title and legend."""
_GAP, _PASSING = 25.0, 20.0
"""Width of the gap between two boxes, and of an arrow that passes a row."""
_BOX, _NARROWEST, _ROUND = 17.0, 54.0, 1.25
"""Margins of a box, its least width, and the factor by which an ellipse is wider."""
_FRAME = 16.0  # points: margins of a frame
_BETWEEN_SIDES = 30.0  # points: from the forward side to the backward side
_LONGEST, _LONGEST_AT_ARROW = 60, 26  # cells, as in draw/dot.py
_DPI = 96
"""Pixels per inch at 100 %: Graphviz's."""
_PIXELS, _TOO_WIDE = _DPI / 72, 1.15
"""Pixels per point; the mean factor by which the sums of widths exceed the real widths."""
_BETWEEN_RANKS, _BETWEEN_LINES = 40.0, 44.0
"""Gaps in a picture that runs to the right: between two ranks, and between two boxes of a rank."""

_Rows = dict[float, float]
"""The total width of the boxes on each row."""
_Box = tuple[float, int]
"""The width of a box in points, and its lines."""


class Extent(NamedTuple):
    """Width and height in pixels, at 100 %."""

    width: float
    height: float

    def at(self, inches: float | None, dpi: int | None) -> "Extent":
        """Return the size of a drawing of a given width, or with other dots per inch, in its pixels."""
        dots = dpi or _DPI
        scale = dots / _DPI if inches is None else inches * dots / self.width
        return Extent(self.width * scale, self.height * scale)


def size_of_png(data: bytes) -> Extent:
    """Return the width and height in the header of a PNG."""
    return Extent(*map(float, unpack(">II", data[16:24])))


def extent(graph: Graph, values: Detail = "stats", direction: Direction = "TB") -> Extent:
    """Return the size of the mirror of `graph`: an estimate."""
    rows = _rows(graph)
    drawn = with_chips(graph, "mirror")
    rows |= {edge.tail: rows[edge.head] for edge in drawn.edges if edge.tail not in rows}
    boxes = {node.id: _box(node, label(node, values)) for node in drawn.nodes.values()}
    if direction == "LR":
        return _lying(drawn, rows, boxes)
    sides = [_width(drawn, rows, boxes, forward) for forward in (True, False)]
    saved = (spoken(edge.label) for edge in drawn.edges if edge.kind == "saved")
    longest = max((cell_len(cut_list(label, _LONGEST_AT_ARROW)) for label in saved), default=0)
    between = longest * _SMALL_LETTER + _BETWEEN_SIDES if all(sides) else 0.0
    high: dict[float, int] = {}
    for id_, (_, lines) in boxes.items():
        high[rows[id_]] = max(high.get(rows[id_], 0), lines)
    height = sum(lines * _LINE + _BETWEEN_ROWS for lines in high.values())
    return Extent((sum(sides) + between) * _PIXELS / _TOO_WIDE, (height + _HEAD) * _PIXELS)


def _lying(drawn: Graph, rows: dict[str, float], boxes: dict[str, _Box]) -> Extent:
    """Return the size of a mirror that runs to the right: its rows are columns, as wide as their widest box."""
    across, down = _Rows(), _Rows()
    for id_, (width, lines) in boxes.items():
        row = rows[id_]
        across[row] = max(across.get(row, 0.0), width + _BETWEEN_RANKS)
        down[row] = down.get(row, 0.0) + lines * _LINE + _BETWEEN_LINES
    return Extent(sum(across.values()) * _PIXELS, (max(down.values(), default=0.0) + _HEAD) * _PIXELS)


def _rows(graph: Graph) -> dict[str, float]:
    """Return the row of each node as Graphviz ranks it: leaves just above their first user, twins side by side."""
    nodes = graph.nodes.values()
    ran = [node.id for node in nodes if node.side == "forward" and not node.is_leaf]
    rows = {id_: float(row) for row, id_ in enumerate(ran)}
    first: dict[str, float] = {}
    for edge in graph.edges:
        if edge.head in rows and graph.nodes[edge.tail].is_leaf:
            first[edge.tail] = min(first.get(edge.tail, len(ran)), rows[edge.head])
    leaves = [node.id for node in nodes if node.id not in rows and node.side == "forward"]
    rows |= {id_: first.get(id_, 0.0) - 1 for id_ in leaves}
    twins = {other: forward for forward, other in graph.rows()} | {
        node.id: node.twin for node in nodes if node.side == "update" and node.twin is not None
    }
    rows |= {id_: rows[twin] for id_, twin in twins.items() if twin in rows}
    others = [node.id for node in nodes if node.id not in rows]
    heads = grouped((edge.tail, edge.head) for edge in graph.edges if edge.kind in ("gradient", "value"))
    for below, id_ in enumerate(reversed(others), len(graph.nodes)):  # a sum is below the node that it feeds
        known = [rows[head] for head in heads.get(id_, ()) if head in rows]
        rows[id_] = max(known) + 0.5 if known else float(below)
    return rows


def _width(graph: Graph, rows: dict[str, float], boxes: dict[str, _Box], forward: bool) -> float:
    """Return the width of one side of the mirror in points; 0 if nothing is there."""
    nodes = [node for node in graph.nodes.values() if (node.side == "forward") is forward]
    inside: dict[str | None, _Rows] = defaultdict(lambda: defaultdict(float))
    reach: dict[str, set[float]] = defaultdict(set)
    for node in nodes:
        inside[node.cluster][rows[node.id]] += boxes[node.id][0] + _GAP
        for id_ in graph.frames_of(node.cluster):
            reach[id_].add(rows[node.id])
    for edge in graph.edges:
        if edge.kind in FLOWING and (graph.nodes[edge.tail].side == "forward") is forward:
            _pass(graph, edge, rows, inside)
    every = sorted(rows.values())
    depths = graph.depths()
    for id_ in sorted(reach, key=lambda id_: -depths[id_]):
        cluster, low, high = graph.clusters[id_], min(reach[id_]), max(reach[id_])
        title = room_of(cut_cells(spoken(cluster.title), _LONGEST))
        width = max(title, *inside[id_].values()) + _FRAME
        for row in {row for row in every if low <= row <= high}:
            inside[cluster.parent][row] += width
    return max(inside[None].values(), default=0.0)


def _pass(graph: Graph, edge: Edge, rows: dict[str, float], inside: dict[str | None, _Rows]) -> None:
    """Add the room of an arrow to the rows that it crosses, in the frame that holds both of its ends."""
    low, high = sorted((rows[edge.tail], rows[edge.head]))
    if high - low < 2 or high >= len(graph.nodes):
        return
    common = graph.frame_around((edge.tail, edge.head))
    for row in range(int(low) + 1, int(high) + (high % 1 > 0)):
        inside[common][float(row)] += _PASSING


def _box(node: Node, lines: tuple[str, ...]) -> _Box:
    longest = max((cell_len(cut_list(line, _LONGEST)) for line in lines), default=0)
    words = longest * (_SMALL_LETTER if node.kind == "chip" else _LETTER)
    if node.kind in ("chip", "accumulate"):
        return words + _BOX / 2, len(lines)
    if NODES[node.kind].shape == "ellipse":
        return max((words + _BOX) * _ROUND, _NARROWEST), len(lines)
    return max(words + _BOX * (3 if node.kind == "update" else 1), _NARROWEST), len(lines)
