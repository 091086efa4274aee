"""What a gradient rule of a built-in operator did, and where its gradient came from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from minipaddle.core import rule as sources
from minipaddle.core.dtype import dtype_named
from minipaddle.core.dtype.bfloat16 import as_wide, wide
from minipaddle.core.operator import Operator
from minipaddle.core.rule import Rule
from minipaddle.explain.answer import Why
from minipaddle.explain.elsewhere import REAL, Elsewhere, ReadElsewhere, anything
from minipaddle.explain.follow import either, follows, numbers_of, tell
from minipaddle.explain.formula import (
    Explained,
    Known,
    explained,
    known_list,
    known_value,
    known_zeros,
    parameters,
    renamed,
    source,
)
from minipaddle.explain.sentences import sentences_of
from minipaddle.explain.symbols.element import holds
from minipaddle.explain.symbols.mode import read
from minipaddle.explain.symbols.symbol import Symbol
from minipaddle.explain.symbols.text import plain
from minipaddle.explain.symbols.tree import Leaf, Tree, undecided
from minipaddle.names.phrase import phrase
from minipaddle.ops.common.lesson import Claim
from minipaddle.trace.checked import BadRecording
from minipaddle.trace.events import Event, Trace, Value
from minipaddle.words.events import place
from minipaddle.words.fields import without_fields
from minipaddle.words.language import say
from minipaddle.words.numbers import shape_text


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
        for number, (value, tree) in enumerate(zip(made, formulas.trees)):
            found = explained(value, tree, formulas.names)
            if marks := either(tree, value) if kept else None:
                found = _or_with_guards(found, marks, rule, known, per_input, number)
            answer.rule += found.rule
            answer.formulas[value.id] = found.rule[-1]
            answer.numbers += found.numbers if kept else []
    first = formulas.trees[0] if formulas is not None else None
    elsewhere = _elsewhere(trace, op, rule, forward, event, per_input)
    answer.says += tell(
        sentences_of(trace, forward, trace.known(event.inputs), made[0], of, first, elsewhere)
    )


def where_it_came_from(trace: Trace, event: Event, forward: Event) -> list[str]:
    """Return sentences for gradients that no rule made: backward began with them, or a hook put them there."""
    sentences = []
    for value in trace.known(event.inputs):
        if value.producer is not None or value.of not in forward.outputs:
            continue
        replaced = said_of_hooks(trace, event, value)
        if replaced:
            sentences.append(replaced)
        else:
            sentences += tell(_of_seed(value))
    return sentences


def _of_seed(seed: Value) -> Iterator[Claim]:
    numbers = numbers_of(seed)
    is_one = np.False_ if numbers is None else (numbers == 1).all()
    yield Claim(phrase("backward starts here, with {name} = 1", name=seed.name), is_one)
    yield Claim(phrase("backward starts here, with the {name} that it was given", name=seed.name), ~is_one)


def said_of_hooks(trace: Trace, event: Event, value: Value) -> str:
    """Return the sentence that a hook has replaced a gradient that `event` takes; "" if none has."""
    hook = None if value.replaces is None else hook_of(trace, value)
    if hook is None:
        return ""
    inside = (one for one in trace.events[hook.index + 1 :] if one.parent == hook.index and one.where)
    did = next(inside, hook)
    called = say("a hook") if did.kind != "enter" else f"hook {did.title}"
    at = f" ({place(did)})" if did.where else ""
    return say("{hook} replaced {name} before it came here", hook=f"{called}{at}", name=value.name)


def hook_of(trace: Trace, value: Value) -> Event | None:
    """Return the beginning of the hook that put a gradient in the place of another."""
    ends = (one for one in trace.events if one.kind == "leave" and one.op == "hook")
    leave = next((one for one in ends if value.same in one.outputs), None)
    return None if leave is None else trace.events[leave.origin or 0]


# -- what the rule received ---------------------------------------------------------------------------------------


def _arguments(
    trace: Trace, op: Operator, rule: Rule, forward: Event, event: Event, others: bool = False
) -> dict[str, Known]:
    """Return what each parameter of the rule stands for; with `others`, other gradients than those that came in.

    Raises:
        BadRecording: if fewer gradients came in than the operator has results.
    """
    coming = [_coming(trace, id_, out, others) for id_, out in zip(event.inputs, forward.outputs)]
    if not op.list_output and len(coming) <= max(op.differentiable, default=-1):
        raise BadRecording(f"event {event.index} is damaged: {op.name} has more results than that")
    grads = [known_list(coming)] if op.list_output else [coming[index] for index in op.differentiable]
    view = _Recorded(trace, forward)
    kept: list[Known] = []
    for needed in rule.sources:
        found = sources.read(needed, view)
        kept.append(known_list([one for one in found if one is not _NOTHING]) if needed.many else found)
    return dict(zip(rule.parameters, grads + kept))


def _coming(trace: Trace, id_: int | None, output: int | None, other: bool) -> Known:
    """Return a gradient that came in, or one that could have; zeros where none did."""
    value, made = trace.value(id_), trace.value(output)
    if value is not None and other:
        return Known(value.name, Symbol(Leaf("", wide(anything(value)))))
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


def _elsewhere(
    trace: Trace, op: Operator, rule: Rule, forward: Event, event: Event, per_input: Sequence[Value | None]
) -> Elsewhere:
    """Return the rule at other gradients: run again, or read where what forward kept may have other numbers."""
    made = next(value for value in per_input if value is not None)
    near = trace.known([*forward.inputs, *forward.outputs])
    coming = trace.known(event.inputs)
    if not follows(*near) or not all(value.dtype in REAL for value in coming):
        return Elsewhere(trace, event, made)
    known = _arguments(trace, op, rule, forward, event, others=True)
    with undecided():
        found = _read(rule, rule.over(_first(rule, known)), known, per_input, check=False)
    return ReadElsewhere(trace, event, made, None if found is None else found.trees[0])


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


def _or_with_guards(
    found: Explained,
    marks: tuple[str, str],
    rule: Rule,
    known: Mapping[str, Known],
    per_input: Sequence[Value | None],
    number: int,
) -> Explained:
    """Return a formula, and what is said in its stead where a guard that is not in it has something to do."""
    with undecided():
        other = _read(rule, rule.over(_first(rule, known)), known, per_input, check=False)
    if other is None:
        return found
    made = [value for value in per_input if value is not None][number]
    guarded = explained(made, other.trees[number], other.names)
    if [*map(without_fields, guarded.rule)] == [*map(without_fields, found.rule)]:
        return found
    first, second = (
        Explained([f"{mark}{line}" for line in one.rule], [f"{mark}{line}" for line in one.numbers])
        for mark, one in zip(marks, (found, guarded))
    )
    return Explained(first.rule + second.rule, first.numbers + second.numbers)


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
    rule: Rule,
    function: Callable[..., Any],
    known: Mapping[str, Known],
    made: Sequence[Value | None],
    check: bool = True,
) -> _Formulas | None:
    """Return `function` read over symbols; None if that cannot be, or does not give what was recorded (`check`)."""
    kept = check and all(one.kept for one in known.values())
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
