"""An editor's breakpoints as those of the prompt: lines, functions, data, and NaN, Inf and errors as exceptions."""

import os
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from minipaddle.tools.checks.nan import hunt
from minipaddle.tools.debug.cursor import Cursor, NoMove
from minipaddle.tools.debug.session import Breakpoint, Session
from minipaddle.tools.debug.stop_spec import Spec, Test, condition, parse, written
from minipaddle.tools.record.events import Event, Trace
from minipaddle.tools.record.kinds import Enter, Raised, Scope
from minipaddle.tools.words.events import blamed, body_title, is_stop
from minipaddle.tools.words.language import phrase

Body = dict[str, Any]

_WANTED = re.compile(r"\s*(==|>=|>|<=|<|%)?\s*(\d{1,9})\s*")
_COUNTS: dict[str, Callable[[int, int], bool]] = {
    "==": lambda hit, number: hit == number,
    ">=": lambda hit, number: hit >= number,
    ">": lambda hit, number: hit > number,
    "<=": lambda hit, number: hit <= number,
    "<": lambda hit, number: hit < number,
    "%": lambda hit, number: number > 0 and hit % number == 0,
}
"""What an editor writes into the field for hits: == 5, >= 5, % 2, or 5, which is == 5 to Python's debuggers."""

FILTERS: dict[str, tuple[str, bool]] = {
    "nan": (phrase("NaN is born"), True),
    "inf": (phrase("Inf is born"), False),
    "error": (phrase("the script raises an error"), True),
}
"""The kinds of exceptions: their label in the editor, and whether it stops there from the start."""


class Stops:
    """The breakpoints of an editor, each group of them set anew as a whole."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._numbers: dict[tuple[str, str], list[int]] = {}

    def at_hand(self) -> list[Breakpoint]:
        """Return the breakpoints that hold at the cursor and stop there."""
        return [hit for hit in self.session.hits if not hit.do]

    def is_exception(self, hit: Breakpoint) -> bool:
        """Return whether a breakpoint is a kind of exception."""
        return hit.number in self._numbers.get(("exceptions", ""), ())

    def set(self, kind: str, asked: Iterable[Body], file: str = "") -> dict[str, list[Body]]:
        """Set all breakpoints of one kind (and file) anew; return what became of each: its line, or why it cannot be.

        Kinds: ``lines``; ``functions`` (``Net.forward``, ``MyLayer.backward``, a layer's or an operator's name);
        ``data``, tensors that are written or made anew; and ``exceptions``.
        """
        for number in self._numbers.pop((kind, file), ()):
            del self.session.breakpoints[number]
        self._numbers[kind, file] = []
        return {"breakpoints": [self._add(kind, file, one) for one in asked]}

    def _add(self, kind: str, file: str, asked: Body) -> Body:
        """Add one breakpoint, with its condition, count of hits and text to say; return what became of it."""
        line = {}
        try:
            if kind == "lines":
                line = {"line": _line_at(self.session.trace, file, int(asked["line"]))}
                spec = Spec(f"line:{line['line']}", [_Visits(file, line["line"])])
            else:
                spec = _SPECS[kind](self, asked)
            if asked.get("condition"):
                test = condition(asked["condition"], self.session)
                spec = Spec(f"{spec.text} if {asked['condition']}", [*spec.tests, test])
            if asked.get("hitCondition"):
                spec = Spec(spec.text, [_Hits(spec.tests, asked["hitCondition"])])
        except NoMove as error:
            return {"verified": False, "message": str(error)}
        word = "watch" if kind == "data" else "break"
        made = self.session.breakpoints.add(spec, word, asked.get("logMessage") or "")
        self._numbers[kind, file].append(made.number)
        return {"verified": True, "id": made.number, **line}

    def _function(self, asked: Body) -> Spec:
        """Return the SPEC of a function's name. Raises BadSpec if nothing that was recorded has it."""
        name, trace = asked["name"], self.session.trace
        owner = name.removesuffix(".forward") if name.endswith(".forward") else None
        begins = {
            event.index
            for event, layer in _calls(trace)
            if owner in (layer.kind, *layer.names) or name in layer.names
        }
        bodies = (event for event in trace.events if isinstance(event, Enter))
        begins |= {event.index for event in bodies if name == body_title(event)}
        return (
            Spec(name, [lambda cursor, event: event.index in begins]) if begins else parse(name, self.session)
        )

    def _exception(self, asked: Body) -> Spec:
        name = asked["filterId"]
        if name not in FILTERS:
            raise NoMove("exceptions are {names}", names=", ".join(FILTERS))
        if name == "error":
            return Spec(name, [lambda cursor, event: isinstance(event, Raised)])
        born = births(self.session.trace, name)
        return Spec(name, [lambda cursor, event: event.index in born])


