"""Operators on each element of one tensor that are one expression: a row of a table each, with its gradient beside it.

::

    sin = elementary("sin", lambda x: np.sin(x), "Sine of an angle in radians.", run=np.sin)
    sin.gradient("x")(lambda dy, x: dy * cos(x))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.engine.operator.operator import Operator, operator


def elementary(type: str, kernel: Callable[..., Any], does: str, **options: Any) -> Operator:
    """Define an operator on the elements of one tensor; `options` are those of an operator."""
    kernel.__name__, kernel.__doc__ = type, does
    kernel.__annotations__ = {"x": "Array", "return": "Any"}
    return operator(type, **options)(kernel)
