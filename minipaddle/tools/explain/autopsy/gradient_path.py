"""The way that a gradient has come: from the leaf back to where backward began, the largest part at each sum."""

from typing import NamedTuple

from minipaddle.tools.explain.autopsy.one_pass import OnePass, largest
from minipaddle.tools.explain.rule import hook_of
from minipaddle.tools.record.events import Event, Trace, Value


class Leg(NamedTuple):
    """One event on the way, and the gradients before and after it."""

    event: Event | None
    """None: backward began here, or nobody recorded it."""
    before: Value | None
    after: Value


def way_to(one: OnePass, gradient: Value) -> list[Leg]:
    """Return the legs of the way to a gradient, the last one first."""
    found: list[Leg] = []
    value: Value | None = gradient
    while value is not None and len(found) < len(one.trace.events) + 1:
        event, before = _made_of(one.trace, value)
        found.append(Leg(event, before, value))
        value = before
    return found


def _made_of(trace: Trace, value: Value) -> tuple[Event | None, Value | None]:
    if value.replaces is not None:
        return hook_of(trace, value), trace.values[value.replaces]
    made = trace.maker(value)
    if made is None or made.kind not in ("grad", "accumulate"):
        same = trace.value(value.same) if made is None and not value.seed else None
        return (None, same) if same is not None and same.kind == "gradient" else (made, None)
    return made, largest(trace.known(made.inputs))
