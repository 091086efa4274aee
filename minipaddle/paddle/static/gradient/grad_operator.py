"""GradOperator: ``tanh_grad`` and its like. Its kernel is the gradient rule of the table, evaluated on arrays.

Its inputs follow from the parameters of the rules: the inputs and outputs of the forward operator that they name
(an input of which only the shape is needed counts too), then the gradients of the outputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from minipaddle.engine.fast.compiled import answers_of, asking_for_complex, written
from minipaddle.engine.operator.operator import Operator as Definition
from minipaddle.engine.operator.public import function
from minipaddle.engine.operator.rule import Call, Rule
from minipaddle.engine.value.meta import Attrs
from minipaddle.ops.definition.program_printing import Printed, printed
from minipaddle.paddle.static.program import Block, Operator, TableOperator, Variable
from minipaddle.paddle.static.program.table_operator import as_declared, plain

if TYPE_CHECKING:
    from minipaddle.paddle.static.gradient.grad_maker import GradMaker


class Needs(NamedTuple):
    """The parts of a call that an operator's rules need, for any wanted gradients."""

    inputs: frozenset[int]
    outputs: frozenset[int]
    shape: bool
    """Whether the shape slot of the call gives the shape of its first input."""


@cache
def needs_of(op: Definition) -> Needs:
    """Return the positions of the inputs and outputs that the rules of `op` need."""
    inputs, outputs, shape = set(), set(), False
    shape_slot = printed(op).shape_slot
    for rule in op.rules:
        for source in [*rule.sources, *([rule.stretched] if rule.stretched else [])]:
            if source.kind == "output":
                outputs.add(source.place)
            elif source.kind in ("shape", "stretched") and source.place == 0 and shape_slot:
                shape = True
            elif source.kind != "attr":
                inputs.add(source.place)
    return Needs(frozenset(inputs), frozenset(outputs), shape)


class GradOperator(Operator):
    """The gradient of a call of an operator of the table."""

    parts = ("definition", "given", "outs", "shape_variable", "grads", "results")

    def __init__(
        self, block: Block, forward: TableOperator, grads: Sequence[Variable], results: Sequence[Any]
    ) -> None:
        definition = self.definition = forward.definition
        self.needs = needs_of(definition)
        self.given = forward.variables()
        """The flat inputs of the forward call."""
        shown = self.shown = forward.shown
        self.outs = [one for slot in dict.fromkeys(shown.output_slots) for one in forward.outputs[slot]]
        self.shape_variable = forward.outputs[shown.shape_slot][0] if shown.shape_slot else None
        self.grads: list[Any] = list(grads)
        """One for each differentiable output; None for zeros that need no Variable."""
        self.results = list(results)
        """One Variable or None for each of the flat inputs."""
        super().__init__(block, shown.grad_type, {}, {}, forward.attrs)
        self.where, self.origin, self.printed = forward.where, forward, dict(forward.printed)
        self._fill_slots()

    def _fill_slots(self) -> None:
        """Sort the parts into slots: the rules' inputs, further slots that Paddle lists, the gradients."""
        definition = self.definition
        self.inputs = {slot: self._held(slot) for slot in _kept_slots(definition, self.shown)}
        outs = self.shown.output_slots
        if definition.list_output:
            self.inputs[f"{outs[0]}@GRAD"] = self.grads
        for place, grad in () if definition.list_output else zip(definition.differentiable, self.grads):
            if grad is not None:
                self.inputs.setdefault(f"{outs[place]}@GRAD", []).append(grad)
        self.outputs = {}
        for slot, place in _ruled_slots(definition, self.shown):
            found = self.results[place:]
            if definition.input_names[place] != definition.list_slot:
                found = [one for one in found[:1] if one is not None]
            self.outputs.setdefault(slot, []).extend(found)

    def _held(self, slot: str) -> list[Any]:
        """Return the Variables in a slot of the forward call."""
        definition, shown = self.definition, self.shown
        if slot == shown.shape_slot:
            return [self.shape_variable]
        if slot in shown.output_slots:
            places = _places(slot, shown.output_slots)
            return self.outs if definition.list_output else [self.outs[place] for place in places]
        first, *others = _places(slot, shown.input_slots)
        many = definition.input_names[first] == definition.list_slot
        end = None if many else first + 1 + len(others)
        return [one for one in self.given[first:end] if one is not None]

    def listed(self) -> Attrs:
        """Return the attributes of the forward operator."""
        metas = [None if one is None else one.meta for one in self.given]
        return self.shown.listing.write(plain(self.attrs), metas)

    def by_output(self) -> list[Any]:
        """Return for each output of the forward call the Variable of its gradient, or None."""
        definition = self.definition
        places = range(len(self.grads)) if definition.list_output else definition.differentiable
        found: list[Any] = [None] * len(self.outs)
        for place, grad in zip(places, self.grads, strict=True):
            found[place] = grad
        return found

    def reads(self) -> list[Any]:
        """Return its inputs, captured Variables included."""
        return [
            *[self.given[one] for one in self._kept_positions()],
            *[self.outs[place] for place in self._kept_outputs()],
            *([self.shape_variable] if self.needs.shape else []),
            *[grad for grad in self.grads if grad is not None],
        ]

    def _kept_positions(self) -> list[int]:
        last = len(self.definition.input_names) - 1
        return [
            one
            for one, variable in enumerate(self.given)
            if variable is not None and min(one, last) in self.needs.inputs
        ]

    def _kept_outputs(self) -> list[int]:
        return list(range(len(self.outs))) if self.definition.list_output else sorted(self.needs.outputs)

    def kernel(self) -> Callable[..., Any]:
        """Return the function that computes it."""
        wanted = tuple([variable is not None for variable in self.results])
        kept = (
            tuple(self._kept_positions()),
            tuple(self._kept_outputs()),
            tuple([grad is not None for grad in self.grads]),
        )
        run, attrs = rule_function(self.definition, wanted, *kept)
        run = partial(run, **{name: self.attrs[name] for name in attrs}) if attrs else run
        return as_declared(run, [*self.given, *self.grads], self.results)

    def gradients(self, maker: GradMaker, grads: list[Variable], wanted: Sequence[bool]) -> Sequence[Any]:
        """Append its gradient."""
        return maker.of_grad_operator(self, grads, wanted)

    def renew(self) -> None:
        """Sort the parts into slots."""
        self.needs, self.shown = needs_of(self.definition), printed(self.definition)
        self._fill_slots()


