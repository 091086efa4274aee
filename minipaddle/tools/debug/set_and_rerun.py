"""`set --rerun`: the script runs again from its first line, with another number put in at one event.

What a fork cannot follow (a number that Python reads, the way that an `if` goes) is then as it would be. Where the
number goes is said by events, never by ids: the run has the same events up to there, and that is made sure of.
"""

from __future__ import annotations

import linecache
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import islice

from minipaddle.engine.value.meta import Array
from minipaddle.tools.debug.cursor import Cursor, NoMove
from minipaddle.tools.debug.rerun import differ
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.sources.eager.substituting import Put, When
from minipaddle.tools.record.user_code.names import read_changed_files_anew
from minipaddle.tools.words.events import stop_numbers
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import line_text

_AT_ONCE = ("grad", "accumulate", "store", "error")
"""Kinds of events that begin where nobody is told: what they are to find is put in when the event before is over."""


def run_again(trace: Trace, puts: Sequence[Put]) -> Trace:
    """Return what the script of a recording does with numbers put in; the last of `puts` is the new one.

    Raises:
        NoMove: if there is no script, if it has changed, or if it does not come to the same event again.
    """
    if trace.again is None:
        raise NoMove("there is no script to run again: this comes from a file, or from inside a script")
    read_changed_files_anew()
    for file, text in trace.sources.items():
        if "".join(linecache.getlines(file)) != text:
            raise NoMove("{file} has changed since it ran: begin a new session", file=file)
    made = trace.again(puts)
    _insist_on_the_same_beginning(trace, made, puts[-1].until)
    return made


def _insist_on_the_same_beginning(before: Trace, after: Trace, end: int) -> None:
    same = list(islice(together(before, after), end))
    for one, other in same:
        for a, b in zip(before.known(one.outputs), after.known(other.outputs)):
            if a.array is not None and b.array is not None and differ(a, b):
                raise NoMove("{name} is another in every run: nothing has seeded it", name=a.name)
    if len(same) < end:
        raise NoMove("the script did not come to this event again")


def together(one: Trace, other: Trace) -> Iterator[tuple[Event, Event]]:
    """Yield the events of two runs of a script in pairs, as long as it goes the same way."""
    for a, b in zip(one.events, other.events):
        if _form(a) != _form(b):
            return
        yield a, b


def parting(one: Trace, other: Trace) -> str:
    """Return a sentence about where another run of a script leaves the way of the one before; "" if it does not."""
    same = sum(1 for _ in together(one, other))
    longer = other if same < len(other.events) else one
    if same == len(longer.events):
        return ""
    number = bisect_left([*stop_numbers(longer)], same)
    line = line_text(longer.events[same].where)
    return say("the script goes another way from event {number} on: {line}", number=number, line=line)


def _form(event: Event) -> object:
    """Return what an event is, without its numbers."""
    counts = len(event.inputs), len(event.outputs)
    return event.kind, event.op, event.where, event.depth, event.iterations, counts


# -- where a number goes ------------------------------------------------------------------------------------------


def put_into(cursor: Cursor, value: Value, array: Array) -> Put:
    """Return how the numbers of `value` become `array` at the cursor, when the script runs again.

    Raises:
        NoMove: if they are such as only the user's own Python makes, or nothing uses them any more.
    """
    trace, here = cursor.trace, where_read(cursor, value)
    maker = trace.maker(value)
    in_program = here.block is not None or here.into == "program"
    if in_program and _is_part_of_a_sum(trace, here, value):
        raise NoMove("{name} cannot be put in here: the Operator sum adds all terms at once", name=value.name)
    if value.kind == "gradient" and not in_program:
        if value.replaces is not None:  # what a hook returned
            made = None if value.same is None else trace.maker(trace.values[value.same])
            if made is not None and made.kind == "op":
                return Put("made", made.index, made.outputs.index(value.same), array)
        elif value.seed:
            return _seed(trace, value, array)
        elif maker is not None and maker.kind in ("grad", "accumulate"):
            return Put("answer", maker.index, _slot(trace, maker.outputs, value), array)
    if here.op not in ("python", "function"):
        there = _slot(trace, here.outputs, value)
        if there >= 0 and here.kind != "enter":
            return Put("made", here.index, there, array, name=value.name)
        put = None if in_program and _is_inside(trace, here) else _before(trace, here, value, array)
        if put is not None:
            return put
    raise NoMove("{name} cannot be put in here: go to the event that makes it, or uses it", name=value.name)


