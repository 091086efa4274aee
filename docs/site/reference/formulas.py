"""The formulas of an operator and of its gradient rules, read off its own example.

They have the names of the operator's parameters in place of a call's variables.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from minipaddle.engine.mode.eager import EAGER, within
from minipaddle.engine.operator import rule as sources
from minipaddle.engine.operator.operator import Operator
from minipaddle.ops.definition.example import example_of, formula_of
from minipaddle.tools.explain.formula import parameters, read_beside, source
from minipaddle.tools.explain.symbols.mode import Call, Read, read, read_operator
from minipaddle.tools.explain.symbols.symbol import Symbol
from minipaddle.tools.explain.symbols.text import lines
from minipaddle.tools.explain.symbols.tree import Leaf, Tree

_PLAIN = (0.0, 1.0, -1.0)
"""Attribute values that simplify away in a formula: they are replaced, to show the attribute's name."""
_OTHER = 0.37  # in place of such a value: no formula has this number by itself


def kernel_formula(op: Operator) -> tuple[list[str], Tree | None]:
    """Return the formula of `op` as lines and as a tree; its source and None if it has no formula."""
    try:
        return _laid_out(_computed(op))
    except Exception:  # the kernel takes one kind of numbers only, or is shown as a call
        return source(op.kernel).splitlines(), None


def rule_formulas(op: Operator) -> Iterator[tuple[sources.Rule, list[str], Tree | None]]:
    """Yield each gradient rule with its lines and its tree, or its source and None."""
    for rule in op.rules:
        try:
            yield (rule, *_laid_out(_differentiated(op, rule)))
        except Exception:  # as above
            yield rule, source(rule.function).splitlines(), None


def _laid_out(found: Read) -> tuple[list[str], Tree]:
    """Return the lines and the tree of the first output. Raises TypeError if that is only a call."""
    first = found.answer[0] if isinstance(found.answer, (list, tuple)) else found.answer
    if isinstance(first.tree, Call):
        raise TypeError("a call")
    return lines(first.tree, found.names).written, first.tree


def _computed(op: Operator) -> Read:
    inputs, attrs, outputs = _example(op)
    known = {**attrs, **dict(zip(op.input_names, inputs)), **dict(zip(op.output_names, outputs))}
    return read_beside(op, known) or read_operator(op, tuple(inputs), attrs)


def _differentiated(op: Operator, rule: sources.Rule) -> Read:
    inputs, attrs, outputs = _example(op)
    names = rule.gradients
    coming = [outputs] if op.list_output else [outputs[place] for place in op.differentiable]
    known = {name: _coming(name, one) for name, one in zip(names, coming)}
    call = sources.Call(inputs, outputs, attrs)
    known.update({needed.name: sources.read(needed, call) for needed in rule.sources})
    function = formula_of(rule.function) or rule.function
    return read(function, *[known[name] for name in parameters(function)])


def _coming(name: str, outputs: Any) -> Any:
    if isinstance(outputs, list):
        return [_coming(f"{name}[{place}]", one) for place, one in enumerate(outputs)]
    return Symbol(Leaf(name, np.random.default_rng(len(name)).uniform(0.2, 0.9, outputs.shape)))


def _example(op: Operator) -> tuple[list[Any], dict[str, Any], list[Symbol]]:
    """Return the inputs, attributes and outputs of the example as symbols named after the parameters."""
    given, attrs = example_of(op, np.random.default_rng(0))
    numbers = {
        name: _OTHER if type(value) is float and value in _PLAIN else value
        for name, value in {**op.defaults, **attrs}.items()
    }
    arrays = [None if one is None else np.array(one) for one in given]
    with within(EAGER.reading):
        made = op.run(*[None if one is None else one.copy() for one in arrays], **numbers)
    outputs = list(made) if op.multiple else [made]
    named = {
        name: Symbol(Leaf(name, np.asarray(value))) if type(value) is float else value
        for name, value in numbers.items()
    }
    return _called(op.input_names, arrays, op.list_slot), named, _called(op.output_names, outputs, None)


def _called(names: list[str], arrays: list[Any], list_slot: str | None) -> list[Any]:
    """Return arrays named after parameters; several under one name are numbered."""
    found = []
    for place, one in enumerate(arrays):
        name = names[min(place, len(names) - 1)]
        first = names.index(name)
        several = len(arrays) > len(names) or name == list_slot
        label = f"{name}[{place - first}]" if several and first == len(names) - 1 else name
        found.append(None if one is None else Symbol(Leaf(label, np.asarray(one))))
    return found
