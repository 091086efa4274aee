"""An operator as a function: its arguments sorted, as users give them, and what ``help()`` explains."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Parameter, Signature
from typing import TYPE_CHECKING, Any

from minipaddle.engine.errors import failure, refused
from minipaddle.engine.mode.eager import mode_now
from minipaddle.engine.operator.annotations import shown
from minipaddle.engine.value.meta import Attrs

if TYPE_CHECKING:
    from minipaddle.engine.operator.operator import Operator


def public_function(op: Operator, inplace: bool = False) -> Callable[..., Any]:
    """Return `op`, or its in-place form, as a function that users get and ``help()`` explains."""

    def function(*args: Any, **given: Any) -> Any:
        if inplace:
            return mode_now().apply_inplace(op, *inputs_and_attrs(op, args, given))
        return op(*args, **given)

    vars(function)["__signature__"] = signature_of(op)
    return explained(function, op)


def explained(function: Callable[..., Any], op: Operator) -> Callable[..., Any]:
    """Return `function` with the name, the documentation and the annotations of `op`."""
    written = _annotations(op) | {"name": "str | None"} | ({} if op.multiple else {"return": "Tensor"})
    function.__name__ = function.__qualname__ = op.name
    function.__doc__, function.__module__ = op.__doc__, op.__module__
    function.__annotations__ = shown(written)
    return function


def sorted_arguments(op: Operator, args: Sequence[Any], given: Attrs) -> tuple[tuple[Any, ...], Attrs]:
    """Return the inputs of a call, their types brought together, and its attributes."""
    inputs, attrs = inputs_and_attrs(op, args, given)
    if op.prepare is None:
        return inputs, attrs
    try:
        return op.prepare(op, *inputs), attrs
    except Exception as error:
        raise refused(error, op.name, zip(op.input_names, inputs)) from None


def inputs_and_attrs(op: Operator, args: Sequence[Any], given: Attrs) -> tuple[tuple[Any, ...], Attrs]:
    """Return the inputs (lists among them flattened) and the attributes among the arguments of a call.

    Raises:
        TypeError: in Python's words, for arguments that it does not take, or lacks.
    """
    try:
        bound = op.__signature__.bind(*args, **given)
    except TypeError as error:
        raise TypeError(f"{op.name}() {error}") from None
    bound.apply_defaults()
    found = bound.arguments
    inputs: list[Any] = []
    for name in op.input_names:
        inputs += list_items(op, name, found[name]) if name == op.list_slot else [found[name]]
    return tuple(inputs), {name: found[name] for name in op.attr_names}


def signature_of(op: Operator) -> Signature:
    """Return the parameters of `op` as users give them: inputs, attributes, a name.

    An input that may be left out must be given all the same where one that comes later must be.
    """
    usual = {**dict.fromkeys(op.optional), **op.defaults, "name": None}
    shown, found, needed = _annotations(op), [], False
    for name in reversed([*op.input_names, *op.attr_names, "name"]):
        needed = needed or usual.get(name, Parameter.empty) is Parameter.empty
        default = Parameter.empty if needed else usual[name]
        annotation = shown.get(name, Parameter.empty)
        found.append(Parameter(name, Parameter.POSITIONAL_OR_KEYWORD, default=default, annotation=annotation))
    return Signature(found[::-1])


def _annotations(op: Operator) -> dict[str, Any]:
    """Return the annotations of the kernel, as of a function that takes a list where the kernel takes ``*xs``."""
    written = dict(op.kernel.__annotations__)
    if op.list_slot in written:
        written[op.list_slot] = f"list[{written[op.list_slot]}]"
    return written


def list_items(op: Operator, name: str, value: Any) -> Sequence[Any]:
    """Return `value`, what the user gave for a list of inputs.

    Raises:
        TypeError: **must be a list or tuple of Tensors**.
    """
    if isinstance(value, (list, tuple)):
        return value
    kind = type(value).__name__
    raise failure(
        TypeError, f"{op.name}(): argument '{name}' must be a list or tuple of Tensors, but got {kind}."
    )
