"""Recomputing: what lies between checkpoints is computed once more by the gradient Program, and need not be kept.

The copies have the names of what they copy with ``.subprog_N`` behind, as in Paddle. What draws random numbers is not
run again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minipaddle.paddle.static.program import Block, Operator, Role, TableOperator, Variable
from minipaddle.paddle.static.program.copy import copied_operator, exchange_inside


def recompute(block: Block, checkpoints: Sequence[Variable], start: int) -> None:
    """Let the gradient Operators of `block`, those from `start` on, read copies of what lies between `checkpoints`."""
    ends = sorted({block.ops.index(one.op) for one in checkpoints if one.op is not None})
    begins = [0, *[end + 1 for end in ends[:-1]]]
    forward, kept = list(block.ops), set(checkpoints)
    segments = [forward[begin : end + 1] for begin, end in zip(begins, ends, strict=True)]
    for number, segment in enumerate(reversed(segments)):
        _recompute(block, [op for op in segment if _runs_again(op, kept)], set(segment), number, start)
    block.program.changed()


def _runs_again(op: Operator, checkpoints: set[Variable]) -> bool:
    """Whether an Operator is run a second time: it makes no checkpoint, writes nothing that stays, draws nothing."""
    if not isinstance(op, TableOperator) or op.definition.random or op.definition.updates:
        return False
    return not any(one.persistable or one in checkpoints for one in op.writes())


def _recompute(
    block: Block, again: Sequence[Operator], segment: set[Operator], number: int, start: int
) -> None:
    gradients = [
        op for op in block.ops[start:] if op.origin in segment or (op.sums and op.sums[0] in segment)
    ]
    if not gradients:
        return
    copies: dict[Variable, Variable] = {}

    def copy_of(variable: Any) -> Any:
        return copies.get(variable, variable)

    place = block.ops.index(gradients[0])
    for op in again:
        for one in op.writes():
            made = block.create_var(f"{one.name}.subprog_{number}", one.shape, one.meta.dtype)
            made.stop_gradient = one.stop_gradient
            copies[one] = made
        copy = copied_operator(op, block, copy_of, lambda inner: inner)
        copy.role, copy.role_var = Role.BACKWARD, []
        block.add_op(copy, place)
        place += 1
    for op in gradients:
        exchange_inside(op, copy_of)
