"""What may be another in a fork, for the script has read a number that was changed: nobody can follow it from there.

The script might have gone another way then, with other operators, other attributes, other tensors. Gradient rules of
calls that were before, and updates by what these give, are taken to happen as they did.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import replace
from functools import lru_cache

from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.reads_and_cuts import Read
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import line_text

_HARMLESS = {"print", "float", "int", "bool", "str", "repr", "round", "len", "abs", "format"}
_ASKING = {"item", "numpy", "tolist", "format", "join", "mean", "sum", "max", "min", "norm"}


def first_read(trace: Trace, since: int, changed: Callable[[int], bool]) -> int | None:
    """Return the number of the first read, after event `since`, that gave the script a changed value.

    Not one that was only printed.
    """
    for number, read in enumerate(trace.reads):
        if read.before_event > since and changed(read.value) and not _is_only_printed(trace, read):
            return number
    return None


def mark(recording: Trace, fork: Trace, number: int, known: Set[int]) -> set[int]:
    """Mark the values of `fork` that may be others since read `number`, and return their ids; not those `known`."""
    found = _Stale(recording, number, known).found
    for id_ in found:
        value = fork.values[id_]
        if value.stale is None:
            fork.values[id_] = replace(value, stale=number)
    return found


def stale_lines(trace: Trace, ids: Iterable[int | None]) -> Iterator[str]:
    """Yield a sentence for every read that makes some of these values doubtful."""
    for number in sorted({value.stale for value in trace.known(ids) if value.stale is not None}):
        read = trace.reads[number]
        yield say(
            "stale: {line} read {name}, which was changed: this may be another; run the script again to know",
            line=line_text(read.where) or "Python",
            name=trace.values[read.value].name,
        )


class _Stale:
    """Follows what depends on what the script did after a read."""

    def __init__(self, trace: Trace, number: int, known: Set[int]) -> None:
        self.trace = trace
        self.since = trace.reads[number].before_event
        self.known = known
        before = trace.events[: self.since]
        self.met = {id_ for event in before for id_ in (*event.inputs, *event.outputs)}
        self.met |= _optimizers_began_with(trace)
        self.made_before = {cut.made for cut in trace.cuts if cut.before_event < self.since}
        self.found: set[int] = set()
        for value in trace.values:  # a value is made of those that were before it
            if value.id not in known and self._may_be_another(value):
                self.found.add(value.id)

    def _may_be_another(self, value: Value) -> bool:
        if value.came_from in self.found:
            return True
        made = self.trace.maker(value)
        if made is None:
            return value.came_from is None and self._came_in(value)
        if made.index < self.since:
            return False
        script_chose = made.kind == "op" and made.block is None  # a Program has its operators already
        return script_chose or not self.found.isdisjoint(read_by(self.trace, made))

    def _came_in(self, value: Value) -> bool:
        """Whether the script brought a value in after the read, from outside."""
        was_there = value.id in self.met or value.id in self.made_before
        of_a_layer = value.kind in ("parameter", "buffer") and value.version == 0
        return not (was_there or of_a_layer or value.seed)


def _optimizers_began_with(trace: Trace) -> set[int | None]:
    """Return the rates and states that the first update of each parameter met: they are as the optimizer was made."""
    updated, met, began = set(), set[int | None](), set[int | None]()
    for event in trace.events:
        if event.kind == "update" and event.about is not None:
            holder = trace.values[event.about].holder
            if holder not in updated:
                began.update(set(event.inputs[2:]) - met)
            updated.add(holder)
        met.update(event.inputs)
    return began


def read_by(trace: Trace, event: Event) -> Iterator[int | None]:
    """Yield the ids of all that an event reads: of a gradient, also what its forward call has read and made."""
    yield from event.inputs
    yield event.before
    for terms in event.parts:
        yield from terms or ()
    yield from trace.of_forward(event)


def _is_only_printed(trace: Trace, read: Read) -> bool:
    """Whether the line that reads is a ``print(...)`` that nothing else comes of, as its source says."""
    return read.where is not None and _prints_alone(trace.sources.get(read.where.file, ""), read.where.number)


@lru_cache(maxsize=64)
def _prints_alone(source: str, line: int) -> bool:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    statements = (one for one in ast.walk(tree) if isinstance(one, ast.stmt))
    there = {one for one in statements if one.lineno <= line <= (one.end_lineno or 0)}
    inner = [one for one in there if len(there.intersection(ast.walk(one))) == 1]
    return bool(inner) and all(_prints(one) for one in inner)


def _prints(statement: ast.stmt) -> bool:
    """Whether a statement prints, and calls nothing that could keep what it is given."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "print"):
        return False
    return not any(
        isinstance(one, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom))
        or (isinstance(one, ast.Call) and not _is_harmless(one.func))
        for one in ast.walk(call)
    )


def _is_harmless(called: ast.expr) -> bool:
    if isinstance(called, ast.Name):
        return called.id in _HARMLESS
    return isinstance(called, ast.Attribute) and called.attr in _ASKING
