"""``assert``: of a Variable an operator that stops the run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.paddle.jit.dy2static.values import seen, truth
from minipaddle.paddle.static.control_flow.assertion import assert_true
from minipaddle.paddle.static.program import Variable


def check(condition: Any, message: Callable[[], Any] | None = None) -> None:
    """Do ``assert condition, message()``: now, or when the Program runs.

    Raises:
        AssertionError: if the condition is no Variable, and false.
    """
    condition = seen(condition)
    if isinstance(condition, Variable):
        said = None if message is None else message()
        assert_true(truth(condition), message="" if said is None or isinstance(said, Variable) else str(said))
    elif not condition:
        raise AssertionError(*([] if message is None else [message()]))
