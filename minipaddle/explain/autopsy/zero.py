"""Why the gradient of a leaf is zero: the event that was given something and sent nothing on."""

from __future__ import annotations

import numpy as np

from minipaddle.core.dtype import limits_of
from minipaddle.core.meta import Array
from minipaddle.explain.autopsy.missing import Reason
from minipaddle.explain.autopsy.one_pass import OnePass
from minipaddle.explain.autopsy.way import Leg, way_to
from minipaddle.trace.events import Event, Value
from minipaddle.words.events import blamed
from minipaddle.words.language import say
from minipaddle.words.numbers import line_text

_FLAT = ("sign", "floor", "ceil", "round", "trunc")
_CUT_OFF = ("relu6", "clip", "brelu", "hard_sigmoid", "hard_shrink", "softshrink")
_LEVELS_OUT = (
    "sigmoid",
    "tanh",
    "softmax",
    "log_softmax",
    "logsigmoid",
    "gelu",
    "silu",
    "swish",
    "elu",
    "selu",
)
_NORMALISE = ("batch_norm", "layer_norm", "softmax", "log_softmax",
              "softmax_with_cross_entropy")  # fmt: skip
_ROUNDING = 64
_FAR = 64


def is_zero(value: Value) -> bool:
    """Return whether all elements are known to be zero."""
    return bool(value.stats.size) and value.stats.zeros == value.stats.size


def why_zero(one: OnePass, leaf: Value, gradient: Value) -> Reason:
    """Return why a leaf got zeros."""
    for leg in way_to(one, gradient):
        if leg.before is None or not is_zero(leg.before):
            return _of_leg(one, leaf, leg)
    return Reason(say("the gradient of {name} is zero", name=leaf.name))


def _of_leg(one: OnePass, leaf: Value, leg: Leg) -> Reason:
    event, trace = leg.event, one.trace
    if event is None or leg.before is None:
        text = say("the gradient of {name} is zero: backward began with zeros", name=leaf.name)
        return Reason(text, None if one.marker is None else one.marker.where, one.marker)
    if event.kind == "enter":
        text = say(
            "the gradient of {name} is zero: a hook ({where}) gave zeros",
            name=leaf.name,
            where=line_text(event.where),
        )
        return Reason(text, event.where, event)
    if event.kind == "accumulate":
        users = [trace.maker(value) for value in trace.known(event.inputs)]
        names = " + ".join(blamed(trace, user).title for user in users if user is not None)
        text = say(
            "the gradient of {name} is zero: what came back to {value} cancels ({users})",
            name=leaf.name,
            value=trace.owner(leg.after).name,
            users=names,
        )
        return Reason(text, blamed(one.trace, event).where, event)
    forward = trace.differentiated(event)
    if forward is None:
        text = say("the gradient of {name} is zero from {op} on", name=leaf.name, op=event.title)
        return Reason(text, event.where, event)
    return _of_rule(one, leaf, leg, event, forward)


def _of_rule(one: OnePass, leaf: Value, leg: Leg, event: Event, forward: Event) -> Reason:
    """Return what a rule made zeros of, and why."""
    trace, op, where = one.trace, forward.title, line_text(forward.where)
    of = trace.value(leg.after.of)
    said: dict[str, object] = {"name": leaf.name, "op": op, "where": where}
    place = event.outputs.index(leg.after.id) if leg.after.id in event.outputs else 0
    if event.parts[place : place + 1] == [()] and of is not None:
        text = say(
            "the gradient of {name} is zero: {op}.backward ({where}) returned None for {value}",
            **said, value=of.name,
        )  # fmt: skip
        return Reason(text, forward.where, event)
    if forward.op == "pylayer":
        return Reason(
            say("the gradient of {name} is zero: {op}.backward ({where}) gave zeros", **said),
            forward.where,
            event,
        )
    if of is None:
        return Reason(
            say("the gradient of {name} is zero from {op} ({where}) on", **said), forward.where, event
        )
    said |= {"value": of.name, "size": of.stats.size}
    if forward.op in _FLAT:
        text = say("the gradient of {name} is zero: {op} ({where}) is flat everywhere", **said)
    elif forward.op == "relu":
        text = say(
            "the gradient of {name} is zero: {op} ({where}) is dead, all {size} elements of {value} are at most 0",
            **said,
        )
    elif forward.op in _CUT_OFF:
        text = say(
            "the gradient of {name} is zero: {op} ({where}) cuts off all {size} elements of {value}", **said
        )
    elif forward.op in _LEVELS_OUT and leg.before is not None and leg.after.shape == leg.before.shape:
        text = say(
            "the gradient of {name} is zero: {op} ({where}) is saturated at all {size} elements of {value}",
            **said,
        )
    elif (factor := _zero_factor(one, forward, of)) is not None:
        return _of_factor(one, leaf, forward, event, factor)
    elif leg.before is not None and cancels(leg.before, leg.after):
        return _of_cancelling(one, leaf, forward, event, of, leg)
    else:
        text = say(
            "the gradient of {name} is zero from {op} ({where}) on, which sends nothing to {value}", **said
        )
    return Reason(text, forward.where, event)


