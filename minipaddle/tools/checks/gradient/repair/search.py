"""The search for a mistake: one operator at a time is changed until both sides agree.

Read next: :mod:`minipaddle.tools.checks.gradient.repair.slips`, the changes.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import accumulate
from math import prod

import numpy as np

from minipaddle.engine.errors import Line
from minipaddle.engine.operator.operator import TABLE
from minipaddle.engine.value.meta import Array
from minipaddle.tools.checks.gradient.backward import Backward, Point, equal
from minipaddle.tools.checks.gradient.exact import Gradient
from minipaddle.tools.checks.gradient.repair.edits import (
    Candidate,
    Edit,
    Ran,
    factors,
    instead,
    needs,
    rearrangements,
    sums_of,
    value,
)
from minipaddle.tools.checks.gradient.repair.slips import changes, replacements
from minipaddle.tools.checks.gradient.repair.wrong_ways import Forward
from minipaddle.tools.checks.gradient.results import Mistake, alternatives
from minipaddle.tools.checks.gradient.tape import ERRORS, Numbers, in_double, price
from minipaddle.tools.record.events import Event, Value
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import line_text

WORK = 30_000_000
"""Most array elements computed in each stage of the search for one mistake: a few seconds."""
END = 1_000_000
"""Place of a change to backward's return value, above all steps. A change to value 5 before it is read has -1 - 5."""


Edits = dict[int, Edit]
"""Changes by their places. A line in a loop stands for several operators, which are changed together."""


