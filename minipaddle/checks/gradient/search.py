"""The search for a mistake: one operator at a time is changed until both sides agree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from minipaddle.checks.gradient.backward import Backward, Point, equal
from minipaddle.checks.gradient.edits import (
    After,
    Candidate,
    Change,
    changes,
    factors,
    rearrangements,
    replacements,
)
from minipaddle.checks.gradient.exact import Gradient
from minipaddle.checks.gradient.intended import end_of_backward
from minipaddle.core.errors import Line
from minipaddle.core.meta import Array
from minipaddle.core.operator import TABLE
from minipaddle.trace.events import Event, Trace
from minipaddle.trace.replay import Missing
from minipaddle.words.language import say

_WORK = 30_000_000
"""So many elements may be computed in each stage of the search for one mistake."""
_MASKS = frozenset(("relu", "relu6", "clip", "where", "elementwise_max", "elementwise_min", "dropout"))
"""Operators that let pass, or not."""
ERRORS = (Missing, ArithmeticError, AssertionError, TypeError, ValueError, IndexError, KeyError, RuntimeError)
"""What operators raise that are given what they cannot take."""


class Mistake(NamedTuple):
    """What is wrong, in words, and where."""

    kind: str
    text: str
    line: Line | None


def line_of_answer(trace: Trace, event: Event, place: int) -> Line | None:
    """Return the line of the user's backward that made the gradient of an input; None if it is not known."""
    parts = event.parts[place] if place < len(event.parts) else None
    inside = trace.events[slice(*event.body)] if event.body is not None else []
    for id_ in parts or ():
        maker = trace.maker(trace.values[id_])
        if maker is not None and any(maker is one for one in inside):
            return maker.where
    forward = trace.differentiated(event)
    told = None if forward is None else end_of_backward(trace, forward, event)
    ran = [one.where for one in inside[1:] if one.where is not None]
    return told or (ran[-1] if ran else None)


def _price(trace: Trace, step: Event) -> int:
    """Return about how many elements' worth of work an operator is, with what it costs to call it."""
    sizes = [int(np.prod(value.shape)) for value in trace.known([*step.inputs, *step.outputs])]
    if step.op.startswith(("matmul", "conv")) and len(sizes) >= 3:
        return 1000 + sum(sizes) + int(np.sqrt(float(np.prod(sizes[:3])))) // 20
    return 1000 + sum(sizes)


