"""The backward passes of a Program's run: seeds, gradients, sums, and what reaches the leaves.

What an Operator is in a pass it says itself (:class:`minipaddle.paddle.static.program.operator.Operator`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.mode.eager import EAGER, within
from minipaddle.engine.value.meta import Array, Meta
from minipaddle.paddle.static.control_flow.while_operator import WhileGrad
from minipaddle.paddle.static.custom.call_at_run import LateGradient, LateOperator
from minipaddle.paddle.static.gradient.grad_operator import GradOperator
from minipaddle.paddle.static.program.operator import Operator
from minipaddle.paddle.static.program.table_operator import TableOperator
from minipaddle.paddle.static.program.variable import Variable
from minipaddle.tools.record.builder import Builder
from minipaddle.tools.record.events import Event
from minipaddle.tools.record.kinds import Accumulate, Bodied, Grad, MadeBy, Op
from minipaddle.tools.record.sources.program.blocks import Ids, Parts, ProgramBlocks
from minipaddle.tools.record.sources.program.values import Given, has_numbers


class _Pass(NamedTuple):
    """A backward pass that is running."""

    number: int
    """Among those of the Program."""
    depth: int
    """How many Blocks were open when it began."""
    last: Operator
    """With what it ends."""
    reached: dict[int, tuple[int, int]]
    """By holder, leaves and their gradients so far: values."""


class ProgramGradients(ProgramBlocks):
    """Tells of the backward passes of a run; `operators` are those that run of the global Block."""

    def __init__(
        self, operators: Sequence[Operator], builder: Builder, given: Given, made_by: MadeBy
    ) -> None:
        super().__init__(builder, given, made_by)
        self.operators = operators
        self._passes: list[_Pass] = []

    def _keep_call(self, event: Event, op: Operator) -> None:
        """Keep a function of the user's, to be called again."""
        if op.runs_user_code:
            enter = self.trace.events[event.body[0]] if event.body is not None else event
            self.trace.calls[event.index] = (op.kernel(), [self.trace.value(id_) for id_ in enter.inputs])

    # -- gradients ------------------------------------------------------------------------------------------------

    def _gradient(self, op: Operator, outputs: Sequence[Any], ids: Ids, parts: Parts) -> None:
        origin = op.origin
        assert origin is not None
        event = self._event(Grad, op, type_of(op), title_of(origin))
        event.body = self._bodies.pop(op, None)
        self._keep_call(event, op)
        forward, count, pairs = self._differentiated(event, op, origin, ids)
        event.inputs = [None if one is None else ids.get(one) for one in _incoming(op, origin)]
        self._note_seeds(event.inputs)
        event.outputs = [None] * count
        arrays = dict(zip(op.writes(), outputs, strict=True))
        for at, given, gradient in pairs:
            if arrays[gradient] is None:  # the branch was not taken
                self.tables.now.pop(gradient, None)
                continue
            of = self.tables.now.get(given) if forward is None else forward.inputs[at]
            made = self._made(gradient, arrays[gradient], event, of)
            self._reached(of, made)
            if event.outputs[at] is None:
                event.outputs[at] = made
            else:  # the Operator was given one Variable twice, and reads it once
                event.outputs.append(made)
        if parts:
            by_id = {self.tables.now[one]: terms for one, terms in parts.items() if one in self.tables.now}
            event.parts = [None if id_ is None else by_id.get(id_) for id_ in event.outputs]
        if event.origin is not None:  # what was kept for it
            kept = [id_ for one, id_ in ids.items() if id_ is not None and one not in set(op.gradients_in)]
            whole = self.trace.events[event.origin]  # of a rule, the parts are differentiated one by one
            if isinstance(whole, Bodied):
                whole.saved = kept if event.part is None else [*dict.fromkeys([*whole.saved, *kept])]
        self.tables.made_by[op] = [event.index]
        self.tables.gave[op] = self.tables.known(op.writes())
        if isinstance(op, WhileGrad):
            self.tables.close(op)

    def _differentiated(
        self, event: Grad, op: Operator, origin: Operator, ids: Ids
    ) -> tuple[Event | None, int, list[tuple[int, Variable, Variable]]]:
        """Note what a gradient event belongs to.

        Returns:
            the forward call, if it is known; how many inputs that has; and for each gradient (position among them,
            Variable there, Variable of the gradient).
        """
        events = self.trace.events
        made_by = self.tables.made_by.get(origin, [])
        if origin.sums is not None and made_by:  # a sum was written down as meetings of two
            event.origin = made_by[max(op.gradient_pairs[0][0] - 1, 0)]
            pairs = [(min(place, 1), given, gradient) for place, given, gradient in op.gradient_pairs]
            return events[event.origin], 2, pairs
        flat = origin.variables() if isinstance(origin, TableOperator) else origin.reads()
        pairs = [
            (_position(flat, place, given), given, gradient) for place, given, gradient in op.gradient_pairs
        ]
        event.origin = self.tables.event_of(origin)
        if event.origin is not None:
            forward = events[event.origin]
            if isinstance(forward, Grad):  # a function of the user's that computes a gradient has one, too
                event.part = _as_op(forward, [self.tables.now.get(one) for one in flat])
                return event.part, len(flat), pairs
            if isinstance(forward, Op):
                event.part = _as_read(forward, op, origin, ids)
            return forward, len(flat), pairs
        event.origin = self.tables.event_of(origin.part_of)
        if event.origin is not None and isinstance(origin, TableOperator):
            event.part = self._described(origin)
        return event.part, len(flat), pairs

    def _accumulated(self, op: Operator, inputs: Sequence[Any], outputs: Sequence[Any], ids: Ids) -> None:
        """Write a sum down as the meetings of two that it consists of."""
        assert op.sums is not None
        (out,), (total,) = op.writes(), outputs
        terms = [ids[one] for one in op.reads()]
        self._note_seeds(terms)
        about = self._value_at(op.sums)
        if op.sums[0] is None:  # a parameter may have been updated since: the terms know what was read
            of = (value.of for value in map(self.trace.value, terms) if value is not None)
            about = next((one for one in of if one is not None), about)
        for value in map(self.trace.value, terms):
            if value is not None and value.of is None and value.kind == "gradient":
                value.of = about  # zeros that a Block was handed
        so_far, array = terms[0], inputs[0]
        self.tables.made_by[op] = []
        for term, other in zip(terms[1:], inputs[1:], strict=True):
            event = self._event(Accumulate, op, "sum", "accumulate")
            event.about, event.inputs = about, [so_far, term]
            self.tables.made_by[op].append(event.index)
            last = len(self.tables.made_by[op]) == len(terms) - 1
            array = total if last or self.made_by == "sketch" else array + other
            so_far = self._made(out, array, event, about)
            event.outputs = [so_far]
        self.tables.gave[op] = self.tables.known([out])
        if so_far is not None:
            self._reached(about, so_far)

    # -- passes ---------------------------------------------------------------------------------------------------

    def _begin_passes(self, op: Operator) -> None:
        """Begin the pass that an Operator is part of, if it does not run already."""
        number, depth = op.pass_number, self.builder.depth
        if not number or any(one.number == number for one in self._passes):
            return
        while self._passes and self._passes[-1].depth == depth:
            self._end_pass()
        last = [one for one in self._beside(op) if one.pass_number == number][-1]
        self._passes.append(_Pass(number, depth, last, {}))
        event = self.builder.begin_pass(self.made_by, self._at(op))
        event.block = op.block.idx

    def _beside(self, op: Operator) -> Sequence[Operator]:
        """Return the Operators that run in the Block of one."""
        return self.operators if op.block.idx == 0 else op.block.ops

    def _end_pass(self, error: str = "") -> None:
        """Tell what reached the leaves: placeholders and parameters; of terms that wait for others, nothing."""
        ended = self._passes.pop()
        sums = (
            op for op in self._beside(ended.last) if op.sums is not None and op.pass_number == ended.number
        )
        waiting = {
            self.tables.now.get(op.sums[1]) for op in sums if op.sums and op not in self.tables.made_by
        }
        for leaf, arrived in ended.reached.values():
            if error and leaf in waiting:
                continue
            event = self.builder.store(leaf, arrived, "program")
            value = self.trace.values[arrived]
            array = Meta(value.shape, np.dtype(value.dtype)) if value.kept is None else value.kept
            made = self.builder.append(
                array, value.kind, value.name, event, value.stop_gradient, leaf, arrived
            )
            if value.kept is None:
                self.trace.values[made].kept_stats = value.stats
            event.outputs = [made]
            self.tables.now.update({one: made for one, id_ in self.tables.now.items() if id_ == arrived})
        self.builder.end_pass(error)

    def _seed(self, op: Operator, outputs: Sequence[Any]) -> None:
        """Tell the gradient that a pass starts with."""
        assert op.seeds is not None
        of = self._value_at(op.seeds)
        (out,), (array,) = op.writes(), outputs
        made = self._made(out, array, None, of)
        self.tables.gave[op] = {out: made}
        self.trace.values[made].seed = True
        self._reached(of, made)

    def _note_seeds(self, ids: Sequence[int | None]) -> None:
        """Mark what a pass is given to begin with: what neither it nor a Block of it has made."""
        for value in map(self.trace.value, ids):
            if value is None:
                continue
            maker = None if value.producer is None else self.trace.events[value.producer]
            if maker is None:
                value.seed = value.seed or value.kind != "gradient"
            elif maker.phase == "forward" or maker.pass_number != self.builder.running:
                value.seed = True

    def _reached(self, of: int | None, gradient: int) -> None:
        """Note that a gradient has come to a value: what was there before the run is a leaf."""
        value = self.trace.value(of)
        was_there = value is not None and value.producer is None and value.kind != "result"
        if value is not None and (was_there or value.kind == "parameter"):
            self._passes[-1].reached[value.holder] = value.id, gradient

    # -- parts of rules ---------------------------------------------------------------------------------------------
    #
    # What a second derivative differentiates, though no Operator of the Program computes it. A gradient Operator runs
    # its rule as a whole. To differentiate it, the rule was evaluated on Variables, and its small operators were
    # differentiated. They are run here, beside the Program, so that a recording has their numbers.

    def _described(self, part: TableOperator) -> Op | None:
        """Return a part as the forward call that a gradient event belongs to; None if numbers for it were not kept."""
        inputs = [self._known_in_rule(one) for one in part.variables()]
        if any(id_ is None and one is not None for id_, one in zip(inputs, part.variables(), strict=True)):
            return None
        whole = self.tables.event_of(part.part_of)
        outputs = self._made_in_rule(part, inputs, whole)
        if whole is None or outputs is None:
            return None
        title, where = part.definition.name, self.trace.events[whole].where
        return Op(
            whole, part.definition.type, title, inputs, list(outputs), attrs=dict(part.attrs), where=where
        )

    def _known_in_rule(self, variable: Variable | None) -> int | None:
        """Return what a Variable holds; if a part made it, that is run first."""
        if variable is None:
            return None
        maker, now = variable.op, self.tables.now
        if variable not in now and isinstance(maker, TableOperator) and maker.part_of is not None:
            found = self._described(maker)
            if found is not None:
                now.update((one, id_) for one, id_ in zip(maker.writes(), found.outputs) if id_ is not None)
        return now.get(variable)

    def _made_in_rule(
        self, part: TableOperator, inputs: list[int | None], whole: int | None
    ) -> list[int] | None:
        """Run a part, and write down what it gives; None if numbers are missing."""
        arrays = [None if id_ is None else self.trace.values[id_].kept for id_ in inputs]
        if any(array is None and id_ is not None for array, id_ in zip(arrays, inputs, strict=True)):
            return None
        with within(EAGER.reading), np.errstate(all="ignore"):
            made = part.definition.run(*arrays, **part.attrs)
        made = list(made) if part.definition.multiple else [made]
        return [
            self._noted_in_rule(np.asarray(one), part, out, whole) for one, out in zip(made, part.writes())
        ]

    def _noted_in_rule(self, array: Array, part: TableOperator, out: Variable, whole: int | None) -> int:
        """Return the value that the whole rule gave, if this part computes one of its results; else a new one."""
        results = [] if whole is None else self.trace.events[whole].outputs
        for place, _, result in part.gradient_pairs:
            id_ = results[place] if result is out and place < len(results) else None
            if id_ is not None:
                return id_
        return self.builder.append(array, "result", part.definition.name, None, False)


