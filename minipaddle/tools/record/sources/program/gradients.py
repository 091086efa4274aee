"""The backward passes of a Program's run: seeds, gradients, sums, and the gradients of leaves.

An Operator knows its own part in a pass (:class:`minipaddle.paddle.static.program.operator.Operator`).
"""

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
from minipaddle.tools.record.sources.program.values import Given, Ids, Parts, ProgramValues, has_numbers


class _Pass(NamedTuple):
    """A backward pass that is running."""

    number: int
    """Its number in the Program."""
    depth: int
    """The number of Blocks that were open when it began."""
    last: Operator
    """Its last Operator."""
    reached: dict[int, tuple[int, int]]
    """By holder, leaves and their gradients so far, as values."""


class ProgramGradients(ProgramValues):
    """Reports the backward passes of a run; `operators` are the global Block's Operators that run."""

    def __init__(
        self, operators: Sequence[Operator], builder: Builder, given: Given, made_by: MadeBy
    ) -> None:
        super().__init__(builder, given, made_by)
        self.operators = operators
        self._passes: list[_Pass] = []

    def _keep_call(self, event: Event, op: Operator) -> None:
        """Keep a user function, so that it can be called again."""
        if op.runs_user_code:
            enter = self.trace.events[event.body[0]] if event.body is not None else event
            self.trace.calls[event.index] = (op.kernel(), [self.trace.value(id_) for id_ in enter.inputs])

    # -- gradients ------------------------------------------------------------------------------------------------

    def _gradient(self, op: Operator, outputs: Sequence[Any], ids: Ids, parts: Parts) -> int:
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
            if arrays[gradient] is None:  # the branch did not run
                self.tables.now.pop(gradient, None)
                continue
            of = self.tables.now.get(given) if forward is None else forward.inputs[at]
            made = self._made(gradient, arrays[gradient], event, of)
            self._reached(of, made)
            if event.outputs[at] is None:
                event.outputs[at] = made
            else:  # the Operator has one Variable as two inputs, and reads it once
                event.outputs.append(made)
        if parts:
            by_id = {self.tables.now[one]: terms for one, terms in parts.items() if one in self.tables.now}
            event.parts = [None if id_ is None else by_id.get(id_) for id_ in event.outputs]
        if event.origin is not None:  # the saved values
            kept = [id_ for one, id_ in ids.items() if id_ is not None and one not in set(op.gradients_in)]
            whole = self.trace.events[event.origin]  # the parts of a rule are differentiated one by one
            if isinstance(whole, Bodied):
                whole.saved = kept if event.part is None else [*dict.fromkeys([*whole.saved, *kept])]
        if isinstance(op, WhileGrad):
            self.tables.close(op)
        return event.index

    def _differentiated(
        self, event: Grad, op: Operator, origin: Operator, ids: Ids
    ) -> tuple[Event | None, int, list[tuple[int, Variable, Variable]]]:
        """Set the forward call of a gradient event, and the values whose gradients it computes.

        Returns:
            the forward call, if known; the number of its inputs; and for each gradient (position among them,
            Variable there, Variable of the gradient).
        """
        events = self.trace.events
        made_by = self.tables.made_by.get(origin, [])
        if origin.sums is not None and made_by:  # a sum was recorded as sums of two terms
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
            if isinstance(forward, Grad):  # a user function that computes a gradient has one, too
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
        """Record a sum as sums of two terms each."""
        assert op.sums is not None
        (out,), (total,) = op.writes(), outputs
        terms = [ids[one] for one in op.reads()]
        self._note_seeds(terms)
        about = self._value_at(op.sums)
        if op.sums[0] is None:  # a parameter may be updated since: the terms have its old value
            of = (value.of for value in map(self.trace.value, terms) if value is not None)
            about = next((one for one in of if one is not None), about)
        for value in map(self.trace.value, terms):
            if value is not None and value.of is None and value.kind == "gradient":
                value.of = about  # zeros that a Block got as input
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
        if so_far is not None:
            self._reached(about, so_far)

    # -- passes ---------------------------------------------------------------------------------------------------

    def _begin_passes(self, op: Operator) -> None:
        """Begin the pass that an Operator belongs to, unless it is running."""
        number, depth = op.pass_number, len(self.builder.open)
        if not number or any(one.number == number for one in self._passes):
            return
        last = [one for one in self._beside(op) if one.pass_number == number][-1]
        self._passes.append(_Pass(number, depth, last, {}))
        event = self.builder.begin_pass(self.made_by, self._at(op))
        event.block = op.block.idx

    def _beside(self, op: Operator) -> Sequence[Operator]:
        """Return the Operators in the Block of an Operator."""
        return self.operators if op.block.idx == 0 else op.block.ops

    def _end_pass(self, error: str = "") -> None:
        """Record the gradients that reached leaves: placeholders and parameters; unless terms are still missing."""
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
        """Record the gradient that a pass starts with."""
        assert op.seeds is not None
        of = self._value_at(op.seeds)
        (out,), (array,) = op.writes(), outputs
        made = self._made(out, array, None, of)
        self.trace.values[made].seed = True
        self._reached(of, made)

    def _note_seeds(self, ids: Sequence[int | None]) -> None:
        """Mark the inputs of a pass as seeds: values that neither the pass nor its Blocks made."""
        for value in map(self.trace.value, ids):
            if value is None:
                continue
            maker = None if value.producer is None else self.trace.events[value.producer]
            if maker is None:
                value.seed = value.seed or value.kind != "gradient"
            elif maker.phase == "forward" or maker.pass_number != self.builder.running:
                value.seed = True

    def _reached(self, of: int | None, gradient: int) -> None:
        """Record that a gradient has reached a value: a value from before the run is a leaf."""
        value = self.trace.value(of)
        was_there = value is not None and value.producer is None and value.kind != "result"
        if value is not None and (was_there or value.kind == "parameter"):
            self._passes[-1].reached[value.holder] = value.id, gradient

    # -- parts of rules ---------------------------------------------------------------------------------------------
    #
    # Values that a second derivative differentiates, though no Operator computes them. A gradient Operator runs
    # its rule as a whole. To differentiate it, the rule was evaluated on Variables, and its small operators were
    # differentiated. These are run here, beside the Program, so that a recording has their numbers.

    def _described(self, part: TableOperator) -> Op | None:
        """Return a part as the forward call of a gradient event; None if its numbers were not kept."""
        inputs = [self._known_in_rule(one) for one in part.variables()]
        arrays = [None if id_ is None else self.trace.values[id_].kept for id_ in inputs]
        index, rule = self.tables.event_of(part.part_of), part.definition
        lost = any(array is None and one is not None for one, array in zip(part.variables(), arrays))
        if index is None or lost:
            return None
        with within(EAGER.reading), np.errstate(all="ignore"):
            made = rule.run(*arrays, **part.attrs)
        whole, pairs = self.trace.events[index], zip(made if rule.multiple else [made], part.writes())
        outputs: list[int | None] = [
            self._noted_in_rule(np.asarray(one), part, out, whole) for one, out in pairs
        ]
        return Op(index, rule.type, rule.name, inputs, outputs, attrs=dict(part.attrs), where=whole.where)

    def _known_in_rule(self, variable: Variable | None) -> int | None:
        """Return the value of a Variable, after running the part that makes it, if any."""
        if variable is None:
            return None
        maker, now = variable.op, self.tables.now
        if variable not in now and isinstance(maker, TableOperator) and maker.part_of is not None:
            found = self._described(maker)
            if found is not None:
                now.update((one, id_) for one, id_ in zip(maker.writes(), found.outputs) if id_ is not None)
        return now.get(variable)

    def _noted_in_rule(self, array: Array, part: TableOperator, out: Variable, whole: Event) -> int:
        """Return the whole rule's value if this part computes one of its results; else a new value."""
        for place, _, result in part.gradient_pairs:
            id_ = whole.outputs[place] if result is out and place < len(whole.outputs) else None
            if id_ is not None:
                return id_
        return self.builder.append(array, "result", part.definition.name, None, False)


