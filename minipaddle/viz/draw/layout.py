"""Where everything stands in our own drawing: one row a step, a column for each side."""

from __future__ import annotations

from collections.abc import Container, Iterator
from copy import copy
from dataclasses import replace
from itertools import groupby
from math import log2

from rich.cells import cell_len

from minipaddle.viz.choices import Detail
from minipaddle.viz.draw.cells import HEIGHT
from minipaddle.viz.draw.chips import users_of_chips
from minipaddle.viz.draw.rows import rows_of
from minipaddle.viz.draw.theme import Style
from minipaddle.viz.model.graph import Graph, Node
from minipaddle.viz.model.labels import label
from minipaddle.words.numbers import cut_cells

LINE, GAP, MARGIN = 14, 30, 90  # MARGIN: room for the widest bow
TOP = 78  # room for title and legend
CELLS = 40
_CHIP_CELLS = 13
TITLE = 13  # height of a frame's title
_WIDTH = 250
_BETWEEN = 150
_LETTER = 7  # of a sum, which is as wide as what it says
_COLUMN = {"forward": 0, "backward": 1, "update": 2}
CHIP, _CHIP_LETTER, _BESIDE = 16, 5, 12
"""Height of a chip; width of a letter on it; how far it stands from its node."""
_EDGE = 24
"""How far the outermost box is from the edge of the paper: room for a frame around it."""


class Box:
    """A node with its place."""

    def __init__(self, node: Node, row: int, style: Style, strip: bool = False) -> None:
        self.node = node
        self.row = row
        self.lines = lines_of(node, style.values)
        self.height = float(len(self.lines) * LINE + 10 + (HEIGHT + 2 if strip else 0))
        words = max(map(cell_len, self.lines), default=0) * _LETTER + 8
        self.width = max(self.height, words) if node.kind == "accumulate" else float(_WIDTH)
        self.column = _COLUMN[node.side] if style.layout == "mirror" else 0
        self.left = float(MARGIN + self.column * (_WIDTH + _BETWEEN))
        """Where its column begins."""
        self.right = self.left + _WIDTH
        self.x = self.left + (_WIDTH - self.width) / 2
        self.y = 0.0
        self.place = 0  # number in its column

    @property
    def center(self) -> tuple[float, float]:
        """The centre, from the left and from above."""
        return self.x + self.width / 2, self.y + self.height / 2


def lines_of(node: Node, values: Detail) -> list[str]:
    """Return what is written in the box of a node, none of it too long."""
    return [part for line in label(node, values) for part in _fitted(line)]


def placed(graph: Graph, style: Style, strips: Container[str] = ()) -> dict[str, Box]:
    """Put each node on its row and into its column; rows are as high as their highest box. `strips`: who has one."""
    users = users_of_chips(graph)
    others = replace(graph, nodes={id_: node for id_, node in graph.nodes.items() if id_ not in users})
    boxes = {
        id_: Box(graph.nodes[id_], row, style, id_ in strips)
        for id_, row in rows_of(others, style.layout).items()
    }
    chips: dict[str, list[Node]] = {}
    for id_, user in users.items():
        chips.setdefault(user, []).append(graph.nodes[id_])
    above: dict[int, int] = {}  # room for the titles of the frames that begin at a row
    for inside, titles in framed(graph, boxes).values():
        row = min(box.row for box in inside)
        above[row] = max(above.get(row, 0), titles)
    column = [0] * 3
    start = float(TOP + (LINE if graph.closed else 0))
    ordered = sorted(boxes.values(), key=lambda box: box.row)
    for row, group in groupby(ordered, key=lambda box: box.row):
        side_by_side = list(group)
        start += TITLE * above.get(row, 0)
        height = max(max(box.height, CHIP * len(chips.get(box.node.id, ()))) for box in side_by_side)
        for box in side_by_side:
            box.y = start + (height - box.height) / 2
            box.place = column[box.column]
            column[box.column] += 1
        start += height + GAP
    bent = {
        boxes[edge.tail].column
        for _, edge in graph.drawn_edges()
        if edge.tail in boxes and _is_bow(boxes[edge.tail], boxes[edge.head])
    }
    for user, beside in chips.items():
        away = boxes[user].column in bent
        boxes |= {
            chip.id: _beside(chip, boxes[user], place, len(beside), away) for place, chip in enumerate(beside)
        }
    aside = max(0.0, _EDGE - min((box.x for box in boxes.values()), default=_EDGE))
    for box in boxes.values():
        box.x, box.left, box.right = box.x + aside, box.left + aside, box.right + aside
    return boxes


