"""Runs a recording again after a change: only the events that depend on it.

Below: where the script read a number that a fork changes, and might have run differently from there on. This is
reported, not followed: the recording's operators, attributes and tensors stay.
"""

import ast
import copy
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from functools import lru_cache
from math import prod

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.paddle.static.pytree import rebuilt
from minipaddle.tools.debug.session import Session
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import Grad
from minipaddle.tools.record.reads_and_cuts import Read
from minipaddle.tools.record.replay import Missing, Replay
from minipaddle.tools.record.stats import unknown
from minipaddle.tools.record.user_code.names import parsed
from minipaddle.tools.words.events import around
from minipaddle.tools.words.group_by import grouped
from minipaddle.tools.words.language import say


def differ(one: Value, other: Value) -> bool:
    """Return whether two values differ, or may: unknown numbers count as different."""
    a, b = one.array, other.array
    return a is None or b is None or not np.array_equal(a, b, equal_nan=a.dtype.kind in "fc")


class Rerun:
    """Runs again the events of a recording, or of a fork of it, that depend on a change."""

    def __init__(self, session: Session) -> None:
        self.before = session.trace
        self.trace = copy.copy(session.trace)
        self.trace.values = list(session.trace.values)
        self.replay = Replay(session.trace)
        self.lost: list[str] = []  # a sentence for each event that cannot be run again
        self.touched: set[int] = set()  # values that depend on the change
        self.unknown: set[int] = set()  # changed values with unknown numbers
        self.replaced: dict[int, int] = {}  # a value used before it was changed -> its replacement
        unmade = [one for one in session.trace.values if not session.trace.is_made(one)]
        alike = unmade + [one for one in session.trace.values if _is_of_parts(session.trace, one)]
        self.followers = grouped((one.same, one.id) for one in alike)
        """A value -> values with its numbers and another holder that no event makes."""
        self.beside = grouped((one.producer, one) for one in unmade)
        """An event -> values that it changed by writing to memory that they share."""
        self.astray: set[int] = set()  # events that would not run now, as a branch goes the other way
        self.parts = _parts(session.trace)
        self.given, self.made_outside = _made_outside(session.trace)
        self.dependents = 0  # events not run again because an event before them was not

    def since(self, here: Event, value: Value, array: Array) -> Trace:
        """Return the trace in which `value` is `array` from event `here` on, which runs again if it reads it."""
        self._change(here.index, value.id, array)
        reads = {*here.inputs, *self.before.of_forward(here)}
        again = not self.touched.isdisjoint(reads) and value.id not in here.outputs
        for enter in (*([here] if here.kind == "enter" else ()), *around(self.before, here)):
            self._forget_what_no_operator_makes(enter.index, here.index)
        for event in self.before.events[here.index + (0 if again else 1) :]:
            if event.kind == "enter":
                self._forget_what_no_operator_makes(event.index, event.index)
            if event.origin in self.astray:
                self._forget(event.outputs)
                self.dependents += 1
            elif event.outputs and self._depends(event):
                self._run(event)
            for shared in self.beside.get(event.index, ()):
                self._bring_along(event, shared)
        read = first_read(self.before, here.index, self._has_changed)
        if read is not None and read.before_event < len(self.before.events):
            name, line = self.trace.values[read.value].name, "" if read.where is None else read.where.text
            self.lost.append(
                say("what Python made of {name}, which it has read: {line}", name=name, line=line)
            )
        if self.dependents:
            said = say("{count} events that need what these would have given", count=self.dependents)
            self.lost.append(said)
        return self.trace

    def _leave_what_is_cut_off(self, id_: int, index: int) -> None:
        """Exempt values detached from a value before an event: they keep the numbers that they had then."""
        cut = {one.made for one in self.before.cuts if one.value == id_ and one.before_event <= index}
        self.followers[id_] = [one for one in self.followers.get(id_, ()) if one not in cut]

    def _has_changed(self, id_: int) -> bool:
        return id_ in self.touched and differ(self.before.values[id_], self._current(id_))

    def _change(self, index: int, id_: int, array: Array) -> None:
        """Give a value other numbers; if events have used it already, put a new value in its place."""
        if any(_mentions(event, id_) for event in self.before.events[:index]):
            self._leave_what_is_cut_off(id_, index)
            new = copy.copy(self.trace.values[id_])
            new.id = self.replaced[id_] = len(self.trace.values)
            self.trace.values.append(new)
            later = {**self.before.later, id_: [*self.before.later.get(id_, ()), (index, new.id)]}
            self.trace.later = later
            events = self.trace.events = list(self.before.events)
            events[index:] = [
                _with(one, id_, new.id) if _mentions(one, id_) else one for one in events[index:]
            ]
        self._put(id_, array)

    def _depends(self, event: Event) -> bool:
        self._bring_up_to_date(self.before.of_forward(event))
        return not self.touched.isdisjoint(self.before.read_by(event))

    def _bring_up_to_date(self, ids: Iterable[int | None]) -> None:
        """Run again the parts of gradient rules that are no events: a second derivative of a Program reads them."""
        for id_ in ids:
            part = self.parts.pop(id_, None) if id_ is not None else None
            if part is not None:
                self._bring_up_to_date(part.inputs)
                if not self.touched.isdisjoint(part.inputs):
                    self._run(part)

    def _forget_what_no_operator_makes(self, enter: int, after: int) -> None:
        """Mark as unknown the values that a PyLayer's code makes with NumPy, once one of its inputs has changed."""
        made = [id_ for id_, first in self.made_outside.get(enter, ()) if first > after]
        if made and not self.touched.isdisjoint(self.given.get(enter, ())):
            self._forget(made)
            self.lost.append(self._said_of_outside(self.before.events[enter]))

    def _said_of_outside(self, enter: Event) -> str:
        """Return a sentence: the values made by user code outside of operators are unknown."""
        if enter.op == "hook":
            (given,) = (self.before.values[id_].name for id_ in enter.inputs if id_ is not None)
            return say("{name}: operators of paddle did not make what the hook returned", name=given)
        name = f"{enter.title}.{enter.op}"
        return say("{name}: what it computes outside of paddle's operators (NumPy, say)", name=name)

    def _run(self, event: Event) -> None:
        try:
            self._insist_on_the_way_it_went(event)
            made = self.replay.outputs(event, self._numbers)
        except (Missing, ArithmeticError, TypeError, ValueError) as error:
            self._forget(event.outputs)
            if isinstance(error, _Unknown):
                self.dependents += 1
            else:
                self.lost.append(f"{event.title}: {error}")
            return
        for id_, array in zip(event.outputs, made):
            if id_ is not None and array is not None:
                self._put(id_, array)

    def _insist_on_the_way_it_went(self, event: Event) -> None:
        """Refuse to continue after a condition of a Program that has changed: other Operators would run.

        Raises Missing, with the name of the condition.
        """
        if event.kind != "op" or not event.control:
            return
        condition = self.before.values[event.inputs[0] or 0]
        body = [] if event.body is None else self.before.events[event.body[0] : event.body[1] + 1]
        met = {id_ for one in (event, *body) for id_ in (*one.inputs, *one.outputs) if id_ in self.touched}
        for value in [self.before.values[id_] for id_ in sorted(self.touched & met)]:
            if value.holder == condition.holder and differ(value, self._current(value.id)):
                self.astray |= {one.index for one in (event, *body)}
                for one in body:
                    self._forget(one.outputs)
                raise Missing(say("{name} has changed, and what runs then was not recorded", name=value.name))

    def _forget(self, ids: Iterable[int | None]) -> None:
        """Mark values of the fork as unknown: the recording's numbers do not hold for them."""
        for id_ in ids:
            if id_ is not None:
                new = self._put(id_, None)
                new.kept_stats = unknown(prod(new.shape))
                self.unknown.add(id_)

    def _current(self, id_: int) -> Value:
        return self.trace.values[self.replaced.get(id_, id_)]

    def _numbers(self, id_: int) -> Array:
        if id_ in self.unknown:
            raise _Unknown
        array = self._current(id_).array
        if array is None:
            raise Missing(say("the numbers of {name} are not known", name=self._current(id_).name))
        return array

    def _put(self, id_: int, array: Array | None) -> Value:
        """Store an array as the numbers of a fork's value, and of values with the same numbers."""
        new = replace(self._current(id_), kept=array, kept_stats=None, fetch=None)
        self.trace.values[new.id] = new
        self.touched.add(id_)
        for follower in self.followers.get(id_, ()):
            if array is None:
                self._forget([follower])
            else:
                of = self.trace.values[follower]
                self._put(follower, np.asarray(array.reshape(of.shape), np.dtype(of.dtype)))
        return new

    def _bring_along(self, event: Event, value: Value) -> None:
        """Mark as unknown a value that an event changed through shared memory: which part of it is unknown."""
        was = value.holder, value.version - 1
        before = [one.id for one in self.before.values if (one.holder, one.version) == was]
        changed = not self.touched.isdisjoint([*event.inputs, *event.outputs, *before])
        if changed and value.id not in self.touched:
            self._forget([value.id])
            said = say("{name}: {op} has written over memory that it shares", name=value.name, op=event.title)
            self.lost.append(said)


