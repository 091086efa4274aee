"""Wrong ways to differentiate one or two operators of forward, to reproduce the gradient of the user's backward."""

import itertools
from collections.abc import Iterator
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.tools.checks.gradient.backward import equal
from minipaddle.tools.checks.gradient.repair.edits import Edit, Ran
from minipaddle.tools.checks.gradient.repair.trial import Trial
from minipaddle.tools.checks.gradient.tape import ERRORS, Arrays, price
from minipaddle.tools.record.events import Event
from minipaddle.tools.words.language import phrase, say

_MOST = 24
"""Most wrong ways that are also tried in pairs: 24 give 276 pairs."""

_CHOOSE = ("where", "elementwise_max", "elementwise_min")

How = Literal["dropped", "kept", "alone", "negated"]
"""kept: as if the slope were 1. alone: as if this were the only input with a gradient."""


_MISTAKES = {
    "dropped": ("term", phrase("a term is missing: what goes through {way} of forward, line {line}")),
    "negated": ("sign", phrase("wrong sign of what goes through {way} of forward, line {line}")),
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


class WrongWays:
    """Wrong ways to differentiate forward, as changes of backward's return value that undo them."""

    def __init__(self, trial: Trial) -> None:
        self.trial, self.tape = trial, trial.backward.exact.tape
        self.price = sum(price(trial.trace, step) for step in self.tape.steps)
        """The cost of differentiating forward once."""

    def edits(self) -> Iterator[Edit]:
        """Yield the changes that undo one wrong way, then those that undo two."""
        dropped: list[tuple[Way, Array]] = []
        for way in self._ways():
            yield self._undoing(*self.said(way), way)
            made = self.pulled((way,), 0) if way.how == "dropped" and len(dropped) < _MOST else None
            right = self.trial.points[0].right.get(self.trial.one.id)
            if made is not None and not any(
                equal(made, other) for other in (right, *(one for _, one in dropped))
            ):
                dropped.append((way, made))
        for one, other in itertools.combinations([way for way, _ in dropped], 2):
            text = say(
                "two mistakes: {first}; and {second}", first=self.said(one)[1], second=self.said(other)[1]
            )
            yield self._undoing("term", text, one, other)

    def _undoing(self, kind: str, text: str, *ways: Way) -> Edit:
        """Return the change that adds the difference between the right way and wrong ones."""

        def make(ran: Ran) -> list[Array] | None:
            which = next(which for which, made in enumerate(self.trial.made) if made is ran.space)
            made, right = self.pulled(ways, which), self.trial.points[which].right.get(self.trial.one.id)
            return None if made is None or right is None else [ran.made[0] + (right - made)]

        return Edit(kind, text, make)

    def _ways(self) -> Iterator[Way]:
        hows: tuple[How, ...] = ("dropped", "kept", "negated", "alone")
        for step in reversed(self.tape.steps):
            for id_ in dict.fromkeys(id_ for id_ in step.inputs if id_ is not None):
                yield from (Way(step, id_, how) for how in hows if how != "alone" or step.op in _CHOOSE)

    def pulled(self, ways: tuple[Way, ...], which: int) -> Array | None:
        """Return the gradient computed with these wrong ways; None if it cannot be computed."""
        self.trial.left -= self.price
        if self.trial.left < 0:
            return None
        point, one = self.trial.points[which], self.trial.one

        def instead(step: Event, incoming: Arrays, answers: Arrays) -> Arrays:
            for way in ways:
                if way.step is step:
                    answers = self._sent(way, incoming, answers)
            return answers

        try:
            made = self.tape.pull(point.space, point.seeds, instead).get(one.id)
        except ERRORS:
            return None
        return np.zeros(one.value.shape) if made is None else made

    def _sent(self, way: Way, incoming: Arrays, answers: Arrays) -> Arrays:
        """Return the gradients of the inputs of a step that is differentiated wrongly."""
        came, sent = incoming[0], list(answers)
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

    def said(self, way: Way) -> tuple[str, str]:
        """Return the kind of a wrong way of differentiation, and the sentence about it."""
        kind, said = _MISTAKES.get(way.how) or _MISTAKES[self._effect(way)]
        line, name = "" if way.step.where is None else way.step.where.number, way.step.title
        several = len({*way.step.inputs}) > 1  # through which of them, then
        into = say("`{name}` into {op}", name=self.trial.trace.values[way.id].name, op=name)
        return kind, say(said.sentence, name=name, way=into if several else name, line=line)

    @cached_property
    def _pulled_right(self) -> dict[int, tuple[Arrays, Arrays]]:
        """The gradients of each operator's outputs and inputs at the first point."""
        found = {}

        def look(step: Event, incoming: Arrays, answers: Arrays) -> Arrays:
            found[id(step)] = incoming, answers
            return answers

        self.tape.pull(self.trial.points[0].space, self.trial.points[0].seeds, look)
        return found

    def _effect(self, way: Way) -> str:
        """Return an operator's effect on a gradient: it moves elements, masks them, or multiplies."""
        (came, *_), answers = self._pulled_right.get(id(way.step), ([None], []))
        sent = next((answer for id_, answer in zip(way.step.inputs, answers) if id_ == way.id), None)
        if came is None or sent is None or came.shape != sent.shape:
            return "factor"
        passed = sent != 0
        if np.array_equal(sent[passed], came[passed]) and not passed.all():
            return "mask"
        return "moved" if np.array_equal(np.sort(sent, axis=None), np.sort(came, axis=None)) else "factor"
