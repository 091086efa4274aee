"""EagerSource: makes the events of a trace from a recorder's notes, one method for each kind of note.

Names and lines are found in ``names``; backward passes are in ``gradients``.
"""

import weakref
from collections.abc import Iterator, Sequence
from functools import lru_cache
from types import CodeType
from typing import Any

import numpy as np

from minipaddle.engine.operator.custom import OnTape
from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.operator.plan import Plan
from minipaddle.engine.tape.node import Edge, Node
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Array, Attrs
from minipaddle.engine.walk.walk import node_of
from minipaddle.engine.watch.observer import Named, SwitchKind
from minipaddle.paddle.nn.parameter.parameter import Parameter
from minipaddle.tools.record.builder import Builder
from minipaddle.tools.record.events import Event, Trace, ValueKind
from minipaddle.tools.record.kinds import Op, Raised, Scope, Update
from minipaddle.tools.record.labels import tell_apart
from minipaddle.tools.record.memory import Memory
from minipaddle.tools.record.reads_and_cuts import Trainer
from minipaddle.tools.record.sources.eager.gradients import Gradients, is_paddles
from minipaddle.tools.record.sources.eager.names import Groups, Held, Here, Result


class EagerSource(Gradients):
    """Fills `trace`. The notes must come in the order of the run."""

    def __init__(self, trace: Trace, budget: int, passes_before: int = 0) -> None:
        super().__init__(Builder(trace, Memory(trace, budget), passes_before))
        # Keyed by id(array): an array from `numpy()`, and the value it shows.
        self._given: dict[int, tuple[weakref.ref[Array], int]] = {}
        self._schedules: list[Any] = []  # of each optimizer, its scheduler or None

    def shares(self, here: Here | None, new: Held, old: Tensor) -> None:
        """A tensor was made on the memory of another one, detached from the graph."""
        known = self._id(old)
        self.builder.cut(new[0], "detach", known, self._line_at(here))
        self.builder.alias(*new, True, known)

    def read(self, here: Here | None, tensor: Tensor, how: str, given: Array | None) -> None:
        """The numbers of a tensor went to Python; `given` is the array, if it was one."""
        trains = given is not None and isinstance(tensor, Parameter) and not tensor.stop_gradient
        known = self.met(tensor, tensor.array, tensor.edge) if trains else self.builder.now(tensor)
        self.builder.read(tensor, known, how, self._line_at(here))
        if given is not None and known is not None:
            self._given[id(given)] = weakref.ref(given), known

    def switched(self, here: Here | None, tensor: Tensor, how: SwitchKind) -> None:
        """A tensor was attached to the graph, or detached."""
        self.builder.switch(tensor)
        self.builder.cut(tensor, how, self.builder.now(tensor), self._line_at(here))

    def copied(self, here: Here | None, tensor: Tensor, data: Any) -> None:
        """``to_tensor`` made a tensor from `data`; the variable of that statement is its first name."""
        if here is not None and (name := self._at(here)[1]):
            self.builder.name(tensor, name, here[2])
        sources = [one for one in flat([data]) if isinstance(one, Tensor)]
        if sources:
            self.builder.cut(tensor, "to_tensor", self.builder.now(sources[0]), self._line_at(here))
            return
        while isinstance(data, np.ndarray):
            seen, known = self._given.get(id(data), (None, 0))
            if seen is not None and seen() is data:
                self.builder.cut(tensor, "numpy", known, self._line_at(here))
                return
            data = data.base
        self.builder.cut(tensor, "to_tensor", None, self._line_at(here))

    def wrote(self, owner: Array, before: Array) -> None:
        """Memory was overwritten; `before` is a copy of its old numbers."""
        self.builder.memory.replace(owner, before)

    def overwritten(self, writer: Held, tensor: Tensor, array: Array, edge: Edge | None) -> None:
        """The last event wrote through `writer` to memory that `tensor` shares: `tensor` gets a new value, too."""
        same = self.builder.now(writer[0]) if _is_all_of(writer[1], array) else None
        known = self.builder.now(tensor)
        if known is not None:
            before, event = self.trace.values[known], self.trace.events[-1]
            kind: ValueKind = before.kind if before.kind in ("parameter", "buffer") else "result"
            made = self._written_over(known, kind, (tensor, array, edge, False), event)
            self.trace.values[made].same = same

    def called(
        self,
        here: Here | None,
        op: Operator,
        inputs: tuple[Any, ...],
        attrs: Attrs,
        inplace: bool,
        grad: bool,
        *results: Result,
    ) -> None:
        """An operator ran; `grad`: calls were recorded for backward."""
        kind: type[Op | Update] = Update if op.updates else Op
        event = self._event(kind, op.type, op.name, here)
        event.attrs = dict(attrs)
        event.inputs = [self._id(tensor) if tensor is not None else None for tensor in inputs]
        event.outputs = [self._made(result, event, inplace or bool(op.updates)) for result in results]
        self._note_level(here, event)
        if isinstance(event, Update):
            event.about = event.inputs[0]
            self._name_after_slots(op, event)
            return
        event.grad = grad
        if op.multiple:
            self._tell_apart(event, () if op.list_output else op.output_names)
        self._note_record(event, results)
        self._may_be_named(here, event)

    def custom_called(
        self,
        here: Here | None,
        op: OnTape,
        inputs: Sequence[Any],
        results: Sequence[Result],
        known: Sequence[bool],
        saved: Sequence[Tensor],
        grad: bool,
    ) -> None:
        """A custom operator was applied; `known` marks the outputs that existed before the call."""
        event = self._event(Op, op.type, op.name, here)
        event.grad = grad
        given, arguments = self._called_with.pop(id(op), (None, None))  # forward may have overwritten them
        event.inputs = [self._id(tensor) for tensor in inputs] if given is None else list(given)
        event.outputs = [self._made(result, event, old) for result, old in zip(results, known)]
        self._note_level(here, event)
        if len(results) > 1:
            self._tell_apart(event)
        event.title = op.label  # only now, after the outputs have their short names
        event.body = self._bodies.pop(id(op), None)
        if event.body is not None:
            event.parts = [
                None if id_ is None else (id_,) for id_ in self.trace.events[event.body[1]].outputs
            ]
        if given is None:  # without a body: it runs a Program
            arguments = [self.trace.value(id_) for id_ in event.inputs]
        if arguments is not None:
            self.trace.calls[event.index] = (op.code, arguments)
        self._note_record(event, results)
        event.saved = [self._id(one) for one in saved]
        self._may_be_named(here, event)

    def entered(
        self, here: Here | None, call: Named, args: Sequence[Any], inputs: Sequence[Tensor], by_name: bool
    ) -> None:
        """A PyLayer's forward began with `args`, a context first; `by_name`: it also has keyword arguments."""
        event = self.builder.enter("forward", call.name, "pylayer", self._of(here))
        event.is_paddles = is_paddles(call)
        given = [self._id(tensor) for tensor in inputs]
        event.inputs = [self._id(arg) for arg in flat(args) if isinstance(arg, Tensor)]
        arguments = None if by_name else [self._with_values(arg) for arg in args[1:]]
        self._called_with[id(call)] = given, arguments

    def _with_values(self, argument: Any) -> Any:
        """Return an argument with each tensor replaced by its value, so that it does not keep the graph alive."""
        if isinstance(argument, Tensor):
            return self.trace.value(self._id(argument))
        if type(argument) in (list, tuple):
            return type(argument)([self._with_values(item) for item in argument])
        return argument

    def failed(
        self,
        here: Here | None,
        kind: str,
        said: str,
        place: Sequence[tuple[CodeType, int]],
        op: str,
        given: Sequence[Tensor],
        scope: Scope | None,
    ) -> None:
        """The script raised: in the operator `op` in the layer call `scope`, with the inputs `given`; "": in none."""
        event = self._event(Raised, kind, kind, here)
        event.scope = scope
        event.note, event.owner = said, op
        event.about, self._stopped = self._stopped, None
        event.inputs = [self._id(tensor) for tensor in given]
        event.where = self._line(*place[0]) if place else event.where

    def trains(self, here: Here | None, kind: str, schedule: Any, groups: Groups[Tensor]) -> None:
        """An optimizer of class `kind` was made for these groups of parameters; its rate may follow a scheduler."""
        holders = [[self.builder.number_of(self.builder.held(one)) for one, _ in group] for group in groups]
        shares = tuple(share for group in groups for _, share in group)
        all_of_them = [one for group in holders for one in group]
        of_rate = "" if schedule is None else type(schedule).__name__
        before = len(self.trace.cuts)
        made = Trainer(kind, self._line_at(here), all_of_them, of_rate, 0, before, shares)
        self.trace.optimizers.append(made)
        self._schedules.append(schedule)
        self.trace.groups += holders if len(holders) > 1 else []

    def finish(self) -> None:
        """Name the last statement's result, and note unused parameters, and how often schedulers stepped."""
        self._name_result(None)
        self.trace.optimizers = [
            made._replace(steps=max(getattr(schedule, "last_epoch", 0), 0))
            for made, schedule in zip(self.trace.optimizers, self._schedules)
        ]
        met = {value.holder for value in self.trace.values}
        whole = self._told_apart_by_network()
        tell_apart(self.trace, {*self.builder.named, *self._lasting}, whole)
        scopes = {event.scope.number: event.scope for event in self.trace.events if event.scope is not None}
        # The call that ended the recorded step is not among them: none of its operators is in the recording.
        ran = {one.number for scope in scopes.values() for one in scope.around()}
        self.trace.unused = sorted(
            whole.get(holder, name)
            for holder, (name, _, network) in self._parameters.items()
            if holder not in met and network is not None and network.number in ran
        )

    def _made(self, result: Result, event: Event, inplace: bool) -> int:
        """Append the value that `event` computed for a tensor, and return its id."""
        tensor, array, edge, _ = result
        old = self.builder.now(tensor) if inplace else None
        if old is None:
            return self.builder.give_to(tensor, array, "result", "", event, edge)
        before = self.trace.values[old]
        if not isinstance(event, Update) and before.kind != "buffer":
            return self._written_over(old, "result", result, event)
        id_ = self.builder.give_to(tensor, array, before.kind, before.name, event, edge)
        if old in self.builder.named:
            self.builder.named[id_] = self.builder.named[old]
        return id_

    def _note_record(self, event: Op, results: Sequence[Result]) -> None:
        """Store the node of a forward event, and the saved tensors of that node.

        A tensor written in place under ``no_grad`` still points to the node of an earlier call.
        """
        for _, _, edge, kept in results:
            node = node_of(edge)
            if type(node) is Node and self._forward_of(node) is None:
                self.events_of[id(node)] = weakref.ref(node), event.index
                if kept and isinstance(node.plan, Plan):
                    inputs, outputs = _places_kept(node.plan)
                    ids = *map(event.inputs.__getitem__, inputs), *map(event.outputs.__getitem__, outputs)
                    event.saved = list(dict.fromkeys(id_ for id_ in ids if id_ is not None))
                return


def _is_all_of(one: Array, other: Array) -> bool:
    """Whether two arrays over one memory have the same elements in the same order, ignoring shape."""
    whole = one.flags.c_contiguous and other.flags.c_contiguous and one.dtype == other.dtype
    return whole and one.size == other.size and one.ctypes.data == other.ctypes.data


@lru_cache(maxsize=1024)
def _places_kept(plan: Plan) -> tuple[list[int], list[int]]:
    """Return the positions of the inputs, and of the outputs, that gradient rules of a call need."""
    inputs, outputs = set[int](), set[int]()
    for source in plan.sources:
        if source.is_array:
            end = plan.count if source.many else source.place + 1
            (inputs if source.kind == "input" else outputs).update(range(source.place, end))
    return sorted(inputs), sorted(outputs)


def flat(value: Any) -> Iterator[Any]:
    """Yield the items of nested lists and tuples."""
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from flat(item)
    else:
        yield value
