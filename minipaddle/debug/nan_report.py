"""What a hunt for NaN and Inf has found, as a table with conclusions, and as JSON data."""

from __future__ import annotations

from minipaddle.debug.iterations import in_iteration
from minipaddle.debug.language import say
from minipaddle.debug.nans import Hunt, Sighting
from minipaddle.debug.tables import table_lines, word
from minipaddle.debug.titles import blamed, place, stop_numbers, title
from minipaddle.trace.events import Trace

__all__ = ["hunt_lines", "hunt_object"]


def hunt_lines(found: Hunt, trace: Trace, first: bool = False) -> list[str]:
    """Return the answer as text."""
    if not found.sightings:
        return [say("no NaN and no Inf in {count} events", count=len(trace.events))]
    shown = found.births[:1] if first else found.sightings
    head = ("stop", "op", "where", "state", "elements", "note")
    numbers = stop_numbers(trace)
    return [*table_lines(head, (_cells(one, trace, numbers) for one in shown)), *_conclusions(found)]


def _cells(one: Sighting, trace: Trace, numbers: dict[int, int]) -> tuple[str, ...]:
    where = place(blamed(trace, one.event))
    stats = one.value.stats
    counts = ", ".join(
        f"{count} {what}" for count, what in ((stats.nans, "NaN"), (stats.infs, "Inf")) if count
    )
    count = say("{counts} of {size}", counts=counts, size=stats.size)
    what = ", ".join(filter(None, (title(one.event), in_iteration(trace, one.event))))
    return (str(numbers[one.event.index]), what, where, word(one.state), count, one.note)


def _conclusions(found: Hunt) -> list[str]:
    said = []
    if found.reaches:
        said.append(say("it reaches {names}", names=", ".join(found.reaches)))
    else:
        said.append(say("it reaches no loss, no gradient of a leaf and no parameter"))
    masked = any(
        one.state in ("masked", "healed") and one.event.phase == "forward" for one in found.sightings
    )
    in_backward = any(
        one.event.phase == "backward" and one.state in ("born", "spread") for one in found.sightings
    )
    if (masked and in_backward) or any(one.zero_came_in for one in found.births):
        said.append(
            say(
                "a mask hides a value, not its gradient: backward sends 0 there, and 0 * inf is NaN. Mask the input "
                "too (the double-where trick): where(ok, f(where(ok, x, 1)), 0); "
                "`help double-where` in step explains it"
            )
        )
    return said


def hunt_object(found: Hunt, trace: Trace) -> dict[str, object]:
    """Return the answer as JSON data."""
    numbers = stop_numbers(trace)
    rows = [
        {
            "i": numbers[one.event.index],
            "op": title(one.event),
            "iteration": in_iteration(trace, one.event).removeprefix("iteration ") or None,
            "where": place(blamed(trace, one.event)),
            "state": one.state,
            "what": one.what,
            "name": one.value.name,
            "elements": one.count,
            "nans": one.value.stats.nans,
            "infs": one.value.stats.infs,
            "of": one.value.stats.size,
            "at": None if one.spot is None else list(one.spot),
            "note": one.note,
        }
        for one in found.sightings
    ]
    return {"nan": rows, "reaches": found.reaches, "finding": found.is_finding}
