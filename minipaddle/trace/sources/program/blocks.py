"""What to call an Operator in a recording, and what goes in and out of the Blocks that it runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minipaddle.static.custom.py_func import PyFuncOperator
from minipaddle.static.gradient.grad_operator import GradOperator
from minipaddle.static.program.block import Block
from minipaddle.static.program.operator import Operator
from minipaddle.static.program.table_operator import TableOperator
from minipaddle.static.program.variable import Variable


class OpenedRule(GradOperator):
    """A gradient Operator for pictures: with a Block that shows what its rule consists of.

    Attributes:
        body: the Block.
        answers: what the Block computes, in the order of the wanted gradients.
    """

    def __init__(self, op: GradOperator, body: Block, answers: Sequence[Variable]) -> None:
        self.__dict__.update(op.__dict__)
        self.body, self.answers = body, list(answers)

    def blocks(self) -> list[Block]:
        """Return the Blocks that it runs."""
        return [self.body]

    def hands_out(self) -> list[tuple[Variable | None, Variable | None]]:
        """Return which gradient of the Block becomes which around it."""
        return list(zip(self.answers, self.writes(), strict=True))


def title(op: Operator) -> str:
    """Return the public name of what an Operator does."""
    if isinstance(op, TableOperator):
        return op.definition.name
    if isinstance(op, PyFuncOperator) and not op.is_gradient:
        return f"{op.type} {op.forward.name}"
    return op.type


def body_title(op: Operator, block: Block, iteration: int | None) -> str:
    """Return ``while block 1, iteration 2``."""
    if isinstance(op, OpenedRule):
        return f"rule of {op.definition.name}"
    return f"{op.type} block {block.idx}" + ("" if iteration is None else f", iteration {iteration}")


def shown(op: Operator) -> dict[str, Any]:
    """Return the attributes of an Operator that its kernel takes."""
    return dict(op.attrs) if isinstance(op, TableOperator) else {}


def by_output(op: Operator) -> list[Any]:
    """Return for each output of the forward operator the Variable of the gradient that comes in, or None.

    Nothing for Operators that say which these are by their slots alone.
    """
    if not isinstance(op, GradOperator):
        return []
    definition = op.definition
    places = range(len(op.grads)) if definition.list_output else definition.differentiable
    found: list[Any] = [None] * len(op.outs)
    for place, grad in zip(places, op.grads, strict=True):
        found[place] = grad
    return found


def pairs(op: Operator) -> list[tuple[Any, Any]]:
    """Return each input of the forward Operator (None: it was not given) with the Variable of its gradient, or None."""
    origin = op.origin
    assert origin is not None
    if isinstance(op, GradOperator):
        return list(zip(op.given, op.results, strict=True))
    if isinstance(
        op, TableOperator
    ):  # an ordinary operator, such as the scale that is the gradient of a scale
        return list(zip([one for one in origin.reads() if one is not None], op.writes()))
    outs = [slot for slot in op.outputs if slot.endswith("@GRAD")] or list(op.outputs)
    given = {"Input@GRAD": "Input", "X@GRAD": "X", "Out": "X"}[outs[0]]
    left = list(zip(origin.inputs[given], op.outputs[outs[0]]))
    return [_taken(left, variable) for variable in origin.reads()] + left


def _taken(left: list[tuple[Any, Any]], variable: Any) -> tuple[Any, Any]:
    """Take the pair of `variable` out of those that are left; a condition has none."""
    place = next((place for place, (one, _) in enumerate(left) if one is variable), None)
    return (variable, None) if place is None else left.pop(place)
