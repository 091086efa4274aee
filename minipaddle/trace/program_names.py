"""The script's own variables in a Program, whose Variables have names of Paddle's: ``loss`` for ``mean_1.tmp_0``."""

from __future__ import annotations

from minipaddle.static.operator import Operator, Role
from minipaddle.static.program import Program
from minipaddle.trace.naming import assigned_name

__all__ = ["bound_names"]


def bound_names(program: Program) -> dict[Operator, str]:
    """Return the variables that statements gave the results of Operators when the Program was built.

    A call that appends several Operators, such as that of fc or cond, returns what the last one makes.
    """
    found: dict[Operator, str] = {}
    for block in program.blocks:
        last: Operator | None = None
        for op in (op for op in block.ops if not op.role & (Role.BACKWARD | Role.OPTIMIZE)):
            if last is not None and op.where == last.where and op.place in (last.place, None):
                del found[last]
            last = op if _name(op) else None
            if last is not None:
                found[op] = _name(op)
    return found


def _name(op: Operator) -> str:
    """Return the variable of the statement that appended an Operator, if that has one result."""
    if op.place is None or len(op.writes()) != 1:
        return ""
    if isinstance(op.place, str):
        return op.place
    return assigned_name(*op.place)