class Search:
    """Looks for the change of one operator that makes the gradient of one input right at all of these points."""

    def __init__(self, backward: Backward, one: Gradient, points: list[Point]) -> None:
        self.backward, self.one, self.points = backward, one, points
        self.trace, self.steps = backward.trace, backward.tape.steps
        self.made = [backward.tape.run(backward.start(point)) for point in points]
        self.now = self.made[0]
        """The numbers at the point that is looked at."""
        self.left = _WORK
        self.price = sum(_price(self.trace, step) for step in backward.exact.tape.steps)
        """What it costs to differentiate forward once."""
        self.line = line_of_answer(self.trace, backward.event, one.places[0])
        values = self.trace.known([*backward.event.inputs, *backward.exact.forward.inputs])
        sizes = {length for value in values for length in (*value.shape, int(np.prod(value.shape)))}
        self.lengths = sorted(sizes - {0, 1})

    def _candidates(self, ids: Iterable[int | None]) -> list[Candidate]:
        """Return values that could stand in the place of another one."""
        values = [
            value for value in self.trace.known(dict.fromkeys(ids)) if np.dtype(value.dtype).kind == "f"
        ]
        arrived = self.backward.event.inputs
        return [Candidate(one.id, one.name, partial(self._now, one.id), one.id in arrived) for one in values]

    def _now(self, id_: int) -> Array:
        return self.now[id_]

    def found(self) -> Mistake | None:
        """Return the first change that fits.

        First one without another value, then one of forward; then with what the user has at hand: inputs, outputs,
        what came in; then with what forward computed on its way.
        """
        forward = self.backward.exact.forward
        near = self._candidates((*forward.inputs, *forward.outputs, *self.backward.event.inputs))
        known = {one.id for one in near}
        far = [one for one in self._candidates(self.backward.of_forward) if one.id not in known]
        stages = [self._changed, self._rearranged, self._forward]
        stages += [
            partial(find, others) for others in (near, far) for find in (self._replaced, self._multiplied)
        ]
        for stage in stages:
            self.left = _WORK
            if (mistake := stage()) is not None:
                return mistake
        return None

    # -- changes of backward ---------------------------------------------------------------------------------------

    def _order(self) -> Iterator[int]:
        """Yield the numbers of the operators, the last first."""
        for index in range(len(self.steps) - 1, -1, -1):
            step = self.steps[index]
            if step.kind == "op" and step.op in TABLE and self.trace.known(step.outputs):
                yield index

    def _changed(self) -> Mistake | None:
        for index in self._order():
            shape = self.trace.known(self.steps[index].outputs)[0].shape
            for change in changes(self.trace, self.steps[index], self._inputs(index, 0), shape):
                if self._fits(index, change):
                    return Mistake(change.kind, change.text, self.steps[index].where)
        return None

    def _replaced(self, others: Sequence[Candidate]) -> Mistake | None:
        for index in self._order():
            for change in replacements(self.trace, self.steps[index], others):
                if self._fits(index, change):
                    return Mistake(change.kind, change.text, self.steps[index].where)
        return None

    def _rearranged(self) -> Mistake | None:
        ndim = max([self.one.given.ndim, *(len(value.shape) for value in self.trace.known(self._outputs()))])
        return self._done_after(lambda: rearrangements(ndim, self.lengths, (self.one.given.size,)))

    def _multiplied(self, others: Sequence[Candidate]) -> Mistake | None:
        return self._done_after(lambda: factors(others))

    def _outputs(self) -> Iterator[int | None]:
        for index in self._order():
            yield from self.steps[index].outputs

    def _done_after(self, those: Callable[[], Iterator[After]]) -> Mistake | None:
        """Return the change of what backward returns, or one of its operators gives, that fits."""
        for change in those():
            if self._fits_answer(change):
                return Mistake(change.kind, change.text, self.line)
        for index in self._order():
            for change in those():
                if self._fits(index, change):
                    return Mistake(change.kind, change.text, self.steps[index].where)
        return None

    def _inputs(self, index: int, which: int) -> list[Array]:
        tape, step = self.backward.tape, self.steps[index]
        return [tape.numbers(self.made[which], id_) for id_ in step.inputs if id_ is not None]

    def _fits_answer(self, change: After) -> bool:
        for which in range(len(self.points)):
            self.now = self.made[which]
            try:
                answer = self.backward.answer(self.now, self.one.places)
                changed = None if answer is None else change.function(answer)
            except ERRORS:
                return False
            self.left -= 1000 + self.one.given.size
            if not self._is_right(changed, which):
                return False
        return True

    def _fits(self, index: int, change: Change | After) -> bool:
        """Return whether a change of one operator makes the gradient right at all points."""
        step = self.steps[index]
        for which in range(len(self.points)):
            self.now = self.made[which]
            if self.left < 0:
                return False
            try:
                outs = self._changed_outputs(index, change, which)
                if outs is None or not self._is_right(self._after(index, outs, which), which):
                    return False
            except ERRORS:
                return False
        return bool(step.outputs)

    def _changed_outputs(self, index: int, change: Change | After, which: int) -> list[Array] | None:
        """Return what an operator gives after a change; None if that cannot be."""
        step = self.steps[index]
        ids = [id_ for id_ in step.outputs if id_ is not None]
        if isinstance(change, Change):
            outs = change.edit(self._inputs(index, which))
        else:
            first = change.function(self.now[ids[0]]) if self.now[ids[0]].dtype.kind == "f" else None
            outs = None if first is None else [first, *(self.now[id_] for id_ in ids[1:])]
        if outs is None or any(out.shape != self.now[id_].shape for id_, out in zip(ids, outs)):
            return None
        return outs

    def _after(self, index: int, outs: list[Array], which: int) -> Array | None:
        """Return what backward gives if operator `index` gives `outs`."""
        ids = [id_ for id_ in self.steps[index].outputs if id_ is not None]
        self.left -= sum(_price(self.trace, step) for step in self.steps[index:])
        space = {**self.made[which], **dict(zip(ids, outs))}
        return self.backward.answer(self.backward.tape.run(space, since=index + 1), self.one.places)

    def _is_right(self, gives: Array | None, which: int) -> bool:
        generic = which + 1 < len(self.points)
        return equal(gives, self.points[which].right.get(self.one.id), 1e-5 if generic else 1e-3)

    # -- forward, differentiated wrongly ---------------------------------------------------------------------------

    def _forward(self) -> Mistake | None:
        """Return the operator of forward whose gradient, done wrongly, gives what the user's backward gives."""
        given = [self.backward.answer(made, self.one.places) for made in self.made]
        for step in reversed(self.backward.exact.tape.steps):
            for id_ in dict.fromkeys(id_ for id_ in step.inputs if id_ is not None):
                for way in ("dropped", "kept", "negated"):
                    if self._is_forward_done(step, id_, way, given):
                        return self._of_forward(step, way)
        return None

    def _of_forward(self, step: Event, way: str) -> Mistake:
        what = {"name": step.title, "line": "" if step.where is None else step.where.number}
        if way == "dropped":
            text = say("a term is missing: what goes through {name} of forward, line {line}", **what)
            return Mistake("term", text, self.line)
        if way == "kept" and step.op in _MASKS:
            text = say("missing mask: the slope of {name} of forward, line {line}", **what)
            return Mistake("mask", text, self.line)
        if way == "kept":
            text = say("missing factor: the slope of {name} of forward, line {line}", **what)
            return Mistake("factor", text, self.line)
        text = say("wrong sign of what goes through {name} of forward, line {line}", **what)
        return Mistake("sign", text, self.line)

    def _is_forward_done(self, wrong: Event, id_: int, way: str, given: list[Array | None]) -> bool:
        def instead(
            step: Event, incoming: list[Array | None], answers: list[Array | None]
        ) -> list[Array | None]:
            if step is not wrong:
                return answers
            return [
                _done(way, incoming[0], one) if its == id_ else one for its, one in zip(step.inputs, answers)
            ]

        exact = self.backward.exact
        for point, mine in zip(self.points, given):
            self.left -= self.price
            if self.left < 0:
                return False
            try:
                made = exact.tape.pull(point.space, point.seeds, instead).get(self.one.id)
            except ERRORS:
                return False
            made = np.zeros(self.one.value.shape) if made is None else made
            if not equal(mine, made) or equal(made, point.right.get(self.one.id)):
                return False
        return True


def _done(way: str, incoming: Array | None, answer: Array | None) -> Array | None:
    if answer is None or way == "dropped":
        return None
    if way == "kept":
        fits = incoming is not None and incoming.shape == answer.shape
        return incoming if fits else answer
    return -answer
