"""Copies of Operators, with other Variables and Blocks in the places of theirs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.static.block import Block
from minipaddle.static.operator import COMMON_PARTS, Operator
from minipaddle.static.variable import Dim, Variable

__all__ = ["copied_operator", "exchange", "exchange_inside"]

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
    return copy


def exchange(op: Operator, twin: Twin, blocks: Twin) -> None:
    """Put `twin` of its Variables and `blocks` of its Blocks into the places of those that `op` has."""
    for name in (*COMMON_PARTS, *op.parts):
        setattr(op, name, _mapped(getattr(op, name), twin, blocks))
    op.renew()


def exchange_inside(op: Operator, twin: Twin) -> None:
    """Put `twin` of its Variables into `op`, and into the Operators of the Blocks that it runs."""
    exchange(op, twin, lambda block: block)
    for block in op.blocks():
        for inner in block.ops:
            exchange_inside(inner, twin)


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
