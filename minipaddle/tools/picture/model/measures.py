"""Measures of nodes, shown by colour: norm of the gradient, time, bytes, NaN."""

import math
from collections.abc import Callable, Mapping
from math import isfinite
from typing import NamedTuple

from minipaddle.tools.picture.model.graph import Graph, Node
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import bytes_of, bytes_text, number, seconds_text


def measure(graph: Graph, by: str) -> dict[str, float]:
    """Return the number of each node that has one; `by` is one of MEASURES."""
    numbers = {node.id: MEASURES[by].of(node) for node in graph.nodes.values()}
    return {id_: value for id_, value in numbers.items() if value is not None and not math.isnan(value)}


class Largest(NamedTuple):
    """The largest value of a statistic among a node's results: gradients, others, or both."""

    stat: str
    kinds: tuple[bool, ...]

    def of(self, node: Node) -> float | None:
        """Return the largest known value; None if there is none."""
        compared = (value.stats for value in node.results if (value.kind == "gradient") in self.kinds)
        known = (getattr(stats, self.stat) for stats in compared)
        return max((number for number in known if number == number), default=None)


def _not_finite(node: Node) -> float | None:
    """Return the number of elements that are NaN or Inf; None if unknown."""
    seen = [value.stats for value in node.results]
    counted = [stats.nans + stats.infs for stats in seen if stats.nans or stats.infs or isfinite(stats.norm)]
    return float(sum(counted)) if counted else None


class Measure(NamedTuple):
    """A number of each node that colours can show."""

    of: Callable[[Node], float | None]
    words: str
    """Its name in the legend."""
    text: Callable[[float], str] = number
    """Its format."""
    largest: Largest | None = None
    """The statistic of which it is the largest, if any."""


def _largest(words: str, stat: str, *kinds: bool) -> Measure:
    largest = Largest(stat, kinds)
    return Measure(largest.of, words, largest=largest)


MEASURES = {
    "grad": _largest("norm of the gradient", "norm", True),
    "value": _largest("rms of the value", "rms", False),
    "rms": _largest("rms of value or gradient", "rms", True, False),
    "time": Measure(lambda node: node.seconds, "time it took", seconds_text),
    "bytes": Measure(
        lambda node: float(sum(map(bytes_of, node.results))) if node.results else None,
        "bytes of the result",
        lambda count: bytes_text(int(count)),
    ),
    "nan": Measure(_not_finite, "elements that are NaN or Inf"),
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
    what, text, scale = say(MEASURES[by].words), MEASURES[by].text, scale_of(numbers)
    if scale is None:
        return say("colour: {what} (no numbers)", what=what)
    ends = {"what": what, "low": text(scale.low), "high": text(scale.high)}
    if scale.is_logarithmic:
        return say("colour: {what}, from {low} (pale) to {high} (strong), logarithmic", **ends)
    return say("colour: {what}, from {low} (pale) to {high} (strong)", **ends)


def scale_ends(by: str, numbers: Mapping[str, float]) -> dict[str, str]:
    """Return the ends of the scale as texts, and its middle: the numbers' or their logarithms'."""
    text, scale = MEASURES[by].text, scale_of(numbers)
    if scale is None:
        return {}
    low, high = scale
    middle = math.sqrt(low * high) if scale.is_logarithmic else (low + high) / 2
    return {"low": text(low), "middle": text(middle), "high": text(high)}
