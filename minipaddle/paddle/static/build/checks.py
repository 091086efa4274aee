"""Checks of paddle.static's functions: a Program is being built, and Variables have certain types."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.errors import failure
from minipaddle.engine.mode.eager import current
from minipaddle.paddle.static.program import Variable

_KINDS = {"b": "bool", "iu": "int32 or int64", "f": "float16, float32 or float64"}


def static_only(what: str) -> None:
    """Raise for a use of `what` in dynamic mode.

    Raises:
        AssertionError: mentioning **enable_static**.
    """
    assert not current.get().dynamic, (
        f"In PaddlePaddle 2.x, we turn on dynamic graph mode by default, and '{what}' is only supported in static "
        "graph mode. So if you want to use this api, please call 'paddle.enable_static()' before this api to enter "
        "static graph mode."
    )


def check_variable(value: Any, argument: str, function: str, kinds: str = "") -> Variable:
    """Return `value`, if it is a Variable whose NumPy dtype is of one of these `kinds` ("": of any).

    Raises:
        TypeError: naming the argument, if it is something else.
    """
    if not isinstance(value, Variable):
        raise failure(
            TypeError,
            f"The type of '{argument}' in {function} must be Variable, but received {type(value)}.",
            "declare a placeholder with paddle.static.data, or make a constant with paddle.assign(array)",
        )
    if kinds and value.meta.dtype.kind not in kinds:
        raise failure(
            TypeError,
            f"The data type of '{argument}' in {function} must be {_KINDS[kinds]}, but received {value.meta.dtype}.",
            "convert it with astype",
        )
    return value


def check_variables(values: Any, argument: str, function: str) -> list[Variable]:
    """Return a Variable, or a list or tuple of them, as a list; None as an empty one.

    Raises:
        TypeError: naming the argument that is not a Variable.
    """
    found = list(values) if isinstance(values, (list, tuple)) else [] if values is None else [values]
    return [check_variable(one, argument, function) for one in found]
