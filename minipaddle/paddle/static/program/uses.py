"""Which Variables Operators use: what a Block captures and writes around it, and which Operators a Variable needs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from minipaddle.paddle.static.program.operator import Operator
from minipaddle.paddle.static.program.table_operator import TableOperator
from minipaddle.paddle.static.program.variable import Variable

if TYPE_CHECKING:
    from minipaddle.paddle.static.program.block import Block


def read_first(operators: Sequence[Operator]) -> list[Variable]:
    """Return the Variables that are read before anything writes them, in order of first use."""
    found: dict[Variable, None] = {}
    written: set[Variable] = set()
    for op in operators:
        found.update((one, None) for one in op.reads() if one is not None and one not in written)
        written.update(op.writes())
    return list(found)


def captured(block: Block) -> list[Variable]:
    """Return the Variables from outside that `block` reads before it writes them, in order of first use."""
    return [variable for variable in read_first(block.ops) if variable.block is not block]


def listed(block: Block) -> list[Variable]:
    """Return those of :func:`captured` that Operators of `block` have among their inputs.

    What the functions of a static_pylayer captured is none of that, as in Paddle: no gradient goes there.
    """
    direct = {one for op in block.ops for slot in op.inputs.values() for one in slot}
    return [one for one in captured(block) if one in direct]


def escaping(block: Block) -> list[Variable]:
    """Return the Variables from outside that `block` writes, in order."""
    return list(dict.fromkeys(one for op in block.ops for one in op.writes() if one.block is not block))


def rewritten_in(block: Block) -> frozenset[Variable]:
    """Return what Operators of `block`, and of the Blocks that it runs, write in place."""
    inner = [rewritten_in(one) for op in block.ops for one in op.blocks()]
    own = (op.writes() for op in block.ops if isinstance(op, TableOperator) and op.definition.updates)
    return frozenset().union(*own, *inner)


def needed_for(
    targets: Collection[Variable],
    operators: Sequence[Operator],
    known: Collection[Variable] = (),
    starts: Collection[Operator] = (),
) -> list[Operator]:
    """Return those of `operators` that compute `targets`, given `known` Variables, in their order; and all `starts`."""
    needed, given, kept = set(targets), set(known), []
    for op in reversed(operators):
        if op in starts or any(one in needed and one not in given for one in op.writes()):
            kept.append(op)
            needed.update(op.reads())
    return kept[::-1]
