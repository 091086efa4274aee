"""What a gradient rule of a built-in operator did, and where its gradient came from."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from minipaddle.core.meta import Array
from minipaddle.core.operator import Operator
from minipaddle.core.rule import Rule, read
from minipaddle.explain.answer import Why
from minipaddle.explain.formula import fitting, last_expression, renamed, words
from minipaddle.explain.forward import INDEXING, index_text
from minipaddle.explain.lessons import about_rule
from minipaddle.explain.substitution import list_text, numbers_in
from minipaddle.trace.events import Event, Trace, Value
from minipaddle.words.events import place
from minipaddle.words.language import say
from minipaddle.words.numbers import shape_text

_FACTORS = ("elementwise_mul", "elementwise_div", "elementwise_pow", "pow", "matmul_v2", "mul", "prelu")
"""They multiply the gradient by a number that the user chose: where it is 1, that says nothing of the operator."""


class _Named(NamedTuple):
    """What a parameter of a rule stands for: how to call it, what it is, and a stand-in where it was not kept."""

    name: str
    value: Any
    stand_in: Any


def explain_rule(trace: Trace, op: Operator, rule: Rule, forward: Event, event: Event, answer: Why) -> None:
    """Add formula, numbers and sentences for the gradient of one input; nothing if it got none."""
    made = [value for id_ in rule.of(event.outputs) if (value := trace.value(id_)) is not None]
    if not made:
        return
    of = trace.value(forward.inputs[rule.input])
    if op.type in INDEXING and of is not None:
        _explain_reading(trace, forward, event, of, made[0], answer)
        return
    known = _arguments(trace, op, rule, forward, event)
    text = _without_needless_fit(rule, known, made[0])
    names = {name: one.name for name, one in known.items()}
    lines = renamed(text, names)
    answer.rule += [*lines[:-1], f"{', '.join(value.name for value in made)} = {lines[-1]}"]
    arrays = {name: one.value for name, one in known.items()}
    kept = all(one.value is not None or one.stand_in is None for one in known.values())
    if len(made) == 1 and made[0].array is not None and kept:
        space = words() if rule.formulas else {**words(), **rule.function.__globals__}
        at = numbers_in(text, arrays, made[0].array, made[0].name, space)
        answer.numbers += [at] if at else []
    answer.says += _sentences(trace, forward, trace.known(event.inputs), made[0], of, text)


def _explain_reading(trace: Trace, forward: Event, event: Event, of: Value, made: Value, answer: Why) -> None:
    """Say of an index where the gradient goes: its rule is an operator that nobody would write."""
    arrays = [value.name for value in trace.known(forward.inputs[1:])]
    index = index_text(str(forward.attrs["index"]), [", ".join(arrays)] if arrays else [])
    coming = trace.known(event.inputs)[0]
    answer.rule.append(
        f"{made.name} = zeros({shape_text(of)}), and {coming.name} {shape_text(coming)} added at [{index}]"
    )
    answer.says.append(
        say("what came in goes to the elements [{index}] that were read; the others get zero", index=index)
    )


def where_it_came_from(trace: Trace, event: Event, forward: Event) -> list[str]:
    """Say of a gradient that no rule made whether backward began with it, or a hook put it there."""
    sentences = []
    for value in trace.known(event.inputs):
        if value.producer is not None or value.of not in forward.outputs:
            continue
        replaced = said_of_hooks(trace, event, value)
        if replaced:
            sentences.append(replaced)
        elif value.array is not None and bool((value.array == 1).all()):
            sentences.append(say("backward starts here, with {name} = 1", name=value.name))
        else:
            sentences.append(say("backward starts here, with the {name} that it was given", name=value.name))
    return sentences


def said_of_hooks(trace: Trace, event: Event, value: Value) -> str:
    """Say that a hook has replaced a gradient that `event` takes; nothing if none has."""
    hook = _hook_that_replaced(trace, value)
    if hook is None:
        return ""
    at = f" ({place(hook)})" if hook.where else ""
    return say("{hook} replaced {name} before it came here", hook=f"{_hook_name(hook)}{at}", name=value.name)


def _hook_that_replaced(trace: Trace, value: Value) -> Event | None:
    """Return the first thing that the hook did which made `value` of another gradient; None if none did."""
    if value.replaces is None:
        return None
    for leave in trace.events:
        if leave.kind == "leave" and leave.op == "hook" and value.same in leave.outputs:
            enter = trace.events[leave.origin or 0]
            body = trace.events[enter.index + 1 : leave.index]
            return next((one for one in body if one.where is not None), enter)
    return None


def _hook_name(inside: Event) -> str:
    return say("a hook") if inside.kind != "enter" else f"hook {inside.title}"


# -- what the rule received ---------------------------------------------------------------------------------------


def _arguments(trace: Trace, op: Operator, rule: Rule, forward: Event, event: Event) -> dict[str, _Named]:
    """Return what each parameter of the rule stands for."""
    coming = [_coming(trace, id_, out) for id_, out in zip(event.inputs, forward.outputs)]
    grads = [_as_list(coming)] if op.list_output else [coming[index] for index in op.differentiable]
    view = _Recorded(trace, forward)
    kept: list[_Named] = []
    for source in rule.sources:
        found = read(source, view)
        kept.append(_list_of(source.kind, found) if source.many else found)
    return dict(zip(rule.parameters, grads + kept))


def _coming(trace: Trace, id_: int | None, output: int | None) -> _Named:
    """Return a gradient that came in; zeros where none did."""
    value = trace.value(id_)
    if value is not None:
        return _of_value(value)
    made = trace.value(output)
    zeros = np.zeros(made.shape, made.dtype) if made is not None else None
    return _Named("0", zeros, zeros)


class _Recorded:
    """The view of a recorded call: each value with its name."""

    def __init__(self, trace: Trace, event: Event) -> None:
        self.trace = trace
        self.event = event
        self.count = len(event.inputs)

    def _input(self, place: int) -> Value | None:
        return self.trace.value(self.event.inputs[place]) if place < self.count else None

    def input(self, place: int) -> _Named:
        return _of_value(self._input(place))

    def output(self, place: int) -> _Named:
        return _of_value(self.trace.value(self.event.outputs[place]))

    def shape(self, place: int) -> _Named:
        value = self._input(place)
        return _NOTHING if value is None else _Named(shape_text(value), value.shape, value.shape)

    def dtype(self, place: int) -> _Named:
        value = self._input(place)
        if value is None:
            return _NOTHING
        return _Named(value.dtype, np.dtype(value.dtype), np.dtype(value.dtype))

    def stretched(self, place: int) -> _Named:
        made, shape = self.trace.value(self.event.outputs[0]), self.shape(place)
        return _NOTHING if made is not None and shape.value == made.shape else shape

    def attr(self, name: str) -> _Named:
        attr = self.event.attrs.get(name)
        return _Named(list_text(attr), attr, None)


_NOTHING = _Named("None", None, None)


def _list_of(kind: str, items: Sequence[_Named]) -> _Named:
    """Return what a parameter that stands for the whole list slot holds."""
    there = [item for item in items if item is not _NOTHING]
    if kind == "input":
        return _as_list(there)
    values = [item.value for item in there]
    return _Named(str([list(one) if kind == "shape" else one.name for one in values]), values, values)


def _as_list(items: Sequence[_Named]) -> _Named:
    values = [item.value for item in items]
    whole = None if any(value is None for value in values) else values
    return _Named(f"[{', '.join(item.name for item in items)}]", whole, [item.stand_in for item in items])


def _of_value(value: Value | None) -> _Named:
    if value is None:
        return _NOTHING
    return _Named(value.name, value.array, _stand_in(value) if value.array is None else value.array)


def _stand_in(value: Value) -> Array:
    """Return numbers in the place of numbers that were not kept, to find the formula that fits."""
    dtype = np.dtype(value.dtype)
    if dtype.kind != "f":
        return np.zeros(value.shape, dtype)
    return np.asarray(np.random.default_rng(value.id).uniform(0.2, 0.9, value.shape), dtype)


# -- the formula --------------------------------------------------------------------------------------------------


def _without_needless_fit(rule: Rule, known: dict[str, _Named], made: Value) -> str:
    """Return the rule's formula, with ``unbroadcast`` where something was broadcast, and only there."""
    text = fitting(rule, {name: one.stand_in for name, one in _standing(known).items()})
    expression = last_expression(text)
    if expression is None:
        return text
    grad = next(iter(known.values())).stand_in
    stretched = isinstance(grad, np.ndarray) and grad.shape != made.shape
    called = isinstance(expression, ast.Call) and ast.unparse(expression.func) == "unbroadcast"
    if called and isinstance(expression, ast.Call) and not stretched:
        return ast.unparse(expression.args[0])
    if rule.fit is not None and stretched and not called:
        return f"unbroadcast({text}, {shape_text(made)})"
    return text


