"""Traits: what the tools may take for granted of an operator, said once, beside its definition.

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
    "no slope",  # it has no rule, and needs none: near numbers give the same result
    "cuts off",  # its gradient is zero outside of an interval
    "levels out",  # its gradient goes to zero far from zero
    "normalises",  # its result does not change with a number that is added to all that it looks at together
    "selects",  # it takes a part of what it is given, or only asks of its shape
    "masks",  # it may put other numbers in the place of those that it is given
    "same numbers",  # it gives the numbers that it is given, in another order, shape, dtype or memory
    "elementwise",  # each number of its result is made of one number of each input
    "averages",  # it makes a sum or a mean of what it is given
    "gives probabilities",
    "takes scores",  # a loss of logits
    "takes log probabilities",  # a loss of what log_softmax gives
    "ours",  # Paddle has no function of its name, and no page about it
    "symmetric",  # one triangle of its input is read, and the gradient is that of both together
]

_TRAITS: dict[str, set[Operator]] = {}
_DRAWS: dict[Operator, Callable[[Attrs], bool] | None] = {}
_FLAT: dict[Operator, Callable[[Any], Any]] = {}


def mark(trait: Trait, *operators: Operator) -> None:
    """Say of operators that they have a trait."""
    _TRAITS.setdefault(trait, set()).update(operators)


def has(trait: Trait, type: str) -> bool:
    """Return whether the operator of this type has a trait; False for what is no operator of the table.

    >>> has("flat", "floor"), has("flat", "tanh"), has("flat", "pylayer")
    (True, False, False)
    """
    return TABLE.get(type) in _TRAITS.get(trait, ())


def draws_numbers(when: Callable[[Attrs], bool] | None = None) -> Callable[[Operator], Operator]:
    """Say of an operator that it draws random numbers: always, or `when` its attributes say so."""

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
    """Say where an activation is flat, or nearly: a function from its result to truths."""
    _FLAT[op] = where


def flat_of(op: Operator | None) -> Callable[[Any], Any] | None:
    """Return what :func:`is_flat` was told, or None."""
    return None if op is None else _FLAT.get(op)
