"""Copies of Operators, with other Variables and Blocks in the places of theirs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.paddle.static.program.block import Block
from minipaddle.paddle.static.program.operator import COMMON_PARTS, TOLD_PARTS, Operator
from minipaddle.paddle.static.program.sizes import Dim
from minipaddle.paddle.static.program.variable import Variable

Replace = Callable[[Any], Any]
"""Gives what takes the place of a Variable or Block."""


def copied_operator(op: Operator, block: Block, variables: Replace, blocks: Replace) -> Operator:
    """Return a copy of `op` that stands in `block`, with what `variables` and `blocks` give for its own.

    A Block that the copy of the Program does not have (None) is left out of a list of Blocks.
    """
    copy = object.__new__(type(op))
    copy.__dict__.update(op.__dict__)
    copy.block = block
    exchange(copy, variables, blocks)
    for name in TOLD_PARTS if op.pass_number or op.part_of else ():
        setattr(copy, name, _mapped(getattr(op, name), variables, blocks))
    return copy


def exchange(op: Operator, variables: Replace, blocks: Replace) -> None:
    """Put what `variables` and `blocks` give into the places of the Variables and Blocks that `op` has."""
    for name in (*COMMON_PARTS, *op.parts):
        setattr(op, name, _mapped(getattr(op, name), variables, blocks))
    op.renew()


def exchange_inside(op: Operator, variables: Replace) -> None:
    """Put what `variables` gives into `op`, and into the Operators of the Blocks that it runs.

    What the gradient of a loop finds among the values that the loop saved stays: these are of the Variables themselves.
    """
    saved = set(op.loop_variables())
    other = (
        variables if not saved else lambda variable: variable if variable in saved else variables(variable)
    )
    exchange(op, other, lambda block: block)
    for block in op.blocks():
        for inner in block.ops:
            exchange_inside(inner, other)


def _mapped(value: Any, variables: Replace, blocks: Replace) -> Any:
    """Return a value, or containers of values, with what `variables` and `blocks` give for those in it."""
    if value is None or type(value) is str:  # nearly always
        return value
    if isinstance(value, Variable):
        return variables(value)
    if isinstance(value, Block):
        return blocks(value)
    if isinstance(value, Dim):
        return Dim(variables(value.variable), value.index, value.of_value)
    if isinstance(value, (tuple, list)):
        kept = [item for item in value if not isinstance(item, Block) or blocks(item) is not None]
        made = [_mapped(item, variables, blocks) for item in kept]
        return made if type(value) is list else tuple(made)
    if type(value) is dict:
        return {
            _mapped(key, variables, blocks): _mapped(item, variables, blocks) for key, item in value.items()
        }
    return value


def inlined(block: Block, known: dict[Variable, Variable], into: Block) -> Callable[[Any], Any]:
    """Append copies of the Operators of `block` to `into`; return what gives the copy of a Variable.

    The Variables of `block` and of Blocks inside it are made anew; `known` says which others are replaced, the rest is
    shared. Blocks inside it are copied too.
    """
    program = into.program
    copies: dict[Block, Block] = {block: into}

    def copy_of(variable: Any) -> Any:
        if variable is None or variable in known:
            return None if variable is None else known[variable]
        if variable.block not in copies:
            return variable
        home = copies[variable.block]
        fresh = known[variable] = home.add(
            Variable(home, program.generated_name(), variable.meta, stop_gradient=variable.stop_gradient)
        )
        return fresh

    def block_copy(inner: Block) -> Block:
        if inner not in copies:
            parent = inner.parent
            fresh = copies[inner] = program.new_block(copies.get(parent, into) if parent else into)
            for op in inner.ops:
                fresh.add_op(copied_operator(op, fresh, copy_of, block_copy))
        return copies[inner]

    for op in list(block.ops):
        into.add_op(copied_operator(op, into, copy_of, block_copy))
    return copy_of
