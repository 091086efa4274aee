"""What schedules that are functions (paddle/optimizer/lr.py) append to a Program: a counter of its runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.engine.core.operator import TABLE
from minipaddle.ops.creation.cast import cast
from minipaddle.paddle.optimizer.lr.functional import count_runs, rate_of_run
from minipaddle.paddle.static.build.parameters import new_state
from minipaddle.paddle.static.program import (
    Role,
    TableOperator,
    Variable,
    default_main_program,
    default_startup_program,
)


@count_runs.filled
def counter(name: str, begin: int, step: int) -> Variable:
    """Return the counter of this name; a new one is moved on by the first Operator of the Program."""
    program = default_main_program()
    block = program.global_block()
    if name in block.vars:
        found: Variable = block.vars[name]
        return found
    made = new_state(name, (1,), "int64", begin - 1, program, default_startup_program())
    made.stop_gradient = True
    moves = TableOperator(block, TABLE["increment"], [made], [made], {"step": float(step)})
    block.add_op(moves, 0)
    return made


@rate_of_run.filled
def rate(formula: Callable[[Any], Any], first: int) -> Any:
    """Return what `formula` makes of the number of the run, float32, which is `first` in the first run."""
    with default_main_program().as_role(Role.RATE):
        run = counter("@LR_DECAY_COUNTER@", first, 1)
        return formula(cast(run, "float32"))
