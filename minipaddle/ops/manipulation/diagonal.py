"""Diagonals: as a view, as a matrix, summed; and the triangles above and below them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.ops.definition import Array, Meta, Operator, Shape, Value, failure, invalid, operator, require
from minipaddle.ops.definition.example import tried_with
from minipaddle.ops.definition.program_printing import Listing, listed, of
from minipaddle.ops.reduction.sum import expand_back
from minipaddle.ops.views.reshape import reshape2


def _two_axes(shape: Shape, axis1: int, axis2: int) -> tuple[int, int]:
    """Return the two axes of a diagonal, counted from the front."""
    ndim = len(shape)
    if ndim < 2:
        raise failure(
            IndexError, f"Input's dim is out of range (expected at least 2 dimensions, but got {ndim})."
        )
    for name, axis in (("axis1", axis1), ("axis2", axis2)):
        if not -ndim <= axis < ndim:
            raise failure(
                IndexError,
                f"Attr({name}) is out of range (expected to be in range of [{-ndim}, {ndim - 1}], but got {axis}).",
            )
    if axis1 % ndim == axis2 % ndim:
        raise invalid(f"The dimensions should not be identical {axis1} vs {axis2}.")
    return axis1 % ndim, axis2 % ndim


def diagonal_shape(shape: Shape, offset: int, axis1: int, axis2: int) -> Shape:
    """Return the shape of a diagonal, with its elements along the last axis."""
    first, second = _two_axes(shape, axis1, axis2)
    rest = [size for axis, size in enumerate(shape) if axis not in (first, second)]
    rows, columns = shape[first], shape[second]
    if -1 in (rows, columns):
        return (*rest, -1)
    return (*rest, max(min(rows + min(offset, 0), columns - max(offset, 0)), 0))


def _diagonal_infer(x: Meta, offset: int, axis1: int, axis2: int) -> Meta:
    return Meta(diagonal_shape(x.shape, offset, axis1, axis2), x.dtype)


# -- reading --------------------------------------------------------------------------------------------------


@listed(inputs="Input")
@tried_with((2, 3, 4), offset=1, axis1=1, axis2=2)
@operator("diagonal", infer=_diagonal_infer, view=True)
def diagonal(x: Array, *, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Array:
    """Return a diagonal of the last or other two axes, as the last axis of a view on the memory of `x`."""
    found = x.diagonal(offset, *_two_axes(x.shape, axis1, axis2))
    found.setflags(write=x.flags.writeable)
    return found


@diagonal.gradient("x")
def _(dy: Value, offset: int, axis1: int, axis2: int, x_shape: Shape) -> Value:
    return diagonal_at(dy, offset, axis1, axis2, x_shape)


@tried_with((2, 3), offset=1, axis1=1, axis2=2, shape=(2, 3, 4))
@operator("diagonal_at", infer=lambda x, offset, axis1, axis2, shape: Meta(tuple(shape), x.dtype))
def diagonal_at(x: Array, *, offset: int, axis1: int, axis2: int, shape: Any) -> Array:
    """Start from zeros of `shape` and put `x` on a diagonal: the gradient of reading one."""
    out = np.zeros(shape, x.dtype)
    diagonal.kernel(out, offset=offset, axis1=axis1, axis2=axis2)[...] = x
    return out


diagonal_at.gradient("x")(lambda dy, offset, axis1, axis2: diagonal(dy, offset, axis1, axis2))


@listed(inputs="Input")
@tried_with((2, 3, 4), offset=1, axis1=1, axis2=2)
@operator("trace", infer=lambda x, **axes: Meta(diagonal_shape(x.shape, **axes)[:-1], x.dtype))
def trace(x: Array, *, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """Return the sum of the elements of a diagonal, without the two axes."""
    return np.add.reduce(x.diagonal(offset, *_two_axes(x.shape, axis1, axis2)), -1, x.dtype)


@trace.gradient("x")
def _(dy: Value, offset: int, axis1: int, axis2: int, x_shape: Shape) -> Value:
    stretched = expand_back(dy, diagonal_shape(x_shape, offset, axis1, axis2), -1, False)
    return diagonal_at(stretched, offset, axis1, axis2, x_shape)


# -- making a matrix ------------------------------------------------------------------------------------------


def _diag_infer(x: Meta, offset: int, **attrs: Any) -> Meta:
    if x.ndim > 2:
        raise invalid(
            f"The input tensor X's dimensions of DiagV2Op should be either 1 or 2, but received {x.ndim}."
        )
    if x.ndim == 2:
        return _diagonal_infer(x, offset, axis1=0, axis2=1)
    size = x.shape[0] if x.ndim else 1
    size = size if size == -1 else size + abs(offset)
    return Meta((size, size), x.dtype)


@listed(Listing(padding_value=of("padding_value", float)), kind="diag_v2")
@tried_with((3,), offset=1, padding_value=0.5)
@operator("diag_v2", name="diag", infer=_diag_infer)
def diag(x: Array, *, offset: int = 0, padding_value: float = 0.0) -> Array:
    """Return a matrix with the vector or number `x` on a diagonal, else `padding_value`; or a diagonal of a matrix."""
    if x.ndim == 2:
        return x.diagonal(offset).copy()
    require(x.ndim <= 2)
    size = x.size + abs(offset)
    out = np.full((size, size), np.asarray(padding_value).astype(x.dtype), x.dtype)
    diagonal.kernel(out, offset=offset)[...] = x
    return out


@diag.gradient("x")
def _(dy: Value, offset: int, x_shape: Shape) -> Value:
    if len(x_shape) == 2:
        return diagonal_at(dy, offset, 0, 1, x_shape)
    read = diag(dy, offset)
    return read if x_shape else reshape2(read, ())


def _matrix(x: Meta, **attrs: Any) -> Meta:
    if x.ndim < 2:
        raise invalid(
            f"Input(X)'s rank must be at least 2 in TrilTriuOp, but received shape {list(x.shape)}."
        )
    return x


def _triangle(name: str, keep: Callable[..., Array], does: str) -> Operator:
    """Define ``tril`` or ``triu``, one operator in a Program."""

    def kernel(x: Array, *, diagonal: int = 0) -> Array:
        require(x.ndim >= 2)
        return keep(x, diagonal)

    kernel.__doc__ = does
    made = operator(name, name=name, infer=_matrix)(kernel)
    made.gradient("x")(lambda dy, diagonal: made(dy, diagonal))
    return listed(Listing(lower=name == "tril"), type="tril_triu", kind=name, bare=True)(made)


tril = _triangle(
    "tril", np.tril, "Keep the lower triangle of a matrix (or a batch), up to `diagonal`; zeros elsewhere."
)
triu = _triangle(
    "triu", np.triu, "Keep the upper triangle of a matrix (or a batch), from `diagonal` on; zeros elsewhere."
)
