"""A recording of what the tape knows: for a tensor in hand, when nobody was recording while it was computed.

The tape has operators and what their gradient rules keep, and no more: shapes and numbers of the rest are unknown, and
backward has not run. It is walked as backward would walk it, with signs in the place of numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Any

import numpy as np

from minipaddle.autograd.tensor import Tensor
from minipaddle.autograd.walk import walk
from minipaddle.core.meta import Array
from minipaddle.core.node import FREED, AccumulateGrad, AnyNode, Edge, Node, Step
from minipaddle.nn.parameter.parameter import Parameter
from minipaddle.trace.events import Event, Trace, Value, ValueKind
from minipaddle.trace.sources.kept import kept_of
from minipaddle.trace.user_code.names import names_in
from minipaddle.trace.values import Place, place_of

FREED_NOTE = "backward has run, and freed what it had kept"


def trace_of(
    roots: Sequence[Tensor], names: Mapping[str, Tensor] | None = None, frame: FrameType | None = None
) -> Trace:
    """Return a recording of what leads to `roots`, and of the backward pass that they would start.

    Args:
        roots: tensors that want a gradient.
        names: what to call tensors, such as ``dict(net.named_parameters())``.
        frame: the caller's, whose variables give the rest of the names.

    Raises:
        ValueError: **no gradient**, if no root wants one.
    """
    edges = [root.edge for root in roots if root.edge is not None]
    if not edges:
        raise ValueError("there is no graph: the tensor wants no gradient (stop_gradient=True)")
    return Tape(names or {}, roots, frame).read(edges)


@dataclass
class Known:
    """What the tape knows of what was computed so far."""

    trace: Trace
    """Forward events only."""
    forward: dict[AnyNode, int]
    """The event of each record."""
    at: dict[Place, int]
    """The value at each place of the graph."""
    tensors: dict[Place, Tensor]
    """The tensors in hand, by their places."""


def known_of(frame: FrameType) -> Known:
    """Return what the tape knows of the tensors that the variables of `frame` hold; its module's give names, too."""
    of_module = {name: value for name, value in frame.f_globals.items() if isinstance(value, Tensor)}
    reader = Tape({**of_module, **dict(names_in(frame))}, [])
    reader.forward_ops([tensor.edge for _, tensor in names_in(frame) if tensor.edge is not None])
    return Known(reader.trace, reader.forward, reader.at, reader.tensors)


@dataclass
class _Sign:
    """A gradient that nobody has computed: the value that stands for it."""

    reader: Tape
    value: int

    def __add__(self, other: _Sign) -> _Sign:
        return self.reader.added(self, other)


