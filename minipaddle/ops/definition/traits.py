"""Traits: properties of an operator for tools, each declared once, next to its definition.

    mark("flat", floor, ceil)

Next: :mod:`minipaddle.ops.definition.lesson`, whole sentences about the gradients of an operator.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.operator.table import TABLE
from minipaddle.engine.value.meta import Attrs

Trait = Literal[
    "flat",  # a staircase: its gradient is zero everywhere
    "no slope",  # no rule, and none needed: near inputs give the same result
    "cuts off",  # its gradient is zero outside of an interval
    "levels out",  # its gradient approaches zero far from zero
    "normalises",  # adding a number to all elements of a group does not change the result
    "selects",  # it reads a part of its input, or only the input's shape
    "masks",  # it may replace numbers of its input
    "same numbers",  # it returns its input's numbers, in another order, shape, dtype or memory
    "elementwise",  # each number of its result depends on one number of each input
    "averages",  # it returns a sum or a mean of its input
    "gives probabilities",
    "takes scores",  # a loss of logits
    "takes log probabilities",  # a loss of log_softmax's output
    "ours",  # Paddle has no function of its name, and no page about it
    "symmetric",  # it reads one triangle of its input, and the gradient adds both triangles
]

_TRAITS: dict[str, set[Operator]] = {}
_DRAWS: dict[Operator, Callable[[Attrs], bool] | None] = {}
_FLAT: dict[Operator, Callable[[Any], Any]] = {}


def mark(trait: Trait, *operators: Operator) -> None:
    """Register that operators have a trait."""
    _TRAITS.setdefault(trait, set()).update(operators)


def has(trait: Trait, type: str) -> bool:
    """Return whether the operator of this type has a trait; False if the table has no such operator.

    >>> has("flat", "floor"), has("flat", "tanh"), has("flat", "pylayer")
    (True, False, False)
    """
    return TABLE.get(type) in _TRAITS.get(trait, ())


def draws_numbers(when: Callable[[Attrs], bool] | None = None) -> Callable[[Operator], Operator]:
    """Register that an operator draws random numbers: always, or `when` of its attributes is true."""

    def note(op: Operator) -> Operator:
        _DRAWS[op] = when
        return op

    return note


def is_random(op: Operator, attrs: Attrs | None = None) -> bool:
    """Return whether a call of `op` with these attributes draws random numbers; None: whether any call does."""
    if op not in _DRAWS:
        return False
    when = _DRAWS[op]
    return attrs is None or when is None or bool(when({**op.defaults, **attrs}))


def is_flat(op: Operator, where: Callable[[Any], Any]) -> None:
    """Register where an activation is flat, or nearly: a function from its result to bools."""
    _FLAT[op] = where


def flat_of(op: Operator | None) -> Callable[[Any], Any] | None:
    """Return the function given to :func:`is_flat`, or None."""
    return None if op is None else _FLAT.get(op)
