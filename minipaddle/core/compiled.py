"""Compiled twins: what the engine writes down as a function of its own, because a loop would cost as much as the work.

Four functions are made so, each from a few lines of source (as ``dataclasses`` makes its own), and each does what a
readable one does; ``tests/core/test_compiled.py`` compares them over the whole table.

- :func:`saving_function`: :meth:`minipaddle.core.plan.Plan.save`, what a call saves;
- :func:`running_function`: :meth:`minipaddle.core.plan.Plan.answer`, the rules run on what was saved;
- :func:`public_function`: ``op.apply(*args, **kwargs)``, an operator with a signature of its own;
- ``rule_function`` of :mod:`minipaddle.static.gradient.grad_operator`: the rules run on the inputs of a ``TYPE_grad``.

The values of a rule's parameters are found by the one reader, :func:`minipaddle.core.rule.read`: here it reads a view
whose values are expressions.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from minipaddle.core.eager import current
from minipaddle.core.errors import failure, refused
from minipaddle.core.rule import Call, Rule, Source, conjugating, read

if TYPE_CHECKING:
    from minipaddle.core.operator import Operator
    from minipaddle.core.plan import Plan


def function(name: str, parameters: str, body: Sequence[str], space: dict[str, Any]) -> Callable[..., Any]:
    """Return the function ``def name(parameters): body`` whose globals are `space`."""
    source = "\n    ".join([f"def {name}({parameters}):", *body])
    exec(compile(source, f"{__file__} of {name}", "exec"), space)  # a frame of ours, and no line
    made: Callable[..., Any] = space[name]
    return made


# -- plans --------------------------------------------------------------------------------------------------------


class _Expressions(Call):
    """The view of a call whose input arrays are ``a``, output (or outputs) ``o`` and attributes ``k``."""

    def __init__(self, op: Operator, count: int) -> None:
        outputs = [f"o[{place}]" for place in range(len(op.output_slots))] if op.multiple else ["o"]
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
    """Return ``plan.save`` compiled: (input arrays, output, attributes) -> saved values."""
    view = _Expressions(plan.op, plan.count)
    values = "".join(f"{written(source, view)}, " for source in plan.sources)
    return function("save", "a, o, k", [f"return ({values})"], {})


def running_function(plan: Plan) -> Callable[..., Sequence[Any]]:
    """Return ``plan.answer`` compiled: (gradients, saved values) -> one gradient per input."""
    space: dict[str, Any] = {}
    grads = [f"d{i}" for i in range(len(plan.op.differentiable))]
    saved = [f"k{i}" for i in range(len(plan.sources))]
    calls = [
        (rule, saved[part], "" if rule.stretched is None else saved[part.stop]) for rule, part in plan.parts
    ]
    answers = answers_of(calls, grads, plan.count, space)
    lines = [
        f"{''.join(name + ', ' for name in names)} = {value}"
        for names, value in ((grads, "grads"), (saved, "saved"))
        if names
    ]
    lines += asking_for_complex([rule for rule, *_ in calls], grads)
    return function("run", "grads, saved", [*lines, f"return ({', '.join(answers)},)"], space)


def asking_for_complex(rules: Sequence[Rule], grads: Sequence[str]) -> list[str]:
    """Return the line that a function needs before the expressions of :func:`answers_of`, if it needs one."""
    return [f"is_complex = {grads[0]}.dtype.kind == 'c'"] if any(rule.conjugates for rule in rules) else []


def answers_of(
    calls: Sequence[tuple[Rule, Sequence[str], str]], grads: Sequence[str], count: int, space: dict[str, Any]
) -> list[str]:
    """Return an expression for the gradient of each of `count` inputs; that of a list slot is the last, and starred.

    Args:
        calls: the rules, each with the expressions of its values and of the shape to bring the answer back to.
        grads: expressions of the gradients that come in.
        count: how many inputs there are.
        space: the globals of the function; the rules are put there.
    """
    answers = ["None"] * count
    for number, (rule, values, stretched) in enumerate(calls):
        name = f"rule{number}"
        space[name] = rule.function
        if rule.conjugates:
            space[f"complex{number}"] = conjugating(rule.function, len(rule.gradients))
            name = f"(complex{number} if is_complex else {name})"
        call = f"{name}({', '.join([*grads, *values])})"
        if rule.is_list:
            answers[rule.input :] = [f"*{call}"]
        elif rule.unbroadcast is None:
            answers[rule.input] = call
        else:
            space[f"unbroadcast{number}"] = rule.unbroadcast
            answers[rule.input] = (
                f"{call} if {stretched} is None else unbroadcast{number}({call}, {stretched})"
            )
    return answers


# -- operators ----------------------------------------------------------------------------------------------------


def public_function(op: Operator, inplace: bool = False) -> Callable[..., Any]:
    """Return `op`, or its in-place form, as a function: what calling it calls, users get and ``help()`` explains.

    An explicit signature spares a third of the cost of a small call.
    """
    space: dict[str, Any] = {
        "_op": op,
        "_mode": current.get,
        "_prepare": op.prepare,
        "_defaults": op.defaults,
        "_items": _items,
        "_refused": refused,
    }  # underscores, for parameters are called mode, too
    made = function(op.name, ", ".join(_parameters(op, space)), _body(op, inplace), space)
    made.__doc__ = op.__doc__
    made.__module__ = op.__module__
    return made


def _parameters(op: Operator, space: dict[str, Any]) -> list[str]:
    """Write the parameters; default values are handed over through `space`."""
    written: list[str] = []
    needed = False  # whether one that comes later must be given: then an optional one must be, too
    for name, parameter in reversed(list(inspect.signature(op).parameters.items())):
        if parameter.default is not inspect.Parameter.empty:
            space[f"default_{name}"] = parameter.default
            written.append(f"{name}=default_{name}")
        elif name in op.optional and not needed:
            written.append(f"{name}=None")
        else:
            needed = True
            written.append(name)
    return written[::-1]


def _body(op: Operator, inplace: bool) -> list[str]:
    """Write the statements: gather inputs and attributes, and hand both to the mode."""
    items = [f"*_items(_op, {name!r}, {name})" if name == op.list_slot else name for name in op.input_names]
    inputs = "(" + "".join(f"{item}, " for item in items) + ")"
    attrs = [f"{name}={name}" for name in op.attr_names]
    dictionary = f"dict({', '.join(attrs)})" if attrs else "_defaults"
    if inplace:
        return [f"return _mode().apply_inplace(_op, {inputs}, {dictionary})"]
    if op.prepare is None:
        return [f"return _mode().apply(_op, {inputs}, {dictionary})"]
    return [
        f"try: inputs = _prepare(_op, *{inputs})",
        f"except Exception as error: raise _refused(error, {op.name!r}, zip({op.input_names}, {inputs})) from None",
        f"return _mode().apply(_op, inputs, {dictionary})",
    ]


def _items(op: Operator, name: str, value: Any) -> Sequence[Any]:
    """Return `value`, what the user gave for a list of inputs.

    Raises:
        TypeError: **must be a list or tuple of Tensors**.
    """
    if isinstance(value, (list, tuple)):
        return value
    raise failure(
        TypeError,
        f"{op.name}(): argument '{name}' must be a list or tuple of Tensors, but got {type(value).__name__}.",
    )
