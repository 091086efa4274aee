"""The scribe: makes the events of a trace out of a recorder's notes, one method for each kind of note."""

from __future__ import annotations

import linecache
import weakref
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from types import CodeType
from typing import Any

from minipaddle.autograd.tensor import Tensor
from minipaddle.autograd.walk import node_of
from minipaddle.core.errors import Line
from minipaddle.core.meta import Array, Attrs
from minipaddle.core.mode import BodyKind, Named
from minipaddle.core.node import AccumulateGrad, CustomCall, Edge, Node
from minipaddle.core.operator import Operator
from minipaddle.trace.builder import Place, Values
from minipaddle.trace.events import Event, Kind, Scope, Trace
from minipaddle.trace.flow import Flow
from minipaddle.trace.memory import Memory
from minipaddle.trace.user_code.names import assigned_name, line_of

Here = tuple[CodeType, int, int]
"""A place in the user's code: the code, the place in it (``f_lasti``), and how deep the frame is on the stack."""

Result = tuple[Tensor, Array, "Edge | None", Any]
"""An output as it was when it was made: tensor, array, edge, and what the record behind it keeps."""


class Scribe:
    """Fills `trace`. The notes must come in the order in which things happened."""

    def __init__(self, trace: Trace, budget: int, passes_before: int = 0) -> None:
        self.trace = trace
        self.values = Values(trace, Memory(trace, budget))
        self.flow = Flow(self.values, self._event)
        # Keyed by id(record): the record and its forward event. An entry is left until its id is used again: a
        # WeakKeyDictionary would run code of Python's at the death of each.
        self._made_by: dict[int, tuple[weakref.ref[Node], int]] = {}
        self._places: dict[tuple[CodeType, int], tuple[Line, str]] = {}
        self._open: list[int] = []  # indices of open `enter` events
        self._bodies: dict[int, tuple[int, int]] = {}  # id(owner) -> (enter, leave)
        self._arguments: dict[int, list[Any]] = {}  # id(owner) -> what its forward was called with
        self._pass = passes_before
        self._running: list[int] = []  # numbers of the running passes
        self._result: tuple[Here, int] | None = None  # what may be given to a variable next
        self._here: Here | None = None
        self._scope: Scope | None = None
        self._parameters: set[str] = set()  # names of those of the layers that ran

    def begin_with(
        self, forward: Mapping[Any, int], at: Mapping[Place, int], tensors: Mapping[Place, Tensor]
    ) -> None:
        """Take over events and values that are in the trace already."""
        for node, index in forward.items():
            if isinstance(node, Node):
                self._made_by[id(node)] = weakref.ref(node), index
        for place, id_ in at.items():
            self.values.stands_at(place, id_)
            if place in tensors:
                self.values.stands_for(tensors[place], id_)

    # -- one method for each kind of note -------------------------------------------------------------------------

    def met(self, tensor: Tensor, array: Array, edge: Edge | None) -> None:
        """A tensor that no event has made."""
        self.values.meet(tensor, array, edge)

    def looked(
        self, names: Sequence[tuple[str, Tensor]], here: Here, parameters: Collection[str] = ()
    ) -> None:
        """The variables of the frame that is `here` have these names; `parameters` hold what it was handed."""
        level = here[2]
        if self._result is not None and self._result[0] != here and self._result[0][::2] == here[::2]:
            name = assigned_name(*self._result[0][:2])
            self._result = None if name in dict(names) else self._result  # what was seen is certain
        self._name_result(here)
        in_a_body = bool(parameters) and bool(self._open) and self.trace.events[-1].kind == "enter"
        for name, tensor in names:  # what a PyLayer is applied to may go by the name of its argument
            own = in_a_body or name.startswith("self.")
            if own or not self.values.is_from_outside(tensor, level, name in parameters):
                self.values.name(tensor, name, level)

    def called_from(self, here: Here) -> None:
        """A function begins, called from `here`: what its call was part of is not over, so no result has its name."""
        if self._result is not None and self._result[0] == here:
            self._result = None

    def scoped(self, scope: Scope | None, parameters: Iterable[tuple[str, Tensor]]) -> None:
        """What follows runs in this call of a layer, which has these parameters."""
        self._scope = scope
        for name, parameter in parameters:
            self.values.name(parameter, name, -1)
            if not parameter.stop_gradient:
                self._parameters.add(name)

    def written_soon(self, tensor: Tensor, array: Array, edge: Edge | None) -> None:
        """A tensor is about to be written in place."""
        self.values.written_soon(tensor, array, edge)

    def wrote(self, owner: Array, before: Array) -> None:
        """Memory was overwritten; `before` is a copy of what was there."""
        self.values.memory.replace(owner, before)

    def called(
        self,
        here: Here | None,
        op: Operator,
        inputs: tuple[Any, ...],
        attrs: Attrs,
        results: Sequence[Result],
        inplace: bool,
        seconds: float,
    ) -> None:
        """An operator ran."""
        event = self._event("update" if op.updates else "op", op.type, op.name, here)
        event.seconds = seconds
        event.attrs = dict(attrs)
        event.inputs = [self.values.id_of(tensor) for tensor in inputs]
        event.outputs = [self.values.made(result, event, inplace or bool(op.updates)) for result in results]
        if here is not None:
            for made in event.outputs:
                self.values.made_at[made] = here[2]
        if op.updates:
            self._name_after_slots(op, event)
            return
        if op.multiple:
            self._tell_apart(op, event)
        self._note_record(event, results)
        self._may_be_named(here, event)

    def _name_after_slots(self, op: Operator, event: Event) -> None:
        """Name what an optimizer made for an update, such as the learning rate."""
        for name, id_ in zip(op.input_names, event.inputs):
            if id_ is not None and self.trace.values[id_].name == f"v{id_}":
                self.trace.values[id_].name = name

    def _tell_apart(self, op: Operator, event: Event) -> None:
        """Name the outputs of one call after their slots, or by number in a list: ``topk_3_indices``, ``split_4_0``."""
        for number, id_ in enumerate(event.outputs):
            if id_ is not None:
                slot = number if op.list_output else op.output_names[number]
                self.trace.values[id_].name = f"{event.title}_{event.index}_{slot}"

    def custom_called(
        self,
        here: Here | None,
        call: CustomCall,
        name: str,
        inputs: Sequence[Any],
        results: Sequence[Result],
        known: Sequence[bool],
        saved: Sequence[Tensor],
        seconds: float,
    ) -> None:
        """A PyLayer was applied; `known` says which of its outputs were there before."""
        event = self._event("op", "pylayer", name, here)
        event.seconds = seconds
        event.inputs = [self.values.id_of(tensor) for tensor in inputs]
        event.outputs = [self.values.made(result, event, old) for result, old in zip(results, known)]
        if here is not None:
            for made in event.outputs:
                self.values.made_at[made] = here[2]
        event.title = getattr(call, "label", name)  # after the outputs have their names, which are short
        event.body = self._bodies.pop(id(call), None)
        arguments = self._arguments.pop(id(call), None)
        if arguments is not None and hasattr(call, "cls"):
            self.trace.calls[event.index] = (call.cls, arguments)
        self._note_record(event, results)
        event.saved = [id_ for one in saved if (id_ := self.values.id_of(one)) is not None]
        self._may_be_named(here, event)

    def entered(
        self, here: Here | None, kind: BodyKind, owner: Named, name: str, args: Sequence[Any], by_name: bool
    ) -> None:
        """The user's own code began; `by_name` says whether it has arguments besides `args`."""
        event = self._event("enter", kind, name, here)
        event.inputs = [self.values.id_of(arg) for arg in flat(args) if isinstance(arg, Tensor)]
        self._open.append(event.index)
        if kind == "forward" and not by_name:
            self._arguments[id(owner)] = [self._with_values(arg) for arg in args[1:]]

    def hooked(self, here: Here | None, hook: Named, grad: Tensor, leaf: AccumulateGrad | None) -> None:
        """A hook was given a gradient: that of `leaf`, or one that reaches the output of an operator."""
        event = self._event("enter", "hook", hook.name, here)
        defined = getattr(hook, "where", None)
        event.where = event.where if defined is None else self._with_source(defined)
        self.flow.meet_hook(grad, event.index, leaf)
        event.inputs = [self.values.id_of(grad)]
        self._open.append(event.index)

    def _with_values(self, argument: Any) -> Any:
        """Return an argument with values in the place of tensors: it shall not keep the graph alive."""
        if isinstance(argument, Tensor):
            return self.trace.value(self.values.id_of(argument))
        if type(argument) in (list, tuple):
            return type(argument)([self._with_values(item) for item in argument])
        return argument

    def left(
        self,
        here: Here | None,
        kind: BodyKind,
        owner: Named,
        name: str,
        results: Sequence[Tensor],
        said: str,
    ) -> None:
        """The user's own code ended."""
        if not self._open:
            return
        enter = self._open.pop()
        event = self._event("leave", kind, name, here)
        event.origin = enter
        event.outputs = [self.values.id_of(out) for out in results]
        event.note = said
        self._bodies[id(owner)] = (enter, event.index)
        if kind == "hook":
            self._left_hook(self.trace.events[enter], event)

    def _left_hook(self, enter: Event, leave: Event) -> None:
        """Let what a hook made of a gradient take its place; one that only looked on returns nothing."""
        if leave.outputs == enter.inputs:
            leave.outputs = []
        self.flow.leave_hook(enter.index, next(iter(leave.outputs), None))

    def backward_began(self, here: Here | None) -> None:
        """A reverse walk began."""
        self._pass += 1
        self._running.append(self._pass)
        self.flow.begin()
        self._event("backward", "backward", f"pass {self._pass}", here)

    def stepped(
        self,
        here: Here | None,
        node: Node,
        grads: Sequence[Any],
        results: Sequence[Any],
        hooked: bool,
        seconds: float,
    ) -> None:
        """One record was run backwards."""
        event = self._event("grad", f"{node.op.type}_grad", node.op.name, here)
        event.seconds = seconds
        made, origin = self._made_by.get(id(node), (None, None))
        event.origin = origin if made is not None and made() is node else None
        event.inputs = [self.flow.incoming((node, i), grad, hooked) for i, grad in enumerate(grads)]
        event.body = self._bodies.pop(id(node.plan), None)
        if event.body is not None:
            self._name_received(self.trace.events[event.body[0]], event)
        self.flow.through(node.edges, results, event, here)

    def _name_received(self, enter: Event, event: Event) -> None:
        """Name what the user's backward was given and no event made: the gradient that a pass begins with."""
        for given, id_ in zip(enter.inputs, event.inputs):
            if given is not None and id_ is not None and self.trace.values[given].name == f"v{given}":
                self.trace.values[given].name = self.trace.values[id_].name

    def stored(
        self,
        here: Here | None,
        leaf: AccumulateGrad,
        tensor: Tensor,
        grad: Any,
        total: Array,
        before: tuple[Tensor, Array] | None,
        hooked: bool,
    ) -> None:
        """A gradient reached a leaf, and was added to what its ``.grad`` held before: that is `total` now."""
        event = self._event("store", "store", tensor.name, here)
        arrived = self.flow.incoming((leaf, 0), grad, hooked)
        event.inputs = [arrived]
        of = self.values.id_of(tensor)
        event.title = self.trace.values[of or 0].name
        same = arrived if before is None else None
        if before is not None:
            event.saved = [self.values.in_grad(of, *before)]
        event.outputs = [self.values.append(total, "gradient", f"{event.title}.grad", event, True, of, same)]
        if before is not None:
            self.values.holds_sum(of, event.outputs[0])
        event.note = "first write" if before is None else "added to what was there"

    def returned(
        self, here: Here | None, leaf: AccumulateGrad, tensor: Tensor, grad: Any, hooked: bool
    ) -> None:
        """A gradient reached a leaf, and paddle.grad returns it: the leaf's ``.grad`` stays as it is."""
        event = self._event("store", "returned", tensor.name, here)
        arrived = self.flow.incoming((leaf, 0), grad, hooked)
        event.inputs = event.outputs = [arrived]
        event.title = self.trace.values[self.values.id_of(tensor) or 0].name
        event.note = "returned by paddle.grad"

    def backward_ended(self) -> None:
        """The reverse walk is over."""
        if self._running:
            self.flow.end()
            self._running.pop()

    def failed(self, here: Here | None, kind: str, said: str, place: Sequence[tuple[CodeType, int]]) -> None:
        """The script raised."""
        event = self._event("error", kind, kind, here)
        event.note = said
        event.where = self._line(*place[0]) if place else event.where

    # -- the end --------------------------------------------------------------------------------------------------

    def complete(self) -> None:
        """Work out what waits for numbers, once a batch of notes is done: memory may have been overwritten in it."""
        self.flow.add_up()

    def finish(self) -> None:
        """Name what the last statement made, and what nobody used."""
        self._name_result(None)
        met = {value.name for value in self.trace.values}
        self.trace.unused = sorted(self._parameters - met)

    def say(self, text: str) -> None:
        """Leave a remark for the user."""
        self.trace.notes.append(text)

    # -- events ---------------------------------------------------------------------------------------------------

    def _event(self, kind: Kind, op: str, title: str, here: Here | None) -> Event:
        self._name_result(here)
        event = Event(
            len(self.trace.events),
            kind,
            op,
            title,
            where=None if here is None else self._at(here)[0],
            depth=len(self._open),
            parent=self._open[-1] if self._open else None,
            pass_number=self._running[-1] if self._running else self._pass,
            phase="backward" if self._running else "forward",
            scope=self._scope,
        )
        self.trace.events.append(event)
        return event

    def _may_be_named(self, here: Here | None, event: Event) -> None:
        """Keep in mind what the variable of a statement may be given; what backward computes, it is not."""
        by_the_walk = event.phase == "backward" and event.parent is None
        if here is not None and len(event.outputs) == 1 and not by_the_walk:
            self._result = (here, event.outputs[0] or 0)

    def _name_result(self, here: Here | None) -> None:
        """Give the last result the name of its variable, unless the same expression has gone on to compute."""
        if self._result is None or self._result[0] == here:
            return
        before, made = self._result
        name = self._at(before)[1]
        if name:
            self.values.name_value(made, name, before[2])
        self._result = None

    def _at(self, here: Here) -> tuple[Line, str]:
        """Return the line of a place, and the variable that is given what is computed there."""
        code, place, _ = here
        known = self._places.get((code, place))
        if known is None:
            line = self._line(code, line_of(code, place))
            known = self._places[code, place] = (line, assigned_name(code, place))
        return known

    def _line(self, code: CodeType, number: int) -> Line:
        """Return a line of the user's, and keep the text of its file."""
        return self._with_source(Line(code.co_filename, number, code.co_name))

    def _with_source(self, line: Line) -> Line:
        """Return a line, and keep the text of its file."""
        if line.file not in self.trace.sources:
            self.trace.sources[line.file] = "".join(linecache.getlines(line.file))
        return line

    def _note_record(self, event: Event, results: Sequence[Result]) -> None:
        """Remember which record belongs to a forward event, and what it keeps."""
        for _, _, edge, kept in results:
            record = node_of(edge)
            if type(record) is Node:
                self._made_by[id(record)] = weakref.ref(record), event.index
                if event.op != "pylayer" and type(kept) is tuple:
                    arrays = {id(array) for array in record.plan.arrays(kept)}
                    if arrays:
                        array_of, ids = self.values.memory.array_of, (*event.inputs, *event.outputs)
                        event.saved = [id_ for id_ in ids if id_ is not None and array_of(id_) in arrays]
                return


def flat(value: Any) -> Iterator[Any]:
    """Yield what is in nested lists and tuples."""
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from flat(item)
    else:
        yield value