def _zero_factor(one: OnePass, forward: Event, of: Value) -> Value | None:
    """Return another input of a call that is all zero: it multiplies, or weighs."""
    others = (value for value in one.trace.known(forward.inputs) if value.id != of.id)
    return next((value for value in others if is_zero(value) and value.dtype.startswith("float")), None)


def _of_factor(one: OnePass, leaf: Value, forward: Event, event: Event, factor: Value) -> Reason:
    """Return the reason that something else is zero; where that learns itself, this is only the first step."""
    store = one.stores.get(factor.holder)
    got = None if store is None else one.arrived(store)
    learns = got is not None and not is_zero(got)
    made = one.trace.maker(factor)
    text = say(
        "the gradient of {name} is zero: {op} ({where}) multiplies it by {factor}, which is all zero",
        name=leaf.name, op=forward.title, where=line_text(forward.where), factor=factor.name,
    )  # fmt: skip
    if learns:
        text += say("; that gets a gradient itself, so it will not stay so")
    elif made is not None and made.where is not None:
        text += f" ({made.title}, {line_text(made.where)})"
    return Reason(text, forward.where, event, meant=learns)


def cancels(before: Value, after: Value) -> bool:
    """Return whether a gradient is a sum over axes whose terms leave only their rounding."""
    terms = before.stats.size // max(after.stats.size, 1)
    top = max(abs(before.stats.min), abs(before.stats.max))
    left = max(abs(after.stats.min), abs(after.stats.max))
    if terms < 2 or not top or not np.isfinite(left) or after.dtype not in ("float16", "float32", "float64"):
        return False
    return bool(left <= _ROUNDING * limits_of(after.dtype).eps * top * np.sqrt(terms))


def _of_cancelling(one: OnePass, leaf: Value, forward: Event, event: Event, of: Value, leg: Leg) -> Reason:
    after = normalised_after(one, forward)
    said = {"name": leaf.name, "op": forward.title, "where": line_text(forward.where), "value": of.name}
    if after is None:
        text = say(
            "the gradient of {name} is zero: the parts of it that {op} ({where}) adds up cancel", **said
        )
        return Reason(text, forward.where, event)
    text = say(
        "the gradient of {name} is zero by algebra: {after} ({at}) takes away what {name} adds",
        **said, after=after.title, at=line_text(after.where),
    )  # fmt: skip
    return Reason(text, after.where, event, meant=True)


def normalised_after(one: OnePass, forward: Event) -> Event | None:
    """Return the next normalisation or softmax that what `forward` made goes into; None if there is none."""
    waiting = [id_ for id_ in forward.outputs if id_ is not None]
    for id_ in waiting:
        for event in one.readers.get(id_, ()) if len(waiting) < _FAR else ():
            if event.op in _NORMALISE and not event.attrs.get("is_test"):
                return event
            waiting += [out for out in event.outputs if out is not None and out not in waiting]
    return None


def count_of_flat(array: Array, op: str) -> int:
    """Return at how many elements of what went into an activation it is flat, or nearly."""
    if op == "relu":
        return int((array <= 0).sum())
    if op in ("sigmoid", "tanh"):
        return int((np.abs(array) > (8 if op == "sigmoid" else 4)).sum())
    return 0


def share_of_flat(one: OnePass, forward: Event) -> str:
    """Return how many units are dead or saturated, as a clause; "" if none are, or nobody knows."""
    value = next(iter(one.trace.known(forward.inputs)), None)
    if value is None or value.array is None or not value.array.size:
        return ""
    count = count_of_flat(value.array, forward.op)
    word = say("dead") if forward.op == "relu" else say("saturated")
    return f", {count} of {value.array.size} {word}" if count else ""
