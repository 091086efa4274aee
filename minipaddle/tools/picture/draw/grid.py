"""A place for each node, for pictures that ``dot`` cannot lay out: with columns of earlier passes, and long tapes.

``dot`` ranks nodes by their arrows. Where those of one column run down and those of the next up it cannot hold the
columns, and for the arrows of a long tape it takes minutes. So it is told where nodes and frames stand, a row and a
column for each, and draws the arrows between them (``layout=nop``).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from rich.cells import cell_len

from minipaddle.tools.picture.draw.chips import users_of_chips
from minipaddle.tools.picture.draw.rows import column_of, rows_of
from minipaddle.tools.picture.draw.theme import Style
from minipaddle.tools.picture.model.graph import Graph, Node
from minipaddle.tools.picture.model.labels import fitted_lines
from minipaddle.tools.words.language import spoken
from minipaddle.tools.words.numbers import cut_cells

MOST_CELLS = 32
"""Of a line in a box: columns stand beside each other, and a wide box would move all of them."""
_INCH = 72.0
_LINE, _PAD, _LETTER, _CHIP_LETTER = 13.0, 10.0, 6.3, 4.8
"""In points: height of a line, what a box is higher than its lines, width of a letter in a box, and on a chip."""
_CHIP, _BETWEEN_CHIPS, _BESIDE = 14.0, 8.0, 12.0
"""Height of a chip; between two, which Graphviz takes for one if they are nearer; how far it stands from its node."""
_BETWEEN_ROWS, _BETWEEN_COLUMNS, _TITLE = 30.0, 110.0, 14.0
_NARROWEST, _ROUND, _FRAME = 60.0, 20.0, 14.0
"""Least width of a box; width of a sum without words; how far the innermost frame is from what it is around."""
_HEADING = 24.0
_ROUND_BOXES = "+1"
"""Points that arrows keep from boxes. With Graphviz's own number, three, it crashes on some of these drawings."""
_CURVED = 250
"""Nodes around which Graphviz finds a way for each arrow within seconds; among more, arrows are straight lines."""


@dataclass
class Box:
    """A node with its place; `top` is counted from above."""

    node: Node
    row: int
    column: int
    width: float
    height: float
    middle: float = 0.0
    top: float = 0.0

    @property
    def sides(self) -> tuple[float, float]:
        """Where it begins and ends, across."""
        return self.middle - self.width / 2, self.middle + self.width / 2


