"""GradOperator: ``tanh_grad`` and the like. Its kernel is the gradient rule of the table, evaluated on arrays.

Its inputs follow from the parameters of the rules: the inputs and outputs of the forward operator that they name
(including an input of which only the shape is needed), then the gradients of the outputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, ClassVar, NamedTuple

import numpy as np

from minipaddle.engine.operator.operator import Operator as Definition
from minipaddle.engine.operator.rule import Call, Rule, read
from minipaddle.engine.value.meta import Attrs, Meta
from minipaddle.ops.definition.program_printing import Printed, printed
from minipaddle.paddle.static.program import Block, Operator, TableOperator, Variable
from minipaddle.paddle.static.program.table_operator import as_declared, plain


class Needs(NamedTuple):
    """The parts of a call that an operator's rules need, for any wanted gradients."""

    inputs: frozenset[int]
    outputs: frozenset[int]
    shape: bool
    """Whether the call's shape slot has the shape of its first input."""


@cache
def needs_of(op: Definition) -> Needs:
    """Return the positions of the inputs and outputs that the rules of `op` need."""
    inputs, outputs, shape = set(), set(), False
    shape_slot = printed(op).shape_slot
    for rule in op.rules:
        for source in rule.kept:
            if source.kind == "output":
                outputs.add(source.place)
            elif source.kind in ("shape", "stretched") and source.place == 0 and shape_slot:
                shape = True
            elif source.kind != "attr":
                inputs.add(source.place)
    return Needs(frozenset(inputs), frozenset(outputs), shape)


class GradOperator(Operator):
    """The gradient of a call of an operator of the table."""

    compiled: ClassVar[Callable[[GradOperator], Callable[..., Any]] | None] = None
    """Returns a quicker version of :meth:`compute`: see gradient/compiled.py."""
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
        """Return, for each output of the forward call, the Variable of its gradient, or None."""
        definition = self.definition
        places = range(len(self.grads)) if definition.list_output else definition.differentiable
        found: list[Any] = [None] * len(self.outs)
        for place, grad in zip(places, self.grads, strict=True):
            found[place] = grad
        return found

    def reads(self) -> list[Any]:
        """Return its inputs, captured Variables included."""
        return [
            *[self.given[one] for one in self.kept_positions()],
            *[self.outs[place] for place in self.kept_outputs()],
            *([self.shape_variable] if self.needs.shape else []),
            *[grad for grad in self.grads if grad is not None],
        ]

    def kept_positions(self) -> list[int]:
        """Return which of the flat inputs it reads."""
        last = len(self.definition.input_names) - 1
        return [
            one
            for one, variable in enumerate(self.given)
            if variable is not None and min(one, last) in self.needs.inputs
        ]

    def kept_outputs(self) -> list[int]:
        """Return which of the outputs it reads."""
        return list(range(len(self.outs))) if self.definition.list_output else sorted(self.needs.outputs)

    def kernel(self) -> Callable[..., Any]:
        """Return the function that computes it: :meth:`compute`, or the quicker version."""
        run = self.compute if GradOperator.compiled is None else GradOperator.compiled(self)
        return as_declared(run, [*self.given, *self.grads], self.results)

    def compute(self, *values: Any) -> Any:
        """Run the rules of the wanted gradients on the values of :meth:`reads`."""
        definition, left = self.definition, iter(values)
        inputs: list[Any] = [None] * len(self.given)
        outs: list[Any] = [None] * len(self.outs)
        for place in self.kept_positions():
            inputs[place] = next(left)
        for place in self.kept_outputs():
            outs[place] = next(left)
        if self.needs.shape:
            kept = next(left)
            inputs[0] = Meta(kept.shape[1:], kept.dtype) if inputs[0] is None else inputs[0]
        places = range(len(outs)) if definition.list_output else definition.differentiable
        given = zip(places, self.grads, strict=True)
        grads = [np.zeros_like(outs[place]) if grad is None else next(left) for place, grad in given]
        outs[0] = grads[0] if outs[0] is None else outs[0]  # of its shape: was an input broadcast to it?
        view = Call(inputs, outs, self.attrs)
        wanted = [variable is not None for variable in self.results]
        found = gradients(definition.rules, view, [grads] if definition.list_output else grads, wanted)
        asked = [one for one, is_wanted in zip(found, wanted) if is_wanted]
        return asked[0] if len(asked) == 1 else asked

    def gradients(self, maker: Any, grads: list[Variable], wanted: Sequence[bool]) -> Any:
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
    """Return the output slots of a gradient, each with the position of the input whose gradient it has."""
    count = len(definition.input_names)
    ruled = sorted(
        place
        for rule in definition.rules
        for place in (range(rule.input, count) if rule.is_list else [rule.input])
        if place == rule.input or definition.input_names[place] not in definition.optional
    )
    return [(f"{shown.input_slots[place]}@GRAD", place) for place in ruled]


def gradients(
    rules: Iterable[Rule],
    view: Call,
    grads: Sequence[Any],
    wanted: Sequence[bool],
    function: Callable[[Rule], Callable[..., Any]] = lambda rule: rule.function,
) -> list[Any]:
    """Run the rules of the `wanted` inputs of a call and return one gradient per input, None where there is none.

    Args:
        rules: the operator's gradient rules.
        view: the call.
        grads: the first arguments of each rule.
        wanted: for which of the inputs.
        function: runs a rule.
    """
    answers: list[Any] = [None] * len(wanted)
    for rule in rules:
        if any(rule.of(wanted)):
            rule.answer(answers, grads, [read(source, view) for source in rule.kept], function(rule))
    return answers