class Tape:
    """Reads a tape into a trace."""

    def __init__(
        self, names: Mapping[str, Tensor], roots: Sequence[Tensor], frame: FrameType | None = None
    ) -> None:
        names = {**dict(names_in(frame) if frame is not None else ()), **names}
        self.trace = Trace("tape")
        self.at: dict[Place, int] = {}
        self.tensors: dict[Place, Tensor] = {}
        self.names: dict[Place, str] = {}
        for name, tensor in [*((root.name, root) for root in roots), *names.items()]:
            if tensor.edge is not None:
                self.tensors[place_of(tensor.edge)] = tensor
                self.names[place_of(tensor.edge)] = name
        self.forward: dict[AnyNode, int] = {}
        self.backward: dict[AnyNode, Event] = {}

    def read(self, edges: Sequence[Edge]) -> Trace:
        """Return the trace: operators, oldest first, then the walk."""
        self.forward_ops(edges)
        self._event("backward", "backward", "pass 1")
        seeds = [(edge, _Sign(self, self._gradient(place_of(edge), None))) for edge in edges]
        for node, grads, _ in walk(seeds, self._run, _same):
            if isinstance(node, AccumulateGrad):
                self._store(node, grads[0])
        return self.trace

    def forward_ops(self, edges: Sequence[Edge]) -> None:
        """Write down the operators that lead to `edges`, oldest first."""
        reached = [node for node, *_ in walk([(edge, _Any()) for edge in edges], _everywhere, _same)]
        for node in reversed(reached):
            if isinstance(node, Node):
                self._op(node)

    def fill(self, step: Step) -> None:
        """Put in the gradients that a node of the tape got and gave when backward ran."""
        node, grads, results = step
        event = self.backward.get(node)
        if event is None:
            return
        for id_, grad in [*zip(event.inputs, grads), *zip(event.outputs, results)]:
            if id_ is not None and grad is not None:
                self._learn(id_, grad.array if isinstance(grad, Tensor) else grad)
        tensor = node.tensor() if isinstance(node, AccumulateGrad) else None
        if tensor is not None and tensor.grad is not None and event.outputs[0] is not None:
            self._learn(event.outputs[0], tensor.grad.array)

    # -- forward --------------------------------------------------------------------------------------------------

    def _op(self, record: Node) -> None:
        kept = kept_of(record)
        if record.kept is FREED and FREED_NOTE not in self.trace.notes:
            self.trace.notes.append(FREED_NOTE)
        event = self._event("op", record.op.type, record.op.name)
        event.attrs = dict(record.attrs)
        self.forward[record] = event.index
        event.inputs = [None if edge is None else self._value(place_of(edge)) for edge in record.edges]
        for array, edge, place in kept:
            if edge is None and place is not None:
                event.inputs[place] = self._constant(array)
                event.saved.append(event.inputs[place] or 0)
        count = len(record.metas) if record.metas is not None else 1
        event.outputs = [self._made(record, index, event) for index in range(count)]
        tensors = [(self._value(place_of(edge)), array) for array, edge, _ in kept if edge is not None]
        for id_, array in tensors:
            self._learn(id_, array)
        event.saved = list(dict.fromkeys([*event.saved, *(id_ for id_, _ in tensors)]))

    def _made(self, record: Node, index: int, event: Event) -> int:
        meta = record.metas[index] if record.metas is not None else None
        place = (record, index)
        name = f"{event.title}_{event.index}" + (f"_{index}" if record.metas is not None else "")
        shape, dtype = ((), "") if meta is None else (meta.shape, np.dtype(meta.dtype).name)
        return self._new(place, name, "result", shape, dtype, event.index)

    def _value(self, place: Place) -> int:
        """Return the value at a place; a leaf is met here first."""
        if place in self.at:
            return self.at[place]
        node, _ = place
        tensor = node.tensor() if isinstance(node, AccumulateGrad) else None
        if tensor is None:
            return self._new(place, "gone", "leaf", (), "", None)
        kind: ValueKind = "parameter" if isinstance(tensor, Parameter) else "leaf"
        id_ = self._new(place, tensor.name, kind, (), "", None)
        self._learn(id_, tensor.array)
        return id_

    def _new(
        self,
        place: Place,
        name: str,
        kind: ValueKind,
        shape: tuple[int, ...],
        dtype: str,
        producer: int | None,
    ) -> int:
        id_ = self.at[place] = self._append(self.names.get(place, name), kind, shape, dtype, producer)
        if place in self.tensors:
            self._learn(id_, self.tensors[place].array)
        return id_

    def _constant(self, array: Array) -> int:
        """Make the value of a kept array that wants no gradient; nobody knows its name."""
        id_ = self._append(f"data_{len(self.trace.values)}", "data", (), "", None)
        self._learn(id_, array)
        return id_

    def _learn(self, id_: int, array: Array) -> None:
        value = self.trace.values[id_]
        value.shape, value.dtype, value.array = array.shape, array.dtype.name, array
        of = self.trace.value(value.of)
        if of is not None and not of.dtype:  # a gradient has the shape of what it is the gradient of
            of.shape, of.dtype = value.shape, value.dtype

    # -- backward -------------------------------------------------------------------------------------------------

    def _run(self, record: Node, grads: Sequence[Any], useful: Sequence[bool] | None) -> list[_Sign | None]:
        event = self._event("grad", f"{record.op.type}_grad", record.op.name)
        self.backward[record] = event
        event.origin = self.forward[record]
        event.inputs = [None if grad is None else grad.value for grad in grads]
        results = [
            None if edge is None else _Sign(self, self._gradient(place_of(edge), event.index))
            for edge in record.edges
        ]
        event.outputs = [None if sign is None else sign.value for sign in results]
        return results

    def added(self, one: _Sign, other: _Sign) -> _Sign:
        """Note that two gradients meet."""
        event = self._event("accumulate", "sum", "accumulate")
        event.inputs = [one.value, other.value]
        before = self.trace.values[one.value]
        total = self._append(before.name, "gradient", before.shape, before.dtype, event.index)
        self.trace.values[total].of = before.of
        event.outputs = [total]
        return _Sign(self, total)

    def _store(self, leaf: AccumulateGrad, sign: _Sign) -> None:
        of = self._value((leaf, 0))
        value = self.trace.values[of]
        event = self.backward[leaf] = self._event("store", "store", value.name)
        event.inputs, event.about, event.into = [sign.value], of, "grad"
        id_ = self._append(f"{value.name}.grad", "gradient", value.shape, value.dtype, event.index)
        self.trace.values[id_].of = of
        tensor = leaf.tensor()
        if tensor is not None and tensor.grad is not None:
            self._learn(id_, tensor.grad.array)
        event.outputs = [id_]

    def _gradient(self, place: Place, producer: int | None) -> int:
        """Make the value of a gradient: it has the shape of what it is the gradient of."""
        of = self._value(place)
        value = self.trace.values[of]
        id_ = self._append(f"{value.name}@GRAD", "gradient", value.shape, value.dtype, producer)
        self.trace.values[id_].of = of
        return id_

    # -- events and values ----------------------------------------------------------------------------------------

    def _event(self, kind: Any, op: str, title: str) -> Event:
        backward = kind in ("grad", "accumulate", "store", "backward")
        event = Event(len(self.trace.events), kind, op, title)
        event.pass_number, event.phase = (1, "backward") if backward else (0, "forward")
        self.trace.events.append(event)
        return event

    def _append(
        self, name: str, kind: ValueKind, shape: tuple[int, ...], dtype: str, producer: int | None
    ) -> int:
        id_ = len(self.trace.values)
        self.trace.values.append(Value(id_, name, kind, shape, dtype, kind == "data", producer=producer))
        return id_


class _Any:
    """Something that can be added up."""

    def __add__(self, other: object) -> _Any:
        return self


def _everywhere(record: Node, grads: Sequence[Any], useful: Sequence[bool] | None) -> list[_Any]:
    """Lead the walk to every input, without running a rule."""
    return [_Any() for _ in record.edges]


def _same(node: AnyNode, grads: Any) -> Any:
    return grads
