"""The search for a mistake: one operator at a time is changed until both sides agree.

Below: mistakes of size: a wrong or missing number, and a missing summand.
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
    rearrangements,
    sums_of,
    value,
)
from minipaddle.tools.checks.gradient.repair.slips import changes, replacements
from minipaddle.tools.checks.gradient.repair.wrong_ways import Forward
from minipaddle.tools.checks.gradient.results import Mistake
from minipaddle.tools.checks.gradient.tape import ERRORS, Numbers, in_double, price
from minipaddle.tools.record.events import Event
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import number

WORK = 30_000_000
"""Most array elements computed in each stage of the search for one mistake: a few seconds."""
END = 1_000_000
"""Place of a change to backward's return value, above all steps. A change to value 5 before it is read has -1 - 5."""


Edits = dict[int, Edit]
"""Changes by their places. A line in a loop stands for several operators, which are changed together."""


class Search:
    """Looks for the change that makes the gradient of one input right at all of these points."""

    def __init__(self, backward: Backward, one: Gradient, points: list[Point]) -> None:
        self.backward, self.one, self.points = backward, one, points
        self.trace, self.steps = backward.trace, backward.tape.steps
        self.made = [backward.tape.run(backward.start(point)) for point in points]
        self.given = [backward.answer(made, one.places) for made in self.made]
        prices = [price(self.trace, step) for step in self.steps]
        self.price_from = [*accumulate(reversed(prices), initial=0)][::-1]
        """The cost of running from each operator to the end."""
        self.left = WORK
        self.forward = Forward(backward, one, points, self.given)
        self.line = self.forward.line
        values = self.trace.known([*backward.event.inputs, *backward.exact.forward.inputs])
        sizes = {length for one in values for length in (*one.shape, prod(one.shape))}
        self.lengths = sorted(sizes - {0, 1})

    def _candidates(self, ids: Iterable[int | None]) -> list[Candidate]:
        """Return the values with these ids as replacements to try."""
        arrived = self.backward.event.inputs
        known = self.trace.known(dict.fromkeys(ids))
        return [value(one.id, one.name, one.id in arrived) for one in known]

    def found(self) -> Mistake | None:
        """Return the first change that fits.

        First changes without another value; then with nearby values: inputs, outputs, incoming gradients, values
        of backward itself; then with intermediate values of forward.
        """
        forward = self.backward.exact.forward
        near = self._candidates((*forward.inputs, *forward.outputs, *self.backward.event.inputs))
        known = {one.id for one in near}
        far = [one for one in self._candidates(self.backward.of_forward) if one.id not in known]
        sums = [
            each for one in near if one.arrived for each in sums_of(one, len(self.trace.values[one.id].shape))
        ]
        stages: list[Callable[[], Mistake | None]] = [
            self._changed,
            self._rearranged,
            partial(self._of_forward, near),
            partial(self._replaced, near),
            partial(self._exchanged, near),
            partial(self._multiplied, [*near, *sums]),
            partial(self._replaced, far),
            partial(self._multiplied, far),
            partial(wrong_number, self),
            partial(missing_term, self, [*near, *far]),
        ]
        for stage in stages:
            self.left = WORK
            if (mistake := stage()) is not None:
                return mistake
        return None

    # -- the stages ------------------------------------------------------------------------------------------------

    def order(self) -> Iterator[int]:
        """Yield the positions of the operators, the last first."""
        for index in range(len(self.steps) - 1, -1, -1):
            step = self.steps[index]
            if step.kind == "op" and step.op in TABLE and self.trace.known(step.outputs):
                yield index

    def _first(self, those: Iterable[Edits]) -> Mistake | None:
        for edits in those:
            if self.fits(edits):
                at, edit = next(iter(edits.items()))
                return Mistake(edit.kind, edit.text, self.line_at(at))
        return None

    def _first_of(self, edits_of: Callable[[int], Iterable[Edit]]) -> Mistake | None:
        """Return the first change that fits, of one operator or of all its calls at one line of a loop."""
        mistake = self._first({at: edit} for at in self.order() for edit in edits_of(at))
        same = grouped(((self.steps[at].op, self.steps[at].where), at) for at in self.order())
        loops = [ats for ats in same.values() if len(ats) > 1]
        return mistake or self._first(
            dict(zip(ats, edits)) for ats in loops for edits in zip(*map(edits_of, ats))
        )

    def line_at(self, at: int) -> Line | None:
        """Return the line of an operator, or else of backward's return value."""
        return self.steps[at].where if 0 <= at < len(self.steps) else self.line

    def _changed(self) -> Mistake | None:
        return self._first_of(
            lambda at: changes(
                self.trace,
                self.steps[at],
                self._inputs(self.steps[at], self.made[0]),
                self.trace.known(self.steps[at].outputs)[0].shape,
            )
        )

    def _replaced(self, others: Sequence[Candidate]) -> Mistake | None:
        made = [(at, id_) for at, step in enumerate(self.steps) for id_ in step.outputs if id_ is not None]

        def edits_of(at: int) -> Iterator[Edit]:
            own = self._candidates(id_ for before, id_ in made if before < at)
            return replacements(self.trace, self.steps[at], [*others, *own])

        return self._first_of(edits_of)

    def _exchanged(self, others: Sequence[Candidate]) -> Mistake | None:
        """Return the mistake of reading a wrong or a flipped value throughout backward."""

        def edits() -> Iterator[Edits]:
            for one in others:
                array = one.numbers(self.made[0])
                for other in others:
                    text = say("{mine} where {other} should be", mine=one.name, other=other.name)
                    instead_of = other.numbers(self.made[0])
                    alike = array.shape == instead_of.shape and array.dtype.kind == instead_of.dtype.kind
                    if one.id != other.id and alike:
                        read = partial(lambda other, ran: [other.numbers(ran.space)], other)
                        yield {-1 - one.id: Edit("saved", text, read)}
                if array.dtype.kind == "c":
                    text = say("{name} is to be conjugated", name=one.name)
                    yield {-1 - one.id: Edit("conjugate", text, instead(np.conj))}
                for axis in range(array.ndim):
                    text = say("{name} is to be flipped along axis {axis}", name=one.name, axis=axis)
                    yield {-1 - one.id: Edit("flipped", text, instead(partial(np.flip, axis=axis)))}

        return self._first(edits())

    def _rearranged(self) -> Mistake | None:
        outputs = (id_ for index in self.order() for id_ in self.steps[index].outputs)
        ndim = max([self.one.given.ndim, *(len(one.shape) for one in self.trace.known(outputs))])
        is_complex = any(made.dtype.kind == "c" for made in self.made[0].values())
        return self._done_after(
            lambda: rearrangements(ndim, self.lengths, (self.one.given.size,), is_complex)
        )

    def _multiplied(self, others: Sequence[Candidate]) -> Mistake | None:
        return self._done_after(lambda: factors([one for one in others if self.floats(one)]))

    def _of_forward(self, near: Sequence[Candidate]) -> Mistake | None:
        """Return the mistake of a wrongly differentiated forward operator, or the line that lacks its factor."""
        found = self.forward.found()
        if found is None:
            return None
        closer = self._multiplied(near) if found.kind == "factor" else None
        return closer if closer is not None and closer.line != self.line else found

    def floats(self, one: Candidate) -> bool:
        """Return whether a value can be multiplied with a gradient."""
        return one.numbers(self.made[0]).dtype.kind in "fc"

    def _done_after(self, those: Callable[[], Iterator[Edit]]) -> Mistake | None:
        """Return the first change that fits, of backward's return value or of an operator's output."""
        return self._first({END: edit} for edit in those()) or self._first_of(lambda at: those())

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
        if made is None:
            raise ValueError("the change makes no sense here")
        rest = iter(made)
        return [None if out is None else next(rest) for out in outs]

    def is_right(self, gives: Array | None, which: int) -> bool:
        """Return whether a gradient equals the true one at a point."""
        generic = which + 1 < len(self.points)
        return equal(gives, self.points[which].right.get(self.one.id), 1e-5 if generic else 1e-3)


