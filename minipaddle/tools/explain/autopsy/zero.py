"""Why the gradient of a leaf is zero: the event that turned a nonzero gradient into zeros."""

from math import prod
from typing import Any

import numpy as np

from minipaddle.ops.definition.traits import Trait, has
from minipaddle.tools.explain.autopsy.missing import Reason, State
from minipaddle.tools.explain.autopsy.one_pass import Leg, OnePass, way_to
from minipaddle.tools.explain.sentences import anything
from minipaddle.tools.explain.user_source import integers_made
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.replay import Replay
from minipaddle.tools.words.events import ancestors, blamed, born_text, layer_text, place
from minipaddle.tools.words.language import phrase, say
from minipaddle.tools.words.numbers import all_zero, line_text, number, tally

ZERO = phrase("the gradient of {name} is zero").sentence
_CANCELS = phrase("what came back to {op} ({where}) cancels in its rule").sentence


def why_zero(one: OnePass, leaf: Value, gradient: Value) -> Reason:
    """Return the reason why a leaf's gradient is zero."""
    made = (leg for leg in way_to(one, gradient) if leg.before is None or not all_zero(leg.before.stats))
    leg = next(made, None)
    return State(leaf).because(ZERO) if leg is None else _of_leg(one, State(leaf, ZERO), leg)


def _of_leg(one: OnePass, zero: State, leg: Leg) -> Reason:
    """Return the reason why a leg turned a gradient into zeros."""
    event, trace = leg.event, one.trace
    if leg.after.seed:
        return zero.because("backward began with zeros", one.marker)
    if event is not None and leg.before is not None and not leg.before.stats.size:
        value = trace.owner(leg.before).name
        return zero.because("{value} has no elements ({where})", blamed(trace, event), event, value=value)
    if event is not None and not event.was_taken:
        branch = blamed(trace, event)
        return zero.because("the branch at {where} did not run", branch, event)
    if event is None or leg.before is None:
        return State(zero.leaf).because(ZERO)
    if event.kind == "enter":
        return zero.because("a hook ({where}) gave zeros", event)
    if event.kind == "accumulate":
        users = [
            blamed(trace, user) for user in map(trace.maker, trace.known(event.inputs)) if user is not None
        ]
        names = " + ".join(f"{user.title} ({place(user)})" for user in users)
        if zero.leaf.kind == "parameter" and (found := by_algebra(one, zero.leaf, event)) is not None:
            return found
        return zero.because(
            "what came back to {value} cancels ({users})",
            blamed(trace, event), event, value=trace.owner(leg.after).name, users=names,
        )  # fmt: skip
    forward = trace.differentiated(event)
    if forward is None:
        return State(zero.leaf).because("the gradient of {name} is zero from {op} on", event)
    return _of_rule(one, zero, leg, event, forward)


def _of_rule(one: OnePass, zero: State, leg: Leg, event: Event, forward: Event) -> Reason:
    """Return the reason why a gradient rule returned zeros."""
    trace, of = one.trace, one.trace.value(leg.after.of)
    slot = event.outputs.index(leg.after.id) if leg.after.id in event.outputs else 0
    if event.parts[slot : slot + 1] == [()] and of is not None:
        return zero.because(
            "{op}.backward returned None for {value} (applied at {where})", forward, event, value=of.name
        )
    if forward.is_custom:
        return zero.because("{op}.backward ({where}) gave zeros", forward, event)
    if of is None:
        return State(zero.leaf).because(
            "the gradient of {name} is zero from {op} ({where}) on", forward, event
        )
    if np.dtype(leg.after.dtype).kind in "iu":
        return zero.because(
            "{value} is {dtype}, and its gradient is, too: {op} ({where}) makes 0 of all that is below 1",
            forward, event, value=of.name, dtype=leg.after.dtype,
        )  # fmt: skip
    closed = leg.lets_nothing_through(trace)
    zeros = (value for value in trace.known(forward.inputs) if all_zero(value.stats))
    if closed and (factor := next((value for value in zeros if leg.multiplies_by(trace, value)), None)):
        return _of_factor(one, zero, forward, event, factor)
    size = of.shape[forward.attrs.get("begin_norm_axis", forward.attrs.get("axis", -1)) :] if closed else ()
    if closed and has("normalises", forward.op) and prod(size or (0,)) == 1:
        return zero.because(
            "{op} ({where}) normalises single numbers, {value} {shape}: the result is the same whatever they are",
            forward, event, value=of.name, shape=list(of.shape),
        )  # fmt: skip
    if closed:
        kind = "dead" if forward.op == "relu" else next((one for one in _TRAITS if has(one, forward.op)), "")
        if forward.op == "dropout" and forward.attrs.get("p") == 1:
            return zero.because("{op} ({where}) drops every element: its p is 1", forward, event)
        since = _of_bias(trace, of)
        return zero.because(
            _CLOSED[kind].sentence, forward, event, value=of.name, layer=layer_text(forward), since=since
        )
    if closed is False and leg.before is not None:
        return _of_what_came(one, zero, leg, forward, of, leg.before)
    return State(zero.leaf).because(
        "the gradient of {name} is zero from {op} ({where}) on, which sends nothing to {value}",
        forward, event, value=of.name,
    )  # fmt: skip


