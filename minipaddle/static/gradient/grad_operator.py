"""GradOperator: ``tanh_grad`` and its like. Its kernel is the gradient rule of the table, read over arrays.

Which inputs it lists follows from what the rules ask for: the inputs and outputs of the forward operator that they name
(an input of which only the shape is needed counts too), then the gradients of the outputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from minipaddle.core.errors import failure
from minipaddle.core.meta import Attrs
from minipaddle.core.operator import Operator as Definition
from minipaddle.core.operator import operators
from minipaddle.core.plan import Rule, Source
from minipaddle.ops.creation.full import zeros_like
from minipaddle.static.program import Block, Operator, TableOperator, Variable
from minipaddle.static.program.operator import Slots
from minipaddle.static.program.table_operator import plain
from minipaddle.static.program.variable import symbolic_shape

if TYPE_CHECKING:
    from minipaddle.static.gradient.grad_maker import GradMaker


class Needs(NamedTuple):
    """What the rules of an operator ask of a call, whichever gradients are wanted."""

    inputs: frozenset[int]
    outputs: frozenset[int]
    shape: bool
    """Whether the shape slot of the call answers for the shape of its first input."""


@cache
def needs_of(definition: Definition) -> Needs:
    """Return what the rules of `definition` need."""
    inputs, outputs, shape = set(), set(), False
    for rule in definition.rules:
        places = [(source.kind, source.place) for source in rule.needs]
        for kind, place in [*places, ("shape", rule.input)] if rule.fit else places:
            if kind == "output":
                outputs.add(place)
            elif kind == "shape" and place == 0 and definition.shape_slot:
                shape = True
            elif kind != "attr":
                inputs.add(place)
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
        self.outs = [variable for slot in definition.output_slots for variable in forward.outputs[slot]]
        self.shape_variable = forward.outputs[definition.shape_slot][0] if definition.shape_slot else None
        self.grads: list[Any] = list(grads)
        """One for each differentiable output; None for zeros that nobody has to write down."""
        self.results = list(results)
        """One Variable or None for each of the flat inputs."""
        super().__init__(block, definition.grad_type, {}, {}, forward.attrs)
        self.where, self.origin, self.printed = forward.where, forward, dict(forward.printed)
        self._fill_slots()

    @classmethod
    def by_hand(cls, block: Block, type: str, ins: Slots, outs: Slots, listed: Attrs) -> GradOperator | None:
        """Return ``TYPE_grad`` with what its rules need of the forward call; the rest of that is not known.

        Raises:
            AssertionError: **Input X not found**.
            ValueError: all outputs are missing.
        """
        definition = next((one for one in operators() if one.grad_type == type and one.rules), None)
        if definition is None:
            return None
        given: list[Any] = []
        results: list[Any] = []
        for slot, name in zip(definition.input_slots, definition.input_names, strict=True):
            grads, values = outs.get(f"{slot}@GRAD", []), ins.get(slot, [])
            count = max(len(grads), len(values)) if name == definition.list_slot else 1
            given += [*values, *[None] * (count - len(values))]
            results += [*grads, *[None] * (count - len(grads))]
        slots = definition.output_slots
        kept = [one for slot in slots for one in ins.get(slot, [] if definition.list_output else [None])]
        if definition.shape_slot:
            kept.append(ins.get(definition.shape_slot, [None])[0])
        flowing = slots if definition.list_output else [slots[place] for place in definition.differentiable]
        for slot in flowing:
            assert f"{slot}@GRAD" in ins, f"Input {slot}@GRAD not found"
        forward = TableOperator(block, definition, given, kept, definition.listing.read(listed))
        call = cls(block, forward, [one for slot in flowing for one in ins[f"{slot}@GRAD"]], results)
        call.origin = None
        for slot, variables in call.inputs.items():
            assert variables and None not in variables, f"Input {slot} not found"
        if not any(one is not None for one in results):
            raise failure(
                ValueError, f"Incorrect setting for output(s) of operator {call.type!r}: all are missing."
            )
        for variable, result in zip(given, results, strict=True):
            if variable is not None and result is not None:
                result.meta = variable.meta
        return call

    def _fill_slots(self) -> None:
        definition, needs = self.definition, self.needs
        out_slots = definition.output_slots
        kept = [slot for place, slot in enumerate(definition.input_slots) if place in needs.inputs]
        kept += [out_slots[place] for place in sorted(needs.outputs)]
        kept += [definition.shape_slot] if needs.shape and definition.shape_slot else []
        inputs = {slot: self._held(slot) for slot in (*kept, *definition.grad_keeps)}
        slots = out_slots if definition.list_output else [out_slots[i] for i in definition.differentiable]
        for number, slot in enumerate(slots):
            found = self.grads if definition.list_output else [self.grads[number]]
            if found != [None]:
                inputs[f"{slot}@GRAD"] = found
        self.inputs = inputs
        self.outputs = {}
        for slot, positions in self._slots():
            found = [self.results[one] for one in positions]
            if slot in self._ruled_slots():
                listed = slot == definition.input_slots[-1] and definition.list_slot is not None
                self.outputs[f"{slot}@GRAD"] = found if listed else [one for one in found if one is not None]

    def _held(self, slot: str) -> list[Any]:
        """Return what a slot of the forward call holds."""
        if slot == self.definition.shape_slot:
            return [self.shape_variable]
        if slot in self.definition.output_slots:
            place = self.definition.output_slots.index(slot)
            return self.outs if self.definition.list_output else [self.outs[place]]
        return [self.given[one] for one in dict(self._slots())[slot] if self.given[one] is not None]

    def _slots(self) -> Iterator[tuple[str, list[int]]]:
        """Yield the input slots of the forward call with the positions of their Variables among the flat inputs."""
        definition = self.definition
        for position, (slot, name) in enumerate(
            zip(definition.input_slots, definition.input_names, strict=True)
        ):
            yield slot, list(range(position, len(self.given))) if name == definition.list_slot else [position]

    def _ruled_slots(self) -> set[str]:
        return {self.definition.input_slots[rule.input] for rule in self.definition.rules}

    def listed(self) -> Attrs:
        """Return the attributes of the forward operator."""
        metas = [None if one is None else one.meta for one in self.given]
        return self.definition.listing.write(plain(self.attrs), metas)

    def reads(self) -> list[Any]:
        """Return what it takes, captured Variables included."""
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

    def writes(self) -> list[Variable]:
        """Return what it writes."""
        return [variable for variable in self.results if variable is not None]

    def kernel(self) -> Callable[..., Any]:
        """Return what computes it."""
        wanted = tuple([variable is not None for variable in self.results])
        kept = (
            tuple(self._kept_positions()),
            tuple(self._kept_outputs()),
            tuple([grad is not None for grad in self.grads]),
        )
        function, attrs = _compiled(self.definition, wanted, *kept)
        return partial(function, **{name: self.attrs[name] for name in attrs}) if attrs else function

    def gradients(self, maker: GradMaker, grads: list[Variable], wanted: Sequence[bool]) -> Sequence[Any]:
        """Append its gradient."""
        return maker.of_grad_operator(self, grads, wanted)

    def renew(self) -> None:
        """Sort the parts into slots."""
        self.needs = needs_of(self.definition)
        self._fill_slots()


@cache
def _compiled(
    definition: Definition,
    wanted: tuple[bool, ...],
    kept: tuple[int, ...],
    kept_outputs: tuple[int, ...],
    grads_given: tuple[bool, ...],
) -> tuple[Callable[..., Any], list[str]]:
    """Write the function from kept inputs, kept outputs and gradients to the wanted gradients, and name its attributes.

    As plans are (decision 0007), it is compiled: the rules are called with what they ask for, and nothing is looked up.
    """
    space: dict[str, Any] = {}
    needs = needs_of(definition)
    grads = [f"g{number}" for number in range(len(grads_given))]
    listed = ["[" + ", ".join(grads) + "]"] if definition.list_output else grads
    attrs: list[str] = []
    lines, answers = [], {}
    for number, grad in enumerate(grads):
        if not grads_given[number]:
            space["zeros"] = np.zeros  # zeros_like takes ten times as long for a small array
            like = f"o{definition.differentiable[number]}"
            lines.append(f"{grad} = zeros({like}.shape, {like}.dtype)")
    for number, rule in enumerate(definition.rules):
        if not any(rule.of(wanted)):
            continue
        arguments = [*listed, *[_expression(source, definition, kept, needs) for source in rule.needs]]
        attrs += [rule_attr for rule_attr in _attrs(rule) if rule_attr not in attrs]
        space[f"rule{number}"] = rule.function
        lines.append(f"d{number} = rule{number}({', '.join(arguments)})")
        if rule.fit is not None:
            space[f"fit{number}"] = rule.fit
            shape = _shape(rule.input, definition, needs)
            lines.append(f"if {shape} != g0.shape: d{number} = fit{number}(d{number}, {shape})")
        if rule.is_list:
            for one in range(rule.input, len(wanted)):
                answers[one] = f"d{number}[{one - rule.input}]"
        else:
            answers[rule.input] = f"d{number}"
    results = [answers[one] for one, asked in enumerate(wanted) if asked]
    parameters = [f"i{one}" for one in kept] + [f"o{one}" for one in kept_outputs]
    parameters += ["s"] if needs.shape else []
    parameters += [grad for grad, given in zip(grads, grads_given) if given] + (
        ["*", *attrs] if attrs else []
    )
    source = "\n    ".join([f"def run({', '.join(parameters)}):", *lines, f"return {', '.join(results)}"])
    exec(source, space)
    return space["run"], attrs


def _attrs(rule: Rule) -> list[str]:
    return [source.expression[3:-2] for source in rule.needs if source.kind == "attr"]


def _shape(place: int, definition: Definition, needs: Needs) -> str:
    return "s.shape[1:]" if place == 0 and definition.shape_slot else f"i{place}.shape"


def _expression(source: Source, definition: Definition, kept: tuple[int, ...], needs: Needs) -> str:
    """Write what a rule asks for in terms of the parameters of the function."""
    place, kind = source.place, source.kind
    if kind == "attr":
        return source.expression[3:-2]
    if kind == "output":
        return f"o{place}"
    aspect = f".{kind}" if kind in ("shape", "dtype") else ""
    if definition.list_slot is not None and place == len(definition.input_names) - 1:
        return "[" + ", ".join(f"i{one}{aspect}" for one in kept if one >= place) + "]"
    if kind == "shape":
        return _shape(place, definition, needs)
    return f"i{place}{aspect}" if place in kept else "None"


def read_over_variables(
    forward: Any, grads: Sequence[Any], wanted: Sequence[bool], program: bool = False
) -> list[Any]:
    """Read the rules of a call over Variables: append the small operators that they are made of.

    Args:
        forward: what has ``definition``, ``given``, ``outs`` and ``attrs``: a GradOperator.
        grads: the gradients of the outputs; None for zeros.
        wanted: for which of the flat inputs.
        program: read what a rule says is written into a Program instead of it.

    Returns:
        One Variable or None for each of the flat inputs.
    """
    definition, answers = forward.definition, [None] * len(wanted)
    arguments = (
        [list(grads)]
        if definition.list_output
        else [
            zeros_like(forward.outs[place]) if grad is None else grad
            for place, grad in zip(definition.differentiable, grads)
        ]
    )
    for rule in definition.rules:
        if not any(rule.of(wanted)):
            continue
        function = (rule.program if program else None) or rule.function
        answer = function(*arguments, *[_value(source, forward) for source in rule.needs])
        if rule.is_list:
            answers[rule.input :] = answer
            continue
        shape = forward.given[rule.input].shape
        if rule.fit is not None and shape != grads[0].shape:
            answer = rule.fit(answer, shape)
        answers[rule.input] = answer
    return [answer if asked else None for answer, asked in zip(answers, wanted, strict=True)]


def _value(source: Source, forward: Any) -> Any:
    """Return what a rule asks for, as a Variable or what is known of it."""
    if source.kind == "attr":
        return forward.attrs[source.expression[3:-2]]
    if source.kind == "output":
        return forward.outs[source.place]
    aspects: dict[str, Callable[[Any], Any]] = {
        "shape": symbolic_shape,
        "dtype": lambda variable: variable.meta.dtype,
    }
    aspect = aspects.get(source.kind, lambda variable: variable)
    definition = forward.definition
    if definition.list_slot is not None and source.place == len(definition.input_names) - 1:
        return [aspect(variable) for variable in forward.given[source.place :]]
    variable = forward.given[source.place]
    return None if variable is None else aspect(variable)