class _Unknown(Missing):
    """An input depends on something that could not be run again."""


def _made_outside(trace: Trace) -> tuple[dict[int, set[int | None]], dict[int, list[tuple[int, int]]]]:
    """Return what arose inside user code without an operator, by the `enter` of a body: NumPy may have made it.

    The inputs on which such values may depend; and the values, with the first event that reads each.
    """
    given: dict[int, set[int | None]] = {}
    for event in trace.events:
        if event.body is not None and event.is_custom:
            enter = trace.events[event.body[0]]
            given[enter.index] = {*enter.inputs, *event.inputs, *trace.of_forward(event)} - {None}
        elif event.kind == "enter" and event.op == "hook":
            given[event.index] = {*event.inputs} - {None}
    made, met = list[tuple[int, tuple[int, int]]](), set[int]()
    for event in trace.events:
        ended = [trace.events[event.origin]] if event.kind == "leave" and event.origin is not None else []
        body = next((one.index for one in (*ended, *around(trace, event)) if one.index in given), None)
        new = [one for one in trace.known((*event.inputs, *event.outputs)) if one.id not in met]
        met.update(one.id for one in new)
        for one in new if body is not None else ():
            of_a_layer = one.kind in ("parameter", "buffer")
            is_new = one.producer is None and one.same is None and not (of_a_layer or one.seed)
            if body is not None and is_new and one.id not in given[body]:
                made.append((body, (one.id, event.index)))
    return given, grouped(made)


