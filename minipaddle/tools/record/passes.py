"""Which backward pass an event belongs to; one that runs within another is a part of that."""

from __future__ import annotations

from minipaddle.tools.record.events import Event, Trace


def pass_of(trace: Trace, event: Event) -> int:
    """Return the number of the backward pass, no part of another, that an event is in or after; before any, 0."""
    while event.pass_number < 0 and event.parent is not None:
        event = trace.events[event.parent]
    return max(event.pass_number, 0)


def pass_around(trace: Trace, event: Event) -> int:
    """Return the number of the backward pass that an event is in or after; before the first one, that."""
    number, numbers = pass_of(trace, event), trace.pass_numbers
    return number if number in numbers else min(numbers, default=0)
