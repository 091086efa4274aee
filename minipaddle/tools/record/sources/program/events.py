"""The run of a Program as events: an observer of the Executor's interpreter that reports to the builder of a recording.

A forward Operator is an ``op`` event, a gradient Operator a ``grad`` event with its forward event, a ``sum`` of
gradients an ``accumulate``, an optimizer's an ``update``. An Operator knows its own part in a backward pass
(:class:`minipaddle.paddle.static.program.operator.Operator`). The Blocks of pylayer, cond and while are entered and
left like the bodies of a PyLayer. Values have the names of their Variables.
"""

from collections.abc import Sequence
from typing import Any

from minipaddle.engine.errors import Line
from minipaddle.engine.value.meta import Attrs
from minipaddle.ops.definition.program_printing import printed
from minipaddle.paddle.static.control_flow.conditional_block import ConditionalBlock
from minipaddle.paddle.static.executor.interpreter import Turn
from minipaddle.paddle.static.program.block import Block
from minipaddle.paddle.static.program.block_operator import BlockOperator
from minipaddle.paddle.static.program.operator import Operator
from minipaddle.paddle.static.program.program import Program
from minipaddle.paddle.static.program.table_operator import TableOperator
from minipaddle.paddle.static.program.variable import Variable
from minipaddle.tools.record.builder import Builder
from minipaddle.tools.record.events import Trace
from minipaddle.tools.record.kinds import MadeBy, Op, Update
from minipaddle.tools.record.memory import Memory
from minipaddle.tools.record.sources.program.gradients import ProgramGradients, title_of, type_of
from minipaddle.tools.record.sources.program.registry import bound_names
from minipaddle.tools.record.sources.program.values import Given, Ids, Parts, has_numbers
from minipaddle.tools.record.user_code.names import extent_of


class ProgramSource(ProgramGradients):
    """Reports a run of `program` to `builder`; in a sketch, all operators that a run may reach."""

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
        self._names = bound_names(program, given.held)
        self._depth = len(builder.open)

    def will_apply(self, op: Operator, inputs: Sequence[Any]) -> None:
        """Note the values that an Operator reads, before a Block or an optimizer overwrites them."""
        self._begin_passes(op)
        reads = zip(op.reads(), inputs, strict=True)
        self._read[op] = {one: self._id(one, array) for one, array in reads if one is not None}
        if isinstance(op, TableOperator) and self.made_by == "program":
            for position in op.definition.updates:
                self.builder.memory.before_write(inputs[position])

    def called(
        self, op: Operator, inputs: Sequence[Any], attrs: Attrs, outputs: Sequence[Any], inplace: bool
    ) -> None:
        """An Operator was run."""
        ids = self._read.pop(op)
        parts = self._parts_of(op, inputs, ids)
        if op.runs_user_code:
            self._bodies[op] = self._called_back(op, self._inputs(op, ids))
        if op.seeds is not None:
            self._seed(op, outputs)
        elif op.sums is not None:
            self._accumulated(op, inputs, outputs, ids)
        elif op.origin is not None and op.gradient_pairs and op.pass_number:
            self.tables.made_by[op] = [self._gradient(op, outputs, ids, parts)]
        else:
            self.tables.made_by[op] = [self._operator(op, outputs, ids, parts)]
        self.tables.gave[op] = self.tables.known(op.writes())
        if self._passes and self._passes[-1].last is op:
            self._end_pass()

    def left(self, kind: str, owner: Any, result: Any, error: BaseException | None) -> None:
        """A Block ended, and so did the passes in it."""
        while self._passes and self._passes[-1].depth >= len(self.builder.open):
            self._end_pass()
        super().left(kind, owner, result, error)

    def finish(self, error: str = "") -> None:
        """The run is over; `error` is the error that ended it."""
        del self.builder.open[self._depth :]  # which an error ended
        while self._passes:
            self._end_pass(error)

    def fetched(self, variable: Variable, where: Line | None) -> None:
        """Report that the run returns the numbers of a Variable to Python."""
        self.builder.read(variable, self.tables.now.get(variable), "fetch_list", where)

    # -- operators ------------------------------------------------------------------------------------------------

    def _inputs(self, op: Operator, ids: Ids) -> list[int | None]:
        return [None if one is None else ids[one] for one in op.reads()]

    def _operator(self, op: Operator, outputs: Sequence[Any], ids: Ids, parts: Parts) -> int:
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
        for one, array in zip(op.writes(), outputs, strict=True):
            if array is None:  # a branch that did not run: its result of an earlier iteration is gone
                self.tables.now.pop(one, None)
        pairs = zip(op.writes(), outputs, strict=True)
        made = [(one, array) for one, array in pairs if has_numbers(one) and array is not None]
        if isinstance(op, TableOperator) and printed(op.definition).shape_slot:
            made.pop()  # the shape input of a gradient is no result
        event.outputs = [self._made(one, array, event) for one, array in made]
        if parts and isinstance(event, Op):
            event.parts = [parts.get(one) for one, _ in made]
        for value in self.trace.known(event.outputs if op in self._names else ()):
            self.trace.bound.setdefault(value.id, self._names[op])
            if op.place is not None:
                self._bind_as(self._names[op], value.id, extent_of(op.place[0]))
        self.updated = self.updated or updates
        return event.index


# -- a Program that was never run ------------------------------------------------------------------------------------


def sketch(program: Program, title: str = "program") -> Trace:
    """Return a recording of all that a run of `program` may do, with shapes instead of numbers.

    Every Block is visited once, including both branches of a cond; the Program stays unchanged.
    """
    trace = Trace(title)
    builder = Builder(trace, Memory(trace, 0))
    given = Given({one: one.meta for one in program.list_vars()})
    source = ProgramSource(program, program.global_block().ops, builder, given, "sketch")
    _go_through(program.global_block(), source)
    source.finish()
    return trace


def _go_through(block: Block, source: ProgramSource) -> None:
    """Go through the Operators of a run, each Block once."""
    for op in block.ops:
        reads = [_meta(one) for one in op.reads()]
        source.will_apply(op, reads)
        if isinstance(op, BlockOperator):
            inner = op.blocks()[0]  # a pylayer's second Block belongs to its gradient
            turn = Turn(op, inner, None, op.hands_in(True))
            source.entered("block", turn, (), None)
            _go_through(inner, source)
            source.left("block", turn, None, None)
        source.called(op, reads, {}, [_meta(one) for one in op.writes()], False)


def _meta(variable: Variable | None) -> Any:
    return None if variable is None else variable.meta
