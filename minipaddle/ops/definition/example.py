"""An operator's example call, for tools to run, and a readable formula, shown instead of its code.

::

    @tried_with((2, 3), p=0.0)
    @operator("dropout", ...)
    def dropout(x, *, p=0.5): ...

    formula(dropout, lambda x, mask: x * mask)

Next: :mod:`minipaddle.ops.definition.traits`, properties of operators for tools.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.value.meta import Attrs

Example = Callable[["np.random.Generator"], tuple[Sequence[Any], Attrs]]

_EXAMPLES: dict[Operator, Example] = {}
_FORMULAS: dict[Callable[..., Any], Callable[..., Any]] = {}


def tried_with(
    *inputs: Any, within: tuple[float, float] = (0.2, 0.9), **attrs: Any
) -> Callable[[Operator], Operator]:
    """Return a decorator that gives an operator a valid example call.

    A tuple among the inputs is the shape of random numbers `within` two bounds, a list has the numbers themselves.
    A function in place of inputs makes both, inputs and attributes, from a random generator.
    """

    def example(rng: np.random.Generator) -> tuple[Sequence[Any], Attrs]:
        return [rng.uniform(*within, one) if isinstance(one, tuple) else _array(one) for one in inputs], {
            **attrs
        }

    def note(op: Operator) -> Operator:
        _EXAMPLES[op] = inputs[0] if inputs and callable(inputs[0]) else example
        return op

    return note


def _array(given: Any) -> Any:
    return np.array(given) if isinstance(given, list) else given


def example_of(op: Operator, rng: np.random.Generator) -> tuple[Sequence[Any], Attrs]:
    """Return the inputs and attributes of an example call of `op`; by default inputs are float64 [2, 3]."""
    if op in _EXAMPLES:
        return _EXAMPLES[op](rng)
    names = [name for name in op.input_names for _ in range(2 if name == op.list_slot else 1)]
    return [rng.uniform(0.2, 0.9, (2, 3)) for _ in names], {}


def formula(op: Operator, function: Callable[..., Any], of: str = "") -> None:
    """Set the code to show instead of a kernel, or of the gradient rule `of` an input, if that is written for speed.

    `function` takes some inputs, outputs and attributes by name (for a rule: some of its parameters), and has the same
    result. It is never run for its numbers.
    """
    rules = {op.input_names[rule.input]: rule.function for rule in op.rules}
    _FORMULAS[rules[of] if of else op.kernel] = function


def formula_of(function: Callable[..., Any]) -> Callable[..., Any] | None:
    """Return the readable version of a kernel or a rule's function, or None."""
    return _FORMULAS.get(function)
