"""Measures of nodes, shown by colour: norm of the gradient, time, bytes, NaN, ..., or the value of an expression."""

import math
from collections.abc import Callable, Mapping
from math import isfinite
from typing import NamedTuple

import numpy as np

from minipaddle.tools.picture.choices import BadOption
from minipaddle.tools.picture.model.graph import Graph, Node
from minipaddle.tools.record.events import Value
from minipaddle.tools.words.expressions import BadExpression, Expression
from minipaddle.tools.words.language import Phrase, phrase, phrases, reason, say
from minipaddle.tools.words.numbers import bytes_of, bytes_text, number, seconds_text


class _ManyNumbers(ValueError):
    """An expression returned an array in place of one number."""


def measure(graph: Graph, by: str) -> dict[str, float]:
    """Return the number of each node that has one. `by` is one of MEASURES, or ``py:EXPRESSION``.

    In an expression, `g` is the gradient and `out` the result as arrays; norm, rms, mean, zeros, nans, infs and size
    are the node's statistics, name and kind identify it. Raises BadOption if it is no expression, gives an array, or
    fails at every node.
    """
    if by in MEASURES:
        return _present(graph, MEASURES[by].of)
    expression = expression_of(by)
    gradients = _gradients(graph)
    errors: list[Exception] = []
    found = _present(graph, lambda node: _evaluated(expression, node, gradients.get(node.id), errors))
    many = next((error for error in errors if isinstance(error, _ManyNumbers)), None)
    if many is not None or (errors and not found):
        error = many or errors[0]
        said = (reason(error),) if many else (type(error).__name__, str(error))
        raise BadOption(_bad(by, phrases("{before}: {after}", said)))
    return found


def insist_on_measure(by: str) -> None:
    """Raise BadOption unless `by` is a measure, ``py:EXPRESSION``, or ``role``."""
    if by.startswith("py:"):
        expression_of(by)
    elif by not in ("role", *MEASURES):
        names = ", ".join(("role", *MEASURES, "py:EXPRESSION"))
        raise BadOption("{option} {chosen!r}: there are {names}", option="color-by", chosen=by, names=names)


def expression_of(by: str) -> Expression:
    """Return the compiled expression of ``py:EXPRESSION``. Raises BadOption if it is none."""
    try:
        return Expression(by.removeprefix("py:").strip())
    except BadExpression as error:
        raise BadOption(_bad(by, reason(error))) from error


def _bad(by: str, why: str) -> Phrase:
    return phrase("colour expression {text!r}: {why}", text=by.removeprefix("py:").strip(), why=why)


def _evaluated(
    expression: Expression, node: Node, gradient: Value | None, errors: list[Exception]
) -> float | None:
    """Return the value of an expression at a node; None where it does not apply."""
    if not node.results:
        return None
    value = node.results[0]
    names = ("norm", "rms", "mean", "zeros", "nans", "infs", "size")
    meaning = {
        **{name: getattr(value.stats, name) for name in names},
        "np": np,
        "out": value.array,
        "g": None if gradient is None else gradient.array,
        "name": value.name,
        "kind": node.kind,
        "bytes": bytes_of(value),
    }
    try:
        with np.errstate(all="ignore"):
            answer = expression.evaluate(meaning)
        if np.size(answer) > 1:
            raise _ManyNumbers(
                phrase(
                    "an array of shape {shape} is no colour; reduce it to one number: "
                    "abs(g).max(), (g == 0).mean(), ...",
                    shape=list(np.shape(answer)),
                )
            )
        return float(answer)
    except Exception as error:
        errors.append(error)
        return None


def _present(graph: Graph, number_of: Callable[[Node], float | None]) -> dict[str, float]:
    numbers = {node.id: number_of(node) for node in graph.nodes.values()}
    return {id_: value for id_, value in numbers.items() if value is not None and not math.isnan(value)}


def _gradients(graph: Graph) -> dict[str, Value]:
    """Return the gradient that each node made, or that its twin made."""
    found: dict[str, Value] = {}
    for node in graph.nodes.values():
        gradient = next((value for value in node.results if value.kind == "gradient"), None)
        if gradient is not None:
            found[node.id] = gradient
            if node.twin is not None:
                found.setdefault(node.twin, gradient)
    return found


class Largest(NamedTuple):
    """The largest value of a statistic among a node's results: gradients, others, or both."""

    stat: str
    kinds: tuple[bool, ...]

    def shown(self, node: Node) -> list[Value]:
        """Return the results that are compared."""
        return [value for value in node.results if (value.kind == "gradient") in self.kinds]

    def of(self, node: Node) -> float | None:
        """Return the largest known value; None if there is none."""
        found = [getattr(value.stats, self.stat) for value in self.shown(node)]
        return max((number for number in found if number == number), default=None)


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
WORDS = {name: one.words for name, one in MEASURES.items()}


def mixed(scale: tuple[str, str], place: float) -> str:
    """Return the colour at a place between the two of `scale`: 0 is the first, 1 the second."""
    low, high = ([int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in scale)
    return "#" + "".join(f"{round(a + (b - a) * place):02x}" for a, b in zip(low, high))


def places(numbers: Mapping[str, float]) -> dict[str, float]:
    """Return the position of each number between the smallest and the largest, from 0 to 1.

    By the logarithm if sizes differ much.
    """
    finite = [value for value in numbers.values() if math.isfinite(value)]
    if not finite:
        return dict.fromkeys(numbers, 1.0)
    low, high = min(finite), max(finite)
    if is_logarithmic(low, high):
        return {id_: _between(_log(low), _log(value), _log(high)) for id_, value in numbers.items()}
    return {id_: _between(low, value, high) for id_, value in numbers.items()}


def is_logarithmic(low: float, high: float) -> bool:
    """Whether the logarithms of numbers from `low` to `high` distinguish them better."""
    return low > 0 and high > 20 * low


def _log(value: float) -> float:
    return math.log10(value) if value > 0 else -math.inf


def _between(low: float, value: float, high: float) -> float:
    if not math.isfinite(value):
        return 0.0 if value < 0 else 1.0
    if high > low:
        return (value - low) / (high - low)
    return 0.5 if value else 0.0  # no NaN anywhere: all is pale


def scale_words(by: str, numbers: Mapping[str, float]) -> str:
    """Return the meaning of the colours, for the legend."""
    finite = [value for value in numbers.values() if math.isfinite(value)]
    what = say(WORDS[by]) if by in WORDS else by.removeprefix("py:")
    text = MEASURES[by].text if by in MEASURES else number
    if not finite:
        return say("colour: {what} (no numbers)", what=what)
    low, high = min(finite), max(finite)
    ends = {"what": what, "low": text(low), "high": text(high)}
    if is_logarithmic(low, high):
        return say("colour: {what}, from {low} (pale) to {high} (strong), logarithmic", **ends)
    return say("colour: {what}, from {low} (pale) to {high} (strong)", **ends)


def scale_ends(by: str, numbers: Mapping[str, float]) -> dict[str, str]:
    """Return the ends of the scale as texts, and its middle: the numbers' or their logarithms'."""
    finite = [value for value in numbers.values() if math.isfinite(value)]
    if not finite:
        return {}
    low, high = min(finite), max(finite)
    middle = math.sqrt(low * high) if is_logarithmic(low, high) else (low + high) / 2
    text = MEASURES[by].text if by in MEASURES else number
    return {"low": text(low), "middle": text(middle), "high": text(high)}
