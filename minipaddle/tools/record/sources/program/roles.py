"""The roles of Operators, and the Operators added by training."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from minipaddle.paddle.static.program.operator import Operator, Role
from minipaddle.paddle.static.program.program import Program
from minipaddle.paddle.static.program.variable import Variable


def role_words(op: Operator) -> tuple[str, ...]:
    """Return ``("forward",)``, ``("backward",)`` or ``("optimize",)``, with ``"loss"`` after it for the loss's own."""
    role = next((one for one in (Role.OPTIMIZE, Role.BACKWARD) if op.role & one), Role.FORWARD)
    return (role.name.lower(), *(["loss"] if op.role & Role.LOSS else []))


def added(program: Program, elsewhere: Collection[str] = ()) -> frozenset[Operator]:
    """Return the Operators that append_backward, gradients and minimize added.

    These have a role in training, except in Blocks that the user's own backward functions filled. A startup
    Program has no such roles: there they are the ones that write Variables added to another Program, `elsewhere`.
    """
    own = {inner for block in program.blocks for op in block.ops for inner in op.blocks()[1:]}
    return frozenset(
        op
        for block in program.blocks
        if block not in own
        for op in block.ops
        if op.role & (Role.BACKWARD | Role.OPTIMIZE)
        or (elsewhere and {one.name for one in op.writes()} <= set(elsewhere))
    )


def added_variables(program: Program, elsewhere: Collection[str] = ()) -> frozenset[Variable]:
    """Return the Variables that only such Operators read or write."""
    new = added(program, elsewhere)
    others = [op for block in program.blocks for op in block.ops if op not in new]
    kept = {one for op in others for one in (*op.reads(), *op.writes())}
    touched = {one for op in new for one in (*op.reads(), *op.writes()) if one is not None}
    return frozenset(one for one in program.list_vars() if one in touched and one not in kept)


def added_names(programs: Iterable[Program]) -> frozenset[str]:
    """Return the names of persistable Variables that were added to any of these: moments, learning rates."""
    return frozenset(one.name for program in programs for one in added_variables(program) if one.persistable)


def gives_first_values(program: Program) -> bool:
    """Return whether a Program is like a startup Program: no feed, and only persistable Variables as results."""
    ops = program.global_block().ops
    made = {one for op in ops for one in op.writes()}
    given = {one for op in ops for one in op.reads() if one is not None} - made
    used = {one for op in ops for one in op.reads()}
    return bool(ops) and not given and all(one.persistable for one in made - used)