_TRAITS: tuple[Trait, ...] = ("flat", "cuts off", "levels out")
_CLOSED = {
    "flat": phrase("{op} ({where}) is flat everywhere"),
    "dead": phrase("{op} ({where}{layer}) is dead: no element of {value} is above 0{since}"),
    "cuts off": phrase("{op} ({where}) cuts off {value} at every element"),
    "levels out": phrase("{op} ({where}) is saturated at every element of {value}"),
    "": phrase("{op} ({where}) lets nothing through to {value}, whatever comes back"),
}
"""The sentence about an operator with zero gradient, by its trait; ``dead`` is relu."""


def _zeros_from(trace: Trace, value: Value) -> str:
    """Return what first made a value of zeros, and where; of data also the lines that make integers."""
    made = trace.maker(value)
    while made is not None and made.inputs and all_zero(trace.known(made.inputs)[0].stats):
        value = trace.known(made.inputs)[0]
        made = trace.maker(value)
    if made is not None:
        return f" ({made.title}, {line_text(made.where)})"
    lines = tally(map(line_text, integers_made(trace)))
    return born_text(trace, value) + (say("; integers are made at {lines}", lines=lines) if lines else "")


def _of_bias(trace: Trace, value: Value) -> str:
    """Return what keeps all elements of a value from above 0, data of zeros or a bias, as a sentence's end; or ""."""
    made = trace.maker(value)
    parts = [] if made is None or made.op != "elementwise_add" else trace.known(made.inputs)
    for bias, other in (parts, parts[::-1]) if len(parts) == 2 else ():
        product = trace.maker(other)
        data = trace.known(product.inputs)[0] if product is not None and product.op == "matmul_v2" else None
        if data is not None and all_zero(data.stats):
            return say(": {data} is all zero{there}", data=data.name, there=_zeros_from(trace, data))
        if bias.kind == "parameter" and bias.stats.max < 0 < other.stats.max:
            ends = "…".join(dict.fromkeys((number(bias.stats.min), number(bias.stats.max))))
            return say(
                ": {bias} is {numbers} everywhere", bias=bias.name + born_text(trace, bias), numbers=ends
            )
    return ""


def _of_what_came(one: OnePass, zero: State, leg: Leg, forward: Event, of: Value, before: Value) -> Reason:
    """Return why a rule that can pass gradients on returned zeros for this gradient."""
    event, reached = leg.event, None if before.array is None else before.array != 0
    if reached is not None and leg.lets_nothing_through(one.trace, reached):
        return zero.because(
            "{count} of {size} elements of what came back to {op} ({where}) are not "
            "zero, and there {op} does not change with {value}",
            forward, event, value=of.name, count=int(reached.sum()), size=reached.size,
        )  # fmt: skip
    meant = by_algebra(one, zero.leaf, event) if zero.leaf.kind == "parameter" else None
    return meant or _cancelled(one, zero, forward, event)


_LOW = 1e-7
"""Below it a gradient is rounding."""


