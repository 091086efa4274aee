"""Compiled versions: loops of the engine written out as functions, as a loop costs as much as its work.

Three functions are made this way, each from a few lines of source (as ``dataclasses`` makes its own), and each replaces
a readable one; ``tests/core/test_compiled.py`` compares them for every operator.

- :func:`saving_function`: :meth:`minipaddle.engine.operator.plan.Plan.save`, what a call saves;
- :func:`running_function`: :meth:`minipaddle.engine.operator.plan.Plan.run`, the rules run on the saved values;
- ``rule_function`` of :mod:`minipaddle.paddle.static.gradient.compiled`: the rules run on the inputs of a
``TYPE_grad``.

The values of a rule's parameters are found by the same function, ``read`` of engine/operator/rule.py: here in a
view whose values are expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.operator.plan import Plan
from minipaddle.engine.operator.public import function
from minipaddle.engine.operator.rule import Call, Rule, Source, conjugating, read


class CompiledPlan(Plan):
    """A plan whose ``save`` and ``run`` are one function each.

    A small operator costs NumPy 0.2 us, and collecting five values in a Python loop would cost twice as much.
    """

    __slots__ = ("run", "save")

    def __init__(self, op: Operator, wanted: Sequence[bool]) -> None:
        super().__init__(op, wanted)
        compiled: Any = self
        compiled.save, compiled.run = saving_function(self), running_function(self)


def put_in_place() -> None:
    """Give every operator compiled plans."""
    Operator.make_plan = CompiledPlan


class _Expressions(Call):
    """The view of a call whose input arrays are ``a``, output (or outputs) ``o`` and attributes ``k``."""

    def __init__(self, op: Operator, count: int) -> None:
        outputs = [f"o[{place}]" for place in range(len(op.output_names))] if op.multiple else ["o"]
        super().__init__([f"a[{place}]" for place in range(count)], outputs, {})

    def shape(self, place: int) -> str:
        return f"None if a[{place}] is None else a[{place}].shape"

    def dtype(self, place: int) -> str:
        return f"None if a[{place}] is None else a[{place}].dtype"

    def stretched(self, place: int) -> str:
        return f"None if a[{place}].shape == o.shape else a[{place}].shape"

    def attr(self, name: str) -> str:
        return f"k[{name!r}]"


def written(source: Source, view: Call) -> str:
    """Return the expression for a parameter of a rule, in a view whose values are expressions."""
    found = read(source, view)
    return f"[{', '.join(found)}]" if source.many else found


def saving_function(plan: Plan) -> Callable[..., tuple[Any, ...]]:
    """Return ``Plan.save`` compiled: (input arrays, output, attributes) -> saved values."""
    view = _Expressions(plan.op, plan.count)
    values = "".join(f"{written(source, view)}, " for source in plan.sources)
    return function("save", "a, o, k", [f"return ({values})"], {})


def running_function(plan: Plan) -> Callable[..., Sequence[Any]]:
    """Return ``Plan.run`` compiled: (gradients, saved values) -> one gradient per input."""
    space: dict[str, Any] = {}
    grads = [f"d{i}" for i in range(len(plan.op.differentiable))]
    saved = [f"k{i}" for i in range(len(plan.sources))]
    answers = answers_of([(rule, saved[part]) for rule, part in plan.parts], grads, plan.count, space)
    lines = [
        f"{''.join(name + ', ' for name in names)} = {value}"
        for names, value in ((grads, "grads"), (saved, "saved"))
        if names
    ]
    lines += asking_for_complex([rule for rule, _ in plan.parts], grads)
    return function("run", "grads, saved", [*lines, f"return ({', '.join(answers)},)"], space)


def asking_for_complex(rules: Sequence[Rule], grads: Sequence[str]) -> list[str]:
    """Return the line of source that defines `is_complex` for :func:`answers_of`; [] if no rule needs it."""
    return [f"is_complex = {grads[0]}.dtype.kind == 'c'"] if any(rule.conjugates for rule in rules) else []


def answers_of(
    calls: Sequence[tuple[Rule, Sequence[str]]], grads: Sequence[str], count: int, space: dict[str, Any]
) -> list[str]:
    """Return an expression for the gradient of each of `count` inputs; a list slot comes last, starred.

    Args:
        calls: the rules, each with the expressions of its kept values.
        grads: expressions for the gradients of the outputs.
        count: the number of inputs.
        space: the globals of the function; the rules are put there.
    """
    answers = ["None"] * count
    for number, (rule, kept) in enumerate(calls):
        name = f"rule{number}"
        space[name] = rule.function
        if rule.conjugates:
            space[f"complex{number}"] = conjugating(rule.function, len(rule.gradients))
            name = f"(complex{number} if is_complex else {name})"
        call = f"{name}({', '.join([*grads, *kept[: len(rule.sources)]])})"
        if rule.is_list:
            answers[rule.input :] = [f"*{call}"]
        elif rule.unbroadcast is None:
            answers[rule.input] = call
        else:
            space[f"unbroadcast{number}"] = rule.unbroadcast
            answers[rule.input] = f"{call} if {kept[-1]} is None else unbroadcast{number}({call}, {kept[-1]})"
    return answers
