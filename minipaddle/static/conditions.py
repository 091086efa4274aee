"""Conditions of control flow: what may be one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.core.errors import failure
from minipaddle.static.variable import Variable

__all__ = ["Function", "check_condition"]

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
