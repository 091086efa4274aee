"""The tape of a given tensor, reported to a builder: for computations that were not recorded.

The tape has operators and the tensors saved for gradient rules, and no more: other shapes and numbers are unknown, and
backward has not run. It is walked as backward would walk it, with marks in the place of gradients.
"""

import sys
import weakref
from collections.abc import Mapping, Sequence
from types import FrameType
from typing import Any

import numpy as np

from minipaddle.engine.tape.node import AccumulateGrad, Edge, Node, Side
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Array, Meta
from minipaddle.engine.walk.backward import Freed
from minipaddle.engine.walk.walk import walk
from minipaddle.paddle.nn.parameter.parameter import Parameter
from minipaddle.tools.record.builder import Builder
from minipaddle.tools.record.events import Event, Trace, ValueKind
from minipaddle.tools.record.kinds import Op
from minipaddle.tools.record.memory import Memory
from minipaddle.tools.record.sources.eager.gradients import Gradients
from minipaddle.tools.record.user_code.names import names_in
from minipaddle.tools.record.values import Place, place_of
from minipaddle.tools.words.language import phrase

FREED_NOTE = phrase("backward has run, and freed what it had kept")


def trace_of(
    roots: Sequence[Tensor], names: Mapping[str, Tensor] | None = None, frame: FrameType | None = None
) -> Trace:
    """Return a recording of the calls that lead to `roots`, and of the backward pass that they would start.

    Args:
        roots: tensors that require gradient.
        names: names for tensors, such as ``dict(net.named_parameters())``.
        frame: the caller's frame, whose variables give other names.

    Raises ValueError if no root requires a gradient.
    """
    edges = [root.edge for root in roots if root.edge is not None]
    if not edges:
        raise ValueError(phrase("there is no graph: the tensor requires no gradient (stop_gradient=True)"))
    trace = Trace("tape")
    of_frame = {} if frame is None else names_in(frame)
    Tape(
        Builder(trace, Memory(trace, sys.maxsize)),
        {**{root.name: root for root in roots}, **of_frame, **(names or {})},
    ).read(edges)
    return trace


class Tape(Gradients):
    """Reports a tape to `builder`; `names` are the names of given tensors."""

    def __init__(self, builder: Builder, names: Mapping[str, Tensor]) -> None:
        super().__init__(builder)
        self._named = {place_of(one.edge): (name, one) for name, one in names.items() if one.edge is not None}

    def read(self, edges: Sequence[Edge]) -> None:
        """Report the operators, oldest first, then the walk from `edges`."""
        self.forward_ops(edges)
        seeds = [(edge, True) for edge in edges]
        self.backward_began(None, "store", seeds, [None for _ in edges], "tape")
        for node, grads, results in walk(seeds, _to_every_input, add=self._add):
            if isinstance(node, AccumulateGrad):
                self._store(node)
            else:
                self.stepped(None, node, grads, results)
        self.builder.end_pass()

    def forward_ops(self, edges: Sequence[Edge]) -> None:
        """Report the operators that lead to `edges`, oldest first."""
        steps = walk([(edge, True) for edge in edges], _to_every_input, add=lambda *_: True)
        for node in reversed([node for node, *_ in steps if isinstance(node, Node)]):
            self._op(node)

    # -- forward --------------------------------------------------------------------------------------------------

    def _op(self, node: Node) -> None:
        if isinstance(node.saved, Freed) and FREED_NOTE not in self.trace.notes:
            self.trace.notes.append(FREED_NOTE)
        saved = saved_by(node)
        event = self.builder.event(Op, node.op.type, node.op.name)
        event.attrs = dict(node.attrs)
        self.events_of[id(node)] = weakref.ref(node), event.index
        event.inputs = [None if edge is None else self._value(place_of(edge)) for edge in node.edges]
        for array, edge, position in saved:
            if edge is None and position is not None:  # without required gradient, and without a name
                name = f"data_{len(self.trace.values)}"
                event.inputs[position] = self.builder.append(array, "data", name, None, True)
                event.saved.append(event.inputs[position] or 0)
        metas = [None] if node.metas is None else node.metas
        for index, meta in enumerate(metas):
            name = f"{event.title}_{event.index}" + (f"_{index}" if node.metas is not None else "")
            event.outputs.append(self._new((node, index), name, "result", meta, event))
        tensors = [(self._value(place_of(edge)), array) for array, edge, _ in saved if edge is not None]
        for id_, array in tensors:
            value = self.trace.values[id_]
            value.shape, value.dtype, value.kept = array.shape, array.dtype.name, array
        event.saved = list(dict.fromkeys([*event.saved, *(id_ for id_, _ in tensors)]))

    def _value(self, place: Place) -> int:
        """Return the value at a place; a leaf gets its value at its first use."""
        known = self.builder.now(*place)
        if known is not None:
            return known
        node, _ = place
        tensor = node.tensor() if isinstance(node, AccumulateGrad) else None
        if tensor is None:
            return self._new(place, "gone", "leaf", None, None)
        kind: ValueKind = "parameter" if isinstance(tensor, Parameter) else "leaf"
        name, _ = self._named.setdefault(place, (tensor.name, tensor))
        return self._new(place, name, kind, None, None)

    def _new(self, place: Place, name: str, kind: ValueKind, meta: Meta | None, event: Event | None) -> int:
        name, tensor = self._named.get(place, (name, None))
        if tensor is not None:
            return self.builder.give_to(tensor, tensor.array, kind, name, event, tensor.edge)
        id_ = self.builder.append(meta, kind, name, event, False)
        self.builder.held(*place).now = id_
        return id_

    def _meta(self, place: Place) -> Meta | None:
        """Return the Meta of the value at a place: its gradient has the same shape."""
        value = self.trace.values[self._value(place)]
        return Meta(value.shape, np.dtype(value.dtype)) if value.dtype else None

    # -- backward ---------------------------------------------------------------------------------------------------

    def _gradient(self, place: Place, grad: Any, event: Event | None) -> int:
        return self.builder.gradient(place, self._meta(place), event)

    def _add(self, edge: Edge, so_far: bool, new: bool) -> bool:
        place = place_of(edge)
        self.builder.add(place, self._meta(place))
        return True

    def _store(self, leaf: AccumulateGrad) -> None:
        place = (leaf, 0)
        about, arrived = self._value(place), self.builder.reach(place)
        event = self.builder.store(about, arrived, "grad")
        tensor = leaf.tensor()
        held = self._meta(place) if tensor is None or tensor.grad is None else tensor.grad.array
        name = f"{self.trace.values[about].name}.grad"
        event.outputs = [self.builder.append(held, "gradient", name, event, True, about)]


def _to_every_input(node: Any, grads: Sequence[Any]) -> list[bool]:
    """Return a mark in the place of each gradient of a node's inputs: no rule runs."""
    return [True for _ in node.edges]


def saved_by(node: Node) -> list[tuple[Array, Edge | None, int | None]]:
    """Return the arrays that a node saves: each with its tensor's edge, else with its position as an input."""
    if not isinstance(node.saved, tuple):
        return []  # freed by an earlier backward, or packed by the user's hooks
    found: list[tuple[Array, Edge | None, int | None]] = []

    def note(array: Array, edge: Edge | None, side: Side, place: int) -> None:
        if side == "output":  # even an output that no gradient reaches
            found.append((array, node if node.metas is None else (node, place), None))
        else:
            found.append((array, edge, place))

    node.plan.connect(node, node.saved, note)
    return found
