"""What-if: the recording with one value changed, and everything after the cursor that depends on it computed anew.

The recording itself is never touched: a fork shares all it can with what it was forked from.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from math import prod

import numpy as np

from minipaddle.core.meta import Array
from minipaddle.debug.language import say
from minipaddle.debug.session import NoMove, Session
from minipaddle.trace.events import Event, Trace, Value
from minipaddle.trace.replay import Missing, Replay
from minipaddle.trace.stats import unknown

__all__ = ["Change", "Fork", "Forks"]


@dataclass
class Change:
    """A value that is not the same in two traces."""

    name: str
    event: int | None
    before: Value
    after: Value


@dataclass
class Fork:
    """One way that things could have gone."""

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
        """Fork: give `name` other numbers at the cursor, and run what follows with them.

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
        where = session.event.index
        said = say("{name} set at event {position}", name=name, position=session.position)
        fork = Fork(len(self.all), session.trace, said)
        fork.trace = _Rerun(session.trace, fork).after(where, value, fitted)
        made = None if value.producer is None else session.trace.events[value.producer]
        if made is not None and (made.op == "python" or (made.kind == "enter" and made.op == "function")):
            fork.lost.append(say("what Python makes of {name}: it is called as a whole", name=name))
        self.all.append(fork)
        self.switch(fork.number)
        return fork

    def switch(self, number: int) -> Fork:
        """Look at another fork.

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
        other = self.all[number].trace
        return [
            Change(after.name, after.producer, before, after)
            for before, after in zip(other.values, self.session.trace.values, strict=True)
            if before is not after and _differ(before, after)
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


def _differ(one: Value, other: Value) -> bool:
    a, b = one.array, other.array
    return a is None or b is None or not np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")


class _Rerun:
    """Runs the events after a change again, those that depend on it."""

    def __init__(self, trace: Trace, fork: Fork) -> None:
        self.trace = copy.copy(trace)
        self.trace.values = list(trace.values)
        self.replay = Replay(trace)
        self.fork = fork
        self.changed: set[int] = set()
        self.unknown: set[int] = set()  # values that depend on the change, and nobody knows how
        self.followers = _followers(trace)

    def after(self, where: int, value: Value, array: Array) -> Trace:
        """Return the trace in which `value` is `array` for every event after index `where`."""
        self._put(value.id, array)
        self._follow(value.id)
        for event in self.trace.events[where + 1 :]:
            if event.outputs and self._depends(event):
                self._run(event)
        return self.trace

    def _depends(self, event: Event) -> bool:
        read = set(event.inputs)
        forward = self.trace.differentiated(event) if event.kind == "grad" else None
        if forward is not None:
            read |= {*forward.inputs, *forward.outputs}
        if event.body is not None:
            read |= set(self.trace.events[event.body[1]].outputs)
        return not (self.changed | self.unknown).isdisjoint(id_ for id_ in read if id_ is not None)

    def _run(self, event: Event) -> None:
        if event.op == "python":  # a line of a function, which is called again as a whole
            self._forget(event)
            return
        if event.op == "py_func" and event.body is not None:
            for line in self.trace.events[event.body[0] : event.body[1]]:
                self._forget(line)
        try:
            made = self.replay.outputs(event, self._numbers)
        except (Missing, ArithmeticError, TypeError, ValueError) as error:
            self.unknown |= {id_ for id_ in event.outputs if id_ is not None}
            self.fork.lost.append(f"{event.title}: {error}")
            return
        for id_, array in zip(event.outputs, made):
            if id_ is not None and array is not None:
                self._put(id_, array)
                self._follow(id_)

    def _forget(self, event: Event) -> None:
        """Let nobody take the numbers of the recording for those of the fork."""
        for id_ in event.outputs:
            if id_ is not None:
                new = copy.copy(self.trace.values[id_])
                new.fetch = new.again = new.array = None
                new.keep_stats(unknown(prod(new.shape)))
                self.trace.values[id_] = new
                self.unknown.add(id_)

    def _numbers(self, id_: int) -> Array:
        array = self.trace.values[id_].array
        if id_ in self.unknown or array is None:
            raise Missing(say("the numbers of {name} are not known", name=self.trace.values[id_].name))
        return array

    def _put(self, id_: int, array: Array) -> None:
        """Let value `id_` of the fork hold `array`."""
        new = copy.copy(self.trace.values[id_])
        new.keep_stats(None)
        new.fetch = new.again = None
        new.array = array
        self.trace.values[id_] = new
        self.changed.add(id_)

    def _follow(self, id_: int) -> None:
        """A gradient that arrives as it was sent, or as a hook returned it, changes with that."""
        array = self.trace.values[id_].array
        for follower in self.followers.get(id_, ()):
            if array is not None:
                self._put(follower, array)


def _followers(trace: Trace) -> dict[int, list[int]]:
    """Return, for each value, those that are the same numbers under another name, though no event made them of it."""
    found: dict[int, list[int]] = {}
    for value in trace.values:
        if value.producer is None and value.source is not None:
            if not _differ(trace.values[value.source], value):
                found.setdefault(value.source, []).append(value.id)
            else:
                made = _returned_by_hook(trace, value)
                if made is not None:
                    found.setdefault(made, []).append(value.id)
    return found


def _returned_by_hook(trace: Trace, value: Value) -> int | None:
    """Return the value that a hook returned and that has come to be `value`."""
    first = next((event for event in trace.events if value.id in event.inputs), None)
    for event in reversed(trace.events[: first.index] if first is not None else []):
        if event.kind == "leave" and event.op == "hook":
            for id_ in event.outputs:
                if id_ is not None and not _differ(trace.values[id_], value):
                    return id_
    return None