@cache
def _kept_slots(definition: Definition, shown: Printed) -> list[str]:
    """Return the slots of a forward call that its gradient lists: for the rules, or added by Paddle."""
    needs = needs_of(definition)
    ins, outs = shown.input_slots, shown.output_slots
    kept = [ins[place] for place in sorted(needs.inputs)] + [outs[place] for place in sorted(needs.outputs)]
    kept += [shown.shape_slot] if needs.shape else []
    return list(dict.fromkeys([*kept, *shown.grad_keeps]))


def _places(slot: str, slots: list[str]) -> list[int]:
    """Return the indices of `slot` in `slots`: adjacent, if several."""
    return [place for place, one in enumerate(slots) if one == slot]


@cache
def _ruled_slots(definition: Definition, shown: Printed) -> list[tuple[str, int]]:
    """Return the output slots of a gradient, each with the position of the input that it is the gradient of."""
    count = len(definition.input_names)
    ruled = sorted(
        place
        for rule in definition.rules
        for place in (range(rule.input, count) if rule.is_list else [rule.input])
        if place == rule.input or definition.input_names[place] not in definition.optional
    )
    return [(f"{shown.input_slots[place]}@GRAD", place) for place in ruled]


@cache
def rule_function(
    definition: Definition,
    wanted: tuple[bool, ...],
    kept: tuple[int, ...],
    kept_outputs: tuple[int, ...],
    grads_given: tuple[bool, ...],
) -> tuple[Callable[..., Any], list[str]]:
    """Return the function from kept inputs, kept outputs and gradients to the wanted gradients, and its attributes.

    As plans are (decision 7), it is compiled: the rules are called with what they ask for, and nothing is looked up.
    """
    view = _Parameters(definition, kept)
    grads = [f"g{number}" for number in range(len(grads_given))]
    space: dict[str, Any] = {"zeros": np.zeros}  # zeros_like takes ten times as long for a small array
    lines = []
    for grad, place, given in zip(grads, definition.differentiable, grads_given):
        if not given:
            lines.append(f"{grad} = zeros(o{place}.shape, o{place}.dtype)")
    calls: list[tuple[Rule, list[str], str]] = []
    for number, rule in enumerate(rule for rule in definition.rules if any(rule.of(wanted))):
        if rule.stretched is not None:
            lines.append(f"s{number} = {written(rule.stretched, view)}")
        calls.append((rule, [written(source, view) for source in rule.sources], f"s{number}"))
    listed = ["[" + ", ".join(grads) + "]"] if definition.list_output else grads
    answers = answers_of(calls, listed, len(wanted), space)
    lines += asking_for_complex([rule for rule, *_ in calls], grads)
    if any(rule.is_list for rule, *_ in calls):
        lines.append(f"found = ({', '.join(answers)},)")
        answers = [f"found[{one}]" for one in range(len(wanted))]
    results = [answers[one] for one, asked in enumerate(wanted) if asked]
    attrs = list(dict.fromkeys(one.name for rule, *_ in calls for one in rule.sources if one.kind == "attr"))
    parameters = [f"i{one}" for one in kept] + [f"o{one}" for one in kept_outputs]
    parameters += ["s"] if needs_of(definition).shape else []
    parameters += [grad for grad, given in zip(grads, grads_given) if given]
    parameters += ["*", *attrs] if attrs else []
    made = function("run", ", ".join(parameters), [*lines, f"return {', '.join(results)}"], space)
    return made, attrs


class _Parameters(Call):
    """The view of a forward call whose values are the parameters of the function that is compiled."""

    def __init__(self, definition: Definition, kept: tuple[int, ...]) -> None:
        self.kept = kept
        self.shape_slot = needs_of(definition).shape

    @property
    def count(self) -> int:
        return max(self.kept, default=-1) + 1

    def input(self, place: int) -> str:
        return f"i{place}" if place in self.kept else "None"

    def output(self, place: int) -> str:
        return f"o{place}"

    def shape(self, place: int) -> str:
        return "s.shape[1:]" if place == 0 and self.shape_slot else self._aspect(place, "shape")

    def dtype(self, place: int) -> str:
        return self._aspect(place, "dtype")

    def _aspect(self, place: int, name: str) -> str:
        return f"i{place}.{name}" if place in self.kept else "None"

    def stretched(self, place: int) -> str:
        shape = self.shape(place)
        return f"None if {shape} == g0.shape else {shape}"

    def attr(self, name: str) -> str:
        return name
