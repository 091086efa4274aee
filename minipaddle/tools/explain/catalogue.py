"""The catalogue of operators: signature, formula, gradients, saved tensors, place of the source code.

Formulas come from the operator's own example, with the names of its parameters in place of a call's variables.
"""

import inspect
import os
import tomllib
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from minipaddle.engine.mode.eager import EAGER, within
from minipaddle.engine.operator import rule as sources
from minipaddle.engine.operator.operator import TABLE, Operator
from minipaddle.ops.definition.example import example_of, formula_of
from minipaddle.ops.definition.program_printing import slots_of
from minipaddle.paddle.documentation import paddle_page
from minipaddle.tools.explain.formula import parameters, read_beside, source
from minipaddle.tools.explain.symbols.mode import Call, Read, read, read_operator
from minipaddle.tools.explain.symbols.symbol import Symbol
from minipaddle.tools.explain.symbols.text import lines
from minipaddle.tools.explain.symbols.tree import Leaf, Tree
from minipaddle.tools.words.language import language, say, say_what_it_does
from minipaddle.tools.words.terminal import padded

_PLAIN = (0.0, 1.0, -1.0)
"""Attribute values that simplify away in a formula: they are replaced, to show the attribute's name."""
_OTHER = 0.37  # in place of such a value: no formula has this number by itself


def kernel_formula(op: Operator) -> tuple[list[str], Tree | None]:
    """Return the formula of `op` as lines and as a tree; its source and None if it has no formula."""
    return _laid_out(partial(_computed, op), op.kernel)


def rule_formulas(op: Operator) -> Iterator[tuple[sources.Rule, list[str], Tree | None]]:
    """Yield each gradient rule with its lines and its tree, or its source and None."""
    return ((rule, *_laid_out(partial(_differentiated, op, rule), rule.function)) for rule in op.rules)


def _laid_out(reading: Callable[[], Read], function: Any) -> tuple[list[str], Tree | None]:
    """Return the lines and the tree of the first output; the source of a function and None if it has no formula."""
    with suppress(Exception):  # the function takes one kind of numbers only
        found = reading()
        first = found.answer[0] if isinstance(found.answer, (list, tuple)) else found.answer
        if not isinstance(first.tree, Call):
            return lines(first.tree, found.names)[0], first.tree
    return source(function).splitlines(), None


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


def find(name: str) -> Operator | None:
    """Return the operator with this public name or type."""
    return TABLE.get(name) or next((op for op in TABLE.values() if op.name == name), None)


def names() -> list[str]:
    """Return the public names of all operators."""
    return sorted({op.name for op in TABLE.values()})


_ROOT = str(Path(__file__).resolve().parents[3])


_WRITTEN = tomllib.loads(Path(__file__).with_name("formulas.toml").read_text("utf-8"))
"""Formulas as LaTeX, by operator type."""


def latex_of(op: Operator) -> str:
    """Return the formula of `op` as LaTeX; "" if there is none."""
    return str(_WRITTEN.get(op.type, ""))


def entry(op: Operator) -> dict[str, Any]:
    """Return the catalogue entry of an operator as JSON data."""
    file = inspect.getsourcefile(op.kernel) or ""
    return {
        "name": op.name,
        "type": op.type,
        "signature": f"{op.name}{inspect.signature(op)}",
        "slots": slots_of(op),
        "does": (op.__doc__ or "").strip().splitlines()[0] if op.__doc__ else "",
        "latex": latex_of(op),
        "kernel": source(op.kernel),
        "gradients": [
            {
                "input": op.input_names[rule.input],
                "formulas": ["\n".join(lines)],
                "keeps": parameters(rule.function)[len(op.differentiable) :],
            }
            for rule, lines, _ in rule_formulas(op)
        ],
        "paddle": paddle_page(op, language()),
        "source": f"{os.path.relpath(file, _ROOT)}:{inspect.getsourcelines(op.kernel)[1]}",
    }


def entry_lines(op: Operator) -> Iterator[str]:
    """Yield the catalogue entry of an operator as lines of text."""
    found = entry(op)
    yield f"{found['signature']}    {found['type']}: {found['slots']}"
    if found["does"]:
        yield f"    {say_what_it_does(found['does'])}"
    yield from _block(say("computes"), kernel_formula(op)[0])
    for gradient in found["gradients"]:
        yield from _block(f"d{gradient['input']}", gradient["formulas"][0].splitlines())
        kept = ", ".join(gradient["keeps"])
        yield f"    {'':<10}{say('keeps {names}', names=kept) if kept else say('keeps nothing')}"
    if not op.rules:
        yield f"    {say('no gradient')}"
    yield f"    {found['source']}"
    if found["paddle"]:
        yield f"    {found['paddle']}"


def _block(label: str, lines: list[str]) -> Iterator[str]:
    for line in lines:
        yield f"    {padded(label, 10)}{line}"
        label = ""
