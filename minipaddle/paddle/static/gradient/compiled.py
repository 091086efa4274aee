"""The kernel of a GradOperator, compiled: :meth:`GradOperator.compute` as one function.

Like plans (decision 7): the rules are called with their values, without look-ups. Left out with the
compiled plans, by ``MINIPADDLE_PLAIN``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np

from minipaddle.engine.fast.compiled import answers_of, asking_for_complex, written
from minipaddle.engine.operator.operator import Operator as Definition
from minipaddle.engine.operator.plan import Plan
from minipaddle.engine.operator.public import function
from minipaddle.engine.operator.rule import Call, Rule
from minipaddle.paddle.static.gradient.grad_operator import GradOperator, needs_of


def kernel(op: GradOperator) -> Callable[..., Any]:
    """Return the function that computes `op`."""
    wanted = tuple([variable is not None for variable in op.results])
    kept = (
        tuple(op.kept_positions()),
        tuple(op.kept_outputs()),
        tuple([grad is not None for grad in op.grads]),
    )
    run, attrs = rule_function(op.definition, wanted, *kept)
    return partial(run, **{name: op.attrs[name] for name in attrs}) if attrs else run


if Definition.make_plan is not Plan:
    GradOperator.compiled = kernel


@cache
def rule_function(
    definition: Definition,
    wanted: tuple[bool, ...],
    kept: tuple[int, ...],
    kept_outputs: tuple[int, ...],
    grads_given: tuple[bool, ...],
) -> tuple[Callable[..., Any], list[str]]:
    """Return the function from kept inputs, kept outputs and gradients to the wanted gradients, and its attributes."""
    view = _Parameters(definition, kept)
    grads = [f"g{number}" for number in range(len(grads_given))]
    space: dict[str, Any] = {"zeros": np.zeros}  # zeros_like takes ten times as long for a small array
    lines = []
    for grad, place, given in zip(grads, definition.differentiable, grads_given):
        if not given:
            lines.append(f"{grad} = zeros(o{place}.shape, o{place}.dtype)")
    calls: list[tuple[Rule, list[str]]] = []
    for number, rule in enumerate(rule for rule in definition.rules if any(rule.of(wanted))):
        calls.append((rule, [written(source, view) for source in rule.kept]))
        if rule.unbroadcast is not None:
            lines.append(f"s{number} = {calls[-1][1].pop()}")
            calls[-1][1].append(f"s{number}")
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
