"""An operator as a function: written as text, with the signature that users and ``help()`` see, and compiled.

So Python itself sorts the arguments, and reports wrong ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Parameter
from typing import TYPE_CHECKING, Any

from minipaddle.engine.errors import failure, refused, shown
from minipaddle.engine.mode.eager import mode_now

if TYPE_CHECKING:
    from minipaddle.engine.operator.operator import Operator


def function(name: str, parameters: str, body: Sequence[str], space: dict[str, Any]) -> Callable[..., Any]:
    """Return the function ``def name(parameters): body`` whose globals are `space`."""
    source = "\n    ".join([f"def {name}({parameters}):", *body])
    exec(compile(source, f"{__file__} of {name}", "exec"), space)  # a frame inside minipaddle, without a line
    made: Callable[..., Any] = space[name]
    return made


def public_function(op: Operator, inplace: bool = False) -> Callable[..., Any]:
    """Return `op`, or its in-place form, as a function that passes inputs and attributes to the mode."""
    space: dict[str, Any] = {
        "_op": op,
        "_mode": mode_now,
        "_prepare": op.prepare,
        "_defaults": op.defaults,
        "_items": list_items,
        "_refused": refused,
    }  # underscores, as a parameter may be called mode, too
    items = [f"*_items(_op, {name!r}, {name})" if name == op.list_slot else name for name in op.input_names]
    inputs = "(" + "".join(f"{item}, " for item in items) + ")"
    attrs = [f"{name}={name}" for name in op.attr_names]
    dictionary = f"dict({', '.join(attrs)})" if attrs else "_defaults"
    if inplace:
        body = [f"return _mode().apply_inplace(_op, {inputs}, {dictionary})"]
    elif op.prepare is None:
        body = [f"return _mode().apply(_op, {inputs}, {dictionary})"]
    else:
        body = [
            f"try: inputs = _prepare(_op, *{inputs})",
            f"except Exception as error: raise _refused(error, {op.name!r}, zip({op.input_names}, {inputs})) from None",
            f"return _mode().apply(_op, inputs, {dictionary})",
        ]
    made = function(op.name, _parameters(op, space), body, space)
    made.__annotations__ = shown(
        annotations_of(op) | {"name": "str | None"} | ({} if op.multiple else {"return": "Tensor"})
    )
    made.__doc__, made.__module__ = op.__doc__, op.__module__
    return made


def _parameters(op: Operator, space: dict[str, Any]) -> str:
    """Return the text of the parameters: inputs, attributes, a name; default values are put into `space`.

    An optional input is required if a later input is.
    """
    usual = {**dict.fromkeys(op.optional), **op.defaults, "name": None}
    found, needed = [], False
    for name in reversed([*op.input_names, *op.attr_names, "name"]):
        space[f"default_{name}"] = default = usual.get(name, Parameter.empty)
        needed = needed or default is Parameter.empty
        found.append(name if needed else f"{name}=default_{name}")
    return ", ".join(found[::-1])


def annotations_of(op: Operator) -> dict[str, Any]:
    """Return the kernel's annotations, for a function that takes a list where the kernel takes ``*xs``."""
    written = dict(op.kernel.__annotations__)
    if op.list_slot in written:
        written[op.list_slot] = f"list[{written[op.list_slot]}]"
    return written


def list_items(op: Operator, name: str, value: Any) -> Sequence[Any]:
    """Return `value`, the user's list for a list of inputs, checked.

    Raises:
        TypeError: **must be a list or tuple of Tensors**.
    """
    if isinstance(value, (list, tuple)):
        return value
    kind = type(value).__name__
    raise failure(
        TypeError, f"{op.name}(): argument '{name}' must be a list or tuple of Tensors, but got {kind}."
    )
