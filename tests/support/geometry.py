"""Where things stand in a picture: boxes of nodes, ways of arrows, places of words, read from an SVG."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass, field

from rich.cells import cell_len

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
_STEPS = 24
"""Points that are looked at on each piece of a curve."""
_LETTER, _ABOVE, _BELOW = 0.45, 0.75, 0.2
"""Width of a letter, and how far it reaches above and below its line, in parts of the size of its font."""
Point = tuple[float, float]


@dataclass(frozen=True)
class Rect:
    """A rectangle, from the left and from above."""

    x: float
    y: float
    right: float
    bottom: float

    @property
    def middle(self) -> Point:
        """The point in its middle."""
        return (self.x + self.right) / 2, (self.y + self.bottom) / 2

    def within(self, by: float) -> Rect:
        """Return the rectangle that is so much smaller on each side."""
        return type(self)(self.x + by, self.y + by, self.right - by, self.bottom - by)

    def holds(self, point: Point) -> bool:
        """Whether a point lies inside."""
        return self.x < point[0] < self.right and self.y < point[1] < self.bottom

    def meets(self, other: Rect) -> bool:
        """Whether the two have a place in common."""
        return (
            self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom
        )

    def around(self, other: Rect) -> bool:
        """Whether the other one is inside this one."""
        return (
            self.x <= other.x
            and self.y <= other.y
            and self.right >= other.right
            and self.bottom >= other.bottom
        )


class Oval(Rect):
    """An ellipse, as large as its rectangle."""

    def holds(self, point: Point) -> bool:
        """Whether a point lies inside."""
        (x, y), (wide, high) = self.middle, (self.right - self.x, self.bottom - self.y)
        return (2 * (point[0] - x) / wide) ** 2 + (2 * (point[1] - y) / high) ** 2 < 1


def around(points: list[Point]) -> Rect:
    """Return the smallest rectangle around points."""
    xs, ys = zip(*points)
    return Rect(min(xs), min(ys), max(xs), max(ys))


@dataclass
class Drawn:
    """A picture: the frame of it all, and what is in it, by id."""

    paper: Rect
    nodes: dict[str, Rect] = field(default_factory=dict)
    arrows: dict[str, list[Point]] = field(default_factory=dict)
    ways: dict[str, int] = field(default_factory=dict)
    """How many curves each arrow is."""
    words: dict[str, list[Rect]] = field(default_factory=dict)
    """What is written at an arrow."""
    frames: dict[str, Rect] = field(default_factory=dict)
    titles: dict[str, list[Rect]] = field(default_factory=dict)
    """What is written at a frame."""
    texts: list[Rect] = field(default_factory=list)
    """All that is written."""


def read_svg(text: str) -> Drawn:
    """Return what stands where in an SVG of Graphviz's."""
    root = ET.fromstring(text)
    paper = [float(number) for number in root.attrib["viewBox"].split()]
    moved = re.search(r"translate\(([-\d.]+)[ ,]([-\d.]+)\)", _first_transform(root))
    dx, dy = (float(moved[1]), float(moved[2])) if moved else (0.0, 0.0)
    drawn = Drawn(Rect(paper[0] - dx, paper[1] - dy, paper[0] + paper[2] - dx, paper[1] + paper[3] - dy))
    for group in root.iter(_tag("g")):
        id_, kind = group.get("id", ""), group.get("class", "")
        if kind == "node":
            box = around([point for shape in _shapes(group) for point in shape])
            is_oval = group.find(f".//{_tag('ellipse')}") is not None
            drawn.nodes[id_] = Oval(box.x, box.y, box.right, box.bottom) if is_oval else box
        elif kind == "edge":
            drawn.arrows[id_] = [
                point for path in group.iter(_tag("path")) for point in points_of(path.attrib["d"])
            ]
            drawn.ways[id_] = len(list(group.iter(_tag("path"))))
            drawn.words[id_] = [_text_box(text) for text in group.iter(_tag("text"))]
        elif kind == "cluster":
            drawn.frames[id_] = around(next(_shapes(group)))
            drawn.titles[id_] = [_text_box(text) for text in group.iter(_tag("text"))]
    drawn.texts = [_text_box(text) for text in root.iter(_tag("text")) if (text.text or "").strip()]
    return drawn


def _tag(name: str) -> str:
    return f"{{http://www.w3.org/2000/svg}}{name}"


def _first_transform(root: ET.Element) -> str:
    return next((group.get("transform", "") for group in root.iter(_tag("g"))), "")


def _shapes(group: ET.Element) -> Iterator[list[Point]]:
    for shape in group.iter():
        if shape.tag == _tag("ellipse"):
            cx, cy, rx, ry = (float(shape.attrib[name]) for name in ("cx", "cy", "rx", "ry"))
            yield [(cx - rx, cy - ry), (cx + rx, cy + ry)]
        elif shape.tag in (_tag("polygon"), _tag("polyline")):
            yield _pairs(shape.attrib["points"])
        elif shape.tag == _tag("path"):
            yield points_of(shape.attrib["d"])
    texts = [_text_box(text) for text in group.iter(_tag("text"))]
    if texts:  # of a node without a border
        yield [corner for box in texts for corner in ((box.x, box.y), (box.right, box.bottom))]


def _pairs(text: str) -> list[Point]:
    numbers = [float(number) for number in _NUMBER.findall(text)]
    return list(zip(numbers[::2], numbers[1::2]))


def points_of(path: str) -> list[Point]:
    """Return points along a path of the letters M, L and C, each with absolute places."""
    points: list[Point] = []
    for letter, rest in re.findall(r"([MLC])([^MLC]*)", path):
        given = _pairs(rest)
        if letter == "M":
            points += given
        for place in range(0, len(given), 3) if letter == "C" else ():
            points += _curve(points[-1], *given[place : place + 3])
        for target in given if letter == "L" else ():
            points += [_between(points[-1], target, step / _STEPS) for step in range(1, _STEPS + 1)]
    return points


def _between(one: Point, other: Point, part: float) -> Point:
    return one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part


_PARTS = [
    ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
    for t in (step / _STEPS for step in range(1, _STEPS + 1))
]
"""How much of each corner of a curve is in each of its points."""


def _curve(*corners: Point) -> Iterator[Point]:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    for a, b, c, d in _PARTS:
        yield a * ax + b * bx + c * cx + d * dx, a * ay + b * by + c * cy + d * dy


def _text_box(text: ET.Element) -> Rect:
    size = float(text.get("font-size", "11"))
    width = cell_len((text.text or "").strip()) * size * _LETTER
    x, y = float(text.attrib["x"]), float(text.attrib["y"])
    left = {"middle": x - width / 2, "end": x - width}.get(text.get("text-anchor", "start"), x)
    return Rect(left, y - size * _ABOVE, left + width, y + size * _BELOW)
