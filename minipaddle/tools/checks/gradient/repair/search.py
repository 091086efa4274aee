"""The search for a mistake: one operator at a time is changed until both sides agree.

Read next: :mod:`minipaddle.tools.checks.gradient.repair.slips`, the changes.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

import numpy as np

from minipaddle.ops.definition.traits import has
from minipaddle.tools.checks.gradient.repair.edits import (
    Candidate,
    Edit,
    factors,
    instead,
    reading,
    rearrangements,
    sums_of,
)
from minipaddle.tools.checks.gradient.repair.sizes import missing_terms, wrong_numbers
from minipaddle.tools.checks.gradient.repair.slips import changes, read_instead, replacements
from minipaddle.tools.checks.gradient.repair.trial import END, WORK, Edits, Trial
from minipaddle.tools.checks.gradient.repair.wrong_ways import WrongWays
from minipaddle.tools.checks.gradient.results import Mistake, alternatives
from minipaddle.tools.record.events import Value
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.language import say


class Search(Trial):
    """Looks for the change that makes the gradient of one input right at all of these points."""

    def _candidates(self, ids: Iterable[int | None]) -> list[Candidate]:
        """Return the values with these ids as replacements to try."""
        arrived = self.backward.event.inputs
        known = self.trace.known(dict.fromkeys(ids))
        return [self._candidate(one, one.id in arrived) for one in known]

    def _candidate(self, one: Value, arrived: bool) -> Candidate:
        """Return a value as a candidate, with the name that forward has for it, and its role there."""
        forward, name = self.backward.exact.forward, one.name
        role = "input" if one.id in forward.inputs else ""
        if one.id in forward.outputs:
            role, terms = "output", self.backward.exact.tape.returned()[forward.outputs.index(one.id)]
            name = self.trace.variables.get((terms or (one.id,))[0], [name])[-1]
        return Candidate(one.id, name, arrived, role, one.id in forward.saved)

    def _stages(self) -> list[Callable[[], Iterator[Edits]]]:
        """Return the stages of the search: each yields changes to try.

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
            self._stale,
            self._mixed_up,
            self._changed,
            self._rearranged,
            partial(self._of_forward, near),
            partial(self._replaced, near),
            partial(self._exchanged, near, far),
            partial(self._multiplied, [*near, *sums]),
            partial(self._replaced, far),
            partial(self._multiplied, far),
            partial(wrong_numbers, self, [*near, *far]),
            partial(missing_terms, self, [*near, *far]),
        ]

    def found(self, elsewhere: Sequence[Search] = ()) -> Mistake | None:
        """Return the first change that fits, here and in the searches for the same input at other calls of the line.

        If changes at several lines fit, all are named: the numbers cannot tell them apart.
        """
        for place, stage in enumerate(self._stages()):
            self.left = WORK
            fits: dict[tuple[str, int] | None, Mistake] = {}
            for edits in itertools.takewhile(lambda _: self.left >= 0, stage()):
                mistake = self.undone_by(edits)
                here = mistake.line and mistake.line[:2]  # whatever function it is in
                fits_here = here not in fits and self.fits(edits)
                if fits_here and all(other.has(place, mistake) for other in elsewhere):
                    fits[here] = mistake
            if fits:
                own = {at: one for at, one in fits.items() if one.line != self.backward.exact.forward.where}
                steps = (step for step in self.steps if not has("same numbers", step.op))
                computing = {step.where and step.where[:2] for step in steps}
                named = [one for at, one in own.items() if at in computing]
                return alternatives(named or [*own.values()] or [*fits.values()])
        return None

    def has(self, place: int, mistake: Mistake) -> bool:
        """Return whether undoing a mistake makes the gradient right, or leaves it right if its line did not run."""
        self.left = WORK
        same = [edits for edits in self._stages()[place]() if self.undone_by(edits).key == mistake.key]
        as_it_is = all(self.is_right(one, which) for which, one in enumerate(self.given))
        return any(map(self.fits, same)) if same else as_it_is

    # -- the stages ------------------------------------------------------------------------------------------------

    def _of_each(self, edits_of: Callable[[int], Iterable[Edit]]) -> Iterator[Edits]:
        """Yield the changes of one operator, then of all its calls at one line of a loop."""
        yield from ({at: edit} for at in self.order() for edit in edits_of(at))
        same = grouped(((self.steps[at].op, self.steps[at].where), at) for at in self.order())
        for ats in same.values():
            if len(ats) > 1:
                yield from (dict(zip(ats, edits)) for edits in zip(*map(edits_of, ats)))

    def _stale(self) -> Iterator[Edits]:
        """Yield the changes that read this call's value for an overwritten one or another call's; then another sign."""
        reads = {}
        for id_, stale in self.backward.stale.items():
            name, line = self.trace.values[stale.right].name, self.line
            text = say(
                "backward reads {name} of another call: keep it in ctx, each call has its own", name=name
            )
            if stale.why == "overwritten":
                text = say("{name} was overwritten after forward", name=name)
                line = stale.maker.where if stale.maker is not None else None
            reads[-1 - id_] = Edit(stale.why, text, reading(Candidate(stale.right, name)), line)
        for at, edit in reads.items():
            yield {at: edit}
            yield {at: edit, **reads}
        yield {END: Edit("sign", say("wrong sign"), instead(np.negative))}

    def _mixed_up(self) -> Iterator[Edits]:
        """Yield the changes that exchange the incoming gradients of two outputs."""
        text = say("the gradients of two outputs are mixed up")
        arrived = self._candidates(self.backward.event.inputs)
        alike = grouped((self.trace.values[one.id].shape, one) for one in arrived)
        for pair in (pair for those in alike.values() for pair in itertools.combinations(those, 2)):
            yield {-1 - one.id: Edit("swapped", text, reading(other)) for one, other in zip(pair, pair[::-1])}

    def _changed(self) -> Iterator[Edits]:
        return self._of_each(
            lambda at: changes(self.trace, self.steps[at], self.inputs(self.steps[at], self.made[0]))
        )

    def _replaced(self, others: Sequence[Candidate]) -> Iterator[Edits]:
        made = [(at, id_) for at, step in enumerate(self.steps) for id_ in step.outputs if id_ is not None]

        def edits_of(at: int) -> Iterator[Edit]:
            own = self._candidates(id_ for before, id_ in made if before < at)
            step = self.steps[at]
            return replacements(self.trace, step, self._candidates(step.inputs), [*others, *own])

        return self._of_each(edits_of)

    def _exchanged(self, near: Sequence[Candidate], far: Sequence[Candidate]) -> Iterator[Edits]:
        """Yield the changes that read another value, or a flipped one, throughout backward."""
        holders = [value.holder for value in self.trace.values]
        for one in near:
            array = one.numbers(self.made[0])
            for other in [*near, *(each for each in far if holders[each.id] == holders[one.id])]:
                instead_of = other.numbers(self.made[0])
                alike = array.shape == instead_of.shape and array.dtype.kind == instead_of.dtype.kind
                if one.id != other.id and alike:
                    yield {-1 - one.id: read_instead(self.trace, one, other, reading(other))}
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
        values = self.trace.known([*self.backward.event.inputs, *self.backward.exact.forward.inputs])
        shapes = [one.shape for one in values]
        return self._done_after(lambda: rearrangements(ndim, shapes, self.one.given.size, is_complex))

    def _multiplied(self, others: Sequence[Candidate]) -> Iterator[Edits]:
        return self._done_after(lambda: factors([one for one in others if self.floats(one)]))

    def _of_forward(self, near: Sequence[Candidate]) -> Iterator[Edits]:
        """Yield the change that undoes wrong ways to differentiate forward; of a lost factor, at its own line."""
        tried = itertools.takewhile(lambda _: self.left >= 0, WrongWays(self).edits())
        for edit in filter(lambda edit: self.fits({END: edit}), tried):
            self.left = WORK
            closer = next(filter(self.fits, self._multiplied(near) if edit.kind == "factor" else ()), None)
            is_closer = closer is not None and self.undone_by(closer).line != self.line
            yield closer if closer is not None and is_closer else {END: edit}
            return

    def _done_after(self, those: Callable[[], Iterator[Edit]]) -> Iterator[Edits]:
        """Yield the changes of backward's return value, then of each operator's output."""
        yield from ({END: edit} for edit in those())
        yield from self._of_each(lambda at: those())
