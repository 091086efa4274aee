"""The search for NaN and Inf: where they are born, spread, are masked or healed, and what they reach."""

import re
from dataclasses import dataclass
from functools import cached_property
from math import isfinite

from minipaddle.ops.definition.traits import has
from minipaddle.tools.explain.autopsy.size import birth, born_within, spot_of
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.words.events import blamed, in_iteration, iterations, place, stop_numbers, title
from minipaddle.tools.words.language import say, spoken
from minipaddle.tools.words.numbers import not_finite
from minipaddle.tools.words.terminal import table_lines, word


@dataclass
class Sighting:
    """One event that makes, reads or hides numbers that are not finite."""

    event: Event
    state: str
    """``born``, ``given`` (the user's own data), ``spread``, ``masked`` or ``healed``."""
    value: Value
    """The value that has it: an output, or an input of an event that heals."""
    spot: tuple[int, ...] | None
    note: str
    what: str
    """``NaN`` or ``Inf``."""
    zero_came_in: bool = False
    """For a birth in backward: whether the incoming gradient was 0 there, as behind a mask."""


class Hunt:
    """All sightings of a recording, in the order of the run."""

    def __init__(self, trace: Trace, infinite_too: bool, ignored: re.Pattern[str] | None) -> None:
        self.trace, self.infinite_too, self.ignored = trace, infinite_too, ignored
        self.sightings: list[Sighting] = []
        self.reaches: list[str] = []
        """Parameters, gradients and losses that it reaches."""
        self.intended: set[int] = set()  # values that are not finite on purpose
        self.seen: set[int] = set()  # user data already examined

    @property
    def births(self) -> list[Sighting]:
        """The sightings where NaN or Inf were born."""
        return [one for one in self.sightings if one.state in ("born", "given")]

    @property
    def is_finding(self) -> bool:
        """Whether a NaN was born, or an Inf that counts."""
        nans = any(one.what == "NaN" for one in self.births)
        return bool(self.births) and (nans or self.infinite_too or bool(self.reaches))

    def look_at(self, event: Event) -> None:
        """Add the sightings of one event."""
        if event.kind in ("enter", "leave", "backward", "error"):
            return
        read = self.trace.known(self.trace.takes(event))
        coming = [value for value in read if value.stats.bad and value.id not in self.intended]
        made = self.trace.known(event.outputs)
        going = [value for value in made if value.stats.bad]
        self._look_at_data(event, coming)
        if self._is_intended(event, read) and not coming:
            self.intended |= {value.id for value in going}
            return
        some_nan, some_before = (any(value.stats.nans for value in values) for values in (going, coming))
        is_new = not coming or (some_nan and not some_before)  # inf - inf is a birth too
        # operators that select or test numbers (`isnan`, a slice) heal nothing
        computes = any(one.kind_of_dtype in "fc" for one in made) and not has("selects", event.op)
        inside = self.trace.inside(event)  # of a PyLayer, or a Block of a Program
        if inside and inside[0].op != "function" and going:
            self._note(event, "spread", going[0], say("made in its body"))
        elif going and not read and (filled := _filler(event)):
            self._note(event, "given", going[0], say("it is filled with {number}", number=filled))
        elif going and (is_new or (spot := born_within(self.trace, event, going[0])) is not None):
            self._note(event, "born", going[0], birth(self.trace, event, going[0], None if is_new else spot))
        elif going:
            worse = max(one.stats.bad for one in going) > max(one.stats.bad for one in coming)
            self._note(event, "spread", going[0], say("more elements than before") if worse else "")
        elif coming and computes:
            state = "masked" if has("masks", event.op) else "healed"
            hidden = next((value for value in coming if value.id in event.inputs), None)
            if hidden is not None:
                self._note(event, state, hidden, say("{name} is finite again", name=made[0].name))
        self._arrivals(event, going)

    def _look_at_data(self, event: Event, coming: list[Value]) -> None:
        for value in coming:
            if value.producer is None and value.kind != "gradient" and value.id not in self.seen:
                self.seen.add(value.id)
                self._note(
                    event, "given", value, say("{name} came with it into the recording", name=value.name)
                )

    def _is_intended(self, event: Event, read: list[Value]) -> bool:
        names = (event.title, event.op, title(event))
        if self.ignored is not None and any(self.ignored.fullmatch(name) for name in names):
            return True
        return any(value.id in self.intended for value in read)

    def _note(self, event: Event, state: str, value: Value, note: str) -> None:
        what = "NaN" if value.stats.nans else "Inf"
        spot = None if value.array is None else spot_of(value.array)
        zero = state == "born" and spot is not None and _zero_came_in(self.trace, event, spot, value.shape)
        self.sightings.append(Sighting(event, state, value, spot, note, what, zero))

    def _arrivals(self, event: Event, going: list[Value]) -> None:
        for value in going:
            arrives = event.kind in ("store", "update") or value.id in self._roots  # a loss
            if arrives and value.id not in self.intended and value.name not in self.reaches:
                self.reaches.append(value.name)

    @cached_property
    def _roots(self) -> set[int | None]:
        """The values at which backward passes began."""
        values = self.trace.values
        return {v.of for v in values if v.kind == "gradient" and v.producer is None and v.replaces is None}


