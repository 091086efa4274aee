"""The session: a cursor on a recording. No input, no output; stepping back is moving the cursor."""

from __future__ import annotations

import difflib

from minipaddle.trace.events import Event, Trace, Value

__all__ = ["AtEdge", "NoMove", "Session"]


class NoMove(Exception):
    """The cursor cannot go there; the message says why."""


class AtEdge(NoMove):
    """The cursor is at the beginning or the end already: worth a word, no mistake."""


class Session:
    """Where one stands in a recording, and how one moves.

    Every event is a stop, except the end of a body and the marker of a backward pass, where nothing is computed.
    """

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.stops = [event.index for event in trace.events if event.kind not in ("leave", "backward")]
        self.position = 0
        if not self.stops:
            raise NoMove("nothing was recorded: the script applied no operator")

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
        if self.at_end:
            raise AtEdge("this is the end of the recording")
        return self._go(min(self.position + count, len(self.stops) - 1))

    def back(self, count: int = 1) -> Event:
        """Go to the event before.

        Raises:
            AtEdge: at the beginning.
        """
        if self.position == 0:
            raise AtEdge("this is the beginning of the recording")
        return self._go(max(self.position - count, 0))

    def next(self) -> Event:
        """Go to the next event, over bodies: what they did is shown by the event that they belong to.

        Raises:
            AtEdge: at the end.
            NoMove: if the recording ends within a body.
        """
        if self.at_end:
            raise AtEdge("this is the end of the recording")
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
            raise NoMove("the cursor is in no body to leave")
        return self._first_outside(depth - 1)

    def resume(self) -> Event:
        """Go to the end (``continue``)."""
        return self._go(len(self.stops) - 1)

    def goto(self, target: str) -> Event:
        """Go to an event by its number, to ``begin`` or ``end``, or to the next one that makes the value of this name.

        After the last one that makes it, the search goes on from the beginning.

        Raises:
            NoMove: if there is no such event or name.
        """
        if target.lstrip("-").isdigit():
            number = int(target)
            if not 0 <= number < len(self.stops):
                raise NoMove(f"events are numbered 0 to {len(self.stops) - 1}")
            return self._go(number)
        order = [*range(self.position + 1, len(self.stops)), *range(self.position + 1)]
        for position in order:
            if any(
                value.name == target for value in self.values(self.trace.events[self.stops[position]].outputs)
            ):
                return self._go(position)
        if target in ("begin", "end"):
            return self._go(0 if target == "begin" else len(self.stops) - 1)
        raise NoMove(f"no event makes a value called {target}{self._like(target)}")

    def _like(self, target: str) -> str:
        """Say which names of results look like one that is none."""
        made = [value.name for event in self.trace.events for value in self.values(event.outputs)]
        if any(value.name == target for value in self.trace.values):
            return ": it was there before" + (
                f"; do you mean {target}@GRAD?" if f"{target}@GRAD" in made else ""
            )
        near = difflib.get_close_matches(target, list(dict.fromkeys(made)), n=3)
        return f"; do you mean {', '.join(near)}?" if near else ""

    def _go(self, position: int) -> Event:
        self.position = position
        return self.event

    def _first_outside(self, depth: int) -> Event:
        """Go to the first event from here on that is no deeper than `depth` and opens no body."""
        for position in range(self.position + 1, len(self.stops)):
            event = self.trace.events[self.stops[position]]
            if event.depth <= depth and event.kind != "enter":
                return self._go(position)
        raise NoMove("the recording ends within the user's own code: `step` goes into it")

    def _is_last_in_body(self, event: Event) -> bool:
        after = self.trace.events[event.index + 1 : event.index + 2]
        return event.kind != "enter" and bool(after) and after[0].kind == "leave"

    # -- asking ---------------------------------------------------------------------------------------------------

    def values(self, ids: list[int | None]) -> list[Value]:
        """Return the values with these ids, without the missing ones."""
        return [self.trace.values[id_] for id_ in ids if id_ is not None]

    def find(self, name: str) -> Value | None:
        """Return what `name` stands for at the cursor: the latest value of that name so far, or the first one later."""
        limit = self.event.index
        named = [value for value in self.trace.values if value.name == name]
        made = [value for value in named if value.producer is None or value.producer <= limit]
        return made[-1] if made else named[0] if named else None

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
        return next((e for e in earlier if e.phase == "backward" and not used.isdisjoint(e.outputs)), None)


def _uses(event: Event, made: set[int], here: Event) -> bool:
    """Say whether a forward event uses what `here` made, or is the PyLayer in whose body `here` stands."""
    if event.kind != "op" or event.phase != "forward" or event.depth > here.depth:
        return False
    owner = here.parent is not None and event.body is not None and event.body[0] == here.parent
    return owner or not made.isdisjoint(event.inputs)
