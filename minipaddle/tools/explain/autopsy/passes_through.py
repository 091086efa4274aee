"""The way that a gradient has come, and whether anything gets through the rules on it: they are run again on others."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.ops.definition.traits import has
from minipaddle.tools.explain.autopsy.one_pass import OnePass, largest
from minipaddle.tools.explain.other_gradients import REAL, anything, sent_back
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


_ROUNDING = 64
_FAR = 64


def _sent(trace: Trace, leg: Leg, others: Mapping[int, Array]) -> Array | None:
    """Return what a leg sends on where some values have `others` numbers; None if nobody can say."""
    event = leg.event
    if event is None or leg.before is None or leg.after.id not in event.outputs:
        return None
    if event.kind == "accumulate":
        return others.get(leg.before.id)
    return sent_back(trace, event, leg.after, others)


def lets_nothing_through(trace: Trace, leg: Leg, reached: Array | None = None) -> bool | None:
    """Return whether a leg sends zeros on whatever comes back to it, or to what is `reached`; None: nobody knows."""
    if leg.before is None or leg.before.dtype not in REAL:
        return None
    coming = anything(leg.before)
    found = _sent(trace, leg, {leg.before.id: coming if reached is None else coming * reached})
    return None if found is None else not found.any()


def opens(trace: Trace, leg: Leg, factor: Value) -> bool:
    """Return whether a leg multiplies by `factor`: twice as large, it would send on twice as much, and not zeros."""
    if leg.before is None or not {leg.before.dtype, factor.dtype} <= {*REAL}:
        return False
    coming, other = anything(leg.before), anything(factor)
    once, twice = (
        _sent(trace, leg, {leg.before.id: coming, factor.id: one}) for one in (other, other + other)
    )
    if once is None or twice is None or not once.any():
        return False
    return bool(np.allclose(twice, once + once, rtol=1e-2, atol=1e-3 * float(np.abs(once).max(initial=0))))


def cancels(before: Value, after: Value) -> bool:
    """Return whether a gradient is a sum over axes whose terms leave only their rounding."""
    top = max(abs(before.stats.min), abs(before.stats.max))
    left = max(abs(after.stats.min), abs(after.stats.max))
    return after.dtype in REAL and _is_rounding(left, top, before, after)


def _is_rounding(left: float, top: float, before: Value, after: Value) -> bool:
    """Return whether of terms as large as `top` only their rounding is `left`."""
    terms = before.stats.size // max(after.stats.size, 1)
    if terms < 2 or not top or not np.isfinite(left):
        return False
    return bool(left <= _ROUNDING * np.finfo(after.dtype).eps * top * np.sqrt(terms))


def leaves_rounding(trace: Trace, leg: Leg) -> bool:
    """Return whether what came back cancels in a rule: with other signs, much more of it would get through."""
    before, after = leg.before, leg.after
    if before is None or before.array is None or {before.dtype, after.dtype} - {"float32", "float64"}:
        return False
    found = _sent(trace, leg, {before.id: np.abs(before.array) * anything(before)})
    if found is None or not found.size:
        return False
    usual = float(np.sqrt(np.mean(np.square(found, dtype="float64"))))
    return usual > 0 and bool(after.stats.rms <= _ROUNDING * np.finfo(after.dtype).eps * usual)


def removed_by(trace: Trace, legs: Sequence[Leg], place: int) -> Event | None:
    """Return the normalisation or softmax whose rule leaves nothing of any gradient when it has come to leg `place`.

    It is tried out: another gradient goes back through that rule, and all that follow.
    """
    for first in range(place + 1, min(place + _FAR, len(legs))):
        made = legs[first].event
        forward = None if made is None else trace.differentiated(made)
        if forward is not None and has("normalises", forward.op) and not forward.attrs.get("is_test"):
            return forward if _nothing_arrives(trace, legs[place : first + 1]) else None
    return None


def _nothing_arrives(trace: Trace, legs: Sequence[Leg]) -> bool:
    """Return whether of a gradient that goes back through these legs, the last one first, only rounding is left."""
    last = legs[-1].before
    going = None if last is None or last.dtype not in REAL else anything(last)
    for leg in reversed(legs[1:]):
        going = None if going is None or leg.before is None else _sent(trace, leg, {leg.before.id: going})
    before, after = legs[0].before, legs[0].after
    if going is None or before is None or after.dtype not in REAL:
        return False
    left = _sent(trace, legs[0], {before.id: going})
    return left is not None and _is_rounding(
        float(np.abs(left).max(initial=0)), float(np.abs(going).max(initial=0)), before, after
    )
