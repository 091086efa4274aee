"""What a gradient rule of a built-in operator did, and where its gradient came from."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from minipaddle.core import rule as sources
from minipaddle.core.dtype import dtype_named
from minipaddle.core.dtype.bfloat16 import as_wide
from minipaddle.core.meta import Array
from minipaddle.core.operator import TABLE, Operator
from minipaddle.core.rule import Rule
from minipaddle.explain.answer import Why
from minipaddle.explain.elsewhere import Elsewhere
from minipaddle.explain.formula import (
    Known,
    explained,
    known_list,
    known_value,
    known_zeros,
    parameters,
    renamed,
    source,
)
from minipaddle.explain.symbols.element import holds
from minipaddle.explain.symbols.mode import read
from minipaddle.explain.symbols.places import Scatter
from minipaddle.explain.symbols.text import index_text, plain
from minipaddle.explain.symbols.tree import Apply, Cast, Matmul, Reduce, Tree, each
from minipaddle.trace.checked import BadRecording
from minipaddle.trace.events import Event, Trace, Value
from minipaddle.words.events import place
from minipaddle.words.language import say, spoken
from minipaddle.words.numbers import shape_text

_FACTORS = frozenset(("multiply", "divide", "power"))
"""Functions that take a gradient times a number of the user's: where that is 1, it says nothing of the operator."""


def explain_rule(trace: Trace, op: Operator, rule: Rule, forward: Event, event: Event, answer: Why) -> None:
    """Add formula, numbers and sentences for the gradient of one input; nothing if it got none."""
    per_input = [trace.value(id_) for id_ in rule.of(event.outputs)]
    made = [value for value in per_input if value is not None]
    if not made:
        return
    of = trace.value(forward.inputs[rule.input])
    known = _arguments(trace, op, rule, forward, event)
    formulas = _formulas(rule, known, per_input)
    if formulas is None:
        *rest, last = _lines(rule, known)
        answer.rule += [*rest, f"{', '.join(value.name for value in made)} = {last}"]
        answer.formulas |= {value.id: answer.rule[-1] for value in made}
    else:
        kept = all(one.kept for one in known.values())
        for value, tree in zip(made, formulas.trees):
            found = explained(value, tree, formulas.names)
            answer.rule += found.rule
            answer.formulas[value.id] = found.rule[-1]
            answer.numbers += found.numbers if kept else []
    first = formulas.trees[0] if formulas is not None else None
    elsewhere = Elsewhere(trace, event, made[0])
    answer.says += _sentences(trace, forward, trace.known(event.inputs), made[0], of, first, elsewhere)


def where_it_came_from(trace: Trace, event: Event, forward: Event) -> list[str]:
    """Return sentences for gradients that no rule made: backward began with them, or a hook put them there."""
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
    """Return the sentence that a hook has replaced a gradient that `event` takes; "" if none has."""
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


def _arguments(trace: Trace, op: Operator, rule: Rule, forward: Event, event: Event) -> dict[str, Known]:
    """Return what each parameter of the rule stands for.

    Raises:
        BadRecording: if fewer gradients came in than the operator has results.
    """
    coming = [_coming(trace, id_, out) for id_, out in zip(event.inputs, forward.outputs)]
    if not op.list_output and len(coming) <= max(op.differentiable, default=-1):
        raise BadRecording(f"event {event.index} is damaged: {op.name} has more results than that")
    grads = [known_list(coming)] if op.list_output else [coming[index] for index in op.differentiable]
    view = _Recorded(trace, forward)
    kept: list[Known] = []
    for needed in rule.sources:
        found = sources.read(needed, view)
        kept.append(known_list([one for one in found if one is not _NOTHING]) if needed.many else found)
    return dict(zip(rule.parameters, grads + kept))


def _coming(trace: Trace, id_: int | None, output: int | None) -> Known:
    """Return a gradient that came in; zeros where none did."""
    value, made = trace.value(id_), trace.value(output)
    if value is not None:
        return known_value(value)
    return known_zeros(made.shape, made.dtype) if made is not None else Known("0", 0.0)


_NOTHING = Known("None", None)


class _Recorded(sources.Call):
    """The view of a recorded call, which gives each value with its name."""

    def __init__(self, trace: Trace, event: Event) -> None:
        super().__init__(event.inputs, event.outputs, event.attrs)
        self.trace = trace
        self.event = event

    def _input(self, place: int) -> Value | None:
        return self.trace.value(self.event.inputs[place]) if place < self.count else None

    def input(self, place: int) -> Known:
        value = self._input(place)
        return _NOTHING if value is None else known_value(value)

    def output(self, place: int) -> Known:
        value = self.trace.value(self.event.outputs[place])
        return _NOTHING if value is None else known_value(value)

    def shape(self, place: int) -> Known:
        value = self._input(place)
        return _NOTHING if value is None else Known(shape_text(value), value.shape)

    def dtype(self, place: int) -> Known:
        value = self._input(place)
        return _NOTHING if value is None else Known(value.dtype, as_wide(dtype_named(value.dtype)))

    def stretched(self, place: int) -> Known:
        made, shape = self.trace.value(self.event.outputs[0]), self.shape(place)
        return _NOTHING if made is not None and shape.value == made.shape else shape

    def attr(self, name: str) -> Known:
        attr = self.event.attrs.get(name)
        return Known(plain(attr), as_wide(attr))


# -- the formula --------------------------------------------------------------------------------------------------


class _Formulas(NamedTuple):
    """A formula for each gradient that a rule made, and the rule's own names for parts of them."""

    trees: list[Tree]
    names: Mapping[Tree, str]


