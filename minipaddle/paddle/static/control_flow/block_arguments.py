"""What comes out of a Block: copies of its results to Variables around it, and what it leaves for its gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.engine.names.unique import unique_name
from minipaddle.engine.value.meta import Meta, Shape
from minipaddle.ops.creation.assign import assign_op
from minipaddle.ops.definition.program_printing import printed
from minipaddle.ops.definition.var_type import VarType
from minipaddle.paddle.static.program import Block, TableOperator, Variable
from minipaddle.paddle.static.pytree import rebuilt

Function = Callable[..., Any]


def assigned(block: Block, source: Variable, target: Variable) -> None:
    """Append ``target = assign(source)``; it counts among the assigns, though its output is not named after them."""
    unique_name(printed(assign_op).kind)
    block.add_op(TableOperator(block, assign_op, [source], [target], {}))


def assigned_out(variable: Variable, body: Block, around: Block) -> Variable:
    """Append to `body` the copy of a Variable to a new one of the Block `around`, and return that."""
    out = around.create_like(variable, variable.stop_gradient)
    assigned(body, variable, out)
    return out


def results_around(results: Any, body: Block, around: Block) -> tuple[Any, list[Variable]]:
    """Return a pytree of results of `body` with copies of its Variables in the Block `around`, and these alone."""
    outs: list[Variable] = []

    def outside(leaf: Any) -> Any:
        if not isinstance(leaf, Variable):
            return leaf
        outs.append(assigned_out(leaf, body, around))
        return outs[-1]

    return rebuilt(results, outside), outs


def step_scopes(block: Block) -> Variable:
    """Return a new Variable for what a Block of `block` leaves for its gradient."""
    nothing = Meta((), np.dtype("float32"))
    made: Variable = block.add(
        Variable(block, block.program.generated_name(), nothing, type=VarType.STEP_SCOPES)
    )
    return made


def common_shape(one: Shape, other: Shape) -> Shape:
    """Return a shape that may be either, of the same rank: sizes that differ are unknown."""
    return tuple([a if a == b else -1 for a, b in zip(one, other, strict=True)])
