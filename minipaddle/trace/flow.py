"""The gradients of a recording: which value arrives where, and where two of them meet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from minipaddle.autograd.backward import accumulated
from minipaddle.autograd.tensor import Tensor
from minipaddle.core.meta import Array
from minipaddle.core.record import Edge, Leaf
from minipaddle.trace.events import Event, Trace
from minipaddle.trace.values import Place, Values, place_of

__all__ = ["Flow"]


class Flow:
    """Follows the gradients of the running passes; a body of the user's code may run a pass of its own.

    The walk yields what a record gave, not what was added: that is worked out here, from what arrives where.
    """

    def __init__(self, values: Values, add_event: Callable[..., Event | None]) -> None:
        self.values = values
        self.trace: Trace = values.trace
        self._add_event = add_event
        self._running: list[dict[Place, int]] = []  # per pass: the gradient value so far at each place

    @property
    def is_running(self) -> bool:
        """Whether a backward pass is going on."""
        return bool(self._running)

    def begin(self) -> None:
        """A pass begins."""
        self._running.append({})

    def end(self) -> None:
        """A pass is over."""
        self._running.pop()

    def through(self, edges: Sequence[Edge | None], grads: Sequence[Any], event: Event) -> None:
        """A record gave these gradients to its inputs."""
        arrived: list[tuple[Place, int]] = []
        for edge, grad in zip(edges, grads, strict=True):
            if grad is None or edge is None:
                event.outputs.append(None)
                continue
            place = place_of(edge)
            value = self._gradient(place, grad, event)
            event.outputs.append(value)
            arrived.append((place, value))
        for place, value in arrived:
            self._arrive(place, value)

    def incoming(self, place: Place, grad: Any) -> int | None:
        """Return the value of a complete gradient that reaches its node."""
        if grad is None:
            return None
        array = _array(grad)
        id_ = self._running[-1].get(place)
        if id_ is not None and _same(self.trace.values[id_].array, array):
            return id_
        seed = self._gradient(place, grad, None)
        if id_ is not None:  # it came, and a hook replaced it
            self.trace.values[seed].source = id_
        return seed

    def _gradient(self, place: Place, grad: Any, event: Event | None) -> int:
        """Make the value of a gradient that arrives at `place`."""
        of = self.values.at(place)
        name = f"{self.trace.values[of].name}@GRAD" if of is not None else ""
        is_tensor = isinstance(grad, Tensor)
        source = (
            self.values.id_of(grad) if is_tensor else None
        )  # made by operators that were recorded as they ran
        id_ = self.values.append(
            _array(grad), "gradient", name, event, not is_tensor or grad.stop_gradient, of=of
        )
        self.trace.values[id_].source = source
        if (
            source is not None
            and name
            and source not in self.values.named
            and self.trace.values[source].producer is None
        ):
            self.trace.values[source].name = name
        if is_tensor:
            self.values.stands_for(grad, id_)
        return id_

    def _arrive(self, place: Place, newcomer: int) -> None:
        """A gradient arrives: the first is kept, every other is added in an event of its own."""
        flow = self._running[-1]
        so_far = flow.get(place)
        if so_far is None:
            flow[place] = newcomer
            return
        event = self._add_event("accumulate", "sum", "accumulate")
        if event is None:
            return
        event.inputs = [so_far, newcomer]
        left, right = self.trace.values[so_far].array, self.trace.values[newcomer].array
        if left is not None and right is not None:
            flow[place] = self._gradient(place, left + right, event)
            event.outputs = [flow[place]]

    def stored(self, leaf: Leaf, grad: Any) -> None:
        """A gradient reached a leaf, and is about to be added to its ``.grad``."""
        tensor = leaf.tensor()
        if tensor is None:
            return
        event = self._add_event("store", "store", tensor.name)
        if event is None:
            return
        arrived = self.incoming((leaf, 0), grad)
        event.inputs = [arrived]
        event.title = self.trace.values[self.values.id_of(tensor) or 0].name
        total, first = accumulated(tensor, _array(grad))
        same = arrived if first else None
        of = self.values.id_of(tensor)
        event.outputs = [self.values.append(total, "gradient", f"{event.title}.grad", event, True, of, same)]
        event.note = "first write" if first else "added to what was there"


def _array(grad: Any) -> Array:
    array: Array = grad.array if isinstance(grad, Tensor) else grad
    return array


def _same(one: Array | None, other: Array) -> bool:
    if one is None or one is other:
        return True
    return one.shape == other.shape and bool(((one == other) | ((one != one) & (other != other))).all())
