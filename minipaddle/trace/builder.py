"""The values of a recording: which tensor holds what, and by which name."""

from __future__ import annotations

import weakref
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from minipaddle.autograd.tensor import Tensor
from minipaddle.core.meta import Array
from minipaddle.core.node import AccumulateGrad, AnyNode, Edge, Port
from minipaddle.nn.parameter.parameter import Parameter
from minipaddle.trace.events import Event, Trace, Value, ValueKind
from minipaddle.trace.memory import Memory

if TYPE_CHECKING:
    from minipaddle.trace.sources.eager.events import Result

Place = tuple[AnyNode, int]
"""Where gradients meet: a node and the number of its output."""


class Values:
    """Makes the values of `trace`. Tensors and nodes are held weakly: a recording keeps no graph alive."""

    def __init__(self, trace: Trace, memory: Memory) -> None:
        self.trace = trace
        self.memory = memory
        self.named: dict[int, int] = {}
        """Values that bear the user's own name, and how deep the frame is that has it."""
        self.made_at: dict[int | None, int] = {}
        """Results of operators, and how deep the frame is that had them computed."""
        # Keyed by id(tensor): the tensor and its value now; and the name of one that no event has met yet.
        self._ids: dict[int, tuple[weakref.ref[Tensor], int]] = {}
        self._unmet: dict[int, tuple[weakref.ref[Tensor], str, int]] = {}
        self._sums: dict[int, int] = {}  # leaf -> the value of its ``.grad``, where that is a sum
        # Keyed by id(node): the node, and the values whose gradients arrive there, by output.
        self._at: dict[int, tuple[weakref.ref[AnyNode], dict[int, int]]] = {}

    # -- tensors --------------------------------------------------------------------------------------------------

    def id_of(self, tensor: Tensor | None) -> int | None:
        """Return the id of what `tensor` holds now, making a value for a tensor not met before."""
        if tensor is None:
            return None
        known = self._ids.get(id(tensor))
        if known is not None and known[0]() is tensor:
            return known[1]
        return self.meet(tensor, tensor.array, tensor.edge)

    def meet(self, tensor: Tensor, array: Array, edge: Edge | None) -> int:
        """Return the id of what `tensor` holds; one not met before held `array` at the place `edge` in the graph."""
        known = self._ids.get(id(tensor))
        if known is not None and known[0]() is tensor:
            return known[1]
        again = self.memory.holding(array, edge is None)
        if again is None and edge is None and not tensor._name:
            again = self._sum_in_grad(array)
        if again is not None:
            return again
        kind: ValueKind = "leaf" if type(edge) is AccumulateGrad else "data"
        kind = "parameter" if isinstance(tensor, Parameter) else kind
        return self._add((tensor, array, edge, None), kind, tensor._name or "")

    def written_soon(self, tensor: Tensor, array: Array, edge: Edge | None) -> None:
        """Remember which gradient a tensor holds, which can be told by its memory only until that is overwritten."""
        id_ = self.meet(tensor, array, edge)
        if self.trace.values[id_].kind == "gradient":
            self.stands_for(tensor, id_)

    def at(self, place: Place) -> int | None:
        """Return the value whose gradient arrives at `place`."""
        node, port = place
        known = self._at.get(id(node))
        of = known[1].get(port) if known is not None and known[0]() is node else None
        if of is None and isinstance(node, AccumulateGrad):  # x.stop_gradient = False came after x was made
            of = self.id_of(node.tensor())
            if of is not None:
                self.trace.values[of].stop_gradient = False
        return of

    def stands_at(self, place: Place, id_: int) -> None:
        """Note that the gradient of value `id_` arrives at `place`."""
        node, port = place
        known = self._at.get(id(node))
        if known is not None and known[0]() is node:
            known[1][port] = id_
        else:
            self._at[id(node)] = (weakref.ref(node), {port: id_})

    def knows(self, tensor: Tensor) -> bool:
        """Whether this tensor has a value."""
        known = self._ids.get(id(tensor))
        return known is not None and known[0]() is tensor

    def stands_for(self, tensor: Tensor, id_: int) -> None:
        """Note that `tensor` holds value `id_` now."""
        self._ids[id(tensor)] = (weakref.ref(tensor), id_)

    def holds_sum(self, of: int | None, total: int | None) -> None:
        """Note that the ``.grad`` of a leaf holds a sum: the recorder's numbers, in other memory than the engine's."""
        if of is not None and total is not None:
            self._sums[of] = total

    def in_grad(self, of: int | None, held: Tensor, array: Array) -> int:
        """Return what the ``.grad`` of a leaf holds: `held`, whose numbers are `array`."""
        total = None if of is None else self._sums.get(of)
        if total is not None and not self.knows(held):
            kept = self.trace.values[total].kept
            if kept is not None and np.array_equal(kept, array, equal_nan=kept.dtype.kind == "f"):
                return total
        return self.meet(held, array, None)

    def _sum_in_grad(self, array: Array) -> int | None:
        """Return the sum of gradients that `array` is, read by an optimizer."""
        for id_ in self._sums.values():
            held = self.trace.values[id_].kept
            if held is None or held.shape != array.shape or not held.any():
                continue
            if np.array_equal(held, array, equal_nan=held.dtype.kind == "f"):
                return id_
        return None

    def made(self, result: Result, event: Event, inplace: bool) -> int:
        """Make the value that `event` gave to a tensor."""
        old = self._ids.get(id(result[0])) if inplace else None
        if old is None:
            return self._add(result, "result", "", event)
        before = self.trace.values[old[1]]
        if event.kind == "update":
            id_ = self._add(result, before.kind, before.name, event)
            if before.id in self.named:
                self.named[id_] = self.named[before.id]
            return id_
        keeps_name = before.id in self.named or before.producer is None or before.name.endswith(".grad")
        return self._add(result, "result", before.name if keeps_name else "", event)

    def _add(self, result: Result, kind: ValueKind, name: str, event: Event | None = None) -> int:
        tensor, array, edge, _ = result
        id_ = self.append(array, kind, name, event, edge is None)
        self.stands_for(tensor, id_)
        if edge is not None:
            self.stands_at(place_of(edge), id_)
        seen, called, level = self._unmet.pop(id(tensor), (None, "", 0))
        if seen is not None and seen() is tensor:
            self.name_value(id_, called, level)
        return id_

    # -- numbers --------------------------------------------------------------------------------------------------

    def append(
        self,
        array: Array,
        kind: ValueKind,
        name: str,
        event: Event | None,
        stop_gradient: bool,
        of: int | None = None,
        same: int | None = None,
    ) -> int:
        """Append a value, with its numbers while there is room for them; `same` is a value known to have the same."""
        values = self.trace.values
        id_ = len(values)
        producer = None if event is None else event.index
        if not name:
            name = f"v{id_}" if event is None else f"{event.title}_{producer}"
        dtype = _dtype_name(array.dtype)
        value = Value(id_, name, kind, array.shape, dtype, stop_gradient, None, producer, of)
        values.append(value)
        self.memory.give(value, array, same)
        return id_

    def promise(self, like: Value, event: Event) -> int:
        """Append a value like another one, whose numbers will be given later."""
        id_ = len(self.trace.values)
        value = Value(
            id_, like.name, like.kind, like.shape, like.dtype, like.stop_gradient, None, event.index
        )
        value.of = like.of
        self.trace.values.append(value)
        return id_

    def give(self, id_: int, array: Array, same: int | None = None) -> None:
        """Give a value its numbers, or statistics if there is no room."""
        self.memory.give(self.trace.values[id_], array, same)

    # -- names ----------------------------------------------------------------------------------------------------

    def is_from_outside(self, tensor: Tensor, level: int, is_argument: bool) -> bool:
        """Whether operators made what `tensor` holds outside of the frame at this depth, which has no name to give."""
        known = self._ids.get(id(tensor))
        made_at = self.made_at.get(known[1]) if known is not None and known[0]() is tensor else None
        return made_at is not None and (is_argument or made_at < level)

    def name(self, tensor: Tensor, name: str, level: int) -> None:
        """Give the value of a tensor the user's name for it."""
        known = self._ids.get(id(tensor))
        if known is None or known[0]() is not tensor:
            seen, _, before = self._unmet.get(id(tensor), (None, "", 0))
            if seen is None or seen() is not tensor or level < before:
                self._unmet[id(tensor)] = (weakref.ref(tensor), name, level)
        else:
            self.name_value(known[1], name, level)

    def name_value(self, id_: int, name: str, level: int) -> None:
        """Give a value a name of the user's; the caller's name comes before that of an argument."""
        here: int | None = id_
        while here is not None and self.named.get(here, level + 1) > level:
            self.named[here] = level
            self.trace.values[here].name = name
            here = self.trace.values[here].source


@lru_cache(maxsize=64)
def _dtype_name(dtype: np.dtype[Any]) -> str:
    """Return ``float32``; NumPy takes two microseconds to make it."""
    return dtype.name


def place_of(edge: Edge) -> Place:
    """Return where the gradient along `edge` arrives."""
    return (edge.record, edge.index) if isinstance(edge, Port) else (edge, 0)
