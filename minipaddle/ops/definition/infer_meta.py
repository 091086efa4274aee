"""Helpers for families of operators: shape rules, and a maker of elementwise operators from one expression."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minipaddle.engine.errors import invalid
from minipaddle.engine.operator.operator import Operator, operator
from minipaddle.engine.value.meta import Meta, Shape


def require(fits: bool) -> None:
    """Raise in a kernel unless `fits`, for arrays that NumPy would accept; the shape rule words the message."""
    if not fits:
        raise ValueError


def broadcast_shapes(x: Shape, y: Shape) -> Shape:
    """Return the shape that `x` and `y` broadcast to; unknown sizes stay -1.

    Raises:
        ValueError: **Broadcast dimension mismatch**.
    """
    ndim = max(len(x), len(y))
    left, right = (1,) * (ndim - len(x)) + tuple(x), (1,) * (ndim - len(y)) + tuple(y)
    shape = []
    for axis, (a, b) in enumerate(zip(left, right, strict=True)):
        if a != b and 1 not in (a, b) and -1 not in (a, b):
            raise invalid(
                "Broadcast dimension mismatch. Operands could not be broadcast together with the shape of "
                f"X = {list(x)} and the shape of Y = {list(y)}. Received [{a}] in X is not equal to [{b}] "
                f"in Y at i:{axis}.",
                "axes are matched from the last; sizes must be equal or 1",
            )
        shape.append(b if a == 1 else a if b == 1 else max(a, b))  # -1 with a known size: the size
    return tuple(shape)


def compare(x: Meta, y: Meta, **attrs: Any) -> Meta:
    """Shape rule of comparisons: the broadcast shape, and bool."""
    return Meta(broadcast_shapes(x.shape, y.shape), np.dtype(bool))


def axes_of(axis: int | Sequence[int] | None, ndim: int) -> tuple[int, ...]:
    """Return `axis` as a sorted tuple of non-negative axes; None or [] means all of them."""
    if axis is None or (isinstance(axis, (list, tuple)) and not axis):
        return tuple(range(ndim))
    axes = [axis] if isinstance(axis, (int, np.integer)) else list(axis)
    for one in axes:
        if not -max(ndim, 1) <= one < max(ndim, 1):
            raise invalid(
                f"The reduce dim index should be in the range [ -dimension(X), dimension(X) ) "
                f"which dimension = {ndim}. But received dim index = {one}."
            )
    found = sorted({int(one) % max(ndim, 1) for one in axes})
    if len(found) < len(axes):
        raise invalid(f"The reduce dims must differ, but received {list(axes)} (dimension = {ndim}).")
    return tuple(found) if ndim else ()


def reduced_shape(shape: Shape, axes: Sequence[int], keepdim: bool) -> Shape:
    """Return `shape` after reducing over `axes`."""
    if keepdim:
        return tuple(1 if axis in axes else size for axis, size in enumerate(shape))
    return tuple(size for axis, size in enumerate(shape) if axis not in axes)


def elementary(type: str, kernel: Callable[..., Any], does: str, **options: Any) -> Operator:
    """Define an operator on the elements of one tensor; `options` are those of an operator."""
    kernel.__name__, kernel.__doc__ = type, does
    kernel.__annotations__ = {"x": "Array", "return": "Any"}
    return operator(type, **options)(kernel)
