"""The gradients of a recording: which value arrives where, and where two of them meet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from minipaddle.autograd.tensor import Tensor
from minipaddle.core.meta import Array
from minipaddle.core.node import AccumulateGrad, AnyNode, Edge
from minipaddle.trace.builder import Place, Values, place_of
from minipaddle.trace.events import Event, Trace


class Flow:
    """Follows the gradients of the running passes; a body of the user's code may run a pass of its own.

    The walk yields what a record gave, not what was added: that is worked out here, from what arrives where.
    """

    def __init__(self, values: Values, add_event: Callable[..., Event]) -> None:
        self.values = values
        self.trace: Trace = values.trace
        self._add_event = add_event
        self._running: list[dict[Place, int]] = []  # per pass: the gradient value so far at each place
        self._done: list[set[AnyNode]] = []  # per pass: where the gradient is complete, and has gone on
        self._sums: dict[int, tuple[int, int]] = {}  # values whose numbers nobody has handed over yet
        self._waiting: dict[
            int, Array
        ] = {}  # gradients that wait for others, where there is no room to keep them
        self._hooks: dict[int, Place] = {}  # `enter` of a hook -> where its gradient arrives
        self._replaced: dict[Place, int] = {}  # what hooks have made of the gradient that arrives there

    def begin(self) -> None:
        """A pass begins."""
        self._running.append({})
        self._done.append(set())

    def end(self) -> None:
        """A pass is over."""
        self._running.pop()
        self._done.pop()
        if not self._running:
            self._waiting.clear()

    def through(self, edges: Sequence[Edge | None], grads: Sequence[Any], event: Event, here: object) -> None:
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
            self._arrive(place, value, here)

    def incoming(self, place: Place, grad: Any, hooked: bool = False) -> int | None:
        """Return the value of a complete gradient that reaches its node; hooks may have replaced it on the way."""
        if grad is None:
            return None
        array = array_of(grad)
        id_ = self._running[-1].get(place)
        self._done[-1].add(place[0])
        made = self._replaced.pop(place, None)
        if id_ is not None:
            self._waiting.pop(id_, None)
            if hooked:
                self._add_up(id_)
            elif self._sums.pop(id_, None) is not None:  # the walk has added them up
                self.values.give(id_, array)
            if made is None and (not hooked or _same(self.trace.values[id_].array, array)):
                return id_
        seed = self._gradient(place, grad, None)
        if id_ is not None:
            self.trace.values[seed].source = id_
        return seed

    def meet_hook(self, grad: Tensor, enter: int, leaf: AccumulateGrad | None) -> None:
        """A hook is given a gradient that has arrived, at `leaf` or where the walk goes next: find which."""
        self.add_up()
        if self.values.knows(grad):  # by another hook, which comes before it
            id_ = self.values.id_of(grad)
            before = [place for place, made in self._replaced.items() if made == id_]
            before += [place for place, so_far in self._arrived() if so_far == id_]
        else:
            waiting = [
                place for place, id_ in self._arrived() if _same(self.trace.values[id_].array, grad.array)
            ]
            before = [place for place in waiting if place[0].hooks is not None and leaf in (None, place[0])]
            before.sort(key=lambda place: place[0].rank)
        if before:
            self._hooks[enter] = before[0]
            id_ = self._running[-1].get(before[0])
            if id_ is not None and not self.values.knows(grad):
                self.values.stands_for(grad, id_)
                self.values.named.setdefault(id_, -1)  # the hook's argument is no better name

    def leave_hook(self, enter: int, made: int | None) -> None:
        """A hook made value `made` of the gradient that it was given; None: it left it as it was."""
        place = self._hooks.pop(enter, None)
        if place is not None and made is not None:
            self._replaced[place] = made

    def _arrived(self) -> list[tuple[Place, int]]:
        """Return the gradients that have arrived and not gone on."""
        if not self._running:
            return []
        return [one for one in self._running[-1].items() if one[0][0] not in self._done[-1]]

    def _gradient(self, place: Place, grad: Any, event: Event | None) -> int:
        """Make the value of a gradient that arrives at `place`."""
        of = self.values.at(place)
        name = f"{self.trace.values[of].name}@GRAD" if of is not None else ""
        is_tensor = isinstance(grad, Tensor)
        source = self.values.id_of(grad) if is_tensor else None  # made by operators, recorded as they ran
        array = array_of(grad)
        id_ = self.values.append(array, "gradient", name, event, not is_tensor or grad.stop_gradient, of=of)
        value = self.trace.values[id_]
        if is_tensor:
            value.source = source
            self._name_source(source, name)
            self.values.stands_for(grad, id_)
        if value.kept is None:
            self._waiting[id_] = array
        return id_

    def _name_source(self, source: int | None, name: str) -> None:
        """Name what no operator made after the place that it arrives at as a gradient."""
        if source is None or not name or source in self.values.named:
            return
        if self.trace.values[source].producer is None:
            self.trace.values[source].name = name

    def _arrive(self, place: Place, newcomer: int, here: object) -> None:
        """A gradient arrives: the first is kept, every other is added in an event of its own."""
        flow = self._running[-1]
        so_far = flow.get(place)
        if so_far is None:
            flow[place] = newcomer
            return
        event = self._add_event("accumulate", "sum", "accumulate", here)
        event.inputs = [so_far, newcomer]
        old = self.trace.values[so_far]
        flow[place] = total = self.values.promise(old, event)
        self._sums[total] = (so_far, newcomer)
        event.outputs = [total]

    def add_up(self) -> None:
        """Compute the sums that were only on the way to a greater one."""
        for id_ in list(self._sums):
            self._add_up(id_)

    def _add_up(self, id_: int) -> None:
        """Compute one sum, if its numbers are missing and those of its parts are here."""
        parts = [self._numbers(part) for part in self._sums.get(id_, ())]
        if parts and parts[0] is not None and parts[1] is not None:
            del self._sums[id_]
            total = parts[0] + parts[1]
            self.values.give(id_, total)
            if self.trace.values[id_].array is None:
                self._waiting[id_] = total

    def _numbers(self, id_: int) -> Array | None:
        array = self.trace.values[id_].array
        return array if array is not None else self._waiting.pop(id_, None)


def array_of(grad: Any) -> Array:
    """Return the numbers of a gradient, which is a Tensor when it is to be differentiated in its turn."""
    array: Array = grad.array if isinstance(grad, Tensor) else grad
    return array


def _same(one: Array | None, other: Array) -> bool:
    if one is None or one is other:
        return True
    return one.shape == other.shape and bool(((one == other) | ((one != one) & (other != other))).all())
