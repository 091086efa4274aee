"""Why a number is what it is: the rule as a formula, the formula with this node's numbers, and one plain sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minipaddle.core.meta import Array
from minipaddle.core.mode import EAGER, within
from minipaddle.core.operator import TABLE, Operator
from minipaddle.core.plan import Rule, Source
from minipaddle.debug.formula import formula, parameters
from minipaddle.debug.session import Session
from minipaddle.trace.events import Event, Value
from minipaddle.viz.text import number, shape_text

__all__ = ["Why", "why"]


@dataclass
class Why:
    """The answer."""

    rule: list[str] = field(default_factory=list)
    """The formula, in the user's names."""
    numbers: list[str] = field(default_factory=list)
    """The formula with numbers put in, for one element where there are many."""
    says: list[str] = field(default_factory=list)
    """Plain sentences."""


def why(session: Session, event: Event | None = None) -> Why:
    """Explain an event (the one under the cursor by default)."""
    event = event or session.event
    explain = {
        "op": _why_op,
        "update": _why_op,
        "grad": _why_grad,
        "accumulate": _why_accumulate,
        "store": _why_store,
        "enter": _why_enter,
        "error": lambda session, event: Why(says=[event.note]),
    }
    return explain[event.kind](session, event)


# -- forward ------------------------------------------------------------------------------------------------------


def _why_op(session: Session, event: Event) -> Why:
    answer = Why()
    outputs = session.values(event.outputs)
    op = TABLE.get(event.op)
    if op is None:
        answer.says.append(f"{event.title} is the user's own PyLayer: `step` goes into its forward")
    else:
        names = _forward_names(session, op, event)
        made = ", ".join(value.name for value in outputs)
        lines = formula(op.kernel, names)
        answer.rule = [*lines[:-1], f"{made} = {lines[-1]}"]
        if op.__doc__:
            answer.says.append(op.__doc__.strip().splitlines()[0])
    kept = dict.fromkeys(session.trace.values[id_].name for id_ in event.saved)
    if kept:
        answer.says.append(f"kept for backward: {', '.join(kept)}")
    elif all(value.stop_gradient for value in outputs):
        answer.says.append("nothing is recorded here: no input wants a gradient, or recording is off")
    else:
        answer.says.append("nothing needs to be kept for backward")
    return answer


def _forward_names(session: Session, op: Operator, event: Event) -> dict[str, str]:
    names = {attr: repr(value) for attr, value in event.attrs.items()}
    inputs = [session.trace.value(id_) for id_ in event.inputs]
    for position, name in enumerate(op.input_names):
        if name == op.list_slot:
            names[name] = "[" + ", ".join(value.name for value in inputs[position:] if value) + "]"
        elif position < len(inputs):
            value = inputs[position]
            names[name] = value.name if value else "None"
    return names


# -- backward -----------------------------------------------------------------------------------------------------


def _why_grad(session: Session, event: Event) -> Why:
    if event.origin is None:
        return Why(says=["the forward call of this gradient was not recorded"])
    forward = session.trace.events[event.origin]
    op = TABLE.get(forward.op)
    if op is None:
        return _why_py_layer(session, event)
    answer = Why()
    for rule in op.rules:
        for position in _answered(rule, event):
            _explain_rule(session, op, rule, forward, event, position, answer)
    if not answer.rule:
        answer.says.append("no input of this operator wants a gradient")
    return answer


def _answered(rule: Rule, event: Event) -> list[int]:
    places = range(len(event.outputs))[rule.input :] if rule.is_list else range(rule.input, rule.input + 1)
    found = [place for place in places if place < len(event.outputs) and event.outputs[place] is not None]
    return found[:1]


def _explain_rule(
    session: Session, op: Operator, rule: Rule, forward: Event, event: Event, position: int, answer: Why
) -> None:
    """Add formula, numbers and a sentence for the gradient of one input."""
    result = session.trace.value(event.outputs[position])
    if result is None:
        return
    incoming = [value for value in map(session.trace.value, event.inputs) if value is not None]
    grads = parameters(rule.function)[: len(op.differentiable)]
    known = dict(zip(grads, incoming))
    arguments: dict[str, Any] = {name: value.array for name, value in known.items()}
    names = {name: value.name for name, value in known.items()}
    for name, source in zip(parameters(rule.function)[len(grads) :], rule.needs):
        names[name], arguments[name] = _kept_value(session, source, name, forward)
    lines = formula(rule.function, names)
    answer.rule += [*lines[:-1], f"{result.name} = {lines[-1]}"]
    at = _numbers_at(op, rule, names, arguments, result)
    if at:
        answer.numbers.append(at)
    answer.says += _sentences(forward, incoming, result, session.trace.value(forward.inputs[position]), op)