def _standing(known: dict[str, _Named]) -> dict[str, _Named]:
    """Let attributes stand for themselves."""
    return {
        name: one if one.stand_in is not None else one._replace(stand_in=one.value)
        for name, one in known.items()
    }


# -- sentences ----------------------------------------------------------------------------------------------------


def _sentences(
    trace: Trace, forward: Event, coming: Sequence[Value], made: Value, of: Value | None, text: str
) -> list[str]:
    """Say in words what the rule did."""
    if not coming or of is None:
        return []
    said = about_rule(trace, forward, coming[0])
    arrived, going = coming[0].array, made.array
    if "unbroadcast" in text and len(coming[0].shape) >= len(of.shape) and coming[0].shape != of.shape:
        axes = ", ".join(map(str, _stretched(of.shape, coming[0].shape)))
        said.append(
            say(
                "{name} {shape} was broadcast to {wide}, so its gradient is summed over axis {axes} (unbroadcast)",
                name=of.name,
                shape=shape_text(of),
                wide=shape_text(coming[0]),
                axes=axes,
            )
        )
    if arrived is not None and going is not None and arrived.shape == going.shape:
        if bool((arrived == going).all()) and forward.op not in _FACTORS:
            said.append(say("{op} passes the gradient on to {name} as it is", op=forward.title, name=of.name))
        if "@" not in text and "sum(" not in text:  # element by element
            said += _about_zeros(forward, arrived, going, of)
    return said or [
        say(
            "chain rule: how {op} changes with {name}, times {gradient}",
            op=forward.title,
            name=of.name,
            gradient=coming[0].name,
        )
    ]


def _stretched(small: Sequence[int], large: Sequence[int]) -> list[int]:
    """Return the axes of `large` along which `small` was repeated."""
    extra = len(large) - len(small)
    return [axis for axis in range(len(large)) if axis < extra or small[axis - extra] != large[axis]]


def _about_zeros(forward: Event, arrived: Array, going: Array, of: Value) -> list[str]:
    """Say how many elements of the gradient died here, and of what."""
    died = (going == 0) & (arrived != 0)
    count = int(died.sum())
    if not count:
        return []
    some = {"count": count, "size": going.size, "name": of.name, "op": forward.title}
    if forward.op == "relu" and of.array is not None and bool((of.array[died] <= 0).all()):
        return [
            say(
                "{count} of {size} elements become zero: there {name} was not positive, and relu is flat",
                **some,
            )
        ]
    return [say("{count} of {size} elements become zero: there, {op} does not change with {name}", **some)]
