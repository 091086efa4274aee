"""The session: a cursor on a recording, what it stops at, and the forks of the recording. No input, no output.

Everything that is shown is worked out from the recording, the cursor and the breakpoints: stepping back is moving the
cursor.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from minipaddle.debug.breakpoints import Breakpoints
from minipaddle.names.public import nearest
from minipaddle.trace.events import Event, Trace, Value
from minipaddle.words.events import stop_numbers
from minipaddle.words.language import say


class NoMove(Exception):
    """That cannot be done; the message says why."""


class AtEdge(NoMove):
    """The cursor is at the beginning or the end already: worth a word, no mistake."""


class Session:
    """Where one stands in a recording, and how one moves.

    Every event is a stop, except the end of a body and the marker of a backward pass, where nothing is computed.
    """

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        """The recording, or the fork of it that is looked at."""
        self.stops = list(stop_numbers(trace))
        self.position = 0
        self.breakpoints = Breakpoints()
        self.displays: list[str] = []
        self.expressions: dict[str, Any] = {}
        """Expressions that were read once (:mod:`minipaddle.debug.expressions`)."""
        self.born = _first_uses(trace)
        """For gradients that hooks have replaced: the event that finds them first."""
        self._by_name: dict[str, list[int]] = {}
        for value in trace.values:
            self._by_name.setdefault(value.name, []).append(value.id)
        self._name_what_arrived()
        self._name_what_is_bound()
        if not self.stops:
            raise NoMove(say("nothing was recorded: the script applied no operator"))

    def _name_what_arrived(self) -> None:
        """Let ``w.grad`` be a name for what arrived at a leaf in a Program, too, where it is fetched as ``w@GRAD``."""
        for event in self.trace.events:
            if event.kind == "store" and not event.note and event.outputs[0] is not None:
                self._by_name.setdefault(f"{event.title}.grad", []).append(event.outputs[0])

    def _name_what_is_bound(self) -> None:
        """Let the script's own variables be names for what they were bound to; names of Paddle's come first."""
        names, bound = set(self._by_name), self.trace.bound
        for value in self.trace.values if bound else ():
            name = bound.get(value.id) or (f"{bound[value.of]}@GRAD" if value.of in bound else "")
            if name and name not in names:
                self._by_name.setdefault(name, []).append(value.id)

    @property
    def event(self) -> Event:
        """The event under the cursor."""
        return self.trace.events[self.stops[self.position]]

    @property
    def at_end(self) -> bool:
        """Whether this is the last stop."""
        return self.position == len(self.stops) - 1

    # -- moving ---------------------------------------------------------------------------------------------------

    def step(self, count: int = 1) -> Event:
        """Go to the next event, into bodies too.

        Raises:
            AtEdge: at the end.
        """
        self._leave_end()
        return self._go(min(self.position + count, len(self.stops) - 1))

    def back(self, count: int = 1) -> Event:
        """Go to the event before.

        Raises:
            AtEdge: at the beginning.
        """
        self._leave_beginning()
        return self._go(max(self.position - count, 0))

    def next(self) -> Event:
        """Go to the next event, over bodies: what they did is shown by the event that they belong to.

        Raises:
            AtEdge: at the end.
            NoMove: if the recording ends within a body.
        """
        self._leave_end()
        here = self.event
        outside = here.depth - 1 if self._is_last_in_body(here) else here.depth
        return self._first_outside(outside)

    def finish(self) -> Event:
        """Leave the body that the cursor is in.

        Raises:
            NoMove: outside of bodies, or if the recording ends within this one.
        """
        here = self.event
        depth = here.depth if here.kind != "enter" else here.depth + 1
        if depth == 0:
            raise NoMove(say("the cursor is in no body to leave"))
        return self._first_outside(depth - 1)

    def resume(self) -> Event:
        """Go to the next event at which a breakpoint stops, or to the end (``continue``).

        Raises:
            AtEdge: at the end.
        """
        self._leave_end()
        return self._run_to(range(self.position + 1, len(self.stops)))

    def resume_back(self) -> Event:
        """Go back to the last event at which a breakpoint stops, or to the beginning (``rcontinue``).

        Raises:
            AtEdge: at the beginning.
        """
        self._leave_beginning()
        return self._run_to(range(self.position - 1, -1, -1))

    def goto(self, target: str) -> Event:
        """Go to an event by its number, to ``begin`` or ``end``, or to the next one that makes the value of this name.

        After the last one that makes it, the search goes on from the beginning.

        Raises:
            NoMove: if there is no such event or name.
        """
        if target.lstrip("-").isdigit():
            number = int(target)
            if not 0 <= number < len(self.stops):
                raise NoMove(say("events are numbered 0 to {last}", last=len(self.stops) - 1))
            return self._go(number)
        made = [self.trace.values[id_].producer for id_ in self._by_name.get(target, ())]
        makers = [producer for producer in made if producer is not None]
        if makers:
            return self.go_to_event(min(makers, key=lambda index: (index <= self.event.index, index)))
        if target in ("begin", "end"):
            return self._go(0 if target == "begin" else len(self.stops) - 1)
        raise NoMove(say("no event makes a value called {name}", name=target) + self.like(target))

    def go_to_event(self, index: int) -> Event:
        """Go to an event by its place in the recording; from one that is no stop, to the stop before."""
        while index not in self._places:
            index -= 1
        return self._go(self._places[index])

    def go_to_backward(self) -> Event:
        """Go to the first event of backward; stay where there is none."""
        for position, index in enumerate(self.stops):
            if self.trace.events[index].phase == "backward":
                return self._go(position)
        return self.event

    def up(self) -> Event:
        """Go to the event that uses what this one made: towards the loss in forward, towards the leaves in backward.

        Raises:
            NoMove: if none does.
        """
        made = {id_ for id_ in self.event.outputs if id_ is not None}
        made |= {value.id for value in self.trace.values if value.source in made}
        for index in self.stops[self.position + 1 :]:
            if not made.isdisjoint(self.trace.events[index].inputs):
                return self.go_to_event(index)
        for index in self.stops[self.position + 1 :]:
            if _ran(self.trace.events[index], self.event):
                return self.go_to_event(index)
        raise NoMove(say("nothing uses what is made here"))

    def down(self) -> Event:
        """Go to the event that made what this one uses: its first input that an event made.

        Raises:
            NoMove: if none was made by an event.
        """
        for value in self.trace.known(self.event.inputs):
            source = self.trace.value(value.source)
            producer = value.producer if value.producer is not None or source is None else source.producer
            if producer is not None:
                return self.go_to_event(producer)
        raise NoMove(say("what is used here was there before the recording began"))

    @cached_property
    def _places(self) -> dict[int, int]:
        return {index: position for position, index in enumerate(self.stops)}

    def _leave_end(self) -> None:
        if self.at_end:
            raise AtEdge(say("this is the end of the recording"))

    def _leave_beginning(self) -> None:
        if self.position == 0:
            raise AtEdge(say("this is the beginning of the recording"))

    def _run_to(self, positions: range) -> Event:
        """Go along `positions` to the first at which a breakpoint stops, or to the last."""
        events = self.trace.events
        for position in positions if self.breakpoints.some else positions[-1:]:
            if self.breakpoints.stop_at(self, events[self.stops[position]]):
                break
        return self._go(position)

    def like(self, target: str) -> str:
        """Say which names of results look like one that is none."""
        made = {name for name, ids in self._by_name.items() if any(self._is_made(id_) for id_ in ids)}
        if target in self._by_name:
            gradient = f"{target}@GRAD"
            also = say("; do you mean {names}?", names=gradient) if gradient in made else ""
            return say(": it was there before") + also
        near = nearest(target, made)
        return say("; do you mean {names}?", names=", ".join(near)) if near else ""

    def _is_made(self, id_: int) -> bool:
        return self.trace.values[id_].producer is not None

    def _go(self, position: int) -> Event:
        self.position = position
        return self.event

    def _first_outside(self, depth: int) -> Event:
        """Go to the first event from here on that is no deeper than `depth` and opens no body."""
        for position in range(self.position + 1, len(self.stops)):
            event = self.trace.events[self.stops[position]]
            if event.depth <= depth and event.kind != "enter":
                return self._go(position)
        raise NoMove(say("the recording ends within the user's own code: `step` goes into it"))

    def _is_last_in_body(self, event: Event) -> bool:
        after = self.trace.events[event.index + 1 : event.index + 2]
        return event.kind != "enter" and bool(after) and after[0].kind == "leave"

    # -- asking ---------------------------------------------------------------------------------------------------

    @property
    def hits(self) -> list[int]:
        """The numbers of the breakpoints that hold here."""
        return self.breakpoints.holding(self, self.event)

    @property
    def names(self) -> list[str]:
        """The names of all values."""
        return list(self._by_name)

    def find(self, name: str, limit: int | None = None) -> Value | None:
        """Return what `name` stands for at the cursor: the latest value of that name so far, or the first one later."""
        value = self.made(name, limit)
        if value is not None or name not in self._by_name:
            return value
        return self.trace.values[self._by_name[name][0]]

    def made(self, name: str, limit: int | None = None) -> Value | None:
        """Return the latest value of this name that there is at the cursor, or at the event with index `limit`."""
        limit = self.event.index if limit is None else limit
        for id_ in reversed(self._by_name.get(name, ())):
            begins = self.born.get(id_, self.trace.values[id_].producer)
            if (begins is None or begins <= limit) and self._is_seen(begins, limit):
                return self.trace.values[self.trace.at(id_, limit)]
        return None

    def _is_seen(self, producer: int | None, here: int) -> bool:
        """Whether what an event made is no local of a function of the user's (py_func), or the cursor is in there."""
        made = None if producer is None else self.trace.events[producer]
        if made is None or made.op not in ("python", "function"):
            return True
        body = made.parent if made.op == "python" else made.index
        return body in (here, self.trace.events[here].parent)

    def before(self, value: Value) -> Value | None:
        """Return the value that bore the same name before."""
        earlier = [id_ for id_ in self._by_name.get(value.name, ()) if id_ < value.id]
        return self.trace.values[earlier[-1]] if earlier else None

    def chain(self) -> list[Event]:
        """Return the events from the cursor towards the loss: each uses what the one before made (``where``).

        In backward this is the way that the gradient has come.
        """
        chain = [self.event]
        while (after := self._towards_loss(chain[-1])) is not None:
            chain.append(after)
        return chain

    def _towards_loss(self, here: Event) -> Event | None:
        """Return the next event that uses what `here` made; in backward the last one that made what it uses."""
        events = self.trace.events
        if here.phase == "forward":
            made = {id_ for id_ in here.outputs if id_ is not None}
            later = (events[index] for index in range(here.index + 1, len(events)))
            return next((event for event in later if _uses(event, made, here)), None)
        used = {id_ for id_ in here.inputs if id_ is not None}
        used |= {source for id_ in used if (source := self.trace.values[id_].source) is not None}
        earlier = (events[index] for index in range(here.index - 1, -1, -1))
        makers = (e for e in earlier if e.phase == "backward" and e.kind != "leave")
        return next((e for e in makers if not used.isdisjoint(e.outputs)), None)


def _first_uses(trace: Trace) -> dict[int, int]:
    replaced = {
        v.id for v in trace.values if v.of is not None and v.producer is None and v.source is not None
    }
    found: dict[int, int] = {}
    for event in trace.events if replaced else ():
        for id_ in event.inputs:
            if id_ in replaced:
                found.setdefault(id_, event.index)
    return found


def _uses(event: Event, made: set[int], here: Event) -> bool:
    """Say whether a forward event uses what `here` made, or is the PyLayer in whose body `here` stands."""
    if event.kind != "op" or event.phase != "forward" or event.depth > here.depth:
        return False
    return _ran(event, here) or not made.isdisjoint(event.inputs)


def _ran(event: Event, here: Event) -> bool:
    """Say whether `here` stands in the body of `event`, in any iteration if that is a loop."""
    if here.parent is None or event.body is None or event.depth != here.depth - 1:
        return False
    return event.body[0] <= here.parent <= event.body[1]
