"""An operator as a function: its arguments sorted, as users give them, and what ``help()`` explains."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
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
    function.__doc__, function.__module__, function.__annotations__ = (
        op.__doc__,
        op.__module__,
        shown(written),
    )
    return function


_NONE = inspect.Parameter.empty  # the default of an attribute that has none


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
    """Return the inputs (lists among them flattened) and the attributes among the arguments of a call."""
    names = [*op.input_names, *op.attr_names, "name"]
    found = {**dict.fromkeys(op.optional), **op.defaults, "name": None, **dict(zip(names, args)), **given}
    lacking = [name for name in names if found.get(name, _NONE) is _NONE]
    if (
        lacking
        or len(found) > len(names)
        or len(args) > len(names)
        or not given.keys().isdisjoint(names[: len(args)])
    ):
        raise _wrong(op, names, args, given, lacking)
    inputs: list[Any] = []
    for name in op.input_names:
        inputs += list_items(op, name, found[name]) if name == op.list_slot else [found[name]]
    return tuple(inputs), {name: found[name] for name in op.attr_names}


def _wrong(
    op: Operator, names: Sequence[str], args: Sequence[Any], given: Attrs, lacking: list[str]
) -> TypeError:
    """Return the error that Python has for arguments that a function does not take, or lacks."""
    unknown = [name for name in given if name not in names]
    twice = [name for name in names[: len(args)] if name in given]
    if unknown:
        return TypeError(f"{op.name}() got an unexpected keyword argument {unknown[0]!r}")
    if twice:
        return TypeError(f"{op.name}() got multiple values for argument {twice[0]!r}")
    if lacking:
        several = "s" if len(lacking) > 1 else ""
        return TypeError(
            f"{op.name}() missing {len(lacking)} required positional argument{several}: "
            + " and ".join(map(repr, lacking))
        )
    return TypeError(
        f"{op.name}() takes at most {len(names)} positional arguments but {len(args)} were given"
    )


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


def list_items(op: Operator, name: str, value: Any) -> Sequence[Any]:
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
