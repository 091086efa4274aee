"""What-if: the recording with one value changed, and everything after the cursor that depends on it computed anew.

The recording itself is never touched: a fork shares all it can with what it was forked from.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.tools.debug.cursor import NoMove
from minipaddle.tools.debug.rerun import Rerun, differ
from minipaddle.tools.debug.session import Session
from minipaddle.tools.debug.set_and_rerun import parting, put_into, run_again, together, where_read
from minipaddle.tools.record.events import Trace, Value
from minipaddle.tools.record.sources.eager.substituting import Put
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
    """A copy of the recording in which one value was changed."""

    number: int
    trace: Trace
    said: str
    """What was changed, and where."""
    lost: list[str] = field(default_factory=list)
    """What could not be computed anew, and why."""
    of: int = 0
    """The fork whose events these are: a run of the script."""
    puts: list[Put] = field(default_factory=list)
    """What was put in, for the script to run again with."""
    says: list[str] = field(default_factory=list)
    """What became of the script that ran again."""


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
        session, before = self.session, self.all[self.current]
        value, fitted = self._asked(name, array)
        said = say("{name} set at event {position}", name=name, position=session.position)
        fork = Fork(len(self.all), session.trace, said, of=before.of, puts=[*before.puts])
        with suppress(NoMove):
            fork.puts.append(put_into(session, value, fitted))
        fork.trace = Rerun(session, fork.lost).since(where_read(session, value), value, fitted)
        made = session.trace.maker(value)
        if made is not None and (made.op == "python" or (made.kind == "enter" and made.op == "function")):
            fork.lost.append(say("what Python makes of {name}: it is called as a whole", name=name))
        return self._added(fork)

    def set_again(self, name: str, array: object) -> Fork:
        """Return a new fork: what the script does if it runs again, and `name` has other numbers from the cursor on.

        Raises:
            NoMove: if there is no such value yet, the numbers do not fit, or the script cannot run so.
        """
        session, before = self.session, self.all[self.current]
        value, fitted = self._asked(name, array)
        new = put_into(session, value, fitted)
        puts = [*(one for one in before.puts if one.place != new.place), new]
        said = say(
            "{name} set at event {position}, the script run again", name=name, position=session.position
        )
        trace = run_again(session.trace, puts)
        fork = Fork(len(self.all), trace, said, of=len(self.all), puts=puts)
        parted = parting(session.trace, trace)
        raised = trace.events[-1] if trace.events[-1].kind == "error" else None
        fork.says = [parted] if parted else []
        if raised is not None:
            fork.says.append(say("the script ended with {error}", error=raised.note))
        return self._added(fork)

    def _added(self, fork: Fork) -> Fork:
        """Let the session look at a new fork."""
        self.all.append(fork)
        return self.switch(fork.number)

    def _asked(self, name: str, array: object) -> tuple[Value, Array]:
        """Return the value that stands for `name` at the cursor, and new numbers that fit it."""
        value = self.session.made(self.session.canonical(name))
        if value is None:
            there = self.session.find(name)
            raise NoMove(
                say("{name} is not made yet", name=name) if there else say("there is no {name}", name=name)
            )
        return value, _fitted(array, value)

    def switch(self, number: int) -> Fork:
        """Let the session look at another fork, and return it.

        Raises:
            NoMove: if there is none with this number.
        """
        before, now = self.all[self.current], self._numbered(number)
        self.current = number
        if now.of != before.of:
            self.session.look_at(self.all[now.of].trace)
        self.session.trace = now.trace
        return now

    def _numbered(self, number: int) -> Fork:
        if not 0 <= number < len(self.all):
            raise NoMove("forks are numbered 0 to {last}", last=len(self.all) - 1)
        return self.all[number]

    def changes(self, number: int) -> list[Change]:
        """Return the values that differ between the current fork and another one, in the order they were made.

        Raises:
            NoMove: if there is none with this number.
        """
        pairs: dict[tuple[int, int], tuple[Value, Value]] = {}
        other, mine = self._numbered(number).trace, self.session.trace
        for one, two in together(other, mine):
            for a, b in zip((*one.inputs, *one.outputs), (*two.inputs, *two.outputs)):
                if a is not None and b is not None:
                    pairs.setdefault((a, b), (other.values[a], mine.values[b]))
        return [
            Change(after.name, after.producer, before, after)
            for before, after in pairs.values()
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
            "{name} is {dtype} {shape}, and that does not fit: {error}",
            name=value.name,
            dtype=value.dtype,
            shape=list(value.shape),
            error=error,
        ) from error
