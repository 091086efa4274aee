"""Where everything stands in our own drawing: one row a step, a column for each side; or the same, lying on its side.

What holds for both is said in two directions: *along* the run (down, or to the right), and *across* it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from math import log2

from rich.cells import cell_len

from minipaddle.viz.draw.theme import Style
from minipaddle.viz.model.graph import Graph, Node
from minipaddle.viz.model.labels import label
from minipaddle.words.numbers import cut_cells

LINE, GAP, MARGIN = 14, 30, 90  # MARGIN: room for the widest bow
TOP = 78  # room for title and legend
CELLS = 40
TITLE = 13  # height of a frame's title
_WIDTH = 250
_BETWEEN = 150
_LETTER = 6.2
_COLUMN = {"forward": 0, "backward": 1, "update": 2}


class Box:
    """A node with its place."""

    def __init__(self, node: Node, row: int, style: Style) -> None:
        self.node = node
        self.row = row
        self.lying = style.direction == "LR"
        self.lines = [part for line in label(node, style.values) for part in _fitted(line)]
        self.height = float(len(self.lines) * LINE + 10)
        self.width = float(_WIDTH)
        if self.lying:
            self.width = max(map(cell_len, self.lines)) * _LETTER + 20
        if node.kind == "accumulate":
            self.width = self.height
        self.column = _COLUMN[node.side] if style.layout == "mirror" else 0
        self.x = self.y = 0.0
        self.lane = (0.0, 0.0)
        """Where its column begins and ends."""
        self.place = 0  # number in its column

    @property
    def center(self) -> tuple[float, float]:
        """The centre, from the left and from above."""
        return self.x + self.width / 2, self.y + self.height / 2

    @property
    def long(self) -> float:
        """Its size along the run."""
        return self.width if self.lying else self.height

    @property
    def wide(self) -> float:
        """Its size across the run."""
        return self.height if self.lying else self.width

    @property
    def along(self) -> tuple[float, float, float]:
        """Beginning, centre and end along the run."""
        start = self.x if self.lying else self.y
        return start, start + self.long / 2, start + self.long

    @property
    def across(self) -> tuple[float, float, float]:
        """Beginning, centre and end across the run."""
        start = self.y if self.lying else self.x
        return start, start + self.wide / 2, start + self.wide

    def put(self, along: float, across: float) -> None:
        """Move its corner."""
        self.x, self.y = (along, across) if self.lying else (across, along)


def placed(graph: Graph, style: Style) -> dict[str, Box]:
    """Put each node on its row and into its column; rows are as long as their longest box."""
    rows = rows_of(graph) if style.layout == "mirror" else {id_: row for row, id_ in enumerate(graph.nodes)}
    boxes = {id_: Box(graph.nodes[id_], row, style) for id_, row in rows.items()}
    lying = style.direction == "LR"
    frames = framed(graph, boxes)
    above: dict[int, int] = {}  # room for the titles of the frames that begin at a row
    for inside, titles in frames.values():
        row = min(box.row for box in inside)
        above[row] = 0 if lying else max(above.get(row, 0), titles)
    lanes = _lanes(boxes, max((titles for _, titles in frames.values()), default=0))
    column = [0] * 3
    start = float(MARGIN if lying else TOP)
    ordered = sorted(boxes.values(), key=lambda box: box.row)
    for row, group in groupby(ordered, key=lambda box: box.row):
        side_by_side = list(group)
        start += TITLE * above.get(row, 0)
        long = max(box.long for box in side_by_side)
        for box in side_by_side:
            box.lane = lanes[box.column]
            middle = sum(box.lane) / 2
            box.put(start + (long - box.long) / 2, middle - box.wide / 2)
            box.place = column[box.column]
            column[box.column] += 1
        start += long + GAP
    return boxes


def _lanes(boxes: dict[str, Box], titles: int) -> dict[int, tuple[float, float]]:
    """Return where each column begins and ends; where the picture lies, titles of frames stand above it."""
    lying = any(box.lying for box in boxes.values())
    lanes: dict[int, tuple[float, float]] = {}
    start = float(TOP + MARGIN + TITLE * titles if lying else MARGIN)
    for column in range(max((box.column for box in boxes.values()), default=0) + 1):
        widest = max((box.wide for box in boxes.values() if box.column == column), default=0.0)
        wide = widest if lying else _WIDTH
        lanes[column] = start, start + wide
        start += wide + (_BETWEEN / 2 + TITLE * titles if lying else _BETWEEN)
    return lanes


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
        if parent is not None and (first[parent] == first[id_] or inside[id_][0].lying):
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


def route(tail: Box, head: Box, columns: int) -> tuple[str, float, float, str]:
    """Go straight to a neighbour, across the middle to the other side, else in a bow outside the column.

    Returns:
        the path, where its label goes, and which end of the label that is (``text-anchor``)
    """
    _, at, _ = tail.along
    _, to, _ = head.along
    if tail.column != head.column:
        near, far = (2, 0) if tail.column < head.column else (0, 2)
        one, other = tail.across[near], head.across[far]
        bend = (one + other) / 2
        parts = "M", (one, at), "C", (bend, at), (bend, to), (other, to)
        label_at = (bend, (at + to) / 2 + (5 if tail.lying else -4))
        anchor = "start" if tail.lying else "middle"  # beside a line that falls
        return *_path(tail.lying, label_at, *parts), anchor
    _, middle, _ = tail.across
    if abs(tail.place - head.place) == 1:
        one, other = (tail.along[2], head.along[0]) if at < to else (tail.along[0], head.along[2])
        label_at = (tail.across[0] - 5, at) if tail.lying else (middle + 44, (one + other) / 2 + 3)
        return *_path(tail.lying, label_at, "M", (middle, one), "L", (head.across[1], other)), "middle"
    left = tail.column == 0 and (columns > 1 or tail.node.side == "forward")
    # the edge of the column: a small box lies inside
    side, edge = (0, tail.lane[0]) if left else (2, tail.lane[1])
    reach = 18 + 10 * log2(max(abs(tail.place - head.place), 1))
    out = edge - reach if left else edge + reach
    first, last = (tail.across[side], at), (head.across[side], to)
    bow = (edge, at), "C", (out, at), (out, to), (edge, to)
    begin = (first, "L") if first != bow[0] else ()
    end = ("L", last) if last != bow[-1] else ()  # a line without length would turn the head of the arrow
    label_at = edge + (-4 if left else 4), (at + to) / 2
    anchor = "end" if left else "start"
    if tail.lying:  # above or below the bow
        label_at, anchor = (edge / 4 + out * 3 / 4 + (-3 if left else 9), label_at[1]), "middle"
    return *_path(tail.lying, label_at, "M", *begin, *bow, *end), anchor


def _path(
    lying: bool, label: tuple[float, float], *parts: str | tuple[float, float]
) -> tuple[str, float, float]:
    """Write a path from letters and points (across, along), and where its label goes."""
    points = (part if isinstance(part, str) else part[::-1] if lying else part for part in parts)
    words = (point if isinstance(point, str) else f"{point[0]:g},{point[1]:g}" for point in points)
    x, y = label[::-1] if lying else label
    return " ".join(words), x, y


_Height = tuple[float, int]
"""A row that is not yet numbered: the row of the forward side that it is next to, and its place among such rows."""


def rows_of(graph: Graph) -> dict[str, int]:
    """Return the row of each node, from 0 at the top."""
    forward = [node for node in graph.nodes.values() if node.side == "forward"]
    backward = [node for node in graph.nodes.values() if node.side == "backward"]
    twin = {other: id_ for id_, other in graph.rows()}
    heights: dict[str, _Height] = {node.id: (float(row), 0) for row, node in enumerate(forward)}
    beside = float(len(forward)), 0
    for run in _runs(graph, backward):
        anchor = run[-1]
        row_of = twin.get(anchor.id, "")
        if row_of in heights:
            beside = heights[row_of]
            heights[anchor.id] = beside
            for distance, node in enumerate(reversed(run[:-1]), 1):
                heights[node.id] = (beside[0] + 0.5, -len(backward) * 2 + distance)
            continue
        for node in run:
            row, place = beside
            beside = (row, place - 1) if row % 1 else (row - 0.5, len(backward))
            heights[node.id] = beside
    for node in graph.nodes.values():
        if node.side == "update":  # on the row of its parameter, or of the rule before it
            heights[node.id] = heights.get(node.twin or "", beside)
    number = {height: row for row, height in enumerate(sorted(set(heights.values())))}
    return {id_: number[height] for id_, height in heights.items()}


def _runs(graph: Graph, nodes: list[Node]) -> list[list[Node]]:
    """Group the nodes of a frame, which ran one after the other and end with the PyLayer; others are alone."""
    runs: list[list[Node]] = []
    last: str | None = None
    for node in nodes:
        bodies = [id_ for id_ in graph.frames_of(node.cluster) if graph.clusters[id_].kind == "body"]
        frame = bodies[-1] if bodies else None
        if frame is not None and frame == last:
            runs[-1].append(node)
        else:
            runs.append([node])
        last = frame
    return runs
