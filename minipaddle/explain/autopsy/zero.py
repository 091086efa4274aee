"""Why the gradient of a leaf is zero: the event that was given something and sent nothing on."""

from __future__ import annotations

from minipaddle.explain.autopsy.missing import Reason
from minipaddle.explain.autopsy.one_pass import OnePass
from minipaddle.explain.autopsy.probe import cancels, lets_nothing_through, opens, removed_by
from minipaddle.explain.autopsy.way import Leg, way_to
from minipaddle.trace.events import Event, Trace, Value
from minipaddle.words.events import blamed
from minipaddle.words.language import say
from minipaddle.words.numbers import line_text

_FLAT = ("sign", "floor", "ceil", "round", "trunc")
_CUT_OFF = ("relu6", "clip", "brelu", "hard_sigmoid", "hard_shrink", "softshrink")
_LEVELS_OUT = ("sigmoid", "tanh", "softmax", "log_softmax", "logsigmoid",
               "gelu", "silu", "swish", "elu", "selu")  # fmt: skip


def is_zero(value: Value) -> bool:
    """Return whether all elements are known to be zero."""
    return bool(value.stats.size) and value.stats.zeros == value.stats.size


def why_zero(one: OnePass, leaf: Value, gradient: Value) -> Reason:
    """Return why a leaf got zeros."""
    legs = way_to(one, gradient)
    for place, leg in enumerate(legs):
        if leg.before is None or not is_zero(leg.before):
            return _of_leg(one, leaf, legs, place)
    return Reason(say("the gradient of {name} is zero", name=leaf.name))


def _of_leg(one: OnePass, leaf: Value, legs: list[Leg], place: int) -> Reason:
    """Return what made zeros of the gradient that came to the leg at `place`."""
    leg = legs[place]
    event, trace = leg.event, one.trace
    if leg.after.seed:
        text = say("the gradient of {name} is zero: backward began with zeros", name=leaf.name)
        return Reason(text, None if one.marker is None else one.marker.where, one.marker)
    if event is not None and not event.was_taken:
        branch = blamed(trace, event).where
        text = say(
            "the gradient of {name} is zero: the branch at {where} did not run",
            name=leaf.name, where=line_text(branch),
        )  # fmt: skip
        return Reason(text, branch, event)
    if event is None or leg.before is None:
        return Reason(say("the gradient of {name} is zero", name=leaf.name))
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
    return _of_rule(one, leaf, legs, place, event, forward)


def _of_rule(one: OnePass, leaf: Value, legs: list[Leg], place: int, event: Event, forward: Event) -> Reason:
    """Return what a rule made zeros of, and why."""
    leg, op = legs[place], forward.title
    trace, of = one.trace, one.trace.value(leg.after.of)
    said: dict[str, object] = {"name": leaf.name, "op": op, "where": line_text(forward.where)}
    slot = event.outputs.index(leg.after.id) if leg.after.id in event.outputs else 0
    if event.parts[slot : slot + 1] == [()] and of is not None:
        text = say(
            "the gradient of {name} is zero: {op}.backward ({where}) returned None for {value}",
            **said, value=of.name,
        )  # fmt: skip
    elif forward.op == "pylayer":
        text = say("the gradient of {name} is zero: {op}.backward ({where}) gave zeros", **said)
    elif of is None:
        text = say("the gradient of {name} is zero from {op} ({where}) on", **said)
    elif (closed := lets_nothing_through(trace, leg)) and (factor := _zero_factor(trace, leg, forward, of)):
        return _of_factor(one, leaf, forward, event, factor)
    elif closed:
        text = _closed(forward.op, of, said)
    elif closed is False and leg.before is not None:
        return _of_what_came(trace, leaf, legs, place, forward, of, leg.before)
    else:
        text = say(
            "the gradient of {name} is zero from {op} ({where}) on, which sends nothing to {value}",
            **said, value=of.name,
        )  # fmt: skip
    return Reason(text, forward.where, event)


def _closed(op: str, of: Value, said: dict[str, object]) -> str:
    """Return the sentence on an operator that lets nothing through, whatever comes back to it."""
    said = said | {"value": of.name, "size": of.stats.size}
    if op in _FLAT:
        return say("the gradient of {name} is zero: {op} ({where}) is flat everywhere", **said)
    if op == "relu":
        return say(
            "the gradient of {name} is zero: {op} ({where}) is dead, all {size} elements of {value} are at most 0",
            **said,
        )
    if op in _CUT_OFF:
        return say(
            "the gradient of {name} is zero: {op} ({where}) cuts off all {size} elements of {value}", **said
        )
    if op in _LEVELS_OUT:
        return say(
            "the gradient of {name} is zero: {op} ({where}) is saturated at all {size} elements of {value}",
            **said,
        )
    return say(
        "the gradient of {name} is zero: {op} ({where}) lets nothing through to {value}, whatever comes back",
        **said,
    )


def _of_what_came(
    trace: Trace, leaf: Value, legs: list[Leg], place: int, forward: Event, of: Value, before: Value
) -> Reason:
    """Return why a rule that is open made zeros of what came back to it."""
    said = {"name": leaf.name, "op": forward.title, "where": line_text(forward.where), "value": of.name}
    event, reached = legs[place].event, None if before.array is None else before.array != 0
    if reached is not None and lets_nothing_through(trace, legs[place], reached):
        text = say(
            "the gradient of {name} is zero: {count} of {size} elements of what came back to {op} ({where}) are not "
            "zero, and there {op} does not change with {value}",
            **said, count=int(reached.sum()), size=reached.size,
        )  # fmt: skip
        return Reason(text, forward.where, event)
    after = removed_by(trace, legs, place) if cancels(before, legs[place].after) else None
    if after is not None:
        return by_algebra(leaf, after, event)
    return cancelled(leaf, forward, event, exactly=True)


def cancelled(leaf: Value, forward: Event, event: Event | None, exactly: bool = False) -> Reason:
    """Return the reason of a gradient of which a rule that is open leaves nothing, or rounding."""
    of = {"name": leaf.name, "op": forward.title, "where": line_text(forward.where)}
    text = say(
        "the gradient of {name} is zero but for rounding: what came back to {op} ({where}) cancels in its rule",
        **of,
    )
    if exactly:
        text = say(
            "the gradient of {name} is zero: what came back to {op} ({where}) cancels in its rule", **of
        )
    return Reason(text, forward.where, event)


def by_algebra(leaf: Value, after: Event, event: Event | None) -> Reason:
    """Return the reason of a gradient that a normalisation leaves nothing of: it is meant so."""
    text = say(
        "the gradient of {name} is zero by algebra: {after} ({at}) does not change with {name}",
        name=leaf.name,
        after=after.title,
        at=line_text(after.where),
    )
    return Reason(text, after.where, event, meant=True)


def _zero_factor(trace: Trace, leg: Leg, forward: Event, of: Value) -> Value | None:
    """Return another input of a call that is all zero, and without which something would get through."""
    others = (value for value in trace.known(forward.inputs) if value.id != of.id and is_zero(value))
    return next((value for value in others if opens(trace, leg, value)), None)


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
        text += say("; that gets a gradient itself, so that a step can change it")
    elif made is not None and made.where is not None:
        text += f" ({made.title}, {line_text(made.where)})"
    return Reason(text, forward.where, event, meant=learns)