def _kept_value(session: Session, source: Source, name: str, forward: Event) -> tuple[str, Any]:
    """Return how to call what a rule's parameter stands for, and what it is."""
    trace = session.trace
    if source.kind == "attr":
        return repr(forward.attrs.get(name)), forward.attrs.get(name)
    if source.kind == "output":
        value = trace.value(forward.outputs[source.index])
    elif source.kind == "inputs":
        values = [trace.value(id_) for id_ in forward.inputs[source.index :]]
        return "[" + ", ".join(v.name for v in values if v) + "]", [v.array for v in values if v]
    else:
        value = trace.value(forward.inputs[source.index])
    if value is None:
        return "None", None
    if source.kind == "shape":
        return shape_text(value), value.shape
    if source.kind == "dtype":
        return value.dtype, np.dtype(value.dtype)
    return value.name, value.array


def _numbers_at(op: Operator, rule: Rule, names: dict[str, str], arguments: dict[str, Any], result: Value) -> str:
    """Put the numbers of one element into the formula, if the rule works element by element; else say nothing.

    Whether it does is tried, not believed: the rule is run on that one element and must give that very number.
    """
    array = result.array
    if array is None or not array.size or len(formula(rule.function, names)) != 1:
        return ""
    spot = np.unravel_index(int(np.argmax(np.abs(np.nan_to_num(array)))), array.shape)
    single: dict[str, Any] = {}
    for name, value in arguments.items():
        if isinstance(value, np.ndarray):
            if value.shape != array.shape:
                return ""
            single[name] = value[spot]
        else:
            single[name] = () if isinstance(value, tuple) and value == array.shape else value
    try:
        with within(EAGER.reading()):
            again = rule.function(*[np.asarray(v) if isinstance(v, np.generic) else v for v in single.values()])
    except Exception:  # the rule needs whole arrays
        return ""
    if not np.allclose(again, array[spot], rtol=1e-5, atol=1e-7, equal_nan=True):
        return ""
    texts = {name: number(float(v)) if isinstance(v, np.generic) else str(v) for name, v in single.items()}
    place = f" at [{', '.join(str(int(i)) for i in spot)}]" if array.size > 1 else ""
    return f"{result.name}{place} = {formula(rule.function, texts)[0]} = {number(float(array[spot]))}"


def _sentences(forward: Event, incoming: Sequence[Value], result: Value, of: Value | None, op: Operator) -> list[str]:
    """Say in words what the rule did."""
    coming = incoming[0] if incoming else None
    if coming is None or of is None:
        return []
    sentences = []
    if len(coming.shape) >= len(of.shape) and coming.shape != of.shape and op.infer.__name__ == "broadcast":
        axes = _stretched(of.shape, coming.shape)
        sentences.append(
            f"{of.name} {shape_text(of)} was broadcast to {shape_text(coming)}, so its gradient is summed over "
            f"axis {', '.join(map(str, axes))}"
        )
    if _same(coming.array, result.array):
        sentences.append(f"{forward.title} passes the gradient on to {of.name} as it is")
    sentences += _about_zeros(forward, coming.array, result.array, of)
    return sentences


def _stretched(small: Sequence[int], large: Sequence[int]) -> list[int]:
    extra = len(large) - len(small)
    return [axis for axis in range(len(large)) if axis < extra or small[axis - extra] != large[axis]]


def _same(one: Array | None, other: Array | None) -> bool:
    return one is not None and other is not None and one.shape == other.shape and bool((one == other).all())


def _about_zeros(forward: Event, coming: Array | None, going: Array | None, of: Value) -> list[str]:
    """Say how many elements of the gradient died here."""
    if coming is None or going is None or coming.shape != going.shape:
        return []
    died = int(((going == 0) & (coming != 0)).sum())
    if not died:
        return []
    return [f"{died} of {going.size} elements are zero: there, {forward.title} does not change with {of.name}"]


def _why_py_layer(session: Session, event: Event) -> Why:
    """For custom code: the user's own lines, with what they gave."""
    answer = Why(says=[f"{event.title}.backward is the user's own code: `step` goes into it"])
    if event.body is None:
        return answer
    enter, leave = event.body
    for inner in session.trace.events[enter:leave]:
        if inner.kind == "op" and inner.where is not None and inner.where.text not in answer.rule:
            answer.rule.append(inner.where.text)
    for value in session.values(event.outputs):
        answer.numbers.append(f"{value.name} {shape_text(value)}, norm {number(value.stats.norm)}")
    return answer


# -- the rest -----------------------------------------------------------------------------------------------------


def _why_accumulate(session: Session, event: Event) -> Why:
    before, newcomer = session.values(event.inputs)[:2]
    answer = Why(rule=[f"{newcomer.name} = {before.name} so far + what just arrived"])
    if before.array is not None and before.array.size == 1 and newcomer.array is not None:
        left, right = float(before.array.item()), float(newcomer.array.item())
        answer.numbers.append(f"{newcomer.name} = {number(left)} + {number(right)} = {number(left + right)}")
    what = newcomer.name.removesuffix("@GRAD")
    answer.says.append(f"{what} was used more than once, so the gradients that come back are added")
    return answer


def _why_store(session: Session, event: Event) -> Why:
    return Why(
        rule=[f"{event.title}.grad += {event.title}@GRAD"],
        says=[f"{event.title} is a leaf: its gradient stays here ({event.note})"],
    )


def _why_enter(session: Session, event: Event) -> Why:
    return Why(says=[f"the user's own code begins: {event.title}.{event.op}"])