def _is_bow(tail: Box, head: Box) -> bool:
    """Whether an arrow goes around what stands between the two, outside the column."""
    return tail.column == head.column and abs(tail.place - head.place) != 1


def _beside(chip: Node, user: Box, place: int, of: int, away: bool) -> Box:
    """Return the box of a chip, the one at `place` of so many at the outer side of a node; `away`: beyond the bows."""
    box = copy(user)
    (words,) = label(chip)
    box.node, box.lines = chip, [cut_cells(words, _CHIP_CELLS, "…")]
    box.height, box.width = float(CHIP - 2), float(cell_len(box.lines[0]) * _CHIP_LETTER + 8)
    left, right = (user.left - MARGIN, user.right + MARGIN) if away else (user.x, user.x + user.width)
    box.x = left - _BESIDE - box.width if chip.side == "forward" else right + _BESIDE
    box.y = user.center[1] + CHIP * (place - of / 2)
    return box


def framed(graph: Graph, boxes: dict[str, Box]) -> dict[str, tuple[list[Box], int]]:
    """Return for each frame the boxes in it, and how many titles stand above its first row: its own, and inner ones."""
    inside: dict[str, list[Box]] = {}
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


def _fitted(line: str) -> Iterator[str]:
    """Break a line that is too long after its shape; a long name is cut, but not the shape behind it."""
    if cell_len(line) <= CELLS:
        yield line
        return
    result, bracket, numbers = line.partition("] ")
    name, space, shape = f"{result}{bracket.rstrip()}".rpartition(" [")
    behind = f"{space}{shape}" if shape.endswith("]") else ""
    yield cut_cells(name if behind else result, CELLS - cell_len(behind), "…") + behind
    if bracket:
        yield cut_cells(numbers, CELLS, "…")


def route(tail: Box, head: Box, columns: int, again: int = 0) -> tuple[str, float, float, str]:
    """Go straight to a neighbour, across the middle to the other side, else in a bow outside the column.

    `again`: how many arrows lead the same way already, beside which this one is drawn.

    Returns:
        the path, where its label goes, and which end of the label that is (``text-anchor``)
    """
    aside = 7.0 * again
    if tail.node.kind == "chip":
        one, other = (tail.x + tail.width, head.x) if tail.x < head.x else (tail.x, head.x + head.width)
        at = tail.center[1]
        return _path("M", (one, at), "L", (other, at)), (one + other) / 2, at - 4, "middle"
    (middle, at), (_, to) = tail.center, head.center
    if tail.column != head.column:
        at, to = at + aside, to + aside
        forth = tail.column < head.column
        one, other = (tail.x + tail.width, head.x) if forth else (tail.x, head.x + head.width)
        bend = (one + other) / 2
        return (
            _path("M", (one, at), "C", (bend, at), (bend, to), (other, to)),
            bend,
            (at + to) / 2 - 4,
            "middle",
        )
    if not _is_bow(tail, head):
        one, other = (tail.y + tail.height, head.y) if at < to else (tail.y, head.y + head.height)
        path = _path("M", (middle + aside, one), "L", (head.center[0] + aside, other))
        return path, middle + 44, (one + other) / 2 + 3, "middle"
    left = tail.column == 0 and (columns > 1 or tail.node.side == "forward")
    # the edge of the column: a small box lies inside
    edge = tail.left if left else tail.right
    reach = 18 + 10 * log2(max(abs(tail.place - head.place), 1)) + aside
    out = edge - reach if left else edge + reach
    first, last = ((box.x if left else box.x + box.width, box.center[1]) for box in (tail, head))
    bow = (edge, at), "C", (out, at), (out, to), (edge, to)
    begin = (first, "L") if first != bow[0] else ()
    end = ("L", last) if last != bow[-1] else ()  # a line without length would turn the head of the arrow
    return (
        _path("M", *begin, *bow, *end),
        edge + (-4 if left else 4),
        (at + to) / 2,
        "end" if left else "start",
    )


def _path(*parts: str | tuple[float, float]) -> str:
    """Write a path from letters and points."""
    return " ".join(part if isinstance(part, str) else f"{part[0]:g},{part[1]:g}" for part in parts)
