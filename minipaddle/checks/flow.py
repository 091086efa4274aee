"""Gradient flow: how large the gradient is on its way back, and where it is lost, culprits first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from minipaddle.trace.events import Event, Trace, Value
from minipaddle.words.events import around, blamed, in_iteration, place, stop_numbers, title
from minipaddle.words.json import json_number
from minipaddle.words.language import say
from minipaddle.words.terminal import table_lines, word

LOW, HIGH = 1e-7, 1e3
_WELL = ("ok", "not taken", "unknown")
_BY_SIZE = ("dead", "vanishing", "exploding")


@dataclass
class FlowRow:
    """What one gradient event gave to one input."""

    event: Event | None
    name: str
    """What it is the gradient for."""
    value: Value | None
    ratio: float | None
    """How much larger it is than the gradient that came in."""
    verdict: str
    """``ok``, ``vanishing``, ``exploding``, ``dead`` (all zero), ``NaN``, ``frozen``, ``unused``, or ``not taken``:
    zeros of a Program's branch that had not run; or ``unknown``, like the numbers. Of a leaf that is used several
    times no part is dead, vanishing or exploding if the sum is not."""
    is_parameter: bool
    begins: bool = False
    """Whether it was well until here."""
    where: str = ""
    turn: str = ""
    """In a Program's loop: ``iteration 3``."""


@dataclass
class Flow:
    """The whole table."""

    rows: list[FlowRow]
    summary: str
    numbers: dict[int, int]
    """The numbers of the stops, as `goto` takes them."""

    @property
    def findings(self) -> list[FlowRow]:
        """The parameters that learn nothing, or too much at once; a frozen one was meant to be."""
        return [row for row in self.rows if _is_bad(row) and row.verdict != "frozen"]


def gradient_flow(
    trace: Trace,
    pass_number: int | None = None,
    by: str = "rms",
    low: float = LOW,
    high: float = HIGH,
    order: str = "culprit",
) -> Flow:
    """Follow the gradient through one backward pass (the last by default).

    A gradient below `low` vanishes, one above `high` explodes; `by` is ``rms`` or ``norm``. The order of the rows is
    ``culprit`` (where it begins, then bad parameters), ``pass`` (as the pass ran), ``size`` (smallest first) or
    ``name``.
    """
    number = pass_number or trace.last_pass
    table = _Table(trace, number, by, low, high)
    rows = sorted(table.rows, key=table.key(order))
    return Flow(rows, _summary(rows, number), stop_numbers(trace))


class _Table:
    def __init__(self, trace: Trace, number: int, by: str, low: float, high: float) -> None:
        self.trace, self.by, self.low, self.high = trace, by, low, high
        self.bad: dict[int, str] = {}  # values that are not well
        self.rows: list[FlowRow] = []
        reached = set()
        self.sums = {
            value.of: value
            for event in trace.of_pass(number)
            if event.kind == "accumulate"
            for value in trace.known(event.outputs)
        }
        for event in trace.of_pass(number):
            if event.kind == "grad" and self._is_of_the_walk(event):
                self._add(event)
            if event.kind == "store" and event.outputs[0] is not None:
                reached.add(trace.values[event.outputs[0]].of)
                self._add_hook(number, event)
        self._without_gradient(number, reached)

    def _is_of_the_walk(self, event: Event) -> bool:
        """Whether the reverse walk made it: in a Program also in a branch or a loop, but not in the user's own code."""
        bodies = around(self.trace, event)
        here = (body for body in bodies if body.phase == "backward" and body.pass_number == event.pass_number)
        return all(body.owner in ("while_grad", "conditional_block_grad") for body in here)

    def _add(self, event: Event) -> None:
        coming = self.trace.known(event.inputs)
        before = max((self._size(value) for value in coming), default=0.0)
        # Zeros stand where a PyLayer answered None: they began there, and not in what was given them.
        was_bad = not coming or any(self._verdict(value) not in _WELL for value in coming)
        for value in self.trace.known(event.outputs):
            target = self.trace.value(value.of)
            is_leaf = target is not None and target.kind in ("parameter", "leaf")
            verdict = self._verdict(value) if _was_taken(event) else "not taken"
            if is_leaf and verdict in _BY_SIZE and value.of in self.sums:
                verdict = "ok" if self._verdict(self.sums[value.of]) == "ok" else verdict
            self.rows.append(
                FlowRow(
                    event,
                    target.name if target else value.name,
                    value,
                    self._size(value) / before if before else None,
                    verdict,
                    is_leaf,
                    begins=verdict not in _WELL and not was_bad,
                    where=place(blamed(self.trace, event)),
                    turn=in_iteration(self.trace, event),
                )
            )

    def _add_hook(self, number: int, store: Event) -> None:
        """Add what the hooks of a leaf have made of its gradient, if they have."""
        stored = self.trace.value(store.inputs[0])
        given = None if stored is None else self.trace.value(stored.replaces)
        if stored is None or given is None:
            return
        ends = (event for event in self.trace.of_pass(number) if event.kind == "leave" and event.op == "hook")
        end = next((event for event in ends if stored.same in event.outputs), None)
        if end is None or end.origin is None:
            return
        before, verdict = self._size(given), self._verdict(stored)
        ratio = self._size(stored) / before if before else None
        begins = verdict not in _WELL and self._verdict(given) in _WELL
        hook = self.trace.events[end.origin]
        self.rows.append(FlowRow(hook, store.title, stored, ratio, verdict, True, begins, place(hook)))

    def _size(self, value: Value) -> float:
        return float(getattr(value.stats, self.by))

    def _verdict(self, value: Value) -> str:
        stats = value.stats
        if stats.nans or stats.infs:
            return "NaN" if stats.nans else "Inf"
        if stats.size and stats.norm != stats.norm:
            return "unknown"
        if stats.size and stats.zeros == stats.size:
            return "dead"
        size = self._size(value)
        return "vanishing" if size < self.low else "exploding" if size > self.high else "ok"

    def _without_gradient(self, number: int, reached: set[int | None]) -> None:
        """Add the parameters that the pass did not reach."""
        latest: dict[int, Value] = {}  # by what holds it: two parameters may have one name
        holders = {value.holder for value in self.trace.known(reached)}
        parameters = [value for value in self.trace.values if value.kind == "parameter"]
        handed_on = {
            value.same for value in parameters if value.producer is None
        }  # by a Scope, to another Program
        for value in parameters:
            if value.id not in handed_on:
                made = self.trace.maker(value)
                if made is None or made.pass_number < number:
                    latest[value.holder] = value
        latest |= {value.holder: value for value in self._leaves(number)}
        for value in latest.values():
            if value.holder not in holders:
                verdict = "frozen" if value.stop_gradient else "unused"
                self.rows.append(FlowRow(None, value.name, None, None, verdict, is_parameter=True))
        for name in self.trace.unused:
            self.rows.append(FlowRow(None, name, None, None, "unused", is_parameter=True))

    def _leaves(self, number: int) -> Iterator[Value]:
        """Yield the leaves that this pass's own forward recorded the use of, and that no gradient was made for."""
        found = {row.value.of for row in self.rows if row.value is not None}
        for event in self.trace.events:
            if event.kind == "op" and event.phase == "forward" and event.pass_number == number - 1:
                recorded = any(not value.stop_gradient for value in self.trace.known(event.outputs))
                for value in self.trace.known(event.inputs) if recorded else ():
                    if value.kind == "leaf" and value.id not in found:
                        yield value

    def key(self, order: str) -> Callable[[FlowRow], Any]:
        """Return by what the rows are sorted; those that are alike stay in the order of the pass."""
        keys: dict[str, Callable[[FlowRow], Any]] = {
            "culprit": lambda row: 0 if row.begins else 1 if _is_bad(row) else 2,
            "pass": lambda row: 0,
            "size": lambda row: (row.value is not None, 0.0 if row.value is None else self._size(row.value)),
            "name": lambda row: row.name,
        }
        return keys[order]