def _incoming(op: Operator, origin: Operator) -> Sequence[Variable | None]:
    """Return the gradients that an Operator starts from; of a loop one for each result, None where it has none."""
    if not isinstance(op, WhileGrad):
        return op.gradients_in
    given = {one.given: one.first for one in op.handed}
    return [given.get(one) for one in origin.writes() if has_numbers(one)]


def title_of(op: Operator) -> str:
    """Return the public name of what an Operator does."""
    if isinstance(op, TableOperator):
        return op.definition.name
    return op.label if op.origin is None else op.type


def _as_op(rule: Grad, inputs: list[int | None]) -> Op:
    """Return a gradient rule as the forward call that its own gradient belongs to."""
    return Op(**{one.name: getattr(rule, one.name) for one in fields(Bodied)} | {"inputs": inputs})


def _as_read(forward: Op, op: Operator, origin: Operator, ids: Ids) -> Op | None:
    """Return a forward call with what its gradient reads instead: a parameter may have been updated in between.

    None if that is what the call itself has read.
    """
    if not isinstance(op, GradOperator) or not isinstance(origin, TableOperator):
        return None
    inputs = [
        ids.get(one, id_) if one is not None and one is given else id_
        for one, given, id_ in zip(origin.variables(), op.given, forward.inputs)
    ]
    inputs += forward.inputs[len(inputs) :]
    return None if inputs == forward.inputs else replace(forward, inputs=inputs)


def _position(reads: Sequence[Any], place: int, variable: Variable) -> int:
    """Return where an Operator reads a Variable: at `place`, if its Blocks capture no others than then."""
    if reads[place] is variable:
        return place
    return next(at for at, one in enumerate(reads) if one is variable)


def type_of(op: Operator) -> str:
    """Return the type of an Operator; of a call that waits "late", which no operator of the table is called."""
    if isinstance(op, TableOperator):
        return op.definition.type  # Paddle lists two as split
    if isinstance(op, (LateOperator, LateGradient)):
        return "late" if isinstance(op, LateOperator) else "late_grad"
    return op.type
