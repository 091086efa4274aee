"""Explains a gradient rule of a built-in operator, and the origin of its incoming gradient."""

from collections.abc import Iterator, Mapping
from functools import cached_property, partial
from typing import Any

import numpy as np

from minipaddle.engine.operator import rule as sources
from minipaddle.engine.operator.operator import TABLE, Operator
from minipaddle.engine.operator.rule import Rule
from minipaddle.ops.definition.example import formula_of
from minipaddle.ops.definition.lesson import Claim
from minipaddle.tools.explain.formula import (
    Known,
    Why,
    explained,
    follows,
    known_list,
    known_value,
    numbers_of,
    parameters,
    renamed,
    source,
    tell,
)
from minipaddle.tools.explain.sentences import REAL, Elsewhere, anything, sent_back, sentences_of
from minipaddle.tools.explain.symbols.element import holds
from minipaddle.tools.explain.symbols.mode import read
from minipaddle.tools.explain.symbols.symbol import Symbol
from minipaddle.tools.explain.symbols.text import plain
from minipaddle.tools.explain.symbols.tree import Const, Leaf, Tree, Undecided, undecided
from minipaddle.tools.record.checked import BadRecording
from minipaddle.tools.record.events import Event, Trace, Value
from minipaddle.tools.record.kinds import Grad
from minipaddle.tools.words.events import place
from minipaddle.tools.words.language import say
from minipaddle.tools.words.numbers import shape_text


def explain_rule(trace: Trace, op: Operator, rule: Rule, forward: Event, event: Event, answer: Why) -> None:
    """Add formula, numbers and sentences for a rule's gradients to `answer`; nothing if there are none."""
    ran = _Ran(trace, op, rule, forward, event)
    if not ran.made:
        return
    formulas = ran.formulas()
    if formulas is None:
        *rest, last = ran.lines()
        answer.rule += [*rest, f"{', '.join(value.name for value in ran.made)} = {last}"]
        answer.formulas |= {value.id: answer.rule[-1] for value in ran.made}
    else:
        for value, tree in zip(ran.made, formulas[0]):
            answer.add(explained(value, tree, formulas[1]), ran.kept)
    of, first = trace.value(forward.inputs[rule.input]), None if formulas is None else formulas[0][0]
    coming = trace.known(event.inputs)
    answer.says += tell(sentences_of(trace, forward, coming, ran.made[0], of, first, ran.elsewhere()))


def formula_of_gradient(trace: Trace, event: Grad, made: Value) -> Tree | None:
    """Return the formula by which the rule of a built-in operator made a gradient; None if there is none."""
    forward = trace.differentiated(event)
    op = None if forward is None else TABLE.get(forward.op)
    if op is None or forward is None:
        return None
    for ran in (_Ran(trace, op, rule, forward, event) for rule in op.rules):
        if made in ran.made and (found := ran.formulas()) is not None:
            return found[0][ran.made.index(made)]
    return None


def where_it_came_from(trace: Trace, event: Event, forward: Event) -> list[str]:
    """Return sentences for incoming gradients that no rule computed: seeds, and results of hooks."""
    sentences = list[str]()
    for value in trace.known(event.inputs):
        if value.producer is None and value.of in forward.outputs:
            replaced = said_of_hooks(trace, value)
            sentences += [replaced] if replaced else tell(_of_seed(value))
    return sentences


def _of_seed(seed: Value) -> Iterator[Claim]:
    numbers = numbers_of(seed)
    is_one = np.False_ if numbers is None else (numbers == 1).all()
    yield Claim("backward starts here, with {name} = 1", is_one, name=seed.name)
    yield Claim("backward starts here, with the {name} that it was given", ~is_one, name=seed.name)


def said_of_hooks(trace: Trace, value: Value) -> str:
    """Return the sentence on a hook that replaced a gradient; "" if none did."""
    hook = None if value.replaces is None else hook_of(trace, value)
    if hook is None:
        return ""
    inside = [one for one in trace.events[hook.index + 1 :] if one.parent == hook.index and one.where]
    made = None if value.same is None else trace.values[value.same].producer
    did = next((one for one in inside if one.index == made), next(iter(inside), hook))
    called = say("a hook") if did.kind != "enter" else f"hook {did.title}"
    at = f" ({place(did)})" if did.where else ""
    return say("{hook} replaced {name} before it came here", hook=f"{called}{at}", name=value.name)


def hook_of(trace: Trace, value: Value) -> Event | None:
    """Return the event that begins the hook which returned a gradient; None if unknown."""
    ends = (one for one in trace.events if one.kind == "leave" and one.op == "hook")
    leave = next((one for one in ends if value.same in one.outputs), None)
    return None if leave is None else trace.events[leave.origin or 0]


_NOTHING = Known("None", None)


def _stands_for(trace: Trace, forward: Event, needed: sources.Source) -> Known:
    """Return the argument of one parameter of a rule in a recorded call."""
    if needed.kind == "attr":
        attr = forward.attrs.get(needed.name)
        return Known(plain(attr), attr)
    ids = forward.outputs if needed.kind == "output" else forward.inputs
    if needed.many:
        each = (needed._replace(place=place, many=False) for place in range(needed.place, len(ids)))
        items = [_stands_for(trace, forward, one) for one in each]
        return known_list([one for one in items if one is not _NOTHING])
    value, made = trace.value(next(iter(ids[needed.place :]), None)), trace.value(forward.outputs[0])
    if value is None or (needed.kind == "stretched" and made is not None and made.shape == value.shape):
        return _NOTHING
    if needed.kind == "dtype":
        return Known(value.dtype, np.dtype(value.dtype))
    return (
        Known(shape_text(value), value.shape) if needed.kind in ("shape", "stretched") else known_value(value)
    )


