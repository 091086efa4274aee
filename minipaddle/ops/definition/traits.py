"""Traits: what the tools may take for granted of an operator, said once, beside its definition.

    mark("flat", floor, ceil)

Next: :mod:`minipaddle.ops.definition.lesson`, whole sentences about the gradients of an operator.
"""

from __future__ import annotations

from typing import Literal

from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.operator.table import TABLE

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
]


def mark(trait: Trait, *operators: Operator) -> None:
    """Say of operators that they have a trait."""
    for op in operators:
        op.traits.add(trait)


def has(trait: Trait, type: str) -> bool:
    """Return whether the operator of this type has a trait; False for what is no operator of the table.

    >>> has("flat", "floor"), has("flat", "tanh"), has("flat", "pylayer")
    (True, False, False)
    """
    op = TABLE.get(type)
    return op is not None and trait in op.traits