def _incoming(op: Operator, origin: Operator) -> Sequence[Variable | None]:
    """Return the incoming gradients of a gradient Operator, None for missing ones; for a loop, one per result."""
    if not isinstance(op, WhileGrad):
        return op.gradients_in
    given = {one.given: one.first for one in op.handed}
    return [given.get(one) for one in origin.writes() if has_numbers(one)]


def title_of(op: Operator) -> str:
    """Return the public name of an Operator."""
    if isinstance(op, TableOperator):
        return op.definition.name
    return op.label if op.origin is None else op.type


def _as_op(rule: Grad, inputs: list[int | None]) -> Op:
    """Return a gradient rule as the forward call of its own gradient."""
    return Op(**{one.name: getattr(rule, one.name) for one in fields(Bodied)} | {"inputs": inputs})


def _as_read(forward: Op, op: Operator, origin: Operator, ids: Ids) -> Op | None:
    """Return a forward call with the values that its gradient reads: a parameter may have been updated in between.

    None if these are the values that the call read.
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
    """Return the position of `variable` among an Operator's inputs: `place`, unless others were captured since."""
    if reads[place] is variable:
        return place
    return next(at for at, one in enumerate(reads) if one is variable)


def type_of(op: Operator) -> str:
    """Return the type of an Operator; "late" for a deferred call, a name that no operator of the table has."""
    if isinstance(op, TableOperator):
        return op.definition.type  # Paddle lists two types as split
    if isinstance(op, (LateOperator, LateGradient)):
        return "late" if isinstance(op, LateOperator) else "late_grad"
    return op.type
