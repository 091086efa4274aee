"""The run of a Program as events: what the Executor's interpreter does, told in the words of a recording.

A forward Operator is an ``op`` event, a gradient Operator a ``grad`` event that knows its forward one, a ``sum`` of
gradients an ``accumulate``, an optimizer's an ``update``. The Blocks of pylayer, cond and while are entered and left
like the bodies of a PyLayer. Values bear the names of their Variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minipaddle.static.control_flow.conditional_block import ConditionalBlock, ConditionalBlockGrad
from minipaddle.static.control_flow.while_operator import While, WhileGrad
from minipaddle.static.custom.py_func import PyFuncOperator
from minipaddle.static.executor.interpreter import Entered, Left, ProgramStep, StepEvent, Writing
from minipaddle.static.program.operator import Operator, Role
from minipaddle.static.program.program import Program
from minipaddle.static.program.table_operator import TableOperator
from minipaddle.static.program.variable import Parameter, Variable
from minipaddle.trace.events import Event
from minipaddle.trace.sources.program.blocks import body_title, by_output, pairs, shown, title
from minipaddle.trace.sources.program.iterations import Pages
from minipaddle.trace.sources.program.parts import Parts
from minipaddle.trace.sources.program.registry import bound_names
from minipaddle.trace.sources.program.values import ProgramNotes
from minipaddle.trace.values import Values

_SEEDS = ("fill_constant", "fill_any_like")


class ProgramScribe(ProgramNotes):
    """Writes the events of one run of `program` into the trace of `values`."""

    def __init__(self, program: Program, values: Values, passes_before: int) -> None:
        super().__init__(values, passes_before)
        self.program = program
        self.updated = False
        """Whether an optimizer has changed a parameter."""
        self._made_by: dict[Operator, int] = {}
        self._names = bound_names(program)
        self._owners: list[Operator] = []  # of the Blocks that are open
        self._pages = Pages(self._ids, self._made_by)
        self._parts = Parts(self._ids, values)
        self._meetings: dict[Operator, list[int]] = {}  # events that a sum was written down as
        self._given: dict[
            Operator, dict[Any, int]
        ] = {}  # what went into an Operator whose Blocks are running
        self._reached: dict[Variable, Variable] = {}  # leaves and their gradients, in this pass

    def step(self, event: StepEvent, seconds: float | None = None) -> None:
        """Write down one step, which took so long; None for one that was not run."""
        if isinstance(event, ProgramStep):
            self._ran(event)
            if seconds is not None:
                self._took(event.op, seconds)
        elif isinstance(event, Entered):
            self._entered(event)
        elif isinstance(event, Left):
            self._left(event)
        elif isinstance(event, Writing):
            self._about_to_write(event)

    def _about_to_write(self, step: Writing) -> None:
        """Note what an optimizer's Operator reads, and save the numbers that it is about to overwrite."""
        reads = step.op.reads()
        assert isinstance(step.op, TableOperator)
        for position, array in zip(step.op.definition.updates, step.arrays, strict=True):
            self._id(reads[position], array)
            self.values.memory.before_write(array)

    def finish(self) -> None:
        """The run is over."""
        self._end_pass()

    def _took(self, op: Operator, seconds: float) -> None:
        """Note how long an Operator took, with what ran in its Blocks."""
        index = self._made_by.get(op)
        if index is not None:
            event = self.trace.events[index]
            first, last = event.body or (0, -1)
            inside = (one for one in self.trace.events[first : last + 1] if one.depth == event.depth + 1)
            event.seconds = seconds + sum(one.seconds or 0.0 for one in inside)

    # -- operators ------------------------------------------------------------------------------------------------

    def _ran(self, step: ProgramStep) -> None:
        op = step.op
        backward = bool(op.role & Role.BACKWARD) and self._of_the_walk()
        if op.type == "assign" and not self._backward:
            backward = False  # it keeps what a loop will write over, before the loop: no pass begins here
        if backward and not self._open:
            if self._is_seed(op):
                self._begin_pass(op)
                self._seed(step)
                return
            if not self._backward:
                self._begin_pass(op)
        if not backward and self._backward and not self._open:
            self._end_pass()
        given = self._given.pop(
            op, {}
        )  # a loop has written over its inputs since, and over what it read first
        given = self._fed | given if isinstance(op, While) else given
        inputs = [
            given[variable] if variable in given else self._id(variable, value)
            for variable, value in zip(op.reads(), step.inputs, strict=True)
        ]
        if isinstance(op, PyFuncOperator):
            self._called_back(op, inputs)
        if backward and op.type == "sum":
            self._accumulated(step, inputs)
        elif backward and op.origin is not None:
            self._gradient(step, inputs)
        else:
            self._operator(step, inputs)

    def _of_the_walk(self) -> bool:
        """Whether what stands here was made by the reverse walk; the Blocks of pylayer_grad are the user's."""
        return not self._owners or isinstance(self._owners[-1], (ConditionalBlockGrad, WhileGrad))

    def _operator(self, step: ProgramStep, inputs: Sequence[int | None]) -> None:
        op = step.op
        updates = isinstance(op, TableOperator) and bool(op.definition.updates)
        event = self._event("update" if updates else "op", op, op.type, title(op))
        event.inputs = list(inputs)
        event.attrs = shown(op)
        event.body = self._bodies.pop(op, None)
        self._keep_call(event, op, inputs)
        if isinstance(op, ConditionalBlock) and event.body is None:
            event.note = "not run: its condition is false"
        made = [
            self._made(variable, value, event)
            for variable, value in zip(op.writes(), step.outputs, strict=True)
            if variable.type == "LOD_TENSOR" and value is not None
        ]
        if isinstance(op, TableOperator) and op.definition.shape_slot:
            made.pop()  # the shape that its gradient asks for is no result
        event.outputs = list(made)
        self._made_by[op] = event.index
        if op in self._names:
            self.trace.bound.update((id_, self._names[op]) for id_ in made)
        self.updated = self.updated or updates

    def _keep_call(self, event: Event, op: Operator, inputs: Sequence[int | None]) -> None:
        """Keep a function of the user's, to be called again."""
        if isinstance(op, PyFuncOperator):
            self.trace.calls[event.index] = (op.kernel(), [self.trace.value(id_) for id_ in inputs])

    def _gradient(self, step: ProgramStep, inputs: Sequence[int | None]) -> None:
        op = step.op
        assert op.origin is not None
        event = self._event("grad", op, op.type, title(op.origin))
        self._keep_call(event, op, inputs)
        event.origin = self._forward_of(op.origin)
        if op.origin.part_of is not None and op.origin not in self._made_by:
            event.attrs = self._parts.described(op.origin)
        event.body = self._bodies.pop(op, None)
        ids = dict(zip(op.reads(), inputs, strict=True))
        incoming = self._incoming(op)
        event.inputs = [ids.get(variable) for variable in by_output(op) or incoming]
        made = dict(zip(op.writes(), step.outputs, strict=True))
        event.outputs = []
        for forward, gradient in self._pairs(op, event):
            if gradient is None or made[gradient] is None:  # not wanted, or the branch was not taken
                event.outputs.append(None)
                continue
            self._of[gradient] = forward
            event.outputs.append(self._made(gradient, made[gradient], event))
            self._reached_leaf(forward, gradient)
        self._keep(event, op, ids, set(incoming))
        self._made_by[op] = event.index
        if isinstance(op, WhileGrad):
            self._pages.close(op)

    def _pairs(self, op: Operator, event: Event) -> list[tuple[Any, Any]]:
        """Return for each input of the forward event the Variable of its gradient, or None.

        A sum has been written down as meetings of two: the gradient of a term belongs to the one where it came in.
        """
        meetings = self._meetings.get(op.origin) if op.origin is not None else None
        if meetings is None:
            return pairs(op)
        assert op.origin is not None
        terms, (gradient,) = op.origin.reads(), op.writes()
        of = [place for place, term in enumerate(terms) if gradient.name.startswith(f"{term.name}@GRAD")]
        place = max(of, key=lambda place: len(terms[place].name), default=0)
        event.origin = meetings[max(place - 1, 0)]
        both = [(terms[place], gradient), (terms[place], None)]
        return both if place == 0 else both[::-1]

    def _forward_of(self, origin: Operator) -> int | None:
        """Return the event of the Operator that is differentiated: of the whole gradient, if that is a part of one."""
        if origin in self._made_by or origin.part_of is None:
            return self._made_by.get(origin)
        return self._made_by.get(origin.part_of)

    def _incoming(self, op: Operator) -> list[Variable]:
        """Return the gradients that a gradient Operator starts from."""
        listed = [one for slot, variables in op.inputs.items() if slot.endswith("@GRAD") for one in variables]
        return listed or [one for one in op.reads() if one in self._of]

    def _keep(self, event: Event, op: Operator, ids: dict[Any, int | None], incoming: set[Variable]) -> None:
        """Note with the forward event what was kept for its gradient."""
        if event.origin is not None:
            kept = [id_ for variable, id_ in ids.items() if variable not in incoming and id_ is not None]
            self.trace.events[event.origin].saved = kept

    def _accumulated(self, step: ProgramStep, inputs: Sequence[int | None]) -> None:
        """Write a sum down as the meetings of two that it consists of."""
        op = step.op
        (out,), (total,) = op.writes(), step.outputs
        parts = [id_ for id_ in inputs if id_ is not None]
        self._of[out] = self._of.get(op.reads()[0], out)
        so_far = parts[0]
        self._meetings.pop(op, None)
        for number, (part, array) in enumerate(zip(parts[1:], step.inputs[1:], strict=True)):
            event = self._event("accumulate", op, "sum", "accumulate")
            event.inputs = [so_far, part]
            before = self.trace.values[so_far].kept
            last = number == len(parts) - 2
            so_far = self._made(out, total if last or before is None else before + array, event)
            event.outputs = [so_far]
            self._made_by[op] = event.index
            self._meetings.setdefault(op, []).append(event.index)
        self._reached_leaf(self._of[out], out)

    # -- passes ---------------------------------------------------------------------------------------------------

    def _is_seed(self, op: Operator) -> bool:
        return op.type in _SEEDS and op.attrs.get("value") == 1.0 and op.origin is None

    def _begin_pass(self, op: Operator) -> None:
        self._end_pass()
        self.passes += 1
        self._backward = True
        self._event("backward", op, "backward", f"pass {self.passes}").made_by = "program"

    def _seed(self, step: ProgramStep) -> None:
        """Note the gradient that a pass starts with."""
        (out,) = step.op.writes()
        base = out.name.removesuffix("@GRAD")
        target = self.program.global_block().vars.get(base)
        if target is not None:
            self._of[out] = target
        self._made(out, step.outputs[0], None)

    def _reached_leaf(self, forward: Variable, gradient: Variable) -> None:
        if forward.op is None or isinstance(forward, Parameter) or forward.is_data:
            self._reached[forward] = gradient

    def _end_pass(self) -> None:
        """Note what reached the leaves: placeholders and parameters."""
        if not self._backward:
            return
        for leaf, gradient in self._reached.items():
            event = self._event("store", None, "store", leaf.name)
            event.into = "program"
            arrived = self._ids[gradient]
            event.inputs = [arrived]
            made = self.values.promise(self.trace.values[arrived], event)
            stored = self.trace.values[made]
            stored.of = self._fed.get(leaf, self._ids.get(leaf))
            stored.array = self.trace.values[arrived].kept
            stored.keep_stats(self.trace.values[arrived].stats)
            event.outputs = [made]
        self._reached = {}
        self._backward = False

    # -- Blocks ---------------------------------------------------------------------------------------------------

    def _entered(self, step: Entered) -> None:
        backward = bool(step.op.role & Role.BACKWARD) and not self._open
        if backward and not self._backward:
            self._begin_pass(step.op)
        known = [one for one in step.op.reads() if one in self._ids]
        self._given.setdefault(step.op, {one: self._ids[one] for one in known})
        if isinstance(step.op, While):
            self._pages.begin(step.op, not step.iteration)
        if isinstance(step.op, WhileGrad) and step.iteration is not None:
            self._pages.turn_back(step.op, step.iteration)
        event = self._event("enter", step.op, "block", self._body_title(step))
        self._open.append(event.index)
        self._owners.append(step.op)
        handed = step.handed
        begins = known if step.op.origin is None else self._incoming(step.op)
        begins = [outside for _, outside in handed if outside is not None] if handed else begins
        event.inputs = [self._ids.get(one) for one in begins]
        for inside, outside in handed:
            if outside in self._ids:
                assert outside is not None
                self._ids[inside] = self._ids[outside]
                self._of[inside] = self._of.get(outside, inside)

    def _body_title(self, step: Entered | Left) -> str:
        """Return what to call a Block; iterations are counted as they ran forward."""
        return body_title(step.op, step.block, None if step.iteration is None else step.iteration + 1)

    def _left(self, step: Left) -> None:
        enter = self._open.pop()
        self._owners.pop()
        event = self._event("leave", step.op, "block", self._body_title(step))
        event.origin = enter
        event.outputs = [self._ids[one] for one, _ in step.answers if one in self._ids]
        if isinstance(step.op, While):
            self._pages.end(step.op)
        first = self._bodies.get(step.op, (enter, 0))[0]
        self._bodies[step.op] = (first, event.index)
