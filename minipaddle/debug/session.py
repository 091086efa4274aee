"""The session: a cursor on a recording. No input, no output; stepping back is moving the cursor."""

from __future__ import annotations

from collections.abc import Callable

from minipaddle.trace.events import Event, Trace, Value

__all__ = ["NoMove", "Session"]


class NoMove(Exception):
    """The cursor cannot go there; the message says why."""


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
            NoMove: at the end.
        """
        if self.at_end:
            raise NoMove("this is the end of the recording")
        return self._go(min(self.position + count, len(self.stops) - 1))

    def back(self, count: int = 1) -> Event:
        """Go to the event before.

        Raises:
            NoMove: at the beginning.
        """
        if self.position == 0:
            raise NoMove("this is the beginning of the recording")
        return self._go(max(self.position - count, 0))

    def next(self) -> Event:
        """Go to the next event, over bodies: what they did is shown by the event that they belong to."""
        here = self.event

        def beyond(event: Event) -> bool:
            outside = here.depth - 1 if self._is_last_in_body(here) else here.depth
            return event.depth <= outside and event.kind != "enter"

        return self._first(beyond, "this is the end of the recording")

    def finish(self) -> Event:
        """Leave the body that the cursor is in.

        Raises:
            NoMove: outside of bodies.
        """
        here = self.event
        depth = here.depth if here.kind != "enter" else here.depth + 1
        if depth == 0:
            raise NoMove("the cursor is in no body to leave")
        return self._first(
            lambda event: event.depth < depth and event.kind != "enter", "the recording ends inside"
        )

    def resume(self) -> Event:
        """Go to the end (``continue``)."""
        return self._go(len(self.stops) - 1)

    def goto(self, target: str) -> Event:
        """Go to an event by its number, or to the next one that makes the value of this name.

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
        raise NoMove(f"no event makes a value called {target}")

    def _go(self, position: int) -> Event:
        self.position = position
        return self.event

    def _first(self, wanted: Callable[[Event], bool], otherwise: str) -> Event:
        for position in range(self.position + 1, len(self.stops)):
            if wanted(self.trace.events[self.stops[position]]):
                return self._go(position)
        if self.at_end:
            raise NoMove(otherwise)
        return self._go(len(self.stops) - 1)

    def _is_last_in_body(self, event: Event) -> bool:
        after = self.trace.events[event.index + 1 : event.index + 2]
        return bool(after) and after[0].kind == "leave"

    # -- asking ---------------------------------------------------------------------------------------------------

    def values(self, ids: list[int | None]) -> list[Value]:
        """Return the values with these ids, without the missing ones."""
        return [self.trace.values[id_] for id_ in ids if id_ is not None]

    def find(self, name: str) -> Value | None:
        """Return what `name` stands for at the cursor: the latest value of that name made so far, or met first later."""
        limit = self.event.index
        named = [value for value in self.trace.values if value.name == name]
        made = [value for value in named if value.producer is None or value.producer <= limit]
        return (made or named or [None])[-1 if made else 0]

    def chain(self) -> list[Event]:
        """Return the events from the cursor towards the loss: each uses what the one before made (``where``).

        In backward this is the way that the gradient has come.
        """
        events = [self.event]
        while True:
            here = events[-1]
            made = set(here.outputs if here.phase == "forward" else here.inputs) - {None}
            if here.phase == "forward":
                following = [
                    e for e in self.trace.events[here.index + 1 :] if e.kind == "op" and made & set(e.inputs)
                ]
            else:
                following = [e for e in self.trace.events[: here.index][::-1] if made & set(e.outputs)]
            if not following:
                return events
            events.append(following[0])