def wrong_number(search: Search) -> Mistake | None:
    """Return the mistake of a wrong number, or of two exchanged ones: backward is linear in it."""
    factors = {
        at: float(search.steps[at].attrs.get("scale", 1))
        for at in search.order()
        if search.steps[at].op == "scale" and not search.steps[at].attrs.get("bias")
    }
    for (one, mine), (other, its) in itertools.combinations(factors.items(), 2):
        if mine and its and mine != its:
            text = say("{one} and {other} are mixed up", one=number(mine), other=number(its))
            if search.fits(
                {one: _scaled("swapped", text, its / mine), other: _scaled("swapped", text, mine / its)}
            ):
                return Mistake("swapped", text, search.line_at(one))
    for at, mine in factors.items() if len(search.points) > 1 else ():
        share = _right_share(search, at)
        text = say("{mine} where {other} should be", mine=number(mine), other=number(share * mine))
        if share and search.fits({at: _scaled("factor", text, share)}):
            return Mistake("factor", text, search.line_at(at))
    return None


def _scaled(kind: str, text: str, factor: float) -> Edit:
    return Edit(kind, text, instead(partial(np.multiply, factor)))


def _right_share(search: Search, at: int) -> float:
    """Return the factor on an operator's output that makes backward right; 0 if there is none."""
    right, base = search.points[0].right.get(search.one.id), search.given[0]
    without = search.gives({at: _scaled("", "", 0.0)}, 0)
    if right is None or base is None or without is None or without.shape != right.shape:
        return 0.0
    part = base - without
    size = float(np.vdot(part, part).real)
    return float(np.vdot(part, right - without).real) / size if size else 0.0


