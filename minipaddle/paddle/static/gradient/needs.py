"""Needs: what the gradient rules of an operator ask of a call, for the inputs of ``TYPE_grad`` in a Program.

Next: :mod:`minipaddle.paddle.static.gradient.grad_operator`, which holds them.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from minipaddle.engine.operator.operator import Operator
from minipaddle.ops.definition.program_printing import printed


class Needs(NamedTuple):
    """What the rules of an operator ask of a call, whichever gradients are wanted."""

    inputs: frozenset[int]
    outputs: frozenset[int]
    shape: bool
    """Whether the shape slot of the call answers for the shape of its first input."""


@cache
def needs_of(op: Operator) -> Needs:
    """Return the positions of the inputs and outputs that the rules of `op` need."""
    inputs, outputs, shape = set(), set(), False
    shape_slot = printed(op).shape_slot
    for rule in op.rules:
        for source in [*rule.sources, *([rule.stretched] if rule.stretched else [])]:
            if source.kind == "output":
                outputs.add(source.place)
            elif source.kind in ("shape", "stretched") and source.place == 0 and shape_slot:
                shape = True
            elif source.kind != "attr":
                inputs.add(source.place)
    return Needs(frozenset(inputs), frozenset(outputs), shape)
