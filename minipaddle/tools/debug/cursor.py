"""A position in a recording, which resolves names there for expressions and breakpoints."""

import re
from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator, KeysView
from contextlib import suppress
from functools import cached_property
from operator import itemgetter
from typing import Any

from minipaddle.tools.debug.bindings import Bindings
from minipaddle.tools.debug.variables import Variables
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import Scope, Store
from minipaddle.tools.record.labels import spellings, without_number
from minipaddle.tools.words.events import stop_numbers
from minipaddle.tools.words.expressions import Expression
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.language import nearest, say


class NoMove(Exception):
    """A command that cannot be done; the message, with its parts filled in, is the reason."""

    def __init__(self, sentence: str, **parts: object) -> None:
        super().__init__(say(sentence, **parts))


class AtEdge(NoMove):
    """The cursor is already at the beginning or the end: a remark, not an error."""


Place = tuple[int, int]
"""Where a cursor can be: at an event, by its index and 0; or at a line, by the event before and its number from 1."""


class Cursor:
    """A position in a recording. Raises NoMove if the recording has no stop.

    Every event is a stop, except the end of a body and the marker of a backward pass, which compute nothing.
    """

    def __init__(self, trace: Trace) -> None:
        self.position = 0
        self.at_line: int | None = None
        """At a line of the user's code, its index in the recording; None: at an event."""
        self.goes_on = False
        """Whether the last stop is where the process is now: Python's variables are then those of its last line."""
        self.expressions: dict[str, Expression] = {}
        """The expressions read so far, by the user's text."""
        self.look_at(trace)
        if not self.stops:
            raise NoMove("nothing was recorded: the script applied no operator")

    def look_at(self, trace: Trace) -> None:
        """Move to another recording, at the stop at or before the same event index."""
        here = self.event.index if self.position else 0
        self.trace = trace
        """The recording, or the fork of it that is shown."""
        self.stops = list(stop_numbers(trace))
        self.position, self.chosen, self.at_line = max(bisect_right(self.stops, here) - 1, 0), 0, None
        """The number of the stop, and of the frames between the innermost one and that which ``up`` chose there."""
        for worked_out in ("_networks", "variables"):
            vars(self).pop(worked_out, None)
        self._first_uses = _first_uses(trace)
        """For each value that no event made and that appeared during the run, its first reader."""
        cuts = (cut for cut in reversed(trace.cuts) if cut.how in ("to_tensor", "numpy"))
        self._begins = {cut.made: cut.before_event for cut in cuts if cut.made in self._first_uses}
        """For those that to_tensor made, the event after that call; for a ``.grad``, the event that computed it."""
        unmade = (one for one in trace.values if one.kind == "gradient" and one.producer is None)
        for one in unmade:
            if one.same is not None and one.replaces is None:
                self._begins[one.id] = trace.values[one.same].producer or 0
        labels = ((value.name, value.id) for value in trace.values)
        self._by_name = grouped((name, id_) for label, id_ in labels for name in spellings(label))
        self._begun = {value.of for value in trace.values if value.seed and value.of is not None}
        """The values that a backward pass began with: ``loss``, where the script has no variable of this name."""
        # `w.grad` also names the gradient of a Program's leaf, fetched as `w@GRAD`
        for event in trace.events:
            if isinstance(event, Store) and event.into == "program" and event.outputs[0] is not None:
                self._by_name.setdefault(f"{event.title}.grad", []).append(event.outputs[0])
        self._bindings = Bindings(trace, {**self._first_uses, **self._begins})
        for name, id_ in self._bindings.by_name():
            ids = self._by_name.setdefault(name, [])
            if id_ not in ids[bisect_left(ids, id_) :][:1]:
                insort(ids, id_)
        self._by_name.setdefault("loss", sorted(self._begun))

    @cached_property
    def variables(self) -> Variables:
        """Python's variables in the recording."""
        return Variables(self.trace)

    def frame(self, event: Event | None = None) -> tuple[list[int], int]:
        """Return the lines that the frames are at, the chosen one (at another event none is) first; and the last line.

        Raises NoMove if they are not known.
        """
        lines = self.trace.lines
        step = self.behind_line if event is None else bisect_right(lines, event.index, key=itemgetter(0)) - 1
        stack = self.variables.stack(step) if step >= 0 and "pass" not in lines[step].changed else []
        if not lines:
            raise NoMove("there are no locals in this recording")
        if not stack:
            raise NoMove("the lines that run here were not followed")
        return stack[0 if event else self.chosen :], step

    def variable(self, name: str, event: Event | None = None) -> Any:
        """Return what Python's variable means, as Python writes it; of a tensor "", or in a chosen frame its value."""
        limit = self.moment if event is None else event.index
        try:
            stack, step = self.frame(event)
        except NoMove:
            return ""
        text = self.variables.text(name, stack, step)
        made = self.made(self.canonical(name), limit) if text and not self.chosen else None
        if made is not None and (made.producer or -1) >= self.trace.lines[step].before_event:
            return ""  # the line has made a tensor of this name
        return self.tensor(name, text, limit) if self.chosen or not text.startswith("Tensor") else ""

    def tensor(self, name: str, text: str, limit: int) -> Value | str:
        """Return the value at an event of the tensor that a variable's text tells of; the text of all else."""
        known = re.fullmatch(r"Tensor \[[\d, ]*\]( v\d{1,18})?", text)
        if known is None:
            return text
        there = self.trace.known(self._by_name.get(self.canonical(name), ()))
        alike = [one for one in there if one.producer is None and text == f"Tensor {[*one.shape]}"]
        if known[1]:  # else no event had met it
            alike = self.trace.values[: int(known[1][2:]) + 1][-1:]
        now = self._bindings.now(alike[0].id, limit) if len(alike) == 1 else None
        return text if now is None else self.trace.values[self.trace.at(now, limit)]

    @property
    def event(self) -> Event:
        """The event under the cursor."""
        return self.trace.events[self.stops[self.position]]

    @property
    def moment(self) -> int:
        """The index of the last event that has happened; at a line before all, -1."""
        return self.event.index if self.at_line is None else self.trace.lines[self.at_line].before_event - 1

    @property
    def place(self) -> Place:
        """Where it is."""
        return self.moment, 0 if self.at_line is None else self.at_line + 1

    @property
    def ahead(self) -> int:
        """The number of the next stop at an event."""
        return bisect_right(self.stops, self.moment)

    @property
    def behind(self) -> int:
        """The number of the stop before this one at an event, -1 if there is none."""
        return self.ahead - 1 - (self.at_line is None)

    @property
    def behind_line(self) -> int:
        """The last line that began, as an index in the recording; -1 if none did."""
        if self.at_line is not None:
            return self.at_line
        lines, is_now = self.trace.lines, self.goes_on and self.at_end
        return (len(lines) if is_now else bisect_right(lines, self.event.index, key=itemgetter(0))) - 1

    @property
    def at_end(self) -> bool:
        """Whether no event is ahead."""
        return self.ahead == len(self.stops)

    @property
    def names(self) -> KeysView[str]:
        """The names of all values."""
        return self._by_name.keys()

    def canonical(self, name: str) -> str:
        """Return the recorded form of a name: ``0.weight`` for ``net[0].weight`` and ``net.0.weight``."""
        dotted = with_dots(name)
        network, _, rest = dotted.partition(".")
        for one in (name, dotted, rest if network in self._networks else name):
            if one in self._by_name:
                return one
        return name

    @cached_property
    def _networks(self) -> set[str]:
        """The variables of the outermost layers that ran."""
        return {scope.path for scope, _ in self._calls() if scope.outer is None}

    def _calls(self) -> Iterator[tuple[Scope, Event]]:
        """Yield each event with each call of a layer that it ran in, the innermost first."""
        return ((one, event) for event in self.trace.events if event.scope for one in event.scope.around())

    def in_layer(self, name: str) -> dict[int, list[Event]]:
        """Return the events in the layer ``net[0]``, ``net.0`` or ``0``, by call; {} if there is no such layer."""
        dotted = with_dots(name)
        return grouped((scope.number, event) for scope, event in self._calls() if dotted in scope.names)

    def parameters_in(self, name: str) -> list[Value]:
        """Return the first values of the parameters of the layer with this name."""
        ran = (event for events in self.in_layer(name).values() for event in events)
        values = self.trace.known(id_ for event in ran for id_ in event.inputs)
        first = {value.holder: value for value in reversed(values) if value.kind == "parameter"}
        return list(first.values())[::-1]

    def find(self, name: str, limit: int | None = None) -> Value | None:
        """Return the value of `name` at the cursor: the latest so far, else the first one later; else None."""
        name = self.canonical(name)
        value = self.made(name, limit)
        if value is not None or name not in self._by_name:
            return value
        return self.trace.values[self._by_name[name][0]]

    def made(self, name: str, limit: int | None = None) -> Value | None:
        """Return the value of the variable `name` at the cursor, or at the event with index `limit`.

        If no variable in scope has the name, it is the latest value of that name anywhere.
        """
        limit = self.moment if limit is None else limit
        bound = self._bindings.at(name, limit)
        if bound is not None:
            return self.trace.values[self.trace.at(bound, limit)]
        for id_ in reversed(self._by_name.get(name, ())):
            begins = self._begins.get(id_, self._first_uses.get(id_, self.trace.values[id_].producer))
            if begins is None or begins <= limit:
                return self.trace.values[self.trace.at(id_, limit)]
        return None

    def like(self, target: str) -> str:
        """Return a hint of similar names, for a name that is no value's."""
        values = self.trace.values
        made_by_events = {id_ for id_, value in enumerate(values) if value.producer is not None}
        made = {name for name, ids in self._by_name.items() if not made_by_events.isdisjoint(ids)}
        if target in self._by_name:
            gradient = f"{target}@GRAD"
            also = say("; do you mean {names}?", names=gradient) if gradient in made else ""
            given = [value for value in self.trace.known(self._by_name[target]) if value.kind != "gradient"]
            return (say(": it was there before") if given else say(": backward was given it")) + also
        if parameters := self.parameters_in(target):
            names = ", ".join(value.name for value in parameters)
            return say(": it is a layer; its parameters are {names}", names=names)
        with suppress(NoMove):
            name = target.removesuffix(".grad").removesuffix("@GRAD")
            if self.variables.text(name, *self.frame()).startswith("Tensor"):
                return say(": no operator in this recording got that tensor")
        return nearest(target, made)


def whole_number(text: str) -> int | None:
    """Return the number that `text` spells in digits; None if it is not one, or has 20 digits or more."""
    return int(text) if text.isdecimal() and len(text) < 20 else None


def with_dots(name: str) -> str:
    """Return ``net.0.weight`` for ``net[0].weight``."""
    return re.sub(r"\[(\d+)\]", r".\1", name)


def _first_uses(trace: Trace) -> dict[int, int]:
    """Return the first event that reads each value that no event made but that appeared during the run."""
    put = {new: index for places in trace.later.values() for index, new in places}
    later, holders = set[int](), dict[str, int]()
    for value in trace.values:
        is_bound_again = holders.setdefault(without_number(value.name), value.holder) != value.holder
        came = is_bound_again or value.version or value.same is not None
        if value.replaces is not None or (value.producer is None and came):
            later.add(value.id)
    found = {id_: index for id_, index in put.items() if id_ in later}
    for event in trace.events if later else ():
        for id_ in (*event.inputs, event.before):
            if id_ in later:
                found.setdefault(id_, event.index)
    return found
