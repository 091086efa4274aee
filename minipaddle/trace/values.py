"""The values of a recording: which tensor holds what, by which name, and how much memory that may take."""

from __future__ import annotations

import weakref
from functools import lru_cache
from typing import Any

import numpy as np

from minipaddle.autograd.tensor import Tensor
from minipaddle.core.memory import owner_of
from minipaddle.core.meta import Array
from minipaddle.core.record import Edge, Leaf, Node, Port
from minipaddle.nn.parameter import Parameter
from minipaddle.trace.events import Event, Trace, Value, ValueKind
from minipaddle.trace.stats import stats_of

__all__ = ["Place", "Values", "place_of"]

Place = tuple[Node, int]
"""Where gradients meet: a node and the number of its output."""


class Values:
    """Makes the values of `trace`.

    Arrays are kept by reference, and copied only when they are about to be overwritten. Once `budget` bytes are held,
    statistics are kept instead of numbers. Tensors and nodes are held weakly: a recording keeps no graph alive.
    """

    def __init__(self, trace: Trace, budget: int) -> None:
        self.trace = trace
        self.named: dict[int, int] = {}
        """Values that bear the user's own name, and how deep the frame is that has it."""
        self._budget = budget
        self._held = 0
        # Keyed by id(tensor): the tensor and its value now; and the name of one that no event has met yet.
        self._ids: dict[int, tuple[weakref.ref[Tensor], int]] = {}
        self._unmet: dict[int, tuple[weakref.ref[Tensor], str, int]] = {}
        self._by_memory: dict[int, list[int]] = {}  # id(owner of the memory) -> values over it
        self._at: weakref.WeakKeyDictionary[Node, dict[int, int]] = weakref.WeakKeyDictionary()  # per output

    def id_of(self, tensor: Tensor | None) -> int | None:
        """Return the id of what `tensor` holds now, making a value for a tensor not met before."""
        if tensor is None:
            return None
        known = self._ids.get(id(tensor))
        if known is not None and known[0]() is tensor:
            return known[1]
        again = self._met_before(tensor)
        if again is not None:
            return again
        kind: ValueKind = "leaf" if type(tensor.edge) is Leaf else "data"
        return self._add(tensor, "parameter" if isinstance(tensor, Parameter) else kind, tensor._name or "")

    def at(self, place: Place) -> int | None:
        """Return the value whose gradient arrives at `place`."""
        node, port = place
        of = self._at.get(node, {}).get(port)
        if of is None and isinstance(node, Leaf):  # x.stop_gradient = False came after x was made
            of = self.id_of(node.tensor())
        return of

    def knows(self, tensor: Tensor) -> bool:
        """Whether an event has met this tensor."""
        return id(tensor) in self._ids

    def stands_for(self, tensor: Tensor, id_: int) -> None:
        """Note that `tensor` holds value `id_` now."""
        self._ids[id(tensor)] = (weakref.ref(tensor), id_)

    def _met_before(self, tensor: Tensor) -> int | None:
        """Return the value that a new tensor holds again: what the tape kept comes back as a tensor of its own."""
        for id_ in reversed(self._by_memory.get(_memory(tensor.array), ())):
            value = self.trace.values[id_]
            if value.array is tensor.array and value.stop_gradient == tensor.stop_gradient:
                return id_
        return None

    def made(self, tensor: Tensor, event: Event, inplace: bool) -> int:
        """Make the value that `event` gave to `tensor`."""
        old = self._ids.get(id(tensor)) if inplace else None
        if old is None:
            return self._add(tensor, "result", "", event)
        before = self.trace.values[old[1]]
        if event.kind == "update":
            return self._add(tensor, before.kind, before.name, event)
        keeps_name = before.id in self.named or before.producer is None
        return self._add(tensor, "result", before.name if keeps_name else "", event)

    def _add(self, tensor: Tensor, kind: ValueKind, name: str, event: Event | None = None) -> int:
        id_ = self.append(tensor.array, kind, name, event, tensor.stop_gradient)
        self.stands_for(tensor, id_)
        if tensor.edge is not None:
            node, port = place_of(tensor.edge)
            self._at.setdefault(node, {})[port] = id_
        seen, called, level = self._unmet.pop(id(tensor), (None, "", 0))
        if seen is not None and seen() is tensor:
            self.name(tensor, called, level)
        return id_

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
        id_ = len(self.trace.values)
        memory = _memory(array)
        if memory not in self._by_memory:
            self._held += array.nbytes
        fits = self._held <= self._budget
        if not fits and not any(note.startswith("memory") for note in self.trace.notes):
            self.trace.notes.append(
                f"memory limit of {self._budget / 1e6:g} MB reached: from event {event.index if event else 0} on, only "
                "statistics are kept (--max-mb N to keep more)"
            )
        value = Value(
            id_, name or f"v{id_}", kind, array.shape, _dtype_name(array.dtype), stop_gradient, array if fits else None,
            producer=event.index if event else None, of=of,
        )  # fmt: skip
        if fits:
            self._by_memory.setdefault(memory, []).append(id_)
        else:
            value._stats = stats_of(array) if same is None else self.trace.values[same].stats
        if not name and event is not None:
            value.name = f"{event.title}_{event.index}"
        self.trace.values.append(value)
        return id_

    def name(self, tensor: Tensor, name: str, level: int) -> None:
        """Give the value of a tensor the user's name for it; the caller's name comes before that of an argument."""
        known = self._ids.get(id(tensor))
        if known is None or known[0]() is not tensor:
            self._unmet[id(tensor)] = (weakref.ref(tensor), name, level)
            return
        id_: int | None = known[1]
        while id_ is not None and self.named.get(id_, level + 1) > level:
            self.named[id_] = level
            self.trace.values[id_].name = name
            id_ = self.trace.values[id_].source

    def before_write(self, array: Array) -> None:
        """Save the numbers of every value over the memory that is about to be overwritten."""
        copies: dict[int, Array] = {}
        for id_ in self._by_memory.pop(_memory(array), ()):
            value = self.trace.values[id_]
            if value.array is not None:
                key = id(value.array)
                if key not in copies:
                    copies[key] = value.array.copy()
                value.array = copies[key]


@lru_cache(maxsize=64)
def _dtype_name(dtype: np.dtype[Any]) -> str:
    """Return ``float32``; NumPy takes two microseconds to make it."""
    return dtype.name


def _memory(array: Array) -> int:
    return id(owner_of(array))


def place_of(edge: Edge) -> Place:
    """Return where the gradient along `edge` arrives."""
    return (edge.record, edge.index) if isinstance(edge, Port) else (edge, 0)
