"""The run of a Program as events: what the Executor's interpreter does, told to the builder of a recording.

A forward Operator is an ``op`` event, a gradient Operator a ``grad`` event that knows its forward one, a ``sum`` of
gradients an ``accumulate``, an optimizer's an ``update``. What an Operator is in a backward pass it says itself
(:class:`minipaddle.paddle.static.program.operator.Operator`). The Blocks of pylayer, cond and while are entered and
left like the bodies of a PyLayer. Values bear the names of their Variables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from minipaddle.engine.errors import Line
from minipaddle.ops.definition.program_printing import printed
from minipaddle.paddle.static.control_flow.conditional_block import ConditionalBlock
from minipaddle.paddle.static.executor.interpreter import Entered, Left, ProgramStep, StepEvent, Writing
from minipaddle.paddle.static.program.block import Block
from minipaddle.paddle.static.program.operator import Operator
from minipaddle.paddle.static.program.program import Program
from minipaddle.paddle.static.program.table_operator import TableOperator
from minipaddle.paddle.static.program.variable import Variable
from minipaddle.tools.record.builder import Builder
from minipaddle.tools.record.events import Event, Trace
from minipaddle.tools.record.kinds import Computed, MadeBy, Op, Update
from minipaddle.tools.record.memory import Memory
from minipaddle.tools.record.sources.program.blocks import Parts
from minipaddle.tools.record.sources.program.gradients import Ids, ProgramGradients, title_of, type_of
from minipaddle.tools.record.sources.program.registry import bound_names, without_stale
from minipaddle.tools.record.sources.program.values import Given, has_numbers
from minipaddle.tools.record.user_code.names import extent_of


class ProgramSource(ProgramGradients):
    """Tells `builder` of one run of `program`, or of what a run may do."""

    def __init__(
        self,
        program: Program,
        operators: Sequence[Operator],
        builder: Builder,
        given: Given,
        made_by: MadeBy = "program",
    ) -> None:
        super().__init__(operators, builder, given, made_by)
        self.updated = False
        """Whether an optimizer has changed a parameter."""
        self._names = without_stale(bound_names(program), given.held)
        self._depth = builder.depth

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
        self.builder.read(variable, self.tables.now.get(variable), "fetch_list", where)

    def _took(self, op: Operator, seconds: float) -> None:
        """Note how long an Operator took, with what ran in its Blocks."""
        index = self.tables.event_of(op)
        if index is not None:
            event = self.trace.events[index]
            first, last = event.body or (0, -1)
            inside = (one for one in self.trace.events[first : last + 1] if one.depth == event.depth + 1)
            if isinstance(event, Computed):
                event.seconds = seconds + sum(
                    one.seconds or 0.0 for one in inside if isinstance(one, Computed)
                )

    # -- operators ------------------------------------------------------------------------------------------------

    def _ran(self, step: ProgramStep) -> None:
        op, before = step.op, self._before.pop(step.op, {})  # a loop has written over its inputs since
        reads = zip(op.reads(), step.inputs, strict=True)
        ids: Ids = {one: before.get(one, self._id(one, array)) for one, array in reads if one is not None}
        parts = self._parts_of(step, ids)
        if op.runs_user_code:
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
        kind: type[Op | Update] = Update if updates else Op
        event = self._event(kind, op, type_of(op), title_of(op))
        event.inputs = self._inputs(op, ids)
        event.attrs = dict(op.attrs) if isinstance(op, TableOperator) else {}
        if isinstance(event, Update):
            event.about = event.inputs[0]
        else:
            event.body = self._bodies.pop(op, None)
            event.part_of = self.tables.event_of(op.part_of)
            self._keep_call(event, op)
            if isinstance(op, ConditionalBlock) and event.body is None:
                event.note = "not run: its condition is false"
        for one, array in zip(op.writes(), step.outputs, strict=True):
            if array is None:  # a branch that did not run: what it gave in an iteration before is gone
                self.tables.now.pop(one, None)
        pairs = zip(op.writes(), step.outputs, strict=True)
        made = [(one, array) for one, array in pairs if has_numbers(one) and array is not None]
        if isinstance(op, TableOperator) and printed(op.definition).shape_slot:
            made.pop()  # the shape that its gradient asks for is no result
        event.outputs = [self._made(one, array, event) for one, array in made]
        if parts and isinstance(event, Op):
            event.parts = [parts.get(one) for one, _ in made]
        self.tables.made_by[op] = [event.index]
        self.tables.gave[op] = self.tables.known(one for one, _ in made)
        if op in self._names:
            self._name_after_statement(op, event)
        self.updated = self.updated or updates

    def _name_after_statement(self, op: Operator, event: Event) -> None:
        """Let the variable of the statement that appended an Operator be a name of its result."""
        for value in self.trace.known(event.outputs):
            self.trace.bound.setdefault(value.id, self._names[op])
            if op.place is not None:
                self._bind_as(self._names[op], value.id, extent_of(op.place[0]))


# -- a Program that was never run ------------------------------------------------------------------------------------


def sketch(program: Program, title: str = "program") -> Trace:
    """Return a recording of all that a run of `program` may do: shapes stand in the place of numbers.

    Every Block is gone through once, both branches of a cond among them.

    Args:
        program: is left alone.
        title: what to call the recording.
    """
    trace = Trace(title)
    builder = Builder(trace, Memory(trace, 0))
    given = Given({one: one.meta for one in program.list_vars()})
    source = ProgramSource(program, program.global_block().ops, builder, given, "sketch")
    for step in _steps(program.global_block()):
        source.step(step)
    source.finish()
    return trace


def _steps(block: Block) -> Iterator[StepEvent]:
    """Yield what a run would do, each Block once."""
    for op in block.ops:
        for inner in op.blocks()[:1]:  # the second of a pylayer is run by its gradient
            yield Entered(op, inner, None, op.hands_in(True))
            yield from _steps(inner)
            yield Left(op, inner, None, op.hands_out())
        yield ProgramStep(op, [_meta(one) for one in op.reads()], [_meta(one) for one in op.writes()])


def _meta(variable: Variable | None) -> Any:
    return None if variable is None else variable.meta
