"""What users may write where an operator wants integers: numbers, lists, tensors, or a mix."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minipaddle.core.errors import failure


def integer(value: Any) -> int:
    """Return `value`, a number or a tensor with one element, as an int.

    What is known only when a Program runs says so itself: it has ``as_size``.
    """
    if type(value) is int:
        return value
    later = getattr(value, "as_size", None)
    return int(value) if later is None else later()


def sizes(x: Any) -> tuple[Any, ...]:
    """Return the shape of `x`, for gradient rules that reckon with it.

    Over a Variable a size that only a run will tell is one that arithmetic and shapes take as it is.
    """
    later = getattr(x, "as_shape", None)
    return tuple(x.shape) if later is None else later()


def integers(value: Any) -> tuple[int, ...]:
    """Return `value`, a number, a list or a tensor, as a tuple of ints."""
    if isinstance(value, (list, tuple)):
        return tuple([integer(item) for item in value])
    if hasattr(value, "as_sizes"):
        found: tuple[int, ...] = value.as_sizes()
        return found
    if hasattr(value, "ndim"):
        return tuple(np.asarray(value).reshape(-1).tolist())
    if isinstance(value, (str, bytes, dict, set)):
        raise failure(
            TypeError, f"An int or a list of ints is expected here, but got {type(value).__name__}."
        )
    return (int(value),) if isinstance(value, int) else tuple([integer(item) for item in value])


def sizes_one_by_one(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of a shape such that the sizes may stand one by one: ``zeros(2, 3)``."""

    @functools.wraps(function)
    def of_sizes(*args: Any, **given: Any) -> Any:
        if len(args) > 1 and all(type(one) is int for one in args):
            args = (args,)
        return function(*args, **given)

    return of_sizes


def optional_axes(axis: Any) -> int | tuple[int, ...] | None:
    """Return an `axis` argument as an int, a tuple of ints, or None (which an empty list means too)."""
    if axis is None or type(axis) is int:
        return axis
    if isinstance(axis, (list, tuple)):
        return integers(axis) or None
    return integer(axis)


def axis_in(axis: Any, ndim: int, what: str = "axis", kind: type[Exception] = ValueError) -> int:
    """Return `axis` counted from the front.

    Raises:
        ValueError: (or `kind`) if there is no such axis among `ndim` of them.
    """
    one = integer(axis)
    if not -ndim <= one < ndim:
        raise failure(
            kind,
            f"The {what} is expected to be in range of [{-ndim}, {ndim}), but got {one}.",
            "count from 0, or from -1 backwards",
        )
    return one % ndim


def axis_of_0d(axis: Any) -> None:
    """Refuse an axis that a 0-D tensor, which counts as having one, does not have.

    Raises:
        ValueError: if `axis` is neither 0 nor -1.
    """
    if integer(axis) not in (0, -1):
        raise failure(ValueError, f"'axis'({axis}) must be 0 or -1 if input tensor is 0-dim.")


def several_axes(axes: Sequence[int], ndim: int) -> tuple[int, ...]:
    """Return `axes` counted from the front, in the given order."""
    return tuple([axis_in(axis, ndim) for axis in axes])
