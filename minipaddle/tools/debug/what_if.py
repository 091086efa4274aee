"""What-if: the recording with one value changed, and the events that depend on it run again.

The recording itself is never changed: a fork shares all other values with it.
"""

from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from minipaddle.engine.errors import Line, file_title
from minipaddle.engine.value.meta import Array
from minipaddle.tools.debug.cursor import Cursor, NoMove
from minipaddle.tools.debug.rerun import Rerun, differ
from minipaddle.tools.debug.session import Session
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import line_text


@dataclass
class Fork:
    """A copy of a recording, or of a fork, in which one value was changed."""

    number: int
    trace: Trace
    said: str
    """The change, and its place."""
    lost: list[str] = field(default_factory=list)
    """The events that could not be run again, with reasons."""
    run: int = 0
    """The number of the fork for which the script ran; 0: it is the recording's run."""


class Forks:
    """The recording (number 0) and its forks; the session looks at one of them."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.all = [Fork(0, session.trace, say("the recording"))]
        self.current = 0

    def set(self, name: str, array: object) -> Fork:
        """Return a new fork, in which `name` has other numbers from the cursor on, after running its dependents again.

        Raises NoMove if there is no such value yet, or the numbers do not fit.
        """
        session = self.session
        value = session.made(session.canonical(name))
        if value is None:
            there = session.find(name)
            raise NoMove("{name} is not made yet" if there else "there is no {name}", name=name)
        said = say("{name} set at event {position}", name=name, position=session.position)
        again = Rerun(session)
        trace = again.since(where_read(session, value), value, _fitted(array, value))
        return self._add(trace, said, again.lost, self.all[self.current].run)

    def rerun(self, statement: str) -> Fork:
        """Return a new fork: the script run again, with a statement just before the line of the chosen frame.

        Raises NoMove if the script or the line is not known, or if the statement is no Python.
        """
        before = self.session.trace
        stack, step = self.session.frame()
        at, name = stack[0], statement.partition("=")[0].strip()
        if not any(self.session.variables.text(one, stack, step) for one in (name, name.partition(".")[0])):
            raise NoMove("there is no {name} at the line that runs here", name=name)
        if before.again is None:
            raise NoMove("only `minipaddle step SCRIPT` can run the script again")
        try:
            compile(statement, "<set>", "exec")
        except (SyntaxError, ValueError) as error:
            raise NoMove(f"{statement}: {error}") from error
        line = line_text(Line(*before.lines[at][4:7]))
        said = say("{statement} before {line}, the script run again", statement=statement, line=line)
        trace, lost = before.again(at, statement), list[str]()
        made, now = before.events[: before.lines[at].before_event], trace.sources
        edited = (file_title(one) for one, text in before.sources.items() if now.get(one, text) != text)
        if files := ", ".join(edited):
            lost.append(say("the script as it was recorded: {files} has been edited", files=files))
        elif not all(map(partial(_alike, before, trace), made)):
            lost.append(say("what came before: the script draws numbers that no seed holds"))
        return self._add(trace, said, lost, len(self.all))

    def _add(self, trace: Trace, said: str, lost: list[str], run: int) -> Fork:
        self.all.append(Fork(len(self.all), trace, said, lost, run))
        return self.switch(len(self.all) - 1)

    def switch(self, number: int) -> Fork:
        """Make another fork the current one, and return it. Raises NoMove if there is none with this number."""
        now, session, was = self.numbered(number), self.session, self.all[self.current].run
        self.current, session.trace = number, now.trace
        if now.run != was:  # other events, values and lines
            session.look_at(now.trace)
        for one in session.breakpoints.values():
            with suppress(NoMove):
                one.spec = one.find(session)
        return now

    def numbered(self, number: int) -> Fork:
        """Return a fork by its number. Raises NoMove if there is none."""
        if not 0 <= number < len(self.all):
            raise NoMove("forks are numbered 0 to {last}", last=len(self.all) - 1)
        return self.all[number]

    def changes(self, number: int) -> list[tuple[Value, Value]]:
        """Return the values that differ between another fork and the current one, in the order of the run.

        Raises NoMove if there is none with this number.
        """
        pairs: dict[tuple[int, int], tuple[Value, Value]] = {}
        other, mine = self.numbered(number).trace, self.session.trace
        for one, two in zip(other.events, mine.events):
            for a, b in zip((*one.inputs, *one.outputs), (*two.inputs, *two.outputs)):
                if a is not None and b is not None:
                    pairs.setdefault((a, b), (other.values[a], mine.values[b]))
        return [(one, two) for one, two in pairs.values() if one is not two and differ(one, two)]


def _alike(one: Trace, other: Trace, event: Event) -> bool:
    """Return whether an event of a run computed the same in another one."""
    there = other.events[event.index : event.index + 1]
    if not there or there[0].op != event.op:
        return False
    return not any(map(differ, one.known(event.outputs), other.known(there[0].outputs)))


def where_read(cursor: Cursor, value: Value) -> Event:
    """Return the first event to read the new numbers: at the cursor, or the begin of the body that reads them."""
    trace, here = cursor.trace, cursor.event
    inside = trace.inside(here)
    if not inside or inside[0].op == "function" or value.id in here.outputs:
        return here
    reads = {id_ for event in (here, *inside) for id_ in event.inputs}
    return inside[0] if value.id in reads else here


def _fitted(array: object, value: Value) -> Array:
    """Return new numbers in the shape and dtype of the old. Raises NoMove if they do not fit."""
    try:
        return np.broadcast_to(np.asarray(array), value.shape).astype(value.dtype)
    except (TypeError, ValueError) as error:
        raise NoMove(
            "{name} is {dtype} {shape}, and that does not fit: {error}",
            name=value.name, dtype=value.dtype, shape=list(value.shape), error=error,
        ) from error  # fmt: skip
