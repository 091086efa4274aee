"""Events inside an operator: the body of a PyLayer, the Block of a Program, the iterations of a loop."""

from collections.abc import Sequence

from minipaddle.tools.record.events import Event, Trace
from minipaddle.tools.words.language import phrase
from minipaddle.tools.words.numbers import clean

COMPUTING = ("op", "grad", "accumulate")
"""Kinds of events that compute something."""


def bodies_of(trace: Trace, event: Event) -> list[tuple[Event, Event]]:
    """Return the begin and end events of an operator's bodies: one for a PyLayer, one per loop iteration."""
    if event.body is None:
        return []
    events = trace.events
    enter, leave = event.body
    depth = events[enter].depth
    ends = [one for one in events[enter : leave + 1] if one.kind == "leave" and one.depth == depth]
    return [(events[end.origin], end) for end in ends if end.origin is not None]


def inside(trace: Trace, event: Event) -> list[Event]:
    """Return the events directly inside the bodies of an operator."""
    return [one for enter, leave in bodies_of(trace, event) for one in between(trace, enter, leave)]


def between(trace: Trace, enter: Event, leave: Event) -> list[Event]:
    """Return the events directly inside one body, stores of gradients included."""
    span = trace.events[enter.index : leave.index]
    return [one for one in span if one.kind in (*COMPUTING, "store") and one.parent == enter.index]


def within(trace: Trace, backward: Sequence[Event]) -> list[Event]:
    """Return all events during a pass, including passes started inside a PyLayer's backward."""
    return trace.events[backward[0].index : backward[-1].index + 1] if backward else []


def flowing_back(trace: Trace, backward: Sequence[Event]) -> set[int]:
    """Return the values that are gradients or computed from one: not masks, nor recomputed forward values."""
    found: set[int | None] = set()
    cut_off = {cut.made: cut.value for cut in trace.cuts}
    for event in within(trace, backward):
        given = {id_ for id_ in event.inputs if id_ is not None}
        handed = event.kind == "enter" and event.op in ("backward", "hook")
        for value in trace.known(given):
            source = cut_off.get(value.id, value.same)
            if handed or value.kind == "gradient" or (source is not None and source in found):
                found.add(value.id)
        if event.kind in ("grad", "accumulate", "store") or (event.kind == "op" and found & given):
            found.update(event.outputs)
    return {id_ for id_ in found if id_ is not None}


def used_inside(trace: Trace, event: Event) -> set[int]:
    """Return the values that an operator's bodies use, with the sources of seeds of passes in them."""
    used = trace.known(id_ for one in inside(trace, event) for id_ in one.inputs)
    begun = {value.same for value in used if value.seed and value.same is not None}
    return {value.id for value in used} | begun


def handed_on(trace: Trace, event: Event) -> set[int | None]:
    """Return the values that iterations of a loop receive from the one before."""
    return {id_ for enter, _ in bodies_of(trace, event)[1:] for id_ in enter.inputs}


def in_a_body(trace: Trace, event: Event) -> bool:
    """Whether an event is inside a body run by its own pass (not by an outer pass)."""
    outer = None if event.parent is None else trace.events[event.parent]
    return outer is not None and outer.phase == "backward" and outer.pass_number == event.pass_number


def title_of_loop(enter: Event, count: int) -> str:
    """Return ``while block 1, 3 iterations``."""
    return phrase(
        "{op} block {block}, {count} iterations", op=clean(enter.owner), block=enter.block, count=count
    )


def number_of_iteration(enter: Event) -> int:
    """Return the number of the iteration that begins, from 1; 0 if none does."""
    return enter.iterations[-1] + 1 if enter.iterations else 0


def title_of_body(event: Event, enter: Event) -> str:
    """Return ``Cus.forward``; the Blocks of a Program are called by their numbers."""
    return clean(enter.title if enter.op in ("block", "function") else f"{event.title}.{enter.op}")
