"""Integer arguments in the forms that users write: numbers, lists, tensors, or a mix."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minipaddle.engine.errors import failure, invalid
from minipaddle.engine.value.value import Value


def integer(value: Any) -> int:
    """Return `value`, a number or a tensor with one element, as an int."""
    return value if isinstance(value, int) and not isinstance(value, bool) else int(value)


def sizes(x: Any) -> tuple[Any, ...]:
    """Return the shape of `x`, for gradient rules that compute with it.

    For a Variable, a size unknown before the run is an object that arithmetic and shapes accept.
    """
    later = getattr(x, "as_shape", None)
    return tuple(x.shape) if later is None else later()


def known_size(x: Any, axis: int) -> int:
    """Return a size of `x` as a number; if a Program does not know it yet, the call waits for the run."""
    size: int = x.shape[axis]
    return size if size != -1 else int(x)


def integers(value: Any) -> tuple[int, ...]:
    """Return `value`, a number, a list or a tensor, as a tuple of ints."""
    if isinstance(value, (list, tuple)):
        return tuple([integer(item) for item in value])
    if hasattr(value, "ndim"):
        return tuple(np.asarray(value).reshape(-1).tolist())
    if isinstance(value, (str, bytes, dict, set)):
        raise failure(
            TypeError, f"An int or a list of ints is expected here, but got {type(value).__name__}."
        )
    return (int(value),) if isinstance(value, int) else tuple([integer(item) for item in value])


def wanted_shape(value: Any) -> tuple[int, ...]:
    """Return the user's shape, a number, a list or a tensor, as a tuple of ints.

    A size known only when a Program runs has an attribute ``as_size``, a list of such ``as_sizes``.
    """
    if isinstance(value, (list, tuple)):
        return tuple([one.as_size() if hasattr(one, "as_size") else integer(one) for one in value])
    found: tuple[int, ...] = value.as_sizes() if hasattr(value, "as_sizes") else integers(value)
    return found


def sizes_one_by_one(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of a shape that also accepts separate sizes: ``zeros(2, 3)``."""

    @functools.wraps(function)
    def of_sizes(*args: Any, **given: Any) -> Value:
        if len(args) > 1 and all(isinstance(one, int) and type(one) is not bool for one in args):
            args = (args,)
        return function(*args, **given)

    return of_sizes


def optional_axes(axis: Any) -> int | tuple[int, ...] | None:
    """Return an `axis` argument as an int, a tuple of ints, or None (also for an empty list)."""
    if axis is None or type(axis) is int:
        return axis
    if isinstance(axis, (list, tuple)):
        return integers(axis) or None
    return integer(axis)


def axis_in(axis: Any, ndim: int, what: str = "axis", kind: type[Exception] = ValueError) -> int:
    """Return `axis` counted from the front; raise `kind` if there is no such axis among `ndim`."""
    one = integer(axis)
    if not -ndim <= one < ndim:
        raise failure(
            kind,
            f"The {what} is expected to be in range of [{-ndim}, {ndim}), but got {one}.",
            "count from 0, or from -1 backwards",
        )
    return one % ndim


def axis_of_0d(axis: Any) -> None:
    """Raise for an axis that a 0-D tensor, which counts as having one, does not have."""
    if integer(axis) not in (0, -1):
        raise invalid(f"'axis'({axis}) must be 0 or -1 if input tensor is 0-dim.")


def several_axes(axes: Sequence[int], ndim: int) -> tuple[int, ...]:
    """Return `axes` counted from the front, in the given order."""
    return tuple([axis_in(axis, ndim) for axis in axes])
