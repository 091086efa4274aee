"""The size of a drawing, as Graphviz lays it out, before any arrow is drawn."""

from math import inf
from struct import unpack
from typing import NamedTuple

from minipaddle.tools.picture.choices import Options
from minipaddle.tools.picture.draw.dot import to_dot
from minipaddle.tools.picture.draw.render import Failed, NoRenderer, dot
from minipaddle.tools.picture.model.graph import Graph

_DPI = 96  # pixels per inch at 100 %: Graphviz's
LEAST_ROW = 60
"""Pixels from a row to the next: each call of the forward run has one."""
_MOST = 400
"""Nodes of a graph that may be laid out to be measured: more of them fit no screen, and take seconds."""


class Extent(NamedTuple):
    """Width and height in pixels, at 100 %."""

    width: float
    height: float


def size_of_png(data: bytes) -> Extent:
    """Return the width and height in the header of a PNG."""
    return Extent(*map(float, unpack(">II", data[16:24])))


def extent(graph: Graph, options: Options) -> Extent:
    """Return the size of a drawing of `graph`: without end if it is too large, 0 without Graphviz."""
    if len(graph.nodes) > _MOST:
        return Extent(inf, inf)
    try:
        _, _, wide, high, *_ = dot(to_dot(graph, options), "plain", "-Gsplines=false").split(maxsplit=4)
    except Failed:
        return Extent(inf, inf)
    except (NoRenderer, ImportError):
        return Extent(0, 0)
    return Extent(float(wide) * _DPI, float(high) * _DPI)
