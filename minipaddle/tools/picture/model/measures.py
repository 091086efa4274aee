"""Measures of nodes, shown by colour: norm of the gradient, size of the value, NaN."""

import math
from collections.abc import Mapping
from math import isfinite
from typing import NamedTuple

from minipaddle.tools.picture.model.graph import Graph, Node
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import number


def measure(graph: Graph, by: str) -> dict[str, float]:
    """Return the number of each node that has one; `by` is one of MEASURES."""
    numbers = {node.id: MEASURES[by].of(node) for node in graph.nodes.values()}
    return {id_: value for id_, value in numbers.items() if value is not None and not math.isnan(value)}


def _not_finite(node: Node) -> float | None:
    """Return the number of elements that are NaN or Inf; None if unknown."""
    seen = [value.stats for value in node.results]
    counted = [stats.bad for stats in seen if stats.bad or isfinite(stats.norm)]
    return float(sum(counted)) if counted else None


class Measure(NamedTuple):
    """A number of each node that colours can show: the largest of a statistic of its results, or a count."""

    words: str
    """Its name in the legend."""
    stat: str = ""
    """The statistic; "": the number of elements that are not finite."""
    of_gradients: bool = False
    """Whether it is a statistic of gradients, or of all other results."""

    def of(self, node: Node) -> float | None:
        """Return the number of a node; None if it has none."""
        if not self.stat:
            return _not_finite(node)
        compared = (value.stats for value in node.results if (value.kind == "gradient") == self.of_gradients)
        known = (getattr(stats, self.stat) for stats in compared)
        return max((number for number in known if number == number), default=None)


MEASURES = {
    "grad": Measure("norm of the gradient", "norm", of_gradients=True),
    "value": Measure("rms of the value", "rms"),
    "nan": Measure("elements that are NaN or Inf"),
}


def mixed(scale: tuple[str, str], place: float) -> str:
    """Return the colour at a place between the two of `scale`: 0 is the first, 1 the second."""
    low, high = ([int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in scale)
    return "#" + "".join(f"{round(a + (b - a) * place):02x}" for a, b in zip(low, high))


class Scale(NamedTuple):
    """The smallest and the largest finite number of a measure; by their logarithms if sizes differ much."""

    low: float
    high: float

    @property
    def is_logarithmic(self) -> bool:
        """Whether logarithms distinguish the numbers better."""
        return self.low > 0 and self.high > 20 * self.low

    def place(self, value: float) -> float:
        """Return the position of a number between the two ends, from 0 to 1."""
        low, high = self
        if self.is_logarithmic:
            low, value, high = (math.log10(one) if one > 0 else -math.inf for one in (low, value, high))
        if not math.isfinite(value):
            return 0.0 if value < 0 else 1.0
        if high > low:
            return (value - low) / (high - low)
        return 0.5 if value else 0.0  # no NaN anywhere: all is pale


def scale_of(numbers: Mapping[str, float]) -> Scale | None:
    """Return the scale of numbers; None if none of them is finite."""
    finite = [value for value in numbers.values() if math.isfinite(value)]
    return Scale(min(finite), max(finite)) if finite else None


def places(numbers: Mapping[str, float]) -> dict[str, float]:
    """Return the position of each number between the smallest and the largest, from 0 to 1."""
    scale = scale_of(numbers)
    return {id_: 1.0 if scale is None else scale.place(value) for id_, value in numbers.items()}


def scale_words(by: str, numbers: Mapping[str, float]) -> str:
    """Return the meaning of the colours, for the legend."""
    what, scale = say(MEASURES[by].words), scale_of(numbers)
    if scale is None:
        return say("colour: {what} (no numbers)", what=what)
    ends = {"what": what, "low": number(scale.low), "high": number(scale.high)}
    if scale.is_logarithmic:
        return say("colour: {what}, from {low} (pale) to {high} (strong), logarithmic", **ends)
    return say("colour: {what}, from {low} (pale) to {high} (strong)", **ends)


def scale_ends(numbers: Mapping[str, float]) -> dict[str, str]:
    """Return the ends of the scale as texts, and its middle: the numbers' or their logarithms'."""
    scale = scale_of(numbers)
    if scale is None:
        return {}
    low, high = scale
    middle = math.sqrt(low * high) if scale.is_logarithmic else (low + high) / 2
    return {"low": number(low), "middle": number(middle), "high": number(high)}
