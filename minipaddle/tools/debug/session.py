"""The session: a cursor that moves along a recording, and its breakpoints. No input, no output.

All answers are computed from the recording, the cursor and the breakpoints: stepping back just moves the
cursor.
"""

import fnmatch
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from minipaddle.engine.errors import Line
from minipaddle.tools.debug.cursor import AtEdge, Cursor, NoMove, Place, whole_number
from minipaddle.tools.debug.stop_spec import BadSpec, Spec, parse
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.words.events import blamed, title
from minipaddle.tools.words.language import say

_OF_EXPRESSIONS = frozenset("<>=(")
"""Signs of which an expression that can be true has one, if it is more than a name."""


@dataclass(eq=False)
class Breakpoint:
    """A condition to stop at, with its number."""

    number: int
    spec: Spec
    find: Callable[["Session"], Spec]
    """Finds the condition again, in a fork of the recording."""
    kind: str = "break"
    """``break``, or ``watch`` (a value that is made again)."""
    do: str = ""
    """A command to carry out at each hit, after which the run goes on. "": it stops."""
    file: str = ""
    """The file in which an editor has set it at a line."""


class Session(Cursor):
    """A position in a recording, with its breakpoints and moves."""

    def __init__(self, trace: Trace) -> None:
        super().__init__(trace)
        self.breakpoints: dict[int, Breakpoint] = {}
        """By their numbers."""
        self._breakpoints_made = 0
        self.displays: list[str] = []
        self.log: Callable[[Breakpoint], object] = lambda hit: None
        """The prompt's: called with each breakpoint that only does something, while the cursor is there."""
        self.later = 0
        """The number of events of the forward run after the cursor to which the last ``goto`` could also have led."""

    def stop_at(
        self, find: Callable[["Session"], Spec], kind: str = "break", do: str = "", file: str = ""
    ) -> Breakpoint:
        """Add a breakpoint with the condition that `find` returns, and return it; its number is the next one."""
        spec = find(self)
        number = self._breakpoints_made = self._breakpoints_made + 1
        self.breakpoints[number] = Breakpoint(number, spec, find, kind, do, file)
        return self.breakpoints[number]

    def step(self) -> Event:
        """Go to the next event, into bodies too. Raises AtEdge at the end."""
        self._leave(1)
        return self._go_to_stop(self.ahead)

    def back(self) -> Event:
        """Go to the event before. Raises AtEdge at the beginning."""
        self._leave(-1)
        return self._go_to_stop(self.behind)

    def next(self) -> Event:
        """Go to the next event, over bodies: the event after a body shows its results.

        Raises AtEdge at the end, and NoMove if the recording ends within a body.
        """
        self._leave(1)
        here = self.event if self.at_line is None else self.trace.events[self.stops[self.ahead]]
        after = self.trace.events[here.index + 1 : here.index + 2]
        is_last = self.at_line is None and here.kind != "enter" and [one.kind for one in after] == ["leave"]
        return self._first_outside(here.depth - is_last)

    def go_to_line(self, towards: int, over: bool, outwards: int = 0) -> None:
        """Go to the next line that ran, or to the one before with `towards` -1; `over`: over what its line calls.

        With `outwards` 1 it is a line of a function that called this one.
        Raises AtEdge if there is none.
        """
        lines, here = self.trace.lines, self.behind_line
        first = here + 1 if towards > 0 else here - (self.at_line is not None)
        ahead = range(first, len(lines) if towards > 0 else -1, towards)
        mine = {lines[at].frame for at in (self.variables.stack(here) if here >= 0 else ())[outwards:]}
        runs = (at for at in ahead if "return" not in lines[at].changed)
        found = next((at for at in runs if not over or lines[at].frame in mine), None)
        if found is None:
            raise AtEdge("no line that ran was recorded there")
        self.go_to((lines[found].before_event - 1, found + 1))

    def next_back(self) -> Event:
        """Go back to the event from which ``next`` came here, over bodies. Raises AtEdge at the beginning."""
        self._leave(-1)
        outside = self.event.depth
        before = (self.trace.events[self.stops[at]] for at in range(self.behind, -1, -1))
        there = (one.index for one in before if one.depth <= outside and one.kind != "enter")
        return self.go_to_event(next(there, self.stops[0]))

    def finish(self) -> Event:
        """Leave the body that the cursor is in.

        Raises NoMove outside of bodies, or if the recording ends within this one.
        """
        here = self.event
        depth = here.depth if here.kind != "enter" else here.depth + 1
        if depth == 0:
            raise NoMove("the cursor is in no body to leave")
        return self._first_outside(depth - 1)

    def resume(self) -> Event:
        """Go to the next stop at which a breakpoint holds, or to the end (``continue``). Raises AtEdge at the end."""
        return self.run_to((len(self.trace.events), 0), 1)

    def resume_back(self) -> Event:
        """Go back to the last stop where a breakpoint holds, or to the beginning. Raises AtEdge at the beginning."""
        return self.run_to((-1, 0), -1)

    def goto(self, target: str) -> Event:
        """Go to an event by its number, to ``begin`` or ``end``, or to the next that makes the value of this name.

        The title of a card works too, a pattern (``softmax_*``) for any of them, and the name of a layer, for the
        beginning of its next call.

        If backward began with one of several values of this name, those go first. After the last such event, the
        search starts from the beginning. Raises NoMove if there is no such event or name.
        """
        self.later = 0
        number = whole_number(target.removeprefix("-"))
        if number is not None:
            if target.startswith("-") or number >= len(self.stops):
                raise NoMove("events are numbered 0 to {last}", last=len(self.stops) - 1)
            return self._go_to_stop(number)
        target = self.canonical(target)
        like = [target] if target in self._by_name else fnmatch.filter(self._by_name, target)
        values = self.trace.known(id_ for name in like for id_ in self._by_name[name])
        values = [value for value in values if value.id in self._begun] or values
        made = [self._first_uses.get(v.id) if v.producer is None else v.producer for v in values]
        makers = [producer for producer in made if producer is not None]
        makers = makers or [
            index for index in self.stops if fnmatch.fnmatchcase(title(self.trace.events[index]), target)
        ]
        makers = makers or [events[0].index for events in self.in_layer(target).values()]
        if makers:
            to = min(makers, key=lambda index: (index <= self.event.index, index))
            self.later = sum(index > to for index in {*makers} if self.trace.events[index].phase == "forward")
            return self.go_to_event(to)
        if target in ("begin", "end"):
            return self._go_to_stop(0 if target == "begin" else len(self.stops) - 1)
        raise NoMove(say("no event makes a value called {name}", name=target) + self.like(target))

    def first(self, text: str) -> Event:
        """Go to the first event at which a SPEC holds, or an expression: ``loss > 2``, ``loss nan``.

        Raises NoMove if there is none, BadSpec as a breakpoint does.
        """
        try:
            spec = parse(text, self)
        except BadSpec:
            if not _OF_EXPRESSIONS.intersection(text):
                raise
            spec = parse(f"if {text}", self)
        for position, index in enumerate(self.stops):
            if spec.holds(self, self.trace.events[index]):
                return self._go_to_stop(position)
        said = say("{spec} holds at no event of this recording", spec=text)
        if self.trace.cut_off:
            said += say("; `minipaddle step SCRIPT --first SPEC` runs until it does")
        raise NoMove(said)

    def go_to_event(self, index: int) -> Event:
        """Go to an event by its index in the recording; if it is no stop, to the stop before it, or the first."""
        return self._go_to_stop(max(bisect_right(self.stops, index) - 1, 0))

    def _leave(self, towards: int) -> None:
        if towards > 0 and self.at_end:
            raise AtEdge("this is the end of the recording")
        if towards < 0 and self.behind < 0:
            raise AtEdge("this is the beginning of the recording")

    def run_to(self, target: Place, edge: int = 0) -> Event:
        """Go towards a place, past logpoints, to the first at which a breakpoint holds.

        Raises AtEdge at the end, if `edge` is 1, at the beginning, if it is -1.
        """
        here, events = self.place, [(index, 0) for index in self.stops]
        specs = [one.spec for one in self.breakpoints.values()]
        places = {place for one in specs for place in (events if one.places is None else one.places)}
        way = [one for one in places if one != here and min(here, target) <= one <= max(here, target)]
        if not way:
            self._leave(edge)
        for place in sorted(way, reverse=target < here):
            self.go_to(place)
            hits = self.hits
            for hit in hits:
                if hit.do:
                    self.log(hit)
            if any(not hit.do for hit in hits):
                return self.event
        return self.go_to(target)

    def go_to(self, place: Place) -> Event:
        """Go to a place in the recording."""
        self.go_to_event(place[0])
        self.at_line = place[1] - 1 if place[1] else None
        return self.event

    def _go_to_stop(self, position: int) -> Event:
        self.position, self.chosen, self.at_line = position, 0, None
        return self.event

    def _first_outside(self, depth: int) -> Event:
        """Go to the first event from here on that is no deeper than `depth` and opens no body."""
        for position in range(self.ahead, len(self.stops)):
            event = self.trace.events[self.stops[position]]
            if event.depth <= depth and event.kind != "enter":
                return self._go_to_stop(position)
        raise NoMove("the recording ends within the user's own code: `step` goes into it")

    @property
    def hits(self) -> list[Breakpoint]:
        """The breakpoints that hold at the cursor."""
        return [one for one in self.breakpoints.values() if one.spec.holds(self)]

    @property
    def where(self) -> Line | None:
        """The line of the chosen frame; at an event, the line that is behind it."""
        if self.at_line is None and not self.chosen:
            return blamed(self.trace, self.event).where
        return Line(*self.trace.lines[self.frame()[0][0]][4:7])

    def text_of(self, where: Line | None) -> str:
        """Return a line as it was at the time of recording; "" if it is not at hand."""
        lines = self.trace.sources.get(where.file, "").splitlines() if where else []
        return "".join(lines[where.number - 1 : where.number]).strip() if where else ""

    def locals(self) -> dict[str, Value | str]:
        """Return Python's variables in the chosen frame: a tensor's value, or what Python writes. Raises NoMove."""
        stack, step = self.frame()
        there = self.variables.of(stack[0], step).items()
        return {name: self.tensor(name, text, self.moment) for name, text in there}

    def functions(self) -> list[tuple[str, str, Line]]:
        """Return the functions that run, the innermost first: name, layer and line. Raises NoMove if not known."""
        self.frame()
        ran = ((at, self.trace.lines[at]) for at in self.variables.stack(self.behind_line))
        return [(line.function, self.variables.layer(at), Line(*line[4:7])) for at, line in ran]

    def chain(self) -> list[Event]:
        """Return the events from the cursor towards the loss: each uses the result of the one before (``where``).

        In backward this is the path along which the gradient came.
        """
        chain = [self.event]
        while (after := self._towards_loss(chain[-1])) is not None:
            chain.append(after)
        return chain

    def _towards_loss(self, here: Event) -> Event | None:
        """Return the next event that uses the result of `here`; in backward, the last event that made its input."""
        events = self.trace.events
        if here.phase == "forward":
            later = (event for event in islice(events, here.index + 1, None) if event.depth <= here.depth)
            calls = (event for event in later if event.kind == "op" and event.phase == "forward")
            made, inside = {*here.outputs} - {None}, here.parent
            return next((one for one in calls if _ran(one, inside) or not made.isdisjoint(one.inputs)), None)
        read = self.trace.known(here.inputs)
        used = {id_ for value in read for id_ in (value.id, value.came_from)} - {None}
        earlier = (events[index] for index in range(here.index - 1, -1, -1))
        makers = (e for e in earlier if e.phase == "backward" and e.kind != "leave")
        return next((e for e in makers if not used.isdisjoint(e.outputs)), None)


def _ran(event: Event, enter: int | None) -> bool:
    """Return whether a body of `event` is the one that begins at `enter`."""
    return enter is not None and event.body is not None and event.body[0] <= enter <= event.body[1]
