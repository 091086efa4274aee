"""Strips: what stands for several rounds has a cell for each, coloured by the norm, so that vanishing is seen at once.

Cells read as forward ran, on both sides of the mirror: what stands above each other belongs to one round. All strips of
a picture have one scale, by the logarithm.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from minipaddle.tools.picture.model.graph import Graph, Node
from minipaddle.tools.record.events import Value
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import number

FEWEST, MOST = 3, 60
"""Rounds that make a strip; cells of one: of more rounds, several share a cell."""
_WITHOUT = ("accumulate", "update", "seed", "chip", "error")
LEVELS = 10
"""Shades between the palest and the strongest."""


class Cell(NamedTuple):
    """One round of a strip, or a few."""

    first: int
    """Its number; rounds are counted from 1."""
    last: int
    of: str
    """Id of the first of its nodes in the whole graph."""
    norm: float
    """The largest norm; NaN where nobody has measured, Inf where a NaN or an Inf is."""
    made: tuple[Value, ...]
    """What the norm is of."""

    @property
    def rounds(self) -> str:
        """Which rounds it stands for: ``round 3``."""
        if self.first == self.last:
            return say("round {number}", number=self.first)
        return say("rounds {first} to {last}", first=self.first, last=self.last)

    @property
    def words(self) -> str:
        """What it says: ``round 3: norm 0.12``."""
        norm = say("no norm") if math.isnan(self.norm) else say("norm {norm}", norm=number(self.norm))
        return say(
            "{rounds}: {norm}", rounds=self.rounds, norm=say("NaN or Inf") if math.isinf(self.norm) else norm
        )


class Scale(NamedTuple):
    """The smallest and the largest norm of all strips of a picture that is not 0."""

    low: float
    high: float

    def level(self, norm: float) -> int:
        """Return how strong a finite norm is shown, from 0 to LEVELS; 0 is the palest."""
        if norm <= self.low:
            return 0
        return round(LEVELS * math.log(norm / self.low) / math.log(self.high / self.low))


class Strips(NamedTuple):
    """All strips of a picture."""

    of: Mapping[str, tuple[Cell, ...]]
    """Id of a node -> its cells."""
    scale: Scale

    @property
    def words(self) -> str:
        """The legend; "" where there is no strip."""
        cells = [cell for strip in self.of.values() for cell in strip]
        if not cells:
            return ""
        known, grey = (
            any(map(is_it, (cell.norm for cell in cells))) for is_it in (math.isfinite, math.isnan)
        )
        return self.words_of(number(self.scale.low), number(self.scale.high))[known][grey]

    def words_of(self, low: str, high: str) -> list[list[str]]:
        """Return the legend without and with norms, of each without and with cells that have none."""
        most = max(cell.last - cell.first + 1 for strip in self.of.values() for cell in strip)
        several = say("up to {count} rounds in a cell, the largest", count=most) if most > 1 else ""
        shades = say(
            "cells: norm of each round, from {low} (pale) to {high} (strong), logarithmic", low=low, high=high
        )
        return [
            [say("; ").join(filter(None, (begin, several, end))) for end in ("", say("grey: no norm"))]
            for begin in (say("cells: the rounds"), shades)
        ]


NO_STRIPS = Strips({}, Scale(0.0, 0.0))
"""Of a picture that may tell no numbers."""


def strips_of(graph: Graph) -> Strips:
    """Return the strips of what stands for several rounds in `graph`."""
    places = {
        one.id: place
        for node in graph.nodes.values()
        if node.side == "forward"
        for place, one in enumerate(node.rounds)
    }
    of = {
        node.id: tuple(_cells(_in_order(node, places)))
        for node in graph.nodes.values()
        if len(node.rounds) >= FEWEST and node.kind not in _WITHOUT
    }
    norms = [cell.norm for strip in of.values() for cell in strip if 0 < cell.norm < math.inf]
    return Strips(of, Scale(min(norms, default=0.0), max(norms, default=0.0)))


def _in_order(node: Node, places: Mapping[str, int]) -> Sequence[Node]:
    """Return the rounds of a node in the order in which they ran forward; a gradient's is the other way round."""
    if node.side == "forward":
        return node.rounds
    if all(one.twin in places for one in node.rounds):
        return sorted(node.rounds, key=lambda one: places[one.twin or ""])
    return node.rounds[::-1]


def _cells(rounds: Sequence[Node]) -> Iterator[Cell]:
    together = math.ceil(len(rounds) / MOST)
    for start in range(0, len(rounds), together):
        several = rounds[start : start + together]
        made = tuple([value for node in several for value in _made(node)])
        yield Cell(start + 1, start + len(several), several[0].id, _largest(map(norm_of, several)), made)


def norm_of(node: Node) -> float:
    """Return the largest norm of what a node made: NaN where nobody has measured, Inf where a NaN or an Inf is."""
    made = [value.stats for value in _made(node)]
    if any(stats.nans or stats.infs for stats in made):
        return math.inf
    return _largest(stats.norm for stats in made)


def _made(node: Node) -> list[Value]:
    """Return what a node made on its side: forward values, backward gradients."""
    backward = node.side != "forward"
    return [value for value in node.results if (value.kind == "gradient") is backward]


def _largest(norms: Iterable[float]) -> float:
    """Return the largest of the numbers that are known; NaN if none is."""
    return max((norm for norm in norms if not math.isnan(norm)), default=math.nan)
