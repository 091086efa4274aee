"""How a NaN or an Inf was born: the formula that made it, and the numbers that it read there."""

import numpy as np

from minipaddle.engine.operator.operator import TABLE
from minipaddle.engine.value.meta import Array
from minipaddle.tools.explain.why import why
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import number


def spot_of(array: Array) -> tuple[int, ...] | None:
    """Return the first place with NaN, or else with Inf: an Inf beside a NaN may have come in."""
    bad = np.isnan(array) if np.isnan(array).any() else ~np.isfinite(array)
    return tuple(int(i) for i in np.argwhere(bad)[0]) if bad.any() else None


def is_bad(value: Value) -> bool:
    """Return whether an element is NaN or Inf."""
    return bool(value.stats.nans or value.stats.infs)


def read_by(trace: Trace, event: Event) -> list[Value]:
    """Return the values that an event read: of a gradient, also what forward kept for it."""
    ids = list(event.inputs)
    if event.kind == "grad" and event.origin is not None:
        ids += trace.events[event.origin].saved
    return trace.known(ids)


def birth(trace: Trace, event: Event, value: Value) -> str:
    """Return the formula that made it, the numbers that it read at that place, and the limit that it broke."""
    spot = None if value.array is None else spot_of(value.array)
    if value.array is None or spot is None:
        return ""
    found = _at(trace, event, spot, value)
    read = ", ".join(f"{name} = {number(at)}" for name, at in found) or _largest(trace, event)
    how = "; ".join(filter(None, (_rule(trace, event, value), read)))
    return f"{how}  ->  {number(float(value.array[spot].real))}" + _limit(
        value, spot, [at for _, at in found]
    )


def _at(trace: Trace, event: Event, spot: tuple[int, ...], made: Value) -> list[tuple[str, float]]:
    """Return the numbers that an event read at one place, where what it read is as large or was stretched."""
    found: dict[str, float] = {}
    for read in read_by(trace, event):
        array: Array | None = read.array
        if array is None or array.dtype.kind not in "fiub":
            continue
        try:
            own = np.broadcast_to(np.arange(array.size).reshape(array.shape), made.shape)[spot]
            here = ", ".join(str(int(i)) for i in np.unravel_index(own, array.shape))
            found[f"{read.name}[{here}]" if here else read.name] = float(array.flat[own])
        except ValueError:
            continue
    return list(found.items())


def _largest(trace: Trace, event: Event) -> str:
    """Return how large the numbers are that an event read, where it made one of many."""
    read = ((value, value.array) for value in read_by(trace, event))
    known = [value for value, array in read if array is not None and array.dtype.kind in "fiu"]
    return ", ".join(
        say(
            "{name} from {low} to {high}",
            name=value.name,
            low=number(value.stats.min),
            high=number(value.stats.max),
        )
        for value in known
        if value.stats.size
    )


def _limit(value: Value, spot: tuple[int, ...], read: list[float]) -> str:
    """Return the largest number of a dtype, if numbers that are finite have gone beyond it."""
    array = value.array
    if array is None or array.dtype.kind != "f" or not np.isinf(array[spot]) or not read or 0.0 in read:
        return ""
    if not np.isfinite(read).all():
        return ""
    top = number(float(np.finfo(array.dtype).max)) if array.dtype != np.float16 else "65504"
    return ": " + say("that is beyond {top}, the largest {dtype}", top=top, dtype=value.dtype)


def _rule(trace: Trace, event: Event, value: Value) -> str:
    if event.kind not in ("op", "grad") or (event.kind == "op" and event.op not in TABLE):
        return ""
    try:
        return why(trace, event).formulas.get(value.id, "")
    except Exception:  # a formula is a help, no more
        return ""
