"""Which iteration of a Program's loop an event belongs to: read off the titles of the Blocks around it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from minipaddle.trace.events import Event, Trace

__all__ = ["around", "in_iteration", "iterations"]

_COUNTED = re.compile(r"iteration (\d+)$")


def around(trace: Trace, event: Event) -> Iterator[Event]:
    """Yield where the bodies around an event begin, the innermost first."""
    while event.parent is not None:
        event = trace.events[event.parent]
        yield event


def iterations(trace: Trace, event: Event) -> list[int]:
    """Return the number of the iteration that an event is in; of loops within loops, the outermost first."""
    found = [_COUNTED.search(body.title) for body in around(trace, event) if body.op == "block"]
    return [int(match[1]) for match in reversed(found) if match]


def in_iteration(trace: Trace, event: Event) -> str:
    """Return ``iteration 3``, ``iteration 3, 1`` in a loop within a loop, or nothing."""
    numbers = iterations(trace, event)
    return f"iteration {', '.join(map(str, numbers))}" if numbers else ""