def missing_term(search: Search, others: Sequence[Candidate]) -> Mistake | None:
    """Return the mistake of a missing constant factor, or of a missing term: incoming gradient times a value."""
    share = _share(search, lambda made, given: given)
    if share is not None and abs(1 + share) > 1e-3:
        return Mistake("factor", say("missing factor {factor}", factor=number(1 + share)), search.line)
    ones = Candidate(-1, "", lambda space: np.ones(()))
    for came in (one for one in others if one.arrived):
        for other in [ones, *(one for one in others if not one.arrived and search.floats(one))]:
            share = _share(search, partial(_product, came, other))
            if share is not None:
                parts = (number(share) if abs(share - 1) > 1e-4 else "", came.name, other.name)
                text = say("the term {name} is missing", name=" * ".join(filter(None, parts)))
                return Mistake("term", text, search.line)
    return None


def _share(search: Search, term_of: Callable[[Numbers, Array], Array]) -> float | None:
    """Return the missing multiple of a term, equal at all elements and points; None if it does not fit."""
    shares = []
    for which, (made, given, point) in enumerate(zip(search.made, search.given, search.points)):
        right = point.right.get(search.one.id)
        if given is None or right is None or given.dtype.kind != "f" or len(search.points) < 2:
            return None
        try:
            term = term_of(made, given)
        except ERRORS:
            return None
        if term.shape != given.shape or term.dtype.kind != "f" or not term.any():
            return None
        share = float(np.vdot(term, right - given) / np.vdot(term, term))
        if not search.is_right(given + share * term, which):
            return None
        shares.append(share)
    return shares[0] if np.allclose(shares, shares[0], rtol=1e-3) else None


def _product(came: Candidate, other: Candidate, made: Numbers, given: Array) -> Array:
    product: Array = came.numbers(made) * other.numbers(made)
    return product