def _is_part_of_a_sum(trace: Trace, here: Event, value: Value) -> bool:
    """Whether a value is met in the middle of a Program's sum: others were added before, or are added next."""
    if here.kind != "accumulate":
        return False
    before, after = trace.events[here.index - 1], trace.events[here.index + 1 : here.index + 2]
    if value.id in here.outputs:
        return bool(after) and after[0].kind == "accumulate" and after[0].inputs[:1] == here.outputs
    return before.kind == "accumulate" and before.outputs == here.inputs[:1]


def _is_inside(trace: Trace, here: Event) -> bool:
    """Whether an event of a Program is in a Block, or begins an iteration that is not the first to run."""
    begins = any(one.body is not None and one.body[0] == here.index for one in trace.events)
    return here.parent is not None or (here.kind == "enter" and not begins)


def where_read(cursor: Cursor, value: Value) -> Event:
    """Return the event that is to find other numbers: the one at the cursor, or where the body begins that reads it."""
    trace, here = cursor.trace, cursor.event
    inside = trace.inside(here)
    if not inside or inside[0].op == "function" or value.id in here.outputs:
        return here
    reads = {id_ for event in (here, *inside) for id_ in event.inputs}
    return inside[0] if value.id in reads else here


def _before(trace: Trace, here: Event, value: Value, array: Array) -> Put | None:
    """Return how a value gets other numbers before an event; None if nobody knows what holds it, or needs it."""
    mentions = [
        (event.index, is_output, slot)
        for event in trace.events
        for is_output, ids in ((False, event.inputs), (True, event.outputs))
        if (slot := _slot(trace, ids, value)) >= 0 and event.kind != "leave"
    ]
    known = [one for one in mentions if one[0] < here.index]
    if known:
        when: When = "next" if here.kind in _AT_ONCE and here.block is None else "before"
        return Put(when, _begin(trace, here.index), 0, array, known[-1], value.name)
    first = next((one for one in mentions if not one[1]), None)
    last = len(trace.events) if first is None else first[0]
    for read in trace.reads:
        if read.value == value.id and here.index < read.before_event <= last:
            return Put("read", read.number, 0, array, (read.before_event, False, 0))
    return (
        None if first is None else Put("before", _begin(trace, first[0]), first[2], array, first, value.name)
    )


def _begin(trace: Trace, index: int) -> int:
    """Return the event at which an Operator of a Program begins: before the marker of the pass that it begins."""
    event = trace.events[index]
    if any(value.seed for value in trace.known(event.inputs)):  # an Operator that is no event has made it
        return index
    while index and event.block is not None and trace.events[index - 1].kind == "backward":
        index -= 1
    return index


def _seed(trace: Trace, value: Value, array: Array) -> Put:
    """Return how a backward pass begins with another gradient."""
    first = next(event for event in trace.events if value.id in event.inputs)
    marker = max(
        event.index
        for event in trace.events[: first.index]
        if event.kind == "backward" and event.pass_number == first.pass_number
    )
    older = (event for event in trace.events[:marker])
    known = {id_ for event in older for id_ in event.inputs}
    seeds = [one.id for one in trace.values if one.seed and one.id <= value.id and one.id not in known]
    return Put("seed", marker, len(seeds) - 1, array)


def _slot(trace: Trace, ids: Sequence[int | None], value: Value) -> int:
    """Return the place of a value in a list, be it that a fork has another one in its place; -1 if it is not there."""
    for slot, id_ in enumerate(ids):
        if id_ is not None and (id_ == value.id or value.id in [new for _, new in trace.later.get(id_, ())]):
            return slot
    return -1
