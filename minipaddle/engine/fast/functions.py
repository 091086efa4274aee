"""Public functions from text: an operator as a function with its own signature, which spares a third of a small call.

They stand for :func:`minipaddle.engine.operator.public.public_function`, and for ``Operator.__call__``.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter
from typing import Any

from minipaddle.engine.errors import refused
from minipaddle.engine.fast.compiled import function
from minipaddle.engine.mode.eager import current
from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.operator.public import explained, list_items


def put_in_place() -> None:
    """Let operators have such functions, and calling an operator call its function.

    Python looks for ``__call__`` in the class, finds the slot, and calls what an operator has put there.
    """
    definition: Any = Operator
    definition.function_of = function_from_text
    definition.__call__ = definition.function


def function_from_text(op: Operator, inplace: bool = False) -> Callable[..., Any]:
    """Return `op`, or its in-place form, as a function: what calling it calls, users get and ``help()`` explains.

    An explicit signature spares a third of the cost of a small call.
    """
    space: dict[str, Any] = {
        "_op": op,
        "_mode": current.get,
        "_prepare": op.prepare,
        "_defaults": op.defaults,
        "_items": list_items,
        "_refused": refused,
    }  # underscores, for parameters are called mode, too
    made = function(op.name, ", ".join(_parameters(op, space)), _body(op, inplace), space)
    return explained(made, op)


def _parameters(op: Operator, space: dict[str, Any]) -> list[str]:
    """Write the parameters; default values are handed over through `space`."""
    usual = {one.name: one.default for one in op.__signature__.parameters.values()}
    given = {name: default for name, default in usual.items() if default is not Parameter.empty}
    space.update({f"default_{name}": default for name, default in given.items()})
    return [f"{name}=default_{name}" if name in given else name for name in usual]


def _body(op: Operator, inplace: bool) -> list[str]:
    """Write the statements: gather inputs and attributes, and hand both to the mode."""
    items = [f"*_items(_op, {name!r}, {name})" if name == op.list_slot else name for name in op.input_names]
    inputs = "(" + "".join(f"{item}, " for item in items) + ")"
    attrs = [f"{name}={name}" for name in op.attr_names]
    dictionary = f"dict({', '.join(attrs)})" if attrs else "_defaults"
    if inplace:
        return [f"return _mode().apply_inplace(_op, {inputs}, {dictionary})"]
    if op.prepare is None:
        return [f"return _mode().apply(_op, {inputs}, {dictionary})"]
    return [
        f"try: inputs = _prepare(_op, *{inputs})",
        f"except Exception as error: raise _refused(error, {op.name!r}, zip({op.input_names}, {inputs})) from None",
        f"return _mode().apply(_op, inputs, {dictionary})",
    ]
