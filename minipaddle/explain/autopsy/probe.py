"""Whether anything gets through a gradient rule: it is run again on what might have come back instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from minipaddle.core.dtype import limits_of
from minipaddle.core.dtype.bfloat16 import as_array
from minipaddle.core.meta import Array
from minipaddle.explain.autopsy.way import Leg
from minipaddle.trace.events import Event, Trace, Value
from minipaddle.trace.replay import Missing, Replay

_ROUNDING = 64
_FAR = 64
_FLOATS = ("float16", "float32", "float64")
_NORMALISE = ("batch_norm", "layer_norm", "softmax", "log_softmax",
              "softmax_with_cross_entropy")  # fmt: skip


def anything(value: Value) -> Array:
    """Return numbers in the place of a value, none of them zero: the same in every run."""
    rng = np.random.default_rng(value.id)
    found = rng.uniform(0.5, 1.5, value.shape) * rng.choice([-1.0, 1.0], value.shape)
    return np.asarray(found, value.dtype)


def sent_back(trace: Trace, leg: Leg, others: Mapping[int, Array]) -> Array | None:
    """Return what a leg sends on where some values have `others` numbers; None if nobody can say.

    Of a rule that several gradients come back to, those that are not named are zero.
    """
    event = leg.event
    if event is None or leg.before is None or leg.after.id not in event.outputs:
        return None
    if event.kind == "accumulate":
        return others.get(leg.before.id)

    def numbers(id_: int) -> Array:
        value = trace.values[id_]
        if id_ in others:
            return others[id_]
        if id_ in event.inputs:
            return np.zeros(value.shape, value.dtype)
        if value.array is None:
            raise Missing(value.name)
        return value.array

    try:
        made = Replay(trace).outputs(event, numbers)[event.outputs.index(leg.after.id)]
    except Missing:
        return None
    return None if made is None else as_array(made)


def lets_nothing_through(trace: Trace, leg: Leg, reached: Array | None = None) -> bool | None:
    """Return whether a leg sends zeros on whatever comes back to it, or to what is `reached`; None: nobody knows."""
    if leg.before is None or leg.before.dtype not in _FLOATS:
        return None
    coming = anything(leg.before)
    found = sent_back(trace, leg, {leg.before.id: coming if reached is None else coming * reached})
    return None if found is None else not found.any()


def opens(trace: Trace, leg: Leg, factor: Value) -> bool:
    """Return whether a leg multiplies by `factor`: twice as large, it would send on twice as much, and not zeros."""
    if leg.before is None or not {leg.before.dtype, factor.dtype} <= {*_FLOATS}:
        return False
    coming, other = anything(leg.before), anything(factor)
    once, twice = (
        sent_back(trace, leg, {leg.before.id: coming, factor.id: one}) for one in (other, other + other)
    )
    if once is None or twice is None or not once.any():
        return False
    return bool(np.allclose(twice, once + once, rtol=1e-2, atol=1e-3 * float(np.abs(once).max(initial=0))))


def cancels(before: Value, after: Value) -> bool:
    """Return whether a gradient is a sum over axes whose terms leave only their rounding."""
    top = max(abs(before.stats.min), abs(before.stats.max))
    left = max(abs(after.stats.min), abs(after.stats.max))
    return after.dtype in _FLOATS and _is_rounding(left, top, before, after)


def _is_rounding(left: float, top: float, before: Value, after: Value) -> bool:
    """Return whether of terms as large as `top` only their rounding is `left`."""
    terms = before.stats.size // max(after.stats.size, 1)
    if terms < 2 or not top or not np.isfinite(left):
        return False
    return bool(left <= _ROUNDING * limits_of(after.dtype).eps * top * np.sqrt(terms))


def leaves_rounding(trace: Trace, leg: Leg) -> bool:
    """Return whether what came back cancels in a rule that lets other gradients of its size through."""
    before, after = leg.before, leg.after
    if (
        before is None
        or before.dtype not in _FLOATS
        or after.dtype not in _FLOATS
        or not before.stats.rms > 0
    ):
        return False
    other = sent_back(trace, leg, {before.id: np.asarray(before.stats.rms * anything(before), before.dtype)})
    usual = (
        0.0 if other is None or not other.size else float(np.sqrt(np.mean(np.square(other, dtype="float64"))))
    )
    return usual > 0 and after.stats.rms <= _ROUNDING * limits_of(after.dtype).eps * usual


def removed_by(trace: Trace, legs: Sequence[Leg], place: int) -> Event | None:
    """Return the normalisation or softmax whose rule leaves nothing of any gradient when it has come to leg `place`.

    It is tried out: another gradient goes back through that rule, and all that follow.
    """
    for first in range(place + 1, min(place + _FAR, len(legs))):
        made = legs[first].event
        forward = None if made is None else trace.differentiated(made)
        if forward is not None and forward.op in _NORMALISE and not forward.attrs.get("is_test"):
            return forward if _nothing_arrives(trace, legs[place : first + 1]) else None
    return None


def _nothing_arrives(trace: Trace, legs: Sequence[Leg]) -> bool:
    """Return whether of a gradient that goes back through these legs, the last one first, only rounding is left."""
    last = legs[-1].before
    going = None if last is None or last.dtype not in _FLOATS else anything(last)
    for leg in reversed(legs[1:]):
        going = None if going is None or leg.before is None else sent_back(trace, leg, {leg.before.id: going})
    before, after = legs[0].before, legs[0].after
    if going is None or before is None or after.dtype not in _FLOATS:
        return False
    left = sent_back(trace, legs[0], {before.id: going})
    return left is not None and _is_rounding(
        float(np.abs(left).max(initial=0)), float(np.abs(going).max(initial=0)), before, after
    )
