"""The public face of an operator: a plain function with a signature of its own.

It is what users call and what ``help()`` explains. Compiled, as :mod:`minipaddle.core.plan` is: an explicit signature
spares a third of the cost of a small call.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from minipaddle.core.mode import current

if TYPE_CHECKING:
    from minipaddle.core.operator import Operator

__all__ = ["public_function"]


def public_function(op: Operator) -> Callable[..., Any]:
    """Return `op` as a function."""
    space: dict[str, Any] = {
        "operator": op,
        "mode": current.get,
        "prepare": op.prepare,
        "defaults": op.defaults,
    }
    lines = [f"def {op.name}({', '.join(_parameters(op, space))}):", *_body(op)]
    exec("\n    ".join(lines), space)
    function: Callable[..., Any] = space[op.name]
    function.__doc__ = op.__doc__
    function.__module__ = op.__module__
    return function


def _parameters(op: Operator, space: dict[str, Any]) -> list[str]:
    """Write the parameters; default values are handed over through `space`."""
    written = []
    for parameter in inspect.signature(op).parameters.values():
        if parameter.default is not inspect.Parameter.empty:
            space[f"default_{parameter.name}"] = parameter.default
            written.append(f"{parameter.name}=default_{parameter.name}")
        else:
            written.append(f"{parameter.name}=None" if parameter.name in op.optional else parameter.name)
    return written


def _body(op: Operator) -> list[str]:
    """Write the statements: those with a list of inputs go the general way, the others straight to the mode."""
    attrs = [f"{name}={name}" for name in op.attr_names]
    if op.list_slot is not None:
        return [f"return operator({', '.join([*op.input_names, *attrs])})"]
    inputs = "(" + "".join(f"{name}, " for name in op.input_names) + ")"
    dictionary = f"dict({', '.join(attrs)})" if attrs else "defaults"
    if op.prepare is None:
        return [f"return mode().apply(operator, {inputs}, {dictionary})"]
    return [
        f"inputs = prepare(operator, {', '.join(op.input_names)})",
        f"return mode().apply(operator, inputs, {dictionary})",
    ]