def _parts(trace: Trace) -> dict[int, Event]:
    """Return, for values that no event made, the part of a gradient rule that computed each."""
    found: dict[int, Event] = {}
    for event in trace.events:
        part = trace.differentiated(event) if isinstance(event, Grad) and event.part is not None else None
        if part is not None:
            found |= {one.id: part for one in trace.known(part.outputs) if one.producer is None}
    return found


def _mentions(event: Event, id_: int) -> bool:
    return id_ in event.inputs or id_ in event.outputs or id_ in event.saved or id_ == event.before


def _with(event: Event, old: int, new: int) -> Event:
    """Return an event with another value in the place of one."""
    mine = {one.name for one in fields(event)} & {"inputs", "outputs", "saved", "parts", "before"}
    held = {name: getattr(event, name) for name in mine}
    return replace(event, **rebuilt(held, lambda id_: new if id_ == old else id_))


def _is_of_parts(trace: Trace, value: Value) -> bool:
    """Whether a gradient is made from outputs of operators in its rule, which are events themselves."""
    made = None if value.same is None else trace.maker(trace.values[value.same])
    of_part = made is not None and made.part_of is not None and made.part_of == value.producer
    return of_part and trace.is_made(value)


# -- what Python read --------------------------------------------------------------------------------------------------


def first_read(trace: Trace, since: int, changed: Callable[[int], bool]) -> Read | None:
    """Return the first read, after event `since`, of a changed value by Python, other than for printing."""
    for read in (one for one in trace.reads if one.before_event > since and changed(one.value)):
        file, line = ("", 0) if read.where is None else (read.where.file, read.where.number)
        if not _prints_alone(trace.sources.get(file, ""), line):
            return read
    return None


_HARMLESS = {
    *("print", "float", "int", "bool", "str", "repr", "round", "len", "abs", "format"),
    *("item", "numpy", "tolist", "join", "mean", "sum", "max", "min", "norm"),
}
"""Functions and methods that store no argument."""


@lru_cache(maxsize=64)
def _prints_alone(source: str, line: int) -> bool:
    """Whether the statement at a line is a ``print(...)`` whose arguments are stored nowhere."""
    statements = (one for one in ast.walk(parsed(source)) if isinstance(one, ast.stmt))
    there = {one for one in statements if one.lineno <= line <= (one.end_lineno or 0)}
    inner = [one for one in there if len(there.intersection(ast.walk(one))) == 1]
    return bool(inner) and all(map(_prints, inner))


def _prints(statement: ast.stmt) -> bool:
    calls = {
        ast.unparse(one.func).rpartition(".")[2] for one in ast.walk(statement) if isinstance(one, ast.Call)
    }
    keeps = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
    is_print = ast.unparse(statement).startswith("print(") and calls <= _HARMLESS
    return is_print and not any(isinstance(one, keeps) for one in ast.walk(statement))
