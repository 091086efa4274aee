"""Where everything stands in our own drawing: one row a step, a column for each side."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping
from copy import copy
from dataclasses import replace
from itertools import groupby
from math import log2

from rich.cells import cell_len

from minipaddle.tools.picture.choices import Detail
from minipaddle.tools.picture.draw.cells import HEIGHT
from minipaddle.tools.picture.draw.chips import users_of_chips
from minipaddle.tools.picture.draw.regions import column_of
from minipaddle.tools.picture.draw.rows import rows_of
from minipaddle.tools.picture.draw.theme import Style
from minipaddle.tools.picture.model.graph import Graph, Node
from minipaddle.tools.picture.model.labels import label
from minipaddle.tools.words.language import spoken
from minipaddle.tools.words.numbers import cut_cells

LINE, GAP, MARGIN = 14, 30, 90  # MARGIN: room for the widest bow
TOP = 78  # room for title and legend
CELLS, FEWER_CELLS = 40, 32
"""Of a line in a box; in a picture with columns of earlier passes."""
_CHIP_CELLS = 13
_LONGEST = 20
"""Cells of what is written at an arrow."""
TITLE = 13  # height of a frame's title
_WIDTH = 250
_BETWEEN = 150
_SAME = 0.01
"""Points between two places that are one."""
_MIRROR = 3
"""Columns of a mirror: forward, backward, updates; of more, the others are those of earlier passes."""
_ALONE = 24
"""Points that an arrow runs straight on, at least, for a few words to stand above that piece."""
_LETTER = 7  # of a sum, which is as wide as what it says
HEADING = 22
_NARROWEST, _WORDS, _SUM, _STRIP = 80.0, 6.0, 180.0, 196.0
"""Of a column among several: its least width; what a letter takes, a sum with the words at its arrows, a strip."""
_CHANNEL, _CHIPS, _FREE = 94, 84, 10
"""Between columns of rules: for arrows, for chips; above and below the middle of a row, where arrows come in."""
CHIP, _CHIP_LETTER, _BESIDE = 16, 5, 12
"""Height of a chip; width of a letter on it; how far it stands from its node."""
_EDGE = 24
"""How far the outermost box is from the edge of the paper: room for a frame around it."""


class Box:
    """A node with its place."""

    def __init__(
        self, node: Node, row: int, column: int, style: Style, strip: bool = False, cells: int = CELLS
    ) -> None:
        self.node = node
        self.row = row
        self.lines = lines_of(node, style.values, cells)
        self.height = float(len(self.lines) * LINE + 10 + (HEIGHT + 2 if strip else 0))
        words = max(map(cell_len, self.lines), default=0) * _LETTER + 8
        self.width = max(self.height, words) if node.kind == "accumulate" else float(_WIDTH)
        self.column = column
        self.strip = strip
        self.left = float(MARGIN + self.column * (_WIDTH + _BETWEEN))
        """Where its column begins."""
        self.right = self.left + _WIDTH
        self.x = self.left + (_WIDTH - self.width) / 2
        self.y = 0.0
        self.place = 0  # number in its column
        self.rims = self.left, self.right
        """Where its column begins and ends with the bows and chips beside it: arrows go straight as far as there."""

    def shift(self, by: float) -> None:
        """Move it to the right, with its column."""
        self.x, self.left, self.right = self.x + by, self.left + by, self.right + by
        self.rims = self.rims[0] + by, self.rims[1] + by

    @property
    def center(self) -> tuple[float, float]:
        """The centre, from the left and from above."""
        return self.x + self.width / 2, self.y + self.height / 2


def lines_of(node: Node, values: Detail, cells: int = CELLS) -> list[str]:
    """Return what is written in the box of a node, none of it longer than so many cells."""
    return [part for line in label(node, values) for part in _fitted(line, cells)]


def placed(graph: Graph, style: Style, strips: Container[str] = ()) -> dict[str, Box]:
    """Put each node on its row and into its column; rows are as high as their highest box. `strips`: who has one."""
    users = users_of_chips(graph)
    others = replace(graph, nodes={id_: node for id_, node in graph.nodes.items() if id_ not in users})
    mirror = style.layout == "mirror"
    between = graph.columns > 1 and mirror
    cells = FEWER_CELLS if between else CELLS
    boxes = {
        id_: Box(node, row, column_of(graph, node) if mirror else 0, style, id_ in strips, cells)
        for id_, row in rows_of(others, style.layout).items()
        for node in (graph.nodes[id_],)
    }
    chips: dict[str, list[Node]] = {}
    for id_, user in users.items():
        chips.setdefault(user, []).append(graph.nodes[id_])
    above: dict[int, int] = {}  # room for the titles of the frames that begin at a row
    for inside, titles in framed(graph, boxes).values():
        row = min(box.row for box in inside)
        above[row] = max(above.get(row, 0), titles)
    column = [0] * (2 * graph.columns + 1)
    start = float(head_of(graph, style))
    ordered = sorted(boxes.values(), key=lambda box: box.row)
    for row, group in groupby(ordered, key=lambda box: box.row):
        side_by_side = list(group)
        start += TITLE * above.get(row, 0)
        height = max(
            max(box.height, _height(len(chips.get(box.node.id, ())), between)) for box in side_by_side
        )
        for box in side_by_side:
            box.y = start + (height - box.height) / 2
            box.place = column[box.column]
            column[box.column] += 1
        start += height + GAP
    bent: dict[int, float] = {}  # column -> how far its widest bow reaches out, with its words
    for _, edge in graph.drawn_edges():
        if edge.tail in boxes and _is_bow(boxes[edge.tail], boxes[edge.head]):
            tail, head = boxes[edge.tail], boxes[edge.head]
            words = cell_len(cut_cells(spoken(edge.label), _LONGEST)) * _CHIP_LETTER
            bent[tail.column] = max(bent.get(tail.column, 0.0), _reach(tail, head) + 14, words + 8)
    if between:
        _spread(boxes.values(), bent, {boxes[user].column for user in chips}, graph.columns)
    for user, beside in chips.items():
        away = (bent[boxes[user].column] if between else MARGIN) if boxes[user].column in bent else 0
        boxes |= {
            chip.id: _beside(chip, boxes[user], _down(place, len(beside), between), away, between)
            for place, chip in enumerate(beside)
        }
    aside = max(0.0, _EDGE - min((box.x for box in boxes.values()), default=_EDGE))
    for box in boxes.values():
        box.shift(aside)
    return boxes


def head_of(graph: Graph, style: Style) -> int:
    """Return how high title, legend and headings are."""
    return (
        TOP + (LINE if graph.closed else 0) + (HEADING if graph.headings and style.layout == "mirror" else 0)
    )


def _height(chips: int, between: bool) -> int:
    """Return how high so many chips are; `between` columns they leave the middle free, where arrows come in."""
    return CHIP * chips if not between or not chips else CHIP * (chips + chips % 2) + 2 * _FREE


def _down(place: int, of: int, between: bool) -> float:
    """Return how far below the middle of its node the chip at `place` of so many begins."""
    if not between:
        return CHIP * (place - of / 2)
    return _FREE + CHIP * (place // 2) if place % 2 else -_FREE - CHIP * (place // 2 + 1)


def _spread(boxes: Collection[Box], bent: Mapping[int, float], chipped: Container[int], columns: int) -> None:
    """Move the columns apart as far as bows and chips between them need; each is as wide as its words."""
    rooms = [
        bent.get(column, 0.0) + (_CHIPS if column in chipped else 0) for column in range(2 * columns + 1)
    ]
    wide = [_NARROWEST] * (2 * columns + 1)
    for box in boxes:
        words = max(map(cell_len, box.lines), default=0) * _WORDS + 16
        words = max(words, _SUM if box.node.kind == "accumulate" else _STRIP if box.strip else 0.0)
        wide[box.column] = min(max(wide[box.column], words), float(_WIDTH))
    lefts = [rooms[0] + _EDGE]
    for column in range(1, 2 * columns + 1):
        inwards = rooms[column] if column < columns else 0
        outwards = rooms[column - 1] if columns <= column - 1 else 0
        lefts.append(lefts[-1] + wide[column - 1] + _CHANNEL + inwards + outwards)
    for box in boxes:
        box.shift(lefts[box.column] - box.left)
        box.right = box.left + wide[box.column]
        box.width = min(box.width, wide[box.column])
        box.x = (box.left + box.right - box.width) / 2
        room = rooms[box.column]
        box.rims = (box.left - room, box.right) if box.column < columns else (box.left, box.right + room)


def _is_bow(tail: Box, head: Box) -> bool:
    """Whether an arrow goes around what stands between the two, outside the column."""
    return tail.column == head.column and abs(tail.place - head.place) != 1


def _beside(chip: Node, user: Box, down: float, away: float, inside: bool) -> Box:
    """Return the box of a chip at the outer side of a node, so far below its middle; `away`: so far, beyond bows."""
    box = copy(user)
    (words,) = label(chip)
    box.node, box.lines = chip, [cut_cells(words, _CHIP_CELLS)]
    box.height, box.width = float(CHIP - 2), float(cell_len(box.lines[0]) * _CHIP_LETTER + 8)
    left, right = (user.left - away, user.right + away) if away else (user.x, user.x + user.width)
    if inside and not away:  # of a column among several, where words stand beside a sum
        left, right = user.left, user.right
    box.x = left - _BESIDE - box.width if chip.side == "forward" else right + _BESIDE
    box.y = user.center[1] + down
    return box


def framed(graph: Graph, boxes: dict[str, Box]) -> dict[str, tuple[list[Box], int]]:
    """Return for each frame the boxes in it, and how many titles stand above its first row: its own, and inner ones."""
    inside: dict[str, list[Box]] = {}
    for box in boxes.values():
        for id_ in graph.frames_of(box.node.cluster):
            inside.setdefault(id_, []).append(box)
    first = {id_: min(box.row for box in members) for id_, members in inside.items()}
    titles = dict.fromkeys(inside, 1)
    depths = graph.depths()
    for id_ in sorted(inside, key=lambda id_: -depths[id_]):
        parent = graph.clusters[id_].parent
        if parent is not None and first[parent] == first[id_]:
            titles[parent] = max(titles[parent], titles[id_] + 1)
    return {id_: (members, titles[id_]) for id_, members in inside.items()}


def rects_of_frames(graph: Graph, boxes: dict[str, Box]) -> dict[str, tuple[float, float, float, float]]:
    """Return where each frame begins and ends, across and down: outer ones are wider than those in them."""
    rects, depths = {}, graph.depths()
    for id_, (inside, titles) in framed(graph, boxes).items():
        pad = max(18 - 4 * depths[id_], 2)
        left, right = min(box.x for box in inside) - pad, max(box.x + box.width for box in inside) + pad
        top, bottom = (
            min(box.y for box in inside) - TITLE * titles,
            max(box.y + box.height for box in inside) + pad,
        )
        rects[id_] = left, top, right, bottom
    return rects


def boxes_of_headings(graph: Graph, boxes: dict[str, Box]) -> Iterator[tuple[str, float]]:
    """Yield what stands above the columns, and where its middle is; the drawn pass has all those of the other side."""
    last = len(graph.headings) - 1
    inside = [box for box in boxes.values() if box.node.side != "update"]
    for number, words in enumerate(graph.headings):
        own = [box for box in inside if min(box.column, last) == number]
        if own:
            yield spoken(words), (min(box.left for box in own) + max(box.right for box in own)) / 2


def _fitted(line: str, cells: int) -> Iterator[str]:
    """Break a line that is too long after its shape; a long name is cut, but not the shape behind it."""
    if cell_len(line) <= cells:
        yield line
        return
    result, bracket, numbers = line.partition("] ")
    name, space, shape = f"{result}{bracket.rstrip()}".rpartition(" [")
    behind = f"{space}{shape}" if shape.endswith("]") else ""
    yield cut_cells(name if behind else result, cells - cell_len(behind)) + behind
    if bracket:
        yield cut_cells(numbers, cells)


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
        to = min(max(at, head.y + 4), head.y + head.height - 4) if columns > _MIRROR else at
        return _path("M", (one, at), "L", (other, to)), (one + other) / 2, at - 4, "middle"
    (middle, at), (_, to) = tail.center, head.center
    if tail.column != head.column:
        at, to = at + aside, to + aside
        forth = tail.column < head.column
        one, other = (tail.x + tail.width, head.x) if forth else (tail.x, head.x + head.width)
        out, back = (tail.rims[1], head.rims[0]) if forth else (tail.rims[0], head.rims[1])
        if columns <= _MIRROR:
            out, back = one, other
        bend = (out + back) / 2
        # between many columns arrows cross: what is said of one stands where it still runs alone
        words = (bend, (at + to) / 2 - 4, "middle")
        if abs(out - one) > _ALONE:
            words = (one + 4, at - 4, "start") if forth else (one - 4, at - 4, "end")
        return (
            _path(
                "M",
                (one, at),
                *_line(one, out, at),
                "C",
                (bend, at),
                (bend, to),
                (back, to),
                *_line(back, other, to),
            ),
            *words,
        )
    if not _is_bow(tail, head):
        one, other = (tail.y + tail.height, head.y) if at < to else (tail.y, head.y + head.height)
        path = _path("M", (middle + aside, one), "L", (head.center[0] + aside, other))
        return path, middle + 44, (one + other) / 2 + 3, "middle"
    left = (
        tail.node.side == "forward"
        if columns > _MIRROR
        else tail.column == 0 and (columns > 1 or tail.node.side == "forward")
    )
    # the edge of the column: a small box lies inside
    edge = tail.left if left else tail.right
    reach = _reach(tail, head) + aside
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


def _reach(tail: Box, head: Box) -> float:
    """Return how far outside of its column a bow goes."""
    return 18 + 10 * log2(max(abs(tail.place - head.place), 1))


def _line(begin: float, end: float, at: float) -> tuple[str | tuple[float, float], ...]:
    """Return a straight piece of a path; none of no length."""
    return () if abs(begin - end) < _SAME else ("L", (end, at))


def _path(*parts: str | tuple[float, float]) -> str:
    """Write a path from letters and points."""
    return " ".join(part if isinstance(part, str) else f"{part[0]:g},{part[1]:g}" for part in parts)