def hunt(trace: Trace, infinite_too: bool = False, ignored: str = "") -> Hunt:
    """Return every event of a recording that makes, reads or hides NaN or Inf.

    Inf alone is a finding if it reaches a loss, a gradient or a parameter, or with `infinite_too`. Births in
    operators whose names match the expression `ignored` are intended.
    """
    found = Hunt(trace, infinite_too, re.compile(ignored) if ignored else None)
    for event in trace.events:
        found.look_at(event)
    return found


def _filler(event: Event) -> str:
    """Return the Inf or NaN that an event fills its output with, as text; "" if it does not."""
    numbers = (attr for attr in event.attrs.values() if isinstance(attr, float))
    return next((str(attr) for attr in numbers if not isfinite(attr)), "")


def _is_masked(trace: Trace, birth: Sighting) -> bool:
    """Return whether a mask hides what the call of a birth in backward gives."""
    ids = set(blamed(trace, birth.event).outputs) if birth.zero_came_in else set()
    for event in trace.events[: birth.event.index] if ids else ():
        if event.kind == "op" and not ids.isdisjoint(event.inputs):
            if has("masks", event.op):
                return True
            ids |= {*event.outputs}
    return False


def _zero_came_in(trace: Trace, event: Event, spot: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    coming = trace.value(event.inputs[0]) if event.kind == "grad" and event.inputs else None
    array = None if coming is None else coming.array
    return array is not None and array.shape == shape and not array[spot]


def hunt_lines(found: Hunt, trace: Trace, first: bool = False) -> list[str]:
    """Return the answer as text."""
    numbers = stop_numbers(trace)
    if not found.sightings:
        return [say("no NaN and no Inf in {count} events", count=len(numbers))]
    shown = found.births[:1] if first else found.sightings
    head = ("stop", "op", "where", "state", "elements", "note")
    return [*table_lines(head, (_cells(one, trace, numbers) for one in shown)), *_conclusions(found, trace)]


def _cells(one: Sighting, trace: Trace, numbers: dict[int, int]) -> tuple[str, ...]:
    where, stats = place(blamed(trace, one.event)), one.value.stats
    count = say("{counts} of {size}", counts=not_finite(stats), size=stats.size)
    what = ", ".join(filter(None, (title(one.event), spoken(in_iteration(iterations(trace, one.event))))))
    return (str(numbers[one.event.index]), what, where, word(one.state), count, one.note)


def _conclusions(found: Hunt, trace: Trace) -> list[str]:
    said = say("it reaches no loss, no gradient of a leaf and no parameter")
    if found.reaches:
        said = say("it reaches {names}", names=", ".join(found.reaches))
    mask = say(
        "a mask hides a value, not its gradient: backward sends 0 there, and 0 * inf is NaN. Mask the input too (the "
        "double-where trick): where(ok, f(where(ok, x, 1)), 0)"
    )
    return [said, mask] if any(_is_masked(trace, one) for one in found.births) else [said]


def hunt_object(found: Hunt, trace: Trace) -> dict[str, object]:
    """Return the answer as JSON data."""
    numbers = stop_numbers(trace)
    rows = [
        {
            "i": numbers[one.event.index],
            "op": title(one.event),
            "iteration": ", ".join(map(str, iterations(trace, one.event))) or None,
            "where": place(blamed(trace, one.event)),
            "state": one.state,
            "what": one.what,
            "name": one.value.name,
            "elements": one.value.stats.bad,
            "nans": one.value.stats.nans,
            "infs": one.value.stats.infs,
            "of": one.value.stats.size,
            "at": None if one.spot is None else list(one.spot),
            "note": one.note,
        }
        for one in found.sightings
    ]
    return {"nan": rows, "reaches": found.reaches, "finding": found.is_finding}
