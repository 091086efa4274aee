"""What goes in and out of a Block: copies to Variables around it, and the Variable for what it leaves behind."""

from __future__ import annotations

import numpy as np

from minipaddle.core.errors import user_line
from minipaddle.core.meta import Meta
from minipaddle.core.names import unique_name
from minipaddle.ops.casting import copy
from minipaddle.static.block import Block
from minipaddle.static.operator import TableOperator
from minipaddle.static.variable import Variable

__all__ = ["assigned", "handed_out", "step_scopes"]


def assigned(block: Block, source: Variable, target: Variable) -> None:
    """Append ``target = assign(source)``; it counts among the assigns, though its output is not named after them."""
    unique_name(copy.kind)
    op = TableOperator(block, copy, [source], [target], {})
    op.where = user_line()
    block.add_op(op)


def handed_out(leaf: Variable, parent: Block, forward: Block) -> Variable:
    """Append the copy of a result of the Block to a Variable around it."""
    out = parent.create_var(shape=leaf.shape, dtype=leaf.meta.dtype, stop_gradient=leaf.stop_gradient)
    assigned(forward, leaf, out)
    return out


def step_scopes(block: Block) -> Variable:
    """Return the Variable for what a Block leaves for its gradient."""
    return Variable(block, block.program.generated_name(), _NOTHING, type="STEP_SCOPES")


_NOTHING = Meta((), np.dtype("float32"))
