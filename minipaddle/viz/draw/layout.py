"""Where everything stands in our own drawing: one row a step, a column for each side."""

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
_COLUMN = {"forward": 0, "backward": 1, "update": 2}


class Box:
    """A node with its place."""

    def __init__(self, node: Node, row: int, style: Style) -> None:
        self.node = node
        self.row = row
        self.lines = [part for line in label(node, style.values) for part in _fitted(line)]
        self.height = float(len(self.lines) * LINE + 10)
        self.width = self.height if node.kind == "accumulate" else float(_WIDTH)
        self.column = _COLUMN[node.side] if style.layout == "mirror" else 0
        self.left = MARGIN + self.column * (_WIDTH + _BETWEEN)
        """Where its column begins."""
        self.right = self.left + _WIDTH
        self.x = self.left + (_WIDTH - self.width) / 2
        self.y = 0.0
        self.place = 0  # number in its column

    @property
    def center(self) -> tuple[float, float]:
        """The centre, from the left and from above."""
        return self.x + self.width / 2, self.y + self.height / 2


def placed(graph: Graph, style: Style) -> dict[str, Box]:
    """Put each node on its row and into its column; rows are as high as their highest box."""
    rows = rows_of(graph) if style.layout == "mirror" else {id_: row for row, id_ in enumerate(graph.nodes)}
    boxes = {id_: Box(graph.nodes[id_], row, style) for id_, row in rows.items()}
    above: dict[int, int] = {}  # room for the titles of the frames that begin at a row
    for inside, titles in framed(graph, boxes).values():
        row = min(box.row for box in inside)
        above[row] = max(above.get(row, 0), titles)
    column = [0] * 3
    start = float(TOP)
    ordered = sorted(boxes.values(), key=lambda box: box.row)
    for row, group in groupby(ordered, key=lambda box: box.row):
        side_by_side = list(group)
        start += TITLE * above.get(row, 0)
        height = max(box.height for box in side_by_side)
        for box in side_by_side:
            box.y = start + (height - box.height) / 2
            box.place = column[box.column]
            column[box.column] += 1
        start += height + GAP
    return boxes


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
    if abs(tail.place - head.place) == 1:
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
