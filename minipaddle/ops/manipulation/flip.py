"""The elements in another order: flip, roll."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.ops.definition import Array, Listing, Value, invalid, listed, of, operator, tried_with
from minipaddle.ops.definition.arguments import integers, optional_axes, several_axes
from minipaddle.ops.definition.axis_printing import axes_as_list, axes_from_list


@tried_with((2, 3), axis=(1,))
@operator("flip")
def flip_op(x: Array, *, axis: Any) -> Array:
    """Turn the order along some axes round."""
    return np.flip(x, axis).copy()


flip_op.gradient("x", program=True)(lambda dy, axis: flip_op(dy, axis))


def flip(x: Any, axis: Any, name: str | None = None) -> Any:
    """Return `x` with the order along `axis` (one or several) turned round."""
    axes = several_axes(integers(axis), x.ndim)
    if len({*axes}) < len(axes):
        raise invalid(f"axes has duplicates: {list(axes)}.")
    return flip_op(x, axes)


@listed(Listing(axis=of("axis", axes_as_list, axes_from_list)), grad_keeps="X")
@tried_with((2, 3), shifts=(1,), axis=(1,))
@operator("roll")
def roll_op(x: Array, *, shifts: Any, axis: Any = None) -> Array:
    """Shift the elements along some axes, or through all; what falls out comes in at the other end."""
    return np.roll(x, shifts if axis is not None else shifts[0], axis)


roll_op.gradient("x")(lambda dy, shifts, axis: roll_op(dy, tuple([-shift for shift in shifts]), axis))


def roll(x: Value, shifts: Any, axis: Any = None, name: str | None = None) -> Value:
    """Return `x` shifted along `axis` (None: as if flat); what falls out at one end comes in at the other."""
    found, axes = integers(shifts), optional_axes(axis)
    where = None if axes is None else several_axes(integers(axes), x.ndim)
    if len(found) != (1 if where is None else len(where)):
        raise invalid(f"shifts and axis should have the same size, but received {shifts} and {axis}.")
    return roll_op(x, found, where)
