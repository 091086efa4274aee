"""Copies of Operators, with other Variables and Blocks in the places of theirs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.static.program.block import Block
from minipaddle.static.program.operator import COMMON_PARTS, TOLD_PARTS, Operator
from minipaddle.static.program.variable import Dim, Variable

Twin = Callable[[Any], Any]
"""Gives the copy of a Variable or Block."""


def copied_operator(op: Operator, block: Block, twin: Twin, blocks: Twin) -> Operator:
    """Return a copy of `op` that stands in `block`, with `twin` of its Variables and `blocks` of its Blocks.

    A Block that the copy of the Program does not have (None) is left out of a list of Blocks.
    """
    copy = object.__new__(type(op))
    copy.__dict__.update(op.__dict__)
    copy.block = block
    exchange(copy, twin, blocks)
    for name in TOLD_PARTS:
        setattr(copy, name, _mapped(getattr(op, name), twin, blocks))
    return copy


def exchange(op: Operator, twin: Twin, blocks: Twin) -> None:
    """Put `twin` of its Variables and `blocks` of its Blocks into the places of those that `op` has."""
    for name in (*COMMON_PARTS, *op.parts):
        setattr(op, name, _mapped(getattr(op, name), twin, blocks))
    op.renew()


def exchange_inside(op: Operator, twin: Twin) -> None:
    """Put `twin` of its Variables into `op`, and into the Operators of the Blocks that it runs.

    What the gradient of a loop finds in the pages of the loop stays: these are of the Variables themselves.
    """
    paged = set(op.loop_variables())
    other = twin if not paged else lambda variable: variable if variable in paged else twin(variable)
    exchange(op, other, lambda block: block)
    for block in op.blocks():
        for inner in block.ops:
            exchange_inside(inner, other)


def _mapped(value: Any, twin: Twin, blocks: Twin) -> Any:
    """Return a value, or containers of values, with `twin` of every Variable and `blocks` of every Block."""
    if value is None or type(value) is str:  # nearly always
        return value
    if isinstance(value, Variable):
        return twin(value)
    if isinstance(value, Block):
        return blocks(value)
    if isinstance(value, Dim):
        return Dim(twin(value.variable), value.index, value.of_value)
    if type(value) is tuple or type(value) is list:
        kept = [item for item in value if not isinstance(item, Block) or blocks(item) is not None]
        return type(value)([_mapped(item, twin, blocks) for item in kept])
    if type(value) is dict:
        return {_mapped(key, twin, blocks): _mapped(item, twin, blocks) for key, item in value.items()}
    return value


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
