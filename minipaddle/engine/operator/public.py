"""An operator as a function: what calling it calls, users get and ``help()`` explains."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from minipaddle.engine.errors import failure, refused
from minipaddle.engine.fast.compiled import function
from minipaddle.engine.mode.eager import current
from minipaddle.engine.operator.annotations import shown

if TYPE_CHECKING:
    from minipaddle.engine.operator.operator import Operator


def public_function(op: Operator, inplace: bool = False) -> Callable[..., Any]:
    """Return `op`, or its in-place form, as a function: what calling it calls, users get and ``help()`` explains.

    An explicit signature spares a third of the cost of a small call.
    """
    space: dict[str, Any] = {
        "_op": op,
        "_mode": current.get,
        "_prepare": op.prepare,
        "_defaults": op.defaults,
        "_items": _items,
        "_refused": refused,
    }  # underscores, for parameters are called mode, too
    made = function(op.name, ", ".join(_parameters(op, space)), _body(op, inplace), space)
    made.__doc__ = op.__doc__
    made.__annotations__ = shown(
        _annotations(op) | {"name": "str | None"} | ({} if op.multiple else {"return": "Tensor"})
    )
    made.__module__ = op.__module__
    return made


def signature_of(op: Operator) -> inspect.Signature:
    """Return the parameters of `op` as users give them: inputs, attributes, a name."""
    usual, shown, none = {**op.defaults, "name": None}, _annotations(op), inspect.Parameter.empty
    return inspect.Signature(
        [
            inspect.Parameter(
                name,
                inspect.Parameter.POSITIONAL_OR_KEYWORD,
                default=usual.get(name, none),
                annotation=shown.get(name, none),
            )
            for name in [*op.input_names, *usual]
        ]
    )


def _annotations(op: Operator) -> dict[str, Any]:
    """Return the annotations of the kernel, as of a function that takes a list where the kernel takes ``*xs``."""
    written = dict(op.kernel.__annotations__)
    if op.list_slot in written:
        written[op.list_slot] = f"list[{written[op.list_slot]}]"
    return written


def _parameters(op: Operator, space: dict[str, Any]) -> list[str]:
    """Write the parameters; default values are handed over through `space`."""
    written: list[str] = []
    needed = False  # whether one that comes later must be given: then an optional one must be, too
    for name in reversed([*op.input_names, *op.attr_names, "name"]):
        default = op.defaults.get(name, None if name == "name" else inspect.Parameter.empty)
        if default is not inspect.Parameter.empty:
            space[f"default_{name}"] = default
            written.append(f"{name}=default_{name}")
        elif name in op.optional and not needed:
            written.append(f"{name}=None")
        else:
            needed = True
            written.append(name)
    return written[::-1]


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


def _items(op: Operator, name: str, value: Any) -> Sequence[Any]:
    """Return `value`, what the user gave for a list of inputs.

    Raises:
        TypeError: **must be a list or tuple of Tensors**.
    """
    if isinstance(value, (list, tuple)):
        return value
    raise failure(
        TypeError,
        f"{op.name}(): argument '{name}' must be a list or tuple of Tensors, but got {type(value).__name__}.",
    )