def by_algebra(one: OnePass, leaf: Value, event: Event | None) -> Reason | None:
    """Return the reason of a zero that is meant: the loss stays the same whatever numbers a leaf has.

    It names what does not change with the leaf: a normalisation, or any call if other leaves get a gradient.
    """
    replay, values, ends, moved = Replay(one.trace, in_double=True), one.trace.values, [], {leaf.id}
    if leaf.array is None:
        return None
    runs: list[dict[int, Any]] = [
        {leaf.id: leaf.array + shift * anything(leaf).astype("float64")} for shift in (0.0, 1e-3)
    ]

    def again(call: Event, now: dict[int, Any]) -> list[Any]:
        made = replay.outputs(call, lambda id_: now[id_] if id_ in now else np.asarray(values[id_].array))
        now |= {id_: array for id_, array in zip(call.outputs, made) if id_ is not None}
        return made

    for call in one.trace.events[: one.begin]:
        if call.kind == "op" and not moved.isdisjoint(call.inputs):
            try:
                made = zip(call.outputs, *[again(call, now) for now in runs])
            except Exception:  # what cannot run again stays unknown
                return None
            goes_on = {id_ for id_, a, b in made if id_ is not None and not np.allclose(a, b, 1e-10, 1e-12)}
            moved |= goes_on
            ends += [] if call.outputs[0] in goes_on else [call]
    if not ends or not moved.isdisjoint(root.id for root in one.roots):
        return None
    if not (_others_learn(one, leaf) or has("normalises", ends[0].op)):
        return None
    after, where = ends[0].title, line_text(ends[0].where)
    found = State(leaf, _BY_ALGEBRA).because(
        "{after} ({at}) does not change with {name}", ends[0], event, after=after, at=where
    )
    return found._replace(meant="by algebra")


_BY_ALGEBRA = phrase("the gradient of {name} is zero by algebra").sentence


def but_for_rounding(one: OnePass, leaf: Value, forward: Event, event: Event | None) -> Reason:
    """Return the reason of a gradient that cancels down to rounding in a rule."""
    but = State(leaf, phrase("the gradient of {name} is zero but for rounding").sentence)
    return by_algebra(one, leaf, event) or _cancelled(one, but, forward, event)


def _cancelled(one: OnePass, state: State, forward: Event, event: Event | None) -> Reason:
    """Return the reason that terms of both signs cancel in a rule, which is meant where other leaves learn."""
    found = state.because(_CANCELS, forward, event)
    return found._replace(meant="by algebra" if _others_learn(one, state.leaf) else "")


def _others_learn(one: OnePass, leaf: Value) -> bool:
    """Return whether another leaf gets a gradient that is more than rounding."""
    others = (one.arrived(store) for holder, store in one.stores.items() if holder != leaf.holder)
    return any(got is not None and got.stats.rms > _LOW for got in others)


def _is_learned(one: OnePass, value: Value) -> bool:
    """Return whether a leaf that decides a value gets a gradient that is not zero."""
    stores = (one.stores.get(each.holder) for each in ancestors(one.trace, value, requiring=True))
    came = (one.arrived(store) for store in stores if store is not None)
    return any(got is not None and not all_zero(got.stats) for got in came)


def _of_factor(one: OnePass, zero: State, forward: Event, event: Event, factor: Value) -> Reason:
    """Return the reason that `factor` is zero; if it gets a gradient itself, this holds for one step only."""
    learns = _is_learned(one, factor)
    trace, more = one.trace, ""
    found = zero.because(
        "{op} ({where}) multiplies it by {factor}, which is all zero", forward, event, factor=factor.name
    )
    if learns:
        more = (
            say("; that gets a gradient itself, so that a step can change it")
            if factor.producer is None
            else say("; what it is computed from gets gradients, so that a step can change it")
        )
    elif factor.kind == "parameter":
        own = (one for one in trace.values if one.holder == factor.holder and one.id < factor.id)
        if all(all_zero(one.stats) for one in own):
            more = say(" as it was made or initialized") + born_text(trace, factor)
    else:
        more, name = _zeros_from(trace, factor), factor.name.removesuffix("#1")
        begins = bool(trace.cut_off) and name != factor.name  # as a state that later steps go on with
        learns = begins and any(one.name.startswith(name) and not all_zero(one.stats) for one in trace.values)
    return found._replace(sentence=found.sentence + more, meant="at first" if learns else "", by_factor=True)