def _formulas(rule: Rule, known: Mapping[str, Known], made: Sequence[Value | None]) -> _Formulas | None:
    """Return what the rule computes, as written for people if that gives the same; None if no formula says it."""
    own = _read(rule, rule.over(_first(rule, known)), known, made)
    if rule.formula is None:
        return own
    written = _read(rule, rule.over(_first(rule, known), rule.formula), known, made)
    if written is None or own is None:
        return written or own
    kept = all(one.kept for one in known.values())
    same = kept or all(holds(one, np.asarray(other.value)) for one, other in zip(written.trees, own.trees))
    return written if same else own


def _first(rule: Rule, known: Mapping[str, Known]) -> Any:
    """Return the first gradient that comes in."""
    return known[rule.gradients[0]].value


def _lines(rule: Rule, known: Mapping[str, Known]) -> list[str]:
    """Return the rule as it is written, in the user's names."""
    names = {name: one.name for name, one in known.items()}
    if rule.over(_first(rule, known)) is rule.function:
        return renamed(source(rule.function), names)
    conjugate = {name: f"conj({names[name]})" for name in rule.gradients}
    *rest, last = renamed(source(rule.function), names | conjugate)
    return [*rest, f"conj({last})"]


def _read(
    rule: Rule, function: Callable[..., Any], known: Mapping[str, Known], made: Sequence[Value | None]
) -> _Formulas | None:
    """Return `function` read over symbols; None if that cannot be, or does not give what was recorded."""
    kept = all(one.kept for one in known.values())
    trees = []
    try:
        found = read(function, *[known[name].value for name in parameters(function)])
        for value, answer in zip(made, found.answer if rule.is_list else [found.answer], strict=True):
            if value is not None:
                if rule.unbroadcast is not None and answer.shape != value.shape:
                    answer = read(rule.unbroadcast, answer, value.shape).answer
                trees.append(answer.tree)
                if kept and value.array is not None and not holds(answer.tree, value.array):
                    return None
    except Exception:  # a rule that does what no formula can say
        return None
    return _Formulas(trees, found.names)


# -- sentences ----------------------------------------------------------------------------------------------------


def _sentences(
    trace: Trace,
    forward: Event,
    coming: Sequence[Value],
    made: Value,
    of: Value | None,
    tree: Tree | None,
    elsewhere: Elsewhere,
) -> list[str]:
    """Return sentences about what the rule did."""
    if not coming or of is None:
        return []
    said = _lesson(trace, forward, coming[0])
    arrived, going = coming[0].array, made.array
    if isinstance(tree, Scatter):
        index = index_text(tree.index.key)
        return [
            say(
                "what came in goes to the elements [{index}] that were read; the others get zero", index=index
            )
        ]
    parts = [] if tree is None else list(each(tree))
    summed = any(isinstance(part, Reduce) and part.kind == "sum" for part in parts)
    if summed and _was_broadcast(of.shape, coming[0].shape):
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
        if bool((arrived == going).all()) and not any(map(_is_product, parts)) and elsewhere.hands_on:
            said.append(say("{op} passes the gradient on to {name} as it is", op=forward.title, name=of.name))
        if not summed and not any(isinstance(part, Matmul) for part in parts):  # element by element
            said += _about_zeros(forward, (going == 0) & (arrived != 0) & elsewhere.is_zero(going.shape), of)
    return said or [
        say(
            "chain rule: how {op} changes with {name}, times {gradient}",
            op=forward.title,
            name=of.name,
            gradient=coming[0].name,
        )
    ]


def _is_product(part: Tree) -> bool:
    """Return whether a part of a formula multiplies by more than a mask."""
    if not isinstance(part, Apply) or part.name not in _FACTORS:
        return isinstance(part, Matmul)
    inner = [one.parts[0] if isinstance(one, Cast) else one for one in part.parts]
    return all(one.dtype.kind != "b" for one in inner)


def _lesson(trace: Trace, forward: Event, coming: Value) -> list[str]:
    """Return what a teacher would add to the gradient `coming` that goes through `forward`."""
    op = TABLE[forward.op]
    if op.lesson is None:
        return []
    outputs = zip(op.output_names, map(trace.value, forward.outputs))
    inputs = zip(op.input_names, map(trace.value, forward.inputs))
    known = {**op.defaults, **forward.attrs, **dict(outputs), **dict(inputs)}
    _, *wanted = inspect.signature(op.lesson).parameters
    return [spoken(one) for one in op.lesson(coming, *[known[name] for name in wanted])]


def _was_broadcast(small: tuple[int, ...], large: tuple[int, ...]) -> bool:
    """Return whether an array of shape `small` was repeated to `large`."""
    try:
        return small != large and np.broadcast_shapes(small, large) == tuple(large)
    except ValueError:
        return False


def _stretched(small: Sequence[int], large: Sequence[int]) -> list[int]:
    """Return the axes of `large` along which `small` was repeated."""
    extra = len(large) - len(small)
    return [axis for axis in range(len(large)) if axis < extra or small[axis - extra] != large[axis]]


def _about_zeros(forward: Event, died: Array, of: Value) -> list[str]:
    """Return how many elements of the gradient became zero here, and why, as sentences."""
    count = int(died.sum())
    if not count:
        return []
    some = {"count": count, "size": died.size, "name": of.name, "op": forward.title}
    if forward.op == "relu" and of.array is not None and bool((of.array[died] <= 0).all()):
        return [
            say(
                "{count} of {size} elements become zero: there {name} was not positive, and relu is flat",
                **some,
            )
        ]
    return [say("{count} of {size} elements become zero: there, {op} does not change with {name}", **some)]