_LONGEST = 10_000
"""Most parts of a formula, hundreds of lines: through the steps of an LSTM their number grows exponentially."""


_Formulas = tuple[list[Tree], Mapping[Tree, str]]
"""A formula for each gradient that a rule made, and the rule's own names for parts of them."""


class _Ran:
    """A gradient rule as it ran in `event`, the gradient of the call `forward`."""

    def __init__(self, trace: Trace, op: Operator, rule: Rule, forward: Event, event: Event) -> None:
        self.trace, self.op, self.rule, self.forward, self.event = trace, op, rule, forward, event
        self.per_input = [trace.value(id_) for id_ in rule.of(event.outputs)]
        self.made = [value for value in self.per_input if value is not None]

    @cached_property
    def known(self) -> dict[str, Known]:
        """The argument of each parameter of the rule."""
        return self._arguments()

    @property
    def kept(self) -> bool:
        """Whether the numbers of all arguments were kept."""
        return all(one.kept for one in self.known.values())

    def _arguments(self, others: bool = False) -> dict[str, Known]:
        """Return the argument of each parameter; with `others`, random incoming gradients.

        Raises BadRecording if it has fewer incoming gradients than the operator has results.
        """
        op, event = self.op, self.event
        pairs = zip(event.inputs, self.forward.outputs)
        coming = [_coming(self.trace.value(id_), self.trace.value(out), others) for id_, out in pairs]
        if not op.list_output and len(coming) <= max(op.differentiable, default=-1):
            raise BadRecording(f"event {event.index} is damaged: {op.name} has more results than that")
        grads = [known_list(coming)] if op.list_output else [coming[index] for index in op.differentiable]
        kept = [_stands_for(self.trace, self.forward, needed) for needed in self.rule.sources]
        return dict(zip(self.rule.parameters, grads + kept))

    def elsewhere(self) -> Elsewhere:
        """Return the rule for other incoming gradients: run again, or as a formula if saved tensors may change."""
        near = self.trace.known([*self.forward.inputs, *self.forward.outputs])
        coming = self.trace.known(self.event.inputs)
        if not follows(*near) or not all(value.dtype in REAL for value in coming):
            return Elsewhere(coming, partial(sent_back, self.trace, self.event, self.made[0]))
        with undecided():
            found = self._read(self._arguments(others=True), check=False)

        def read_back(came: object) -> Any:
            if found is None:
                raise Undecided(self.made[0].name)
            tree = found[0][0]
            return Symbol(tree) if tree.open else np.asarray(tree.value)

        return Elsewhere(coming, read_back)

    def formulas(self) -> _Formulas | None:
        """Return the rule's formulas, the declared one if it gives the same; None if there is no formula."""
        own = self._read(self.known)
        shown = formula_of(self.rule.function)
        if shown is None:
            return own
        written = self._read(self.known, shown)
        if written is None or own is None:
            return written or own
        pairs = zip(written[0], own[0])
        same = self.kept or all(holds(one, np.asarray(other.value)) for one, other in pairs)
        return written if same else own

    def lines(self) -> list[str]:
        """Return the rule as it is written, in the user's names."""
        rule, names = self.rule, {name: one.name for name, one in self.known.items()}
        if rule.over(self.known[rule.gradients[0]].value) is rule.function:
            return renamed(source(rule.function), names)
        conjugate = {name: f"conj({names[name]})" for name in rule.gradients}
        *rest, last = renamed(source(rule.function), names | conjugate)
        return [*rest, f"conj({last})"]

    def _read(self, known: Mapping[str, Known], *formula: Any, check: bool = True) -> _Formulas | None:
        """Return the rule read on symbols; None if that fails, is endless, or (`check`) contradicts the recording."""
        check = check and all(one.kept for one in known.values())
        rule, trees = self.rule, []
        try:
            function = rule.over(known[rule.gradients[0]].value, *formula)
            found = read(function, *[known[name].value for name in parameters(function)])
            answers = found.answer if rule.is_list else [found.answer]
            for value, answer in zip(self.per_input, answers, strict=True):
                if value is not None:
                    if rule.unbroadcast is not None and answer.shape != value.shape:
                        answer = read(rule.unbroadcast, answer, value.shape).answer
                    trees.append(answer.tree)
                    if answer.tree.length > _LONGEST:
                        return None
                    if check and value.array is not None and not holds(answer.tree, value.array):
                        return None
        except Exception:  # a rule that no formula can express
            return None
        return trees, found.names


def _coming(value: Value | None, made: Value | None, other: bool) -> Known:
    """Return an incoming gradient, or (`other`) a random one; zeros if there is none."""
    if value is not None and other:
        return Known(value.name, Symbol(Leaf("", anything(value))))
    if value is not None:
        return known_value(value)
    return Known("0", 0.0 if made is None else Symbol(Const(0.0, made.shape, np.dtype(made.dtype))))
