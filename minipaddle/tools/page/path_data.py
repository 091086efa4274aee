"""The data from which a page's script writes any number of a gradient as a sum over paths (assets/paths.js).

It holds the slopes of each rule, not the paths: of these there may be billions. Read before:
:mod:`minipaddle.tools.explain.paths`.
"""

from contextlib import suppress
from typing import Any

import numpy as np

from minipaddle.tools.explain.paths import Link, Walk
from minipaddle.tools.page.facts import shortened
from minipaddle.tools.picture.model.graph import Graph
from minipaddle.tools.record.events import Trace, Value
from minipaddle.tools.record.kinds import Store
from minipaddle.tools.record.replay import Missing
from minipaddle.tools.words.numbers import clean

_MOST_ELEMENTS, _MOST_RUNS, _MOST_EVENTS = 64, 1000, 400
"""Elements of one gradient, times that rules run, and events of a pass, up to which a page has paths: made quickly."""
_MOST_SLOPES, _DIGITS = 1500, 7
"""Slopes in one page, about 25 KB, so that a small network stays under 400 KB; and digits of each."""


class PathData:
    """What is known of the paths of a page's gradients, until it is enough for one page."""

    def __init__(self, trace: Trace) -> None:
        self.trace, self.walk = trace, Walk(trace, _MOST_ELEMENTS, _MOST_RUNS)
        self.values: dict[int, dict[str, Any]] = {}
        """By the id of a gradient, its name and shape, its parts, and where it is not the sum of its paths."""
        self.parts: dict[int, dict[str, Any]] = {}
        """By the id of a part, what it is the gradient of, and its links, to be multiplied."""
        self.room = _MOST_SLOPES

    def of(self, graph: Graph) -> dict[int, int]:
        """Note the gradients of a pass; return which of them each arrow bears."""
        if sum(1 for _ in self.trace.of_pass(graph.pass_number)) > _MOST_EVENTS:
            return {}
        for value in (value for node in graph.nodes.values() for value in node.results):
            if value.kind == "gradient" and not isinstance(self.trace.maker(value), Store):
                with suppress(Missing):
                    for one in self.walk.sum_up(value):
                        self._add(one)
        drawn = enumerate(edge for _, edge in graph.drawn_edges())
        return {at: edge.values[0].id for at, edge in drawn if edge.kind == "gradient" and edge.values}

    def _add(self, gradient: Value) -> None:
        """Add a gradient and its parts, if there is room, and was for those that it is made of."""
        walk, ends = self.walk, list(self.walk.ends(gradient))
        links = [link for part in ends for link in walk.links(part)]
        slopes = sum(int(link.linked.sum()) for link in links)
        before = {link.coming.id for link in links if link.coming is not None}
        if slopes > self.room or before - self.values.keys():
            return
        known: dict[str, Any] = {"name": clean(walk.names.of(gradient)), "shape": gradient.shape}
        known |= {"ends": [part.id for part in ends], "differs": walk.differing(gradient)}
        self.values[gradient.id] = known
        self.room -= slopes
        for part in ends:
            of = clean(walk.names.inner(self.trace.owner(part)))
            self.parts[part.id] = {"of": of, "links": list(map(_link, walk.links(part)))}


def _link(link: Link) -> list[Any]:
    """Return what comes in (null: backward began), its name, a formula, slopes, and where in their matrix."""
    before = None if link.coming is None else link.coming.id
    slopes = shortened(link.slopes[link.linked].tolist(), _DIGITS)
    return [before, clean(link.name), link.formula, slopes, np.flatnonzero(link.linked).tolist()]
