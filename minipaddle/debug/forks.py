"""What-if: the recording with one value changed, and everything after the cursor that depends on it computed anew.

The recording itself is never touched: a fork shares all it can with what it was forked from.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from minipaddle.core.meta import Array
from minipaddle.debug.cursor import NoMove
from minipaddle.debug.rerun import Rerun, differ
from minipaddle.debug.session import Session
from minipaddle.trace.events import Trace, Value
from minipaddle.words.language import say


@dataclass
class Change:
    """A value that differs between two traces."""

    name: str
    event: int | None
    before: Value
    after: Value


@dataclass
class Fork:
    """A copy of the recording in which one value was changed."""

    number: int
    trace: Trace
    said: str
    """What was changed, and where."""
    lost: list[str] = field(default_factory=list)
    """What could not be computed anew, and why."""


class Forks:
    """The recording (number 0) and its forks; one of them is what the session looks at."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.all = [Fork(0, session.trace, say("the recording"))]
        self.current = 0

    def set(self, name: str, array: object) -> Fork:
        """Return a new fork, in which `name` has other numbers from the cursor on, and what follows was run with them.

        Raises:
            NoMove: if there is no such value yet, or the numbers do not fit.
        """
        session = self.session
        value = session.made(name)
        if value is None:
            there = session.find(name)
            raise NoMove(
                say("{name} is not made yet", name=name) if there else say("there is no {name}", name=name)
            )
        fitted = _fitted(array, value)
        said = say("{name} set at event {position}", name=name, position=session.position)
        fork = Fork(len(self.all), session.trace, said)
        fork.trace = Rerun(session, fork.lost).since(session.event, value, fitted)
        made = session.trace.maker(value)
        if made is not None and (made.op == "python" or (made.kind == "enter" and made.op == "function")):
            fork.lost.append(say("what Python makes of {name}: it is called as a whole", name=name))
        self.all.append(fork)
        self.switch(fork.number)
        return fork

    def switch(self, number: int) -> Fork:
        """Let the session look at another fork, and return it.

        Raises:
            NoMove: if there is none with this number.
        """
        if not 0 <= number < len(self.all):
            raise NoMove(say("forks are numbered 0 to {last}", last=len(self.all) - 1))
        self.current = number
        self.session.trace = self.all[number].trace
        return self.all[number]

    def changes(self, number: int) -> list[Change]:
        """Return the values that differ between the current fork and another one, in the order they were made.

        Raises:
            NoMove: if there is none with this number.
        """
        if not 0 <= number < len(self.all):
            raise NoMove(say("forks are numbered 0 to {last}", last=len(self.all) - 1))
        other, mine = self.all[number].trace, self.session.trace
        end = len(mine.events)
        pairs = [
            (other.values[other.at(id_, end)], mine.values[mine.at(id_, end)])
            for id_ in range(len(self.all[0].trace.values))
        ]
        return [
            Change(after.name, after.producer, before, after)
            for before, after in pairs
            if before is not after and differ(before, after)
        ]


def _fitted(array: object, value: Value) -> Array:
    """Return new numbers in the shape and dtype of the old.

    Raises:
        NoMove: if they do not fit.
    """
    try:
        return np.broadcast_to(np.asarray(array), value.shape).astype(value.dtype)
    except (TypeError, ValueError) as error:
        raise NoMove(
            say(
                "{name} is {dtype} {shape}, and that does not fit: {error}",
                name=value.name,
                dtype=value.dtype,
                shape=list(value.shape),
                error=error,
            )
        ) from error
