"""What goes in and out of a Block: copies to Variables around it, and the Variable for what it leaves behind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.core.errors import failure, user_line
from minipaddle.core.meta import Meta
from minipaddle.names.unique import unique_name
from minipaddle.ops.creation.assign import copy
from minipaddle.static.program import Block, TableOperator, Variable


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


Function = Callable[..., Any]


def check_condition(value: Any, argument: str, function: str) -> None:
    """Check a condition while building.

    Raises:
        TypeError: naming the argument, if it is no bool Variable with one element.
    """
    if not isinstance(value, Variable):
        raise TypeError(
            f"The type of '{argument}' in {function} must be Variable, but received {type(value).__name__}."
        )
    if value.meta.dtype != np.bool_:
        raise TypeError(
            f"The data type of '{argument}' in {function} must be ['bool'], but received {value.meta.dtype}."
        )
    if function == "while_loop" and np.prod([abs(size) for size in value.shape]) != 1:
        raise failure(
            TypeError,
            f"the shape of the variable returned by cond should be [1], but given shape as {list(value.shape)}.",
            "reduce it with paddle.all or paddle.any",
        )
