"""Wrong ways to differentiate one or two operators of forward, to reproduce the gradient of the user's backward."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.tools.checks.gradient.backward import Backward, Point, equal
from minipaddle.tools.checks.gradient.exact import Gradient
from minipaddle.tools.checks.gradient.results import Mistake
from minipaddle.tools.checks.gradient.source import line_of_answer
from minipaddle.tools.checks.gradient.tape import ERRORS, Numbers, price
from minipaddle.tools.record.events import Event
from minipaddle.tools.words.language import phrase, say

_WORK = 30_000_000
"""Most array elements that one search may compute: a few seconds."""
_MOST = 24
"""Most wrong ways that are also tried in pairs: 24 give 276 pairs."""

_CHOOSE = ("where", "elementwise_max", "elementwise_min")

How = Literal["dropped", "kept", "alone", "negated", "overwritten"]
"""kept: as if the slope were 1. alone: as if this were the only input with a gradient. overwritten: if one element
gets several gradients, only the last is kept."""


_MISTAKES = {
    "dropped": ("term", phrase("a term is missing: what goes through {name} of forward, line {line}")),
    "negated": ("sign", phrase("wrong sign of what goes through {name} of forward, line {line}")),
    "overwritten": ("accumulate", phrase("what meets at one place is overwritten, and should be added up")),
    "moved": ("moved", phrase("what {name} of forward moved, line {line}, is not moved back")),
    "mask": ("mask", phrase("missing mask: the slope of {name} of forward, line {line}")),
    "factor": ("factor", phrase("missing factor: the slope of {name} of forward, line {line}")),
}
"""The mistake for each wrong way of differentiation, or else for each effect of an operator on a gradient."""


class Way(NamedTuple):
    """One operator of forward, differentiated wrongly for one input."""

    step: Event
    id: int
    how: How


class Forward:
    """Searches wrong ways to differentiate forward for the input of `one` that give backward's results, `given`."""

    def __init__(
        self, backward: Backward, one: Gradient, points: Sequence[Point], given: Sequence[Array | None]
    ) -> None:
        self.tape, self.one, self.points, self.given = backward.exact.tape, one, points, given
        self.line = line_of_answer(backward.exact.call, one.places[0])
        self.left = _WORK
        self.price = sum(price(backward.trace, step) for step in self.tape.steps)
        """The cost of differentiating forward once."""
        self.tried: list[tuple[Way, Array]] = []
        """The ways that do not fit, with their different gradients at the first point."""

    def found(self) -> Mistake | None:
        """Return the mistake of the wrong way, or pair of ways, that reproduces backward's result; else None."""
        for way in self._ways():
            if self._is_it((way,)):
                return self.said(way)
        dropped = [way for way, _ in self.tried if way.how == "dropped"][:_MOST]
        for pair in itertools.combinations(dropped, 2):
            if self._is_it(pair):
                one, other = map(self.said, pair)
                text = say("two mistakes: {first}; and {second}", first=one.text, second=other.text)
                return Mistake("term", text, self.line)
        return None

    def _ways(self) -> Iterator[Way]:
        hows: tuple[How, ...] = ("dropped", "kept", "negated", "alone", "overwritten")
        for step in reversed(self.tape.steps):
            for id_ in dict.fromkeys(id_ for id_ in step.inputs if id_ is not None):
                yield from (Way(step, id_, how) for how in hows if how != "alone" or step.op in _CHOOSE)

    def _is_it(self, ways: tuple[Way, ...]) -> bool:
        for point, mine in zip(self.points, self.given):
            made = self.pulled(ways, point)
            right = point.right.get(self.one.id)
            if made is None or equal(made, right):
                return False
            if not equal(mine, made):
                is_known = any(equal(made, other) for _, other in self.tried)
                if point is self.points[0] and len(ways) == 1 and not is_known:
                    self.tried.append((ways[0], made))
                return False
        return True

    def pulled(self, ways: tuple[Way, ...], point: Point) -> Array | None:
        """Return the gradient computed with these wrong ways; None if it cannot be computed."""
        self.left -= self.price
        if self.left < 0:
            return None

        def instead(
            step: Event, incoming: list[Array | None], answers: list[Array | None]
        ) -> list[Array | None]:
            for way in ways:
                if way.step is step:
                    answers = self._sent(way, incoming, answers, point.space)
            return answers

        try:
            made = self.tape.pull(point.space, point.seeds, instead).get(self.one.id)
        except ERRORS:
            return None
        return np.zeros(self.one.value.shape) if made is None else made

    def _sent(
        self, way: Way, incoming: list[Array | None], answers: list[Array | None], space: Numbers
    ) -> list[Array | None]:
        """Return the gradients of the inputs of a step that is differentiated wrongly."""
        came, sent = incoming[0], list(answers)
        if way.how == "overwritten":
            lasts = None if came is None else self._last_writes(way.step, came, space)
            return answers if lasts is None else self.tape.answers(way.step, [lasts, *incoming[1:]], space)
        for place, (id_, answer) in enumerate(zip(way.step.inputs, answers)):
            if id_ != way.id:
                sent[place] = None if way.how == "alone" else answer
            elif answer is not None and way.how == "negated":
                sent[place] = -answer
            elif answer is None or way.how == "dropped":
                sent[place] = None
            elif came is not None and came.shape == answer.shape:
                sent[place] = came
        return sent

    def _last_writes(self, step: Event, came: Array, space: Numbers) -> Array | None:
        """Return the incoming gradient, zero where a later element has the same index; None without repeats."""
        for id_ in step.inputs[1:]:
            index = None if id_ is None else self.tape.numbers(space, id_)
            if index is None or index.dtype.kind not in "iu" or came.shape[: index.ndim] != index.shape:
                continue
            flat = index.ravel()
            if len(np.unique(flat)) == len(flat):
                continue
            last = np.array([place not in flat[at + 1 :] for at, place in enumerate(flat)])
            lasts: Array = came * last.reshape(index.shape + (1,) * (came.ndim - index.ndim))
            return lasts
        return None

    def said(self, way: Way) -> Mistake:
        """Return the mistake for a wrong way of differentiation."""
        kind, said = _MISTAKES.get(way.how) or _MISTAKES[self._kind(way)]
        line = "" if way.step.where is None else way.step.where.number
        return Mistake(kind, say(said.sentence, name=way.step.title, line=line), self.line)

    def _kind(self, way: Way) -> str:
        """Return an operator's effect on a gradient: it moves elements, masks them, or multiplies."""
        found = ["factor"]

        def look(
            step: Event, incoming: list[Array | None], answers: list[Array | None]
        ) -> list[Array | None]:
            came = incoming[0]
            sent = next((answer for id_, answer in zip(step.inputs, answers) if id_ == way.id), None)
            if step is way.step and came is not None and sent is not None and came.shape == sent.shape:
                passed = sent != 0
                if np.array_equal(sent[passed], came[passed]) and not passed.all():
                    found.append("mask")
                elif np.array_equal(np.sort(sent, axis=None), np.sort(came, axis=None)):
                    found.append("moved")
            return answers

        self.tape.pull(self.points[0].space, self.points[0].seeds, look)
        return found[-1]