class Grid:
    """Where nodes and frames stand, as attributes in DOT: from below upwards."""

    def __init__(self, graph: Graph, style: Style) -> None:
        self._graph = graph
        users = users_of_chips(graph)
        others = replace(graph, nodes={id_: node for id_, node in graph.nodes.items() if id_ not in users})
        mirror = style.layout == "mirror"
        rows = rows_of(others, style.layout)
        rows |= {chip: rows[user] for chip, user in users.items()}
        self.boxes: dict[str, Box] = {}
        for id_, node in graph.nodes.items():
            width, height = _size(node, fitted_lines(node, style.values, MOST_CELLS))
            self.boxes[id_] = Box(node, rows[id_], column_of(graph, node) if mirror else 0, width, height)
        self._beside: dict[str, list[Box]] = {}
        for chip, user in users.items():
            self._beside.setdefault(user, []).append(self.boxes.pop(chip))
        self._stand_in_rows()
        self._stand_in_columns()
        for user, chips in self._beside.items():
            self._put_beside(self.boxes[user], chips)
        self.frames = self._rects()

    def _stand_in_rows(self) -> None:
        """Go down row by row, each as high as its highest box; titles of frames have room above their first row."""
        by_row: dict[int, list[Box]] = {}
        for id_, box in self.boxes.items():
            by_row.setdefault(box.row, []).append(box)
            chips = len(self._beside.get(id_, ()))
            box.top = max(box.height, (_CHIP + _BETWEEN_CHIPS) * chips)  # at first: how high it is with chips
        titles: dict[int, int] = {}
        for members, above in self._framed().values():
            first = min(box.row for box in members)
            titles[first] = max(titles.get(first, 0), above)
        at = 0.0
        for row, boxes in sorted(by_row.items()):
            at += _TITLE * titles.get(row, 0)
            high = max(box.top for box in boxes)
            for box in boxes:
                box.top = at + (high - box.height) / 2
            at += high + _BETWEEN_ROWS
        self.height = at

    def _stand_in_columns(self) -> None:
        """Put columns side by side, each as wide as its widest box, with room for chips at its outer side."""
        last = max((box.column for box in self.boxes.values()), default=0)
        wide, chips = [_NARROWEST] * (last + 1), [[0.0, 0.0] for _ in range(last + 1)]
        for id_, box in self.boxes.items():
            wide[box.column] = max(wide[box.column], box.width)
            for chip in self._beside.get(id_, ()):
                side = 0 if chip.node.side == "forward" else 1
                chips[box.column][side] = max(chips[box.column][side], chip.width + _BESIDE)
        takes = [left + width + right for width, (left, right) in zip(wide, chips)]
        lefts = accumulate([0.0, *(one + _BETWEEN_COLUMNS for one in takes)])
        middles = [at + left + width / 2 for at, width, (left, _) in zip(lefts, wide, chips)]
        for box in self.boxes.values():
            box.middle = middles[box.column]
        self.width = sum(takes) + _BETWEEN_COLUMNS * last

    def _put_beside(self, user: Box, chips: list[Box]) -> None:
        """Put the chips of a node one below the other."""
        left, right = user.sides
        step = _CHIP + _BETWEEN_CHIPS
        top = user.top + (user.height - step * len(chips) + _BETWEEN_CHIPS) / 2
        for place, chip in enumerate(chips):
            aside = _BESIDE + chip.width / 2
            chip.middle = left - aside if chip.node.side == "forward" else right + aside
            chip.top = top + step * place
            self.boxes[chip.node.id] = chip

    def _framed(self) -> dict[str, tuple[list[Box], int]]:
        """Return for each frame the boxes in it, and how many titles stand above its first row: its own, inner ones."""
        graph, inside = self._graph, dict[str, list[Box]]()
        for box in self.boxes.values():
            for id_ in graph.frames_of(box.node.cluster):
                inside.setdefault(id_, []).append(box)
        first = {id_: min(box.row for box in members) for id_, members in inside.items()}
        titles, depths = dict.fromkeys(inside, 1), graph.depths()
        for id_ in sorted(inside, key=lambda id_: -depths[id_]):
            parent = graph.clusters[id_].parent
            if parent is not None and first[parent] == first[id_]:
                titles[parent] = max(titles[parent], titles[id_] + 1)
        return {id_: (members, titles[id_]) for id_, members in inside.items()}

    def _rects(self) -> dict[str, tuple[float, float, float, float]]:
        """Return where each frame begins and ends, across and down: outer ones are wider than those in them."""
        rects, depths = {}, self._graph.depths()
        for id_, (inside, titles) in self._framed().items():
            pad = max(_FRAME - 4 * (depths[id_] - 1), 2)
            left, right = min(box.sides[0] for box in inside), max(box.sides[1] for box in inside)
            top = min(box.top for box in inside) - _TITLE * titles
            rects[id_] = left - pad, top, right + pad, max(box.top + box.height for box in inside) + pad
        return rects

    def of_graph(self) -> dict[str, str]:
        """Return the attributes of the whole."""
        many = len(self.boxes) > _CURVED
        lines = "line" if many else "true"
        return {"layout": "nop", "splines": lines, "nodesep": "0.1", "esep": _ROUND_BOXES}

    def headings(self, ink: str) -> Iterator[str]:
        """Yield what stands above the columns, as nodes; the drawn pass has all those of the other side."""
        headings = self._graph.headings
        inside = [box for box in self.boxes.values() if box.node.side != "update" and box.node.kind != "chip"]
        for number, words in enumerate(headings):
            middles = [box.middle for box in inside if min(box.column, len(headings) - 1) == number]
            if middles:
                at = self._at((min(middles) + max(middles)) / 2, -_HEADING)
                looks = f'shape=plaintext height="0.28" margin="0" fontsize=13 fontcolor="{ink}" style=""'
                yield f'\theading{number} [label="{spoken(words)}" pos="{at}" {looks}]\n'

    def of_node(self, id_: str) -> dict[str, str]:
        """Return the place and the size of a node."""
        box = self.boxes[id_]
        size = {"width": f"{box.width / _INCH:.4f}", "height": f"{box.height / _INCH:.4f}"}
        at = self._at(box.middle, box.top + box.height / 2)
        return {"pos": at, **size, "fixedsize": "true", "margin": "0"}

    def of_frame(self, id_: str) -> dict[str, str]:
        """Return the place of a frame and of its title."""
        left, top, right, bottom = self.frames[id_]
        title = cut_cells(spoken(self._graph.clusters[id_].title), MOST_CELLS)
        middle = left + 6 + cell_len(title) * _CHIP_LETTER / 2
        corners = f"{self._at(left, bottom)},{self._at(right, top)}"
        return {"label": title, "bb": corners, "lp": self._at(middle, top + 8), "lheight": "0.16"}

    def _at(self, across: float, down: float) -> str:
        return f"{across:.2f},{self.height - down:.2f}"


def _size(node: Node, lines: Sequence[str]) -> tuple[float, float]:
    """Return how wide and how high the box of a node is, in points."""
    words = max(map(cell_len, lines), default=0)
    if node.kind == "chip":
        return words * _CHIP_LETTER + 8, _CHIP
    height = len(lines) * _LINE + _PAD
    if node.kind == "accumulate":
        return max(_ROUND, words * _LETTER + 4 if node.count > 1 or words > 1 else 0.0), _ROUND
    return max(_NARROWEST, words * _LETTER + 16), height
