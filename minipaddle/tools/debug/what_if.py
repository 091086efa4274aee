"""What-if: the recording with one value changed, and the events that depend on it run again.

The recording itself is never changed: a fork shares all other values with it.
"""

from dataclasses import dataclass, field

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.tools.debug.cursor import Cursor, NoMove
from minipaddle.tools.debug.rerun import Rerun, differ
from minipaddle.tools.debug.session import Session
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.words.language import say


@dataclass
class Change:
    """A value that differs between two traces."""

    name: str
    event: int | None
    before: Value
    after: Value


@dataclass
class Fork:
    """A copy of a recording, or of a fork, in which one value was changed."""

    number: int
    trace: Trace
    said: str
    """The change, and its place."""
    lost: list[str] = field(default_factory=list)
    """The events that could not be run again, with reasons."""


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
        fork = Fork(len(self.all), session.trace, said)
        fork.trace = Rerun(session, fork.lost).since(where_read(session, value), value, _fitted(array, value))
        self.all.append(fork)
        return self.switch(fork.number)

    def switch(self, number: int) -> Fork:
        """Make another fork the current one, and return it. Raises NoMove if there is none with this number."""
        now = self._numbered(number)
        self.current, self.session.trace = number, now.trace
        return now

    def _numbered(self, number: int) -> Fork:
        if not 0 <= number < len(self.all):
            raise NoMove("forks are numbered 0 to {last}", last=len(self.all) - 1)
        return self.all[number]

    def changes(self, number: int) -> list[Change]:
        """Return the values that differ between the current fork and another one, in the order of the run.

        Raises NoMove if there is none with this number.
        """
        pairs: dict[tuple[int, int], tuple[Value, Value]] = {}
        other, mine = self._numbered(number).trace, self.session.trace
        for one, two in zip(other.events, mine.events):
            for a, b in zip((*one.inputs, *one.outputs), (*two.inputs, *two.outputs)):
                if a is not None and b is not None:
                    pairs.setdefault((a, b), (other.values[a], mine.values[b]))
        return [
            Change(after.name, after.producer, before, after)
            for before, after in pairs.values()
            if before is not after and differ(before, after)
        ]


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
            name=value.name,
            dtype=value.dtype,
            shape=list(value.shape),
            error=error,
        ) from error
