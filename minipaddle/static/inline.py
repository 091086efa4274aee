"""Copying Operators: into another Block, or (for ``clone``) into another Program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.static.block import Block
from minipaddle.static.copies import copied_operator
from minipaddle.static.variable import Variable

__all__ = ["inlined"]


def inlined(block: Block, twins: dict[Variable, Variable], into: Block) -> Callable[[Any], Any]:
    """Append copies of the Operators of `block` to `into`; return what gives the twin of a Variable.

    The Variables of `block` and of Blocks inside it get fresh twins; `twins` says which others are replaced, the
    rest is shared. Blocks inside it are copied too.
    """
    program = into.program
    copies: dict[Block, Block] = {block: into}

    def twin(variable: Any) -> Any:
        if variable is None or variable in twins:
            return None if variable is None else twins[variable]
        if variable.block not in copies:
            return variable
        home = copies[variable.block]
        fresh = twins[variable] = home.add(
            Variable(home, program.generated_name(), variable.meta, stop_gradient=variable.stop_gradient)
        )
        return fresh

    def copy_of(inner: Block) -> Block:
        if inner not in copies:
            parent = inner.parent
            fresh = copies[inner] = program.new_block(copies.get(parent, into) if parent else into)
            for op in inner.ops:
                fresh.add_op(copied_operator(op, fresh, twin, copy_of))
        return copies[inner]

    for op in list(block.ops):
        into.add_op(copied_operator(op, into, twin, copy_of))
    return twin
