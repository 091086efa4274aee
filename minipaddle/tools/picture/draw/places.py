"""Our own layout as Graphviz reads it: a place for everything, for pictures with columns.

``dot`` ranks nodes by their arrows, and here those of one column run down and those of the next up: it cannot hold the
columns, however it is told. So it is given our places, and draws them (``layout=nop2``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator
from itertools import pairwise
from math import hypot

from rich.cells import cell_len

from minipaddle.tools.picture.draw.layout import (
    CELLS,
    GAP,
    boxes_of_headings,
    head_of,
    placed,
    rects_of_frames,
    route,
)
from minipaddle.tools.picture.draw.theme import Style
from minipaddle.tools.picture.model.graph import Edge, Graph
from minipaddle.tools.words.language import spoken
from minipaddle.tools.words.numbers import cut_cells

_INCH = 72.0
_HEAD = 7.0
"""How long the head of an arrow is."""
_SMALL = 4.0, 4.3
"""Width of a letter at an arrow, and in the title of a frame."""
_LONGEST = 20
Point = tuple[float, float]


def has_places(graph: Graph, style: Style) -> bool:
    """Whether Graphviz is told where everything stands."""
    return graph.columns > 1 and style.layout == "mirror" and style.direction == "TB"


class Places:
    """Where nodes, frames and arrows are, as attributes in DOT: from below upwards."""

    def __init__(self, graph: Graph, style: Style, strips: Container[str] = ()) -> None:
        self.graph = graph
        self.boxes = placed(graph, style, strips)
        self.frames = rects_of_frames(graph, self.boxes)
        self.headings = list(boxes_of_headings(graph, self.boxes))
        self.columns = 1 + max((box.column for box in self.boxes.values()), default=0)
        rights = [box.x + box.width for box in self.boxes.values()] + [
            box.rims[1] for box in self.boxes.values()
        ]
        self.width = max(rights, default=0.0) + GAP
        self.height = max((box.y + box.height for box in self.boxes.values()), default=0.0) + GAP
        self.head = head_of(graph, style)
        self._ways: Counter[tuple[str, str]] = Counter()

    def of_graph(self) -> dict[str, str]:
        """Return the attributes of the whole."""
        return {
            "layout": "nop2",
            "dpi": "72",  # a point is a pixel, as in our own drawing
            "pad": "0",  # the margin is ours: nothing around it
            "bb": f"0,0,{self.width:g},{self.height:g}",
            "lp": self._at((self.width / 2, self.head / 2 - 10)),
        }

    def beside(self, ink: str) -> Iterator[str]:
        """Yield the headings, and the corners of the picture, which keep its margin."""
        for number, (words, middle) in enumerate(self.headings):
            at = self._at((middle, self.head - 12.0))
            looks = f'shape=plaintext fontsize=13 fontcolor="{ink}" style=""'
            yield f'\theading{number} [label="{words}" pos="{at}" {looks}]\n'
        for number, corner in enumerate(((0.0, 0.0), (self.width, self.height))):
            yield f'\tcorner{number} [pos="{self._at(corner)}" style=invis shape=point width=0 height=0 label=""]\n'

    def of_node(self, id_: str) -> dict[str, str]:
        """Return the place and the size of a node."""
        box = self.boxes[id_]
        width, height = f"{box.width / _INCH:.4f}", f"{box.height / _INCH:.4f}"
        return {
            "pos": self._at(box.center),
            "width": width,
            "height": height,
            "fixedsize": "true",
            "margin": "0",
            "fontsize": "11",
        }

    def lines(self, id_: str) -> list[str]:
        """Return what is written in a node."""
        return list(self.boxes[id_].lines)

    def of_frame(self, id_: str) -> dict[str, str]:
        """Return the place of a frame and of its title."""
        x, y, right, bottom = self.frames[id_]
        title = cut_cells(spoken(self.graph.clusters[id_].title), CELLS)
        middle = x + 6 + cell_len(title) * _SMALL[1] / 2
        low, high = self._at((x, bottom)), self._at((right, y))
        return {"label": title, "bb": f"{low},{high}", "lp": self._at((middle, y + 7)), "lheight": "0.16"}

    def of_edge(self, edge: Edge, kept: str) -> dict[str, str]:
        """Return the way of an arrow, and what is written beside it."""
        way = edge.tail, edge.head
        path, x, y, anchor = route(
            self.boxes[edge.tail], self.boxes[edge.head], self.columns, self._ways[way]
        )
        self._ways[way] += 1
        said = spoken(edge.label)
        words = cut_cells(said, _LONGEST) + kept if said else ""
        aside = cell_len(words) * _SMALL[0] / 2 * {"start": 1, "middle": 0, "end": -1}[anchor]
        points = _curve(path)
        end = ""
        if edge.kind != "saved":
            end = f"e,{self._at(points[-1])} "
            points[-1] = _before(points)
        label = {"label": words, "lp": self._at((x + aside, y - 3)), "labeltooltip": said} if words else {}
        return {"pos": end + " ".join(map(self._at, points))} | label

    def _at(self, point: Point) -> str:
        return f"{point[0]:.2f},{self.height - point[1]:.2f}"


def _curve(path: str) -> list[Point]:
    """Return the corners of a path as those of Bézier curves: straight pieces are curves, too."""
    points: list[Point] = []
    for piece in path.replace("M", "|M").replace("L", "|L").replace("C", "|C").split("|")[1:]:
        given = [(float(x), float(y)) for x, _, y in (one.partition(",") for one in piece[1:].split())]
        if piece[0] == "L":
            for one, other in pairwise([points[-1], *given]):
                points += [_between(one, other, 1 / 3), _between(one, other, 2 / 3), other]
        else:
            points += given
    return points


def _between(one: Point, other: Point, part: float) -> Point:
    return one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part


def _before(points: list[Point]) -> Point:
    """Return where the line of an arrow ends, and its head begins."""
    begin, end = points[-2], points[-1]
    length = hypot(end[0] - begin[0], end[1] - begin[1])
    return _between(end, begin, min(_HEAD / length, 0.9)) if length else end