class Search:
    """Looks for the change that makes the gradient of one input right at all of these points.

    Args:
        last: the last stages of the search, functions of it and of all values.
    """

    def __init__(
        self,
        backward: Backward,
        one: Gradient,
        points: list[Point],
        *last: Callable[[Search, Sequence[Candidate]], Mistake | None],
    ) -> None:
        self.last = last
        self.backward, self.one, self.points = backward, one, points
        self.trace, self.steps = backward.trace, backward.tape.steps
        self.made = [backward.tape.run(backward.start(point)) for point in points]
        self.given = [backward.answer(made, one.places) for made in self.made]
        prices = [price(self.trace, step) for step in self.steps]
        self.price_from = [*accumulate(reversed(prices), initial=0)][::-1]
        """The cost of running from each operator to the end."""
        self.left = WORK
        self.inputs = set(backward.exact.forward.inputs)
        self.forward = Forward(backward, one, points, self.given)
        self.line = self.forward.line
        values = self.trace.known([*backward.event.inputs, *backward.exact.forward.inputs])
        sizes = {length for one in values for length in (*one.shape, prod(one.shape))}
        self.lengths = sorted(sizes - {0, 1})

    def _candidates(self, ids: Iterable[int | None]) -> list[Candidate]:
        """Return the values with these ids as replacements to try."""
        arrived = self.backward.event.inputs
        known = self.trace.known(dict.fromkeys(ids))
        return [self._candidate(one, one.id in arrived) for one in known]

    def _candidate(self, one: Value, arrived: bool) -> Candidate:
        """Return a value as a candidate, with the name that forward has for it, and its role there."""
        forward, name, role = self.backward.exact.forward, one.name, "input" if one.id in self.inputs else ""
        if one.id in forward.outputs:
            role, terms = "output", self.backward.exact.tape.returned()[forward.outputs.index(one.id)]
            name = self.trace.variables.get((terms or (one.id,))[0], [name])[-1]
        return value(one.id, name, arrived, role, one.id in forward.saved)

    def _stages(self) -> list[Callable[[], Iterator[Edits] | Mistake | None]]:
        """Return the stages of the search: each yields changes to try, or finds the mistake by itself.

        First changes without another value; then with nearby values: inputs, outputs, incoming gradients, values
        of backward itself; then with intermediate values of forward.
        """
        forward = self.backward.exact.forward
        near = self._candidates((*forward.inputs, *forward.outputs, *self.backward.event.inputs))
        known = {one.id for one in near}
        far = [one for one in self._candidates(sorted(self.backward.of_forward)) if one.id not in known]
        sums = [
            each for one in near if one.arrived for each in sums_of(one, len(self.trace.values[one.id].shape))
        ]
        return [
            self._changed,
            self._rearranged,
            partial(self._of_forward, near),
            partial(self._replaced, near),
            partial(self._exchanged, near),
            partial(self._multiplied, [*near, *sums]),
            partial(self._replaced, far),
            partial(self._multiplied, far),
            *(partial(stage, self, [*near, *far]) for stage in self.last),
        ]

    def found(self, elsewhere: Sequence[Search] = ()) -> Mistake | None:
        """Return the first change that fits, here and in the searches for the same input at other calls of the line.

        If changes at several lines fit, all are named: the numbers cannot tell them apart.
        """
        for place, stage in enumerate(self._stages()):
            self.left = WORK
            made = stage()
            if isinstance(made, Mistake) and all(other.has(place, made) for other in elsewhere):
                return made
            if made is None or isinstance(made, Mistake):
                continue
            fits: dict[str | None, Mistake] = {}
            for edits in itertools.takewhile(lambda _: self.left >= 0, made):
                mistake = self.undone_by(edits)
                place_of = line_text(mistake.line)
                fits_here = place_of not in fits and self.fits(edits)
                if fits_here and all(other.has(place, mistake) for other in elsewhere):
                    fits[place_of] = mistake
            if fits:
                return alternatives([*fits.values()])
        return None

    def undone_by(self, edits: Edits) -> Mistake:
        """Return the mistake that changes undo."""
        at, edit = next(iter(edits.items()))
        return Mistake(edit.kind, edit.text, edit.line or self.line_at(at))

    def has(self, place: int, mistake: Mistake) -> bool:
        """Return whether undoing a mistake makes the gradient right, or leaves it right if its line did not run."""
        self.left, made = WORK, self._stages()[place]()
        if isinstance(made, Mistake):
            return made.key == mistake.key
        same = [edits for edits in made or () if self.undone_by(edits).key == mistake.key]
        as_it_is = all(self.is_right(one, which) for which, one in enumerate(self.given))
        return any(map(self.fits, same)) if same else as_it_is

    # -- the stages ------------------------------------------------------------------------------------------------

    def order(self) -> Iterator[int]:
        """Yield the positions of the operators, the last first."""
        for index in range(len(self.steps) - 1, -1, -1):
            step = self.steps[index]
            if step.kind == "op" and step.op in TABLE and self.trace.known(step.outputs):
                yield index

    def _of_each(self, edits_of: Callable[[int], Iterable[Edit]]) -> Iterator[Edits]:
        """Yield the changes of one operator, then of all its calls at one line of a loop."""
        yield from ({at: edit} for at in self.order() for edit in edits_of(at))
        same = grouped(((self.steps[at].op, self.steps[at].where), at) for at in self.order())
        for ats in same.values():
            if len(ats) > 1:
                yield from (dict(zip(ats, edits)) for edits in zip(*map(edits_of, ats)))

    def line_at(self, at: int) -> Line | None:
        """Return the line of an operator, or else of backward's return value."""
        return self.steps[at].where if 0 <= at < len(self.steps) else self.line

    def _changed(self) -> Iterator[Edits]:
        return self._of_each(
            lambda at: changes(
                self.trace,
                self.steps[at],
                self._inputs(self.steps[at], self.made[0]),
                self.trace.known(self.steps[at].outputs)[0].shape,
            )
        )

    def _replaced(self, others: Sequence[Candidate]) -> Iterator[Edits]:
        made = [(at, id_) for at, step in enumerate(self.steps) for id_ in step.outputs if id_ is not None]

        def edits_of(at: int) -> Iterator[Edit]:
            own = self._candidates(id_ for before, id_ in made if before < at)
            step = self.steps[at]
            return replacements(self.trace, step, self._candidates(step.inputs), [*others, *own])

        return self._of_each(edits_of)

    def _exchanged(self, others: Sequence[Candidate]) -> Iterator[Edits]:
        """Yield the changes that read another value, or a flipped one, throughout backward."""
        for one in others:
            array = one.numbers(self.made[0])
            for other in others:
                instead_of = other.numbers(self.made[0])
                alike = array.shape == instead_of.shape and array.dtype.kind == instead_of.dtype.kind
                if one.id != other.id and alike:
                    read = partial(lambda other, ran: [other.numbers(ran.space)], other)
                    yield {-1 - one.id: Edit("saved", needs(one, other), read)}
            if array.dtype.kind == "c":
                text = say("{name} is to be conjugated", name=one.name)
                yield {-1 - one.id: Edit("conjugate", text, instead(np.conj))}
            for axis in range(array.ndim):
                text = say("{name} is to be flipped along axis {axis}", name=one.name, axis=axis)
                yield {-1 - one.id: Edit("flipped", text, instead(partial(np.flip, axis=axis)))}

    def _rearranged(self) -> Iterator[Edits]:
        outputs = (id_ for index in self.order() for id_ in self.steps[index].outputs)
        ndim = max([self.one.given.ndim, *(len(one.shape) for one in self.trace.known(outputs))])
        is_complex = any(made.dtype.kind == "c" for made in self.made[0].values())
        return self._done_after(
            lambda: rearrangements(ndim, self.lengths, (self.one.given.size,), is_complex)
        )

    def _multiplied(self, others: Sequence[Candidate]) -> Iterator[Edits]:
        return self._done_after(lambda: factors([one for one in others if self.floats(one)]))

    def _of_forward(self, near: Sequence[Candidate]) -> Mistake | None:
        """Return the mistake of a wrongly differentiated forward operator, or the line that lacks its factor."""
        found = self.forward.found()
        if found is None:
            return None
        fitting = filter(self.fits, self._multiplied(near) if found.kind == "factor" else ())
        closer = next(map(self.undone_by, fitting), None)
        return closer if closer is not None and closer.line != self.line else found

    def floats(self, one: Candidate) -> bool:
        """Return whether a value can be multiplied with a gradient."""
        return one.numbers(self.made[0]).dtype.kind in "fc"

    def _done_after(self, those: Callable[[], Iterator[Edit]]) -> Iterator[Edits]:
        """Yield the changes of backward's return value, then of each operator's output."""
        yield from ({END: edit} for edit in those())
        yield from self._of_each(lambda at: those())

    # -- trying ----------------------------------------------------------------------------------------------------

    def _inputs(self, step: Event, space: Numbers) -> list[Array]:
        return [self.backward.tape.numbers(space, id_) for id_ in step.inputs if id_ is not None]

    def fits(self, edits: Edits) -> bool:
        """Return whether changes make the gradient right at all points."""
        places = range(len(self.points))
        return all(self.left >= 0 and self.is_right(self.gives(edits, which), which) for which in places)

    def gives(self, edits: Edits, which: int) -> Array | None:
        """Return backward's gradient at a point with these changes; None if it cannot be computed."""
        try:
            return self._changed_answer(edits, which)
        except ERRORS:
            return None

    def _changed_answer(self, edits: Edits, which: int) -> Array | None:
        space, first = self.made[which], min(edits)
        since = len(self.steps) if first == END else max(first, 0)
        self.left -= 1000 + self.one.given.size + self.price_from[since]
        for at, edit in edits.items():
            if at < 0:
                read = edit.make(Ran([], [space[-1 - at]], space))
                array = space[-1 - at] if read is None else read[0]
                space = self.backward.tape.run({**self.backward.start(self.points[which]), -1 - at: array})
        if since < len(self.steps):
            at_step = {id(self.steps[at]): edit for at, edit in edits.items() if 0 <= at < END}
            space = (
                self.backward.tape.run(space, partial(self._changed_step, at_step), since)
                if at_step
                else space
            )
        answer = self.backward.answer(space, self.one.places)
        if answer is None or END not in edits:
            return answer
        made = edits[END].make(Ran([], [answer], space))
        return None if made is None else made[0]

    def _changed_step(
        self, edits: dict[int, Edit], step: Event, space: Numbers
    ) -> Sequence[Array | None] | None:
        """Return the outputs of a changed operator; None for an unchanged one."""
        edit = edits.get(id(step))
        if edit is None:
            return None
        given = [in_double(one) for one in self._inputs(step, space)]
        outs = self.backward.tape.outputs(step, space)
        made = edit.make(Ran(given, [out for out in outs if out is not None], space))
        if made is None or len(made) != sum(out is not None for out in outs):
            raise ValueError("the change makes no sense here")
        rest = iter(made)
        return [None if out is None else next(rest) for out in outs]

    def is_right(self, gives: Array | None, which: int) -> bool:
        """Return whether a gradient equals the true one at a point."""
        generic = which + 1 < len(self.points)
        return equal(gives, self.points[which].right.get(self.one.id), 1e-5 if generic else 1e-3)