def _is_bad(row: FlowRow) -> bool:
    return row.is_parameter and row.verdict not in _WELL


def _was_taken(event: Event) -> bool:
    """Whether it is no branch of a Program that had not run, and so gives zeros only."""
    return event.op != "conditional_block_grad" or event.body is not None


def _summary(rows: list[FlowRow], number: int) -> str:
    if not rows:
        return say("pass {number}: no gradient flowed", number=number)
    counts: dict[str, int] = {}
    for row in rows:
        if _is_bad(row) or (row.is_parameter and row.verdict == "unknown"):
            counts[row.verdict] = counts.get(row.verdict, 0) + 1
    parameters = len({row.name for row in rows if row.is_parameter})
    if not counts:
        return say("pass {number}: {count} parameters, all well", number=number, count=parameters)
    what = ", ".join(f"{count} {word(verdict)}" for verdict, count in counts.items())
    return say("pass {number}: {count} parameters, {what}", number=number, count=parameters, what=what)


def flow_lines(flow: Flow) -> list[str]:
    """Return the table as text, columns aligned."""
    head = ("stop", "grad op", "for", "shape", "rms", "max", "vs before", "verdict")
    return [*table_lines(head, (_cells(row, flow.numbers) for row in flow.rows)), flow.summary]


def _cells(row: FlowRow, numbers: dict[int, int]) -> tuple[str, ...]:
    verdict = word(row.verdict)
    if row.begins and row.event is not None:
        verdict += "  <- " + say("starts here ({op}, {where})", op=row.event.title, where=row.where)
    if row.value is None or row.event is None:
        return ("", "", row.name, "", "", "", "", verdict)
    stats = row.value.stats
    ratio = "" if row.ratio is None else f"x{row.ratio:.3g}"
    largest = max(abs(stats.min), abs(stats.max))
    shape = str(list(row.value.shape))
    return (
        str(numbers[row.event.index]),
        ", ".join(filter(None, (title(row.event), row.turn))),
        row.name,
        shape,
        f"{stats.rms:.3g}",
        f"{largest:.3g}",
        ratio,
        verdict,
    )


def flow_object(flow: Flow) -> dict[str, object]:
    """Return the table as JSON data."""
    rows = [
        {
            "i": None if row.event is None else flow.numbers[row.event.index],
            "op": None if row.event is None else title(row.event),
            "iteration": row.turn.removeprefix("iteration ") or None,
            "for": row.name,
            "shape": None if row.value is None else list(row.value.shape),
            "rms": None if row.value is None else json_number(row.value.stats.rms),
            "norm": None if row.value is None else json_number(row.value.stats.norm),
            "ratio": None if row.ratio is None else json_number(row.ratio),
            "verdict": row.verdict,
            "parameter": row.is_parameter,
            "begins": row.begins,
            "where": row.where,
        }
        for row in flow.rows
    ]
    return {"flow": rows, "summary": flow.summary}
