"""In-place variants: ``add_`` of ``add``, for any function of tensors.

The result decides the type: ``x.exp_()`` of integers is float32, ``x.add_(y)`` of float32 and float64 is float64. Then
the target gets its own memory, and its views keep the old. A refused call changes nothing.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any

from minipaddle.engine.errors import guarded
from minipaddle.engine.mode.eager import current, run_inside
from minipaddle.engine.mode.in_place import enlarging
from minipaddle.engine.mode.mode import Around, Mode
from minipaddle.ops.creation.assign import assign_out
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.definition import TABLE, Attrs, Operator, Value, locate
from minipaddle.ops.definition.infer_meta import broadcast_shapes


class _StoreInFirst(Around):
    """The mode `inner`, except that an operator on `target` stores its result there."""

    __slots__ = ("target",)

    def __init__(self, inner: Mode, target: Value) -> None:
        super().__init__(inner)
        self.target = target

    def apply(self, op: Operator, inputs: tuple[Any, ...], attrs: Attrs) -> Value:
        """Return an operator's result: in place on the target, except for a cast that prepares an operand."""
        if inputs and inputs[0] is self.target and op is not cast:
            return self.inner.apply_inplace(op, inputs, attrs)
        return self.inner.apply(op, inputs, attrs)


def inplace_variant(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the method ``NAME_``, the in-place variant of the function ``NAME``."""
    own = inspect.signature(function.public if isinstance(function, Operator) else function)
    elementwise = "y" in own.parameters
    first, name = next(iter(own.parameters)), function.__name__

    @guarded
    @functools.wraps(function)
    def method(*args: Any, **kwargs: Any) -> Value:
        self: Value
        self, *rest = args or (kwargs.pop(first),)
        mode = current.get()
        if copies(name):
            return function(self, *rest, **kwargs)
        try:
            result = run_inside(_StoreInFirst(mode, self), functools.partial(function, self, *rest, **kwargs))
        except Exception:
            if elementwise:
                _check_shapes(self, rest[0] if rest else kwargs.get("y"), function.__name__)
            raise
        if mode.dynamic and tuple(result.shape) != tuple(self.shape):
            raise locate(enlarging(tuple(result.shape), tuple(self.shape)), function.__name__)
        # if the target was cast, or is not the first input of the last operator, the result is a separate tensor
        apart = mode.dynamic and result is not self
        return mode.apply_inplace(assign_out, (self, result), {}) if apart else result

    method.__name__ = method.__qualname__ = f"{name}_"
    method.__doc__ = (
        f"In-place variant of ``{name}``: the result replaces the content; the version goes up by 1."
    )
    vars(method)["__signature__"] = own
    return method


def _check_shapes(target: Value, operand: Any, name: str) -> None:
    """Raise for an operand that does not broadcast into the target; this error precedes others."""
    if isinstance(operand, Value):
        before = tuple(target.shape)
        shape = broadcast_shapes(before, tuple(operand.shape))
        if shape != before:
            type = next((op.type for op in TABLE.values() if op.name == name), name)
            raise locate(enlarging(shape, before), type)


def copies(name: str) -> bool:
    """Return whether this mode copies instead of writing in place; if so warn, in Paddle's words."""
    if current.get().dynamic:
        return False
    warnings.warn(
        f"In static graph mode, {name}_() is the same as {name}() and does not perform inplace operation.",
        stacklevel=4,
    )
    return True


def apply_over(op: Operator, inputs: tuple[Any, ...]) -> Value:
    """Return the result of `op`, whose first input is not needed any more: a Program overwrites it."""
    mode = current.get()
    return (mode.apply if mode.dynamic else mode.apply_inplace)(op, inputs, {})
