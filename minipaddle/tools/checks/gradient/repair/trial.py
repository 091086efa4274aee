"""A trial: a backward with some of its operators changed runs again, and its gradient is compared with the true one.

Read next: :mod:`minipaddle.tools.checks.gradient.repair.search`, the order in which changes are tried.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate

from minipaddle.engine.operator.operator import TABLE
from minipaddle.engine.value.meta import Array
from minipaddle.tools.checks.gradient.backward import Backward, Point, equal
from minipaddle.tools.checks.gradient.exact import Gradient
from minipaddle.tools.checks.gradient.repair.edits import Candidate, Edit, Ran
from minipaddle.tools.checks.gradient.results import Mistake
from minipaddle.tools.checks.gradient.source import line_of_answer
from minipaddle.tools.checks.gradient.tape import ERRORS, Numbers, in_double, price
from minipaddle.tools.record.events import Event

WORK = 30_000_000
"""Most array elements computed in each stage of the search for one mistake: a few seconds."""
END = 1_000_000
"""Place of a change to backward's return value, above all steps. A change to value 5 before it is read has -1 - 5."""


Edits = dict[int, Edit]
"""Changes by their places. A line in a loop stands for several operators, which are changed together."""


class Trial:
    """Runs a backward again, with changes, for the gradient of one input at all of these points."""

    def __init__(self, backward: Backward, one: Gradient, points: list[Point]) -> None:
        self.backward, self.one, self.points = backward, one, points
        self.trace, self.steps = backward.trace, backward.tape.steps
        self.made = [backward.tape.run(backward.start(point)) for point in points]
        self.given = [backward.answer(made, one.places) for made in self.made]
        prices = [price(self.trace, step) for step in self.steps]
        self.price_from = [*accumulate(reversed(prices), initial=0)][::-1]
        """The cost of running from each operator to the end."""
        self.left = WORK
        self.line = line_of_answer(backward.exact.call, one.places[0])

    def order(self) -> Iterator[int]:
        """Yield the positions of the operators, the last first."""
        for index in range(len(self.steps) - 1, -1, -1):
            step = self.steps[index]
            if step.kind == "op" and step.op in TABLE and self.trace.known(step.outputs):
                yield index

    def undone_by(self, edits: Edits) -> Mistake:
        """Return the mistake that changes undo, at the line of the operator, or else of backward's return value."""
        at, edit = next(iter(edits.items()))
        line = self.steps[at].where if 0 <= at < len(self.steps) else self.line
        return Mistake(edit.kind, edit.text, edit.line or line)

    def floats(self, one: Candidate) -> bool:
        """Return whether a value can be multiplied with a gradient."""
        return one.numbers(self.made[0]).dtype.kind in "fc"

    def inputs(self, step: Event, space: Numbers) -> list[Array]:
        """Return the inputs of an operator."""
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
        tape, changed = self.backward.tape, Numbers()
        for id_, edit in ((-1 - at, edit) for at, edit in edits.items() if at < 0):
            array = tape.numbers(space, id_)
            changed[id_] = (edit.make(Ran([], [array], space)) or [array])[0]
        if changed:
            space = tape.run({**self.backward.start(self.points[which]), **changed})
        at_step = {id(self.steps[at]): edit for at, edit in edits.items() if 0 <= at < END}
        if at_step:
            space = tape.run(space, partial(self._changed_step, at_step), since)
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
        given = [in_double(one) for one in self.inputs(step, space)]
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
