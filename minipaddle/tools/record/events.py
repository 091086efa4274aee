"""A recording: the events of a run in their order, and the values that they made and read.

Read next: :mod:`minipaddle.tools.record.kinds`, the kinds of events; :mod:`minipaddle.tools.record.builder`, which
appends to a recording.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from minipaddle.engine.errors import Line
from minipaddle.tools.record.kinds import Backward, Event, Grad
from minipaddle.tools.record.reads_and_cuts import Apart, Binding, Cut, ExitCode, Ran, Read, Trainer, ValueId
from minipaddle.tools.record.value import Value, ValueKind
from minipaddle.tools.words.group_by import grouped

__all__ = ["Event", "Trace", "Value", "ValueKind"]


@dataclass
class Trace:
    """A whole recording."""

    script: str = ""
    events: Apart[list[Event]] = field(default_factory=list)
    values: Apart[list[Value]] = field(default_factory=list)
    sources: Apart[dict[str, str]] = field(default_factory=dict)
    """Text of every file that an event points to."""
    notes: list[str] = field(default_factory=list)
    """Messages for the user: memory limit reached, events left out."""
    cut_off: str = ""
    """The note on where the recording stopped; "" if it is complete."""
    threads: list[str] = field(default_factory=list)
    """Names of threads that the script started: their events are not recorded."""
    warned: Apart[list[Line]] = field(default_factory=list)
    """The lines at which NumPy warned, of 0 / 0 for one, each with its words as the function. Not in a file."""
    exit_code: ExitCode = 0
    """How the script ended."""
    unused: list[str] = field(default_factory=list)
    """Parameters of layers that ran, but that no operator read."""
    programs: Apart[list[Any]] = field(default_factory=list)
    """The Programs that were run, with their names (``Found`` in tools/record/sources/program/registry.py). Not in a
    file."""
    bound: dict[ValueId, str] = field(default_factory=dict)
    """In a Program, whose values have Paddle's names: the script's variable to show with a value."""
    bindings: list[Binding] = field(default_factory=list)
    """Every assignment of a value to a user's variable: a value may have many names."""
    reads: list[Read] = field(default_factory=list)
    """Tensor numbers that went to Python (``item``, ``numpy``, ``bool``)."""
    lines: Apart[list[Ran]] = field(default_factory=list)
    """The lines of the user's code, in the order in which they ran."""
    cuts: list[Cut] = field(default_factory=list)
    """Where the user detached tensors from the graph, or attached them."""
    optimizers: list[Trainer] = field(default_factory=list)
    """The optimizers that were made."""
    groups: list[list[int]] = field(default_factory=list)
    """For each parameter group of an optimizer with several, the numbers of its holders."""
    calls: Apart[dict[int, tuple[Any, list[Any]]]] = field(default_factory=dict)
    """User functions that can be called again: a PyLayer's class, or py_func's, and its arguments, with Values
    for tensors. Not in a file."""
    again: Apart[Callable[[int, str], Trace] | None] = None
    """Runs the script again, with a statement before the line of that index; None if it cannot. Not in a file."""
    later: Apart[dict[int, list[tuple[int, int]]]] = field(default_factory=dict)
    """In a fork: by value changed after its use, pairs of first event and replacing value. Not in a file."""

    def snapshot(self) -> Trace:
        """Return a copy to which later events are not added; events and values are the same."""
        lists = {name: copy(held) for name, held in vars(self).items() if isinstance(held, (list, dict))}
        snapshot = copy(self)
        vars(snapshot).update(lists)
        return snapshot

    @cached_property
    def variables(self) -> dict[int, list[str]]:
        """The names of the user's variables that held each value, by value number; for a finished recording."""
        return grouped((binding.value, binding.name) for binding in self.bindings)

    @property
    def trained(self) -> list[list[int]]:
        """For each optimizer that was made, the numbers of the holders that it trains."""
        return [one.holders for one in self.optimizers]

    def value(self, id: int | None) -> Value | None:
        """Return a value by id; None stays None."""
        return None if id is None else self.values[id]

    def known(self, ids: Iterable[int | None]) -> list[Value]:
        """Return the values with these ids, leaving out each None."""
        return [self.values[id] for id in ids if id is not None]

    def owner(self, gradient: Value) -> Value:
        """Return the value that a gradient belongs to; the gradient itself if unknown."""
        return self.value(gradient.of) or gradient

    def maker(self, value: Value) -> Event | None:
        """Return the event that made a value; None if the user did."""
        return None if value.producer is None else self.events[value.producer]

    def born(self, value: Value) -> Cut | None:
        """Return where the user's code made the tensor of a value: a leaf, a parameter, or data; None if unknown."""
        same = {one.id for one in self.values if one.holder == value.holder}
        return next((cut for cut in self.cuts if cut.made in same and cut.where is not None), None)

    def is_made(self, value: Value) -> bool:
        """Return whether an event has a value among its outputs: not an argument, a view, or what shares memory."""
        return value.producer is not None and value.id in self.events[value.producer].outputs

    @property
    def markers(self) -> list[Backward]:
        """The events that begin backward passes, except passes within another one."""
        return [event for event in self.events if isinstance(event, Backward) and event.pass_number > 0]

    def began(self, number: int) -> Backward | None:
        """Return the event that begins a backward pass; None if it is not in the recording."""
        begins = (event for event in self.events if isinstance(event, Backward))
        return next((event for event in begins if event.pass_number == number), None)

    @property
    def passes(self) -> int:
        """The number of backward passes."""
        return len(self.markers)

    @property
    def pass_numbers(self) -> list[int]:
        """Numbers of the backward passes, counted from the script's start; the recording may start later."""
        return [event.pass_number for event in self.markers]

    @property
    def last_pass(self) -> int:
        """The number of the last outermost backward pass (a pass in a PyLayer's forward is not)."""
        began = self.markers
        outermost = min((event.depth for event in began), default=0)
        return max((event.pass_number for event in began if event.depth == outermost), default=0)

    def pass_of(self, event: Event) -> int:
        """Return the number of the outermost backward pass that an event is in or after; 0 before the first."""
        while event.pass_number < 0 and event.parent is not None:
            event = self.events[event.parent]
        return max(event.pass_number, 0)

    def pass_around(self, event: Event) -> int:
        """Return the number of the backward pass that an event is in or after; before the first, the first's."""
        number, numbers = self.pass_of(event), self.pass_numbers
        return number if number in numbers else min(numbers, default=0)

    def of_pass(self, number: int) -> Iterator[Event]:
        """Yield the gradient events of one backward pass (from 1), without the marker itself."""
        passing = (event for event in self.events if event.pass_number == number)
        yield from (event for event in passing if event.phase == "backward" and event.kind != "backward")

    def inside(self, event: Event) -> list[Event]:
        """Return the events in the body of an event, from its ``Enter`` on; [] if it has no body."""
        return self.events[slice(*event.body)] if event.body is not None else []

    def bodies(self, event: Event) -> list[tuple[Event, Event]]:
        """Return the begin and end events of an operator's bodies: one for a PyLayer, one per loop iteration."""
        if event.body is None:
            return []
        inside = self.events[event.body[0] : event.body[1] + 1]
        ends = [one for one in inside if one.kind == "leave" and one.depth == inside[0].depth]
        return [(self.events[end.origin], end) for end in ends if end.origin is not None]

    def differentiated(self, event: Event) -> Event | None:
        """Return the forward call that a gradient event belongs to; None for any other, or if it was not recorded.

        In a second derivative of a Program, it is a part of a rule that ran as a whole, and was computed again.
        """
        if not isinstance(event, Grad) or event.origin is None:
            return None
        forward = event.part or self.events[event.origin]
        if not self.later:
            return forward
        ends = forward.inputs, forward.outputs  # as the gradient event refers to them
        inputs, outputs = ([None if i is None else self.at(i, event.index) for i in ids] for ids in ends)
        return replace(forward, inputs=inputs, outputs=outputs)

    def of_forward(self, event: Event) -> list[int | None]:
        """Return the inputs and outputs of the forward call of a gradient event; [] for other events."""
        forward = self.differentiated(event)
        return [] if forward is None else [*forward.inputs, *forward.outputs]

    def takes(self, event: Event) -> list[int]:
        """Return the ids of the values that an event reads, each once; for a gradient event, also of the saved ones."""
        saved = self.events[event.origin].saved if event.kind == "grad" and event.origin is not None else []
        return [id_ for id_ in dict.fromkeys([*event.inputs, *saved]) if id_ is not None]

    def read_by(self, event: Event) -> Iterator[int | None]:
        """Yield the ids of all values that an event reads; for a gradient event, also its call's inputs and outputs."""
        yield from event.inputs
        yield event.before
        for terms in event.parts:
            yield from terms or ()
        yield from self.of_forward(event)

    def at(self, id: int, index: int) -> int:
        """Return the value that replaces value `id` at event `index`: `id` itself, except in forks."""
        since = [one for one in self.later.get(id, ()) if one[0] <= index]
        return self.at(max(since)[1], index) if since else id