_SPECS: dict[str, Callable[[Stops, Body], Spec]] = {
    "functions": Stops._function,
    "data": lambda stops, asked: written(asked["dataId"], stops.session),
    "exceptions": Stops._exception,
}


def births(trace: Trace, what: str) -> dict[int, str]:
    """Return the remarks on the events at which a NaN (or an Inf) is born or given, by their index."""
    found = (one for one in hunt(trace, infinite_too=True).births if one.what.lower() == what)
    return {one.event.index: one.note for one in found}


class _Visits:
    """Holds at the first event of each visit to a line: a line of three operators stops once."""

    def __init__(self, file: str, line: int) -> None:
        self._line = os.path.realpath(file), line

    def __call__(self, cursor: Cursor, event: Event) -> bool:
        """Return whether a visit to the line begins with this event."""
        events = cursor.trace.events
        return self._is_here(cursor.trace, event) and not any(
            self._is_here(cursor.trace, one) and one.phase == event.phase for one in _before(events, event)
        )

    def _is_here(self, trace: Trace, event: Event) -> bool:
        where = blamed(trace, event).where
        return (
            where is not None
            and is_stop(event)
            and (os.path.realpath(where.file), where.number) == self._line
        )


class _Hits:
    """Holds at some of the events at which all tests hold, by their number from the start of the recording."""

    def __init__(self, tests: Iterable[Test], wanted: str) -> None:
        matched = _WANTED.fullmatch(wanted)
        if matched is None:
            raise NoMove("hits are counted as 5, >= 5, == 5 or % 5, not {wanted}", wanted=wanted)
        self._tests, self._trace, self._hits = list(tests), Trace(), list[int]()
        self._sign, self._number = matched[1] or "==", int(matched[2])

    def __call__(self, cursor: Cursor, event: Event) -> bool:
        if self._trace is not cursor.trace:  # the first time, or after `set`
            self._trace = cursor.trace
            stops = (cursor.trace.events[index] for index in cursor.stops)
            self._hits = [one.index for one in stops if all(test(cursor, one) for test in self._tests)]
        place = bisect_left(self._hits, event.index)
        is_hit = place < len(self._hits) and self._hits[place] == event.index
        return is_hit and _COUNTS[self._sign](place + 1, self._number)


def _before(events: list[Event], event: Event) -> Iterator[Event]:
    """Yield the event before this one in the same body, if there is one: bodies between them belong to this one."""
    for one in reversed(events[: event.index]):
        if one.depth < event.depth:
            return
        if one.depth == event.depth and is_stop(one) and one.kind != "enter":
            yield one
            return


def _line_at(trace: Trace, file: str, wanted: int) -> int:
    """Return the line itself or the next one at which something was recorded. Raises NoMove if there is none."""
    path = os.path.realpath(file)
    wheres = {blamed(trace, event).where for event in trace.events if is_stop(event)}
    there = {one.number for one in wheres if one is not None and os.path.realpath(one.file) == path}
    line = min((number for number in there if number >= wanted), default=0)
    if not line:
        raise NoMove("nothing that was recorded comes from line {line} or from below it", line=wanted)
    return line


def _calls(trace: Trace) -> Iterator[tuple[Event, Scope]]:
    """Yield each call of a layer, with the first event in it."""
    begun = set[int]()
    for event in filter(is_stop, trace.events):
        for layer in event.scope.around() if event.scope is not None else ():
            if layer.number not in begun:
                begun.add(layer.number)
                yield event, layer
