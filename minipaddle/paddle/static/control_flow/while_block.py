"""While: a loop whose body is written in a ``with`` block, as in Paddle 1; while_loop is what new scripts use."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from minipaddle.paddle.static.build import check_variable, static_only
from minipaddle.paddle.static.control_flow import while_operator
from minipaddle.paddle.static.control_flow.block_arguments import step_scopes
from minipaddle.paddle.static.program import Block, default_main_program


class While:
    """A loop that goes on as long as `cond` is true, which its Block has to write anew.

    What is to be there after the loop, the Block writes to Variables from outside: ``paddle.assign(x, outer)``,
    ``paddle.increment(i)``.

    Args:
        cond: bool, with one element.
        is_test: accepted.
        name: accepted.

    Raises:
        AssertionError: in dynamic mode, mentioning **enable_static**.
        TypeError: **cond** is no Variable of bools, or its **shape** is not that of one element.
    """

    def __init__(self, cond: Any, is_test: bool = False, name: str | None = None) -> None:
        static_only("While")
        check_variable(cond, "cond", "static.nn.While", "b")
        if math.prod(cond.shape) != 1:
            raise TypeError(f"condition expected shape as [1], but given shape as {list(cond.shape)}.")
        self.cond_var = cond

    @contextmanager
    def block(self) -> Iterator[Block]:
        """Append what follows within the ``with`` block to the body; the loop is appended when it ends."""
        program = default_main_program()
        around = program.current_block()
        with program.undone_on_error():
            body = program.new_block()
            with program.in_block(body):
                yield body
            around.add_op(while_operator.While(around, self.cond_var, body, step_scopes(around)))
