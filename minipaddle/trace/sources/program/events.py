"""The run of a Program as events: what the Executor's interpreter does, told to the builder of a recording.

A forward Operator is an ``op`` event, a gradient Operator a ``grad`` event that knows its forward one, a ``sum`` of
gradients an ``accumulate``, an optimizer's an ``update``. What an Operator is in a backward pass it says itself
(:class:`minipaddle.static.program.operator.Operator`). The Blocks of pylayer, cond and while are entered and left like
the bodies of a PyLayer. Values bear the names of their Variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from minipaddle.core.errors import Line
from minipaddle.static.control_flow.conditional_block import ConditionalBlock
from minipaddle.static.control_flow.while_operator import WhileGrad
from minipaddle.static.custom.py_func import PyFuncOperator
from minipaddle.static.executor.interpreter import Entered, Left, ProgramStep, StepEvent, Writing
from minipaddle.static.gradient.grad_operator import GradOperator
from minipaddle.static.program.operator import Operator
from minipaddle.static.program.program import Program
from minipaddle.static.program.table_operator import TableOperator
from minipaddle.static.program.variable import Variable
from minipaddle.trace.builder import Builder
from minipaddle.trace.events import Event, MadeBy, Read
from minipaddle.trace.sources.program.blocks import Parts, ProgramBlocks
from minipaddle.trace.sources.program.parts import RuleParts
from minipaddle.trace.sources.program.registry import bound_names
from minipaddle.trace.sources.program.values import Given

Ids = dict[Variable, int | None]
"""What an Operator has read."""


class _Pass(NamedTuple):
    """A backward pass that is running."""

    number: int
    """Among those of the Program."""
    depth: int
    """How many Blocks were open when it began."""
    last: Operator
    """With what it ends."""
    reached: dict[int, int]
    """Leaves, and their gradients so far: values."""


class ProgramSource(ProgramBlocks):
    """Tells `builder` of one run of `program`, or of what a run may do."""

    def __init__(
        self,
        program: Program,
        operators: Sequence[Operator],
        builder: Builder,
        given: Given,
        made_by: MadeBy = "program",
    ) -> None:
        super().__init__(builder, given, made_by)
        self.operators = operators
        """What is run of the global Block."""
        self.updated = False
        """Whether an optimizer has changed a parameter."""
        self._names = bound_names(program)
        self._rule_parts = RuleParts(self.tables, builder)
        self._depth = builder.depth
        self._passes: list[_Pass] = []

    def step(self, event: StepEvent, seconds: float | None = None) -> None:
        """Tell of one step, which took so long; None for one that was not run."""
        if isinstance(event, ProgramStep):
            self._begin_passes(event.op)
            self._ran(event)
            if seconds is not None:
                self._took(event.op, seconds)
            self._end_passes(event.op)
        elif isinstance(event, Entered):
            self._begin_passes(event.op)
            self._entered(event)
        elif isinstance(event, Left):
            while self._passes and self._passes[-1].depth >= self.builder.depth:
                self._end_pass()
            self._left(event)
        elif isinstance(event, Writing):
            self._about_to_write(event)

    def _about_to_write(self, step: Writing) -> None:
        """Note what an optimizer's Operator reads, and save the numbers that it is about to overwrite."""
        reads = step.op.reads()
        assert isinstance(step.op, TableOperator)
        for position, array in zip(step.op.definition.updates, step.arrays, strict=True):
            self._id(reads[position], array)
            self.builder.memory.before_write(array)

    def finish(self, error: str = "") -> None:
        """The run is over; `error` is what broke it off."""
        self.builder.abandon(self._depth)
        while self._passes:
            self._end_pass(error)

    def fetched(self, variable: Variable, where: Line | None) -> None:
        """Tell that the run hands the numbers of a Variable to Python."""
        id_ = self.tables.now.get(variable)
        if id_ is not None:
            body = self.builder.open_body
            parent = None if body is None else body.index
            read = Read(len(self.trace.events), id_, "fetch_list", where, parent)
            self.trace.reads.append(read)

    def _took(self, op: Operator, seconds: float) -> None:
        """Note how long an Operator took, with what ran in its Blocks."""
        index = self.tables.event_of(op)
        if index is not None:
            event = self.trace.events[index]
            first, last = event.body or (0, -1)
            inside = (one for one in self.trace.events[first : last + 1] if one.depth == event.depth + 1)
            event.seconds = seconds + sum(one.seconds or 0.0 for one in inside)

    # -- operators ------------------------------------------------------------------------------------------------

    def _ran(self, step: ProgramStep) -> None:
        op, before = step.op, self._before.pop(step.op, {})  # a loop has written over its inputs since
        reads = zip(op.reads(), step.inputs, strict=True)
        ids: Ids = {one: before.get(one, self._id(one, array)) for one, array in reads if one is not None}
        parts = self._parts_of(step, ids)
        if isinstance(op, PyFuncOperator):
            self._bodies[op] = self._called_back(op, self._inputs(op, ids))
        if op.seeds is not None:
            self._seed(step)
        elif op.sums is not None:
            self._accumulated(step, ids)
        elif op.origin is not None and op.gradient_pairs and op.pass_number:
            self._gradient(step, ids, parts)
        else:
            self._operator(step, ids, parts)

    def _inputs(self, op: Operator, ids: Ids) -> list[int | None]:
        return [None if one is None else ids[one] for one in op.reads()]

    def _operator(self, step: ProgramStep, ids: Ids, parts: Parts) -> None:
        op = step.op
        updates = isinstance(op, TableOperator) and bool(op.definition.updates)
        type = op.definition.type if isinstance(op, TableOperator) else op.type  # Paddle lists two as split
        event = self._event("update" if updates else "op", op, type, _title(op))
        event.inputs = self._inputs(op, ids)
        event.attrs = dict(op.attrs) if isinstance(op, TableOperator) else {}
        event.body = self._bodies.pop(op, None)
        self._keep_call(event, op)
        if updates:
            event.about = event.inputs[0]
        if isinstance(op, ConditionalBlock) and event.body is None:
            event.note = "not run: its condition is false"
        for one, array in zip(op.writes(), step.outputs, strict=True):
            if array is None:  # a branch that did not run: what it gave in an iteration before is gone
                self.tables.now.pop(one, None)
        pairs = zip(op.writes(), step.outputs, strict=True)
        made = [(one, array) for one, array in pairs if one.type == "LOD_TENSOR" and array is not None]
        if isinstance(op, TableOperator) and op.definition.shape_slot:
            made.pop()  # the shape that its gradient asks for is no result
        event.outputs = [self._made(one, array, event) for one, array in made]
        event.parts = [parts.get(one) for one, _ in made] if parts else []
        self.tables.made_by[op] = [event.index]
        self.tables.gave[op] = self.tables.known(one for one, _ in made)
        if op in self._names:
            self.trace.bound.update((id_, self._names[op]) for id_ in event.outputs if id_ is not None)
        self.updated = self.updated or updates

    def _keep_call(self, event: Event, op: Operator) -> None:
        """Keep a function of the user's, to be called again."""
        if isinstance(op, PyFuncOperator):
            enter = self.trace.events[event.body[0]] if event.body is not None else event
            self.trace.calls[event.index] = (op.kernel(), [self.trace.value(id_) for id_ in enter.inputs])

    # -- gradients ------------------------------------------------------------------------------------------------

    def _gradient(self, step: ProgramStep, ids: Ids, parts: Parts) -> None:
        op, origin = step.op, step.op.origin
        assert origin is not None
        event = self._event("grad", op, op.type, _title(origin))
        event.body = self._bodies.pop(op, None)
        self._keep_call(event, op)
        forward, count, pairs = self._differentiated(event, op, origin, ids)
        event.inputs = [None if one is None else ids.get(one) for one in op.gradients_in]
        self._note_seeds(event.inputs)
        event.outputs = [None] * count
        arrays = dict(zip(op.writes(), step.outputs, strict=True))
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
            self.trace.events[event.origin].saved = kept
        self.tables.made_by[op] = [event.index]
        self.tables.gave[op] = self.tables.known(op.writes())
        if isinstance(op, WhileGrad):
            self.tables.close(op)

    def _differentiated(
        self, event: Event, op: Operator, origin: Operator, ids: Ids
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
            if forward.kind == "grad":  # a function of the user's that computes a gradient has one, too
                event.part = replace(forward, kind="op", inputs=[self.tables.now.get(one) for one in flat])
                return event.part, len(flat), pairs
            event.part = _as_read(forward, op, origin, ids)
            return forward, len(flat), pairs
        event.origin = self.tables.event_of(origin.part_of)
        if event.origin is not None and isinstance(origin, TableOperator):
            event.part = self._rule_parts.described(origin)
        return event.part, len(flat), pairs

    def _accumulated(self, step: ProgramStep, ids: Ids) -> None:
        """Write a sum down as the meetings of two that it consists of."""
        op = step.op
        assert op.sums is not None
        (out,), (total,) = op.writes(), step.outputs
        terms = [ids[one] for one in op.reads()]
        self._note_seeds(terms)
        about = self._value_at(op.sums)
        if op.sums[0] is None:  # a parameter may have been updated since: the terms know what was read
            of = (value.of for value in map(self.trace.value, terms) if value is not None)
            about = next((one for one in of if one is not None), about)
        so_far, array = terms[0], step.inputs[0]
        self.tables.made_by[op] = []
        for term, other in zip(terms[1:], step.inputs[1:], strict=True):
            event = self._event("accumulate", op, "sum", "accumulate")
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
        operators = self.operators if op.block.idx == 0 else op.block.ops
        last = next(one for one in reversed(operators) if one.pass_number == number)
        self._passes.append(_Pass(number, depth, last, {}))
        event = self.builder.begin_pass(self.made_by, self._line(op.where), self._scope(op.namescope))
        event.block = op.block.idx

    def _end_passes(self, op: Operator) -> None:
        if self._passes and self._passes[-1].last is op:
            self._end_pass()

    def _end_pass(self, error: str = "") -> None:
        """Tell what reached the leaves: placeholders and parameters."""
        for leaf, arrived in self._passes.pop().reached.items():
            event = self.builder.store(leaf, arrived, "program")
            value = self.trace.values[arrived]
            made = self.builder.promise(value, event)
            stored = self.trace.values[made]
            stored.of, stored.array, stored.same = leaf, value.kept, arrived
            stored.keep_stats(value.known_stats)
            event.outputs = [made]
        self.builder.end_pass(error)

    def _seed(self, step: ProgramStep) -> None:
        """Tell the gradient that a pass starts with."""
        assert step.op.seeds is not None
        of = self._value_at(step.op.seeds)
        (out,), (array,) = step.op.writes(), step.outputs
        made = self._made(out, array, None, of)
        self.tables.gave[step.op] = {out: made}
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
            elif maker.phase == "forward" or maker.pass_number != self.builder.passes:
                value.seed = True

    def _reached(self, of: int | None, gradient: int) -> None:
        """Note that a gradient has come to a value: what no Operator has made is a leaf."""
        value = self.trace.value(of)
        if value is not None and (value.producer is None or value.kind == "parameter"):
            self._passes[-1].reached[value.id] = gradient


def _as_read(forward: Event, op: Operator, origin: Operator, ids: Ids) -> Event | None:
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


def _title(op: Operator) -> str:
    """Return the public name of what an Operator does."""
    if isinstance(op, TableOperator):
        return op.definition.name
    if isinstance(op, PyFuncOperator) and not op.is_gradient:
        return f"{op.type} {op.forward.name}"
    return op.type


def _position(reads: Sequence[Any], place: int, variable: Variable) -> int:
    """Return where an Operator reads a Variable: at `place`, if its Blocks capture no others than then."""
    if reads[place] is variable:
        return place
    return next(at for at, one in enumerate(reads) if one is variable)
