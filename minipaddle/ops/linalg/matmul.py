"""The matrix product, with batches and vectors, and ``mul``, the product of two tensors read as matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.ops.creation.promotion import alike_pair
from minipaddle.ops.definition import Array, Meta, Shape, Value, invalid, operator, require, tried_with
from minipaddle.ops.definition.program_printing import Listing, listed, of
from minipaddle.ops.reduction.sum import unbroadcast
from minipaddle.ops.views.reshape import reshape2
from minipaddle.ops.views.transpose import transpose2


def _swapped(shape: Shape) -> Shape:
    return (*shape[:-2], shape[-1], shape[-2]) if len(shape) > 1 else shape


def _batch(x: Shape, y: Shape) -> Shape:
    """Return the batch axes of a product."""
    ndim = max(len(x), len(y))
    left, right = (1,) * (ndim - len(x)) + x, (1,) * (ndim - len(y)) + y
    for axis, (a, b) in enumerate(zip(left, right, strict=True)):
        if a != b and 1 not in (a, b) and -1 not in (a, b):
            raise invalid(
                f"Input(X) and Input(Y) has error dim. X_broadcast's shape[{axis}] must be equal to "
                f"Y_broadcast's shape[{axis}], or one of them 1, but received X_broadcast's shape = "
                f"{list(left)}, Y_broadcast's shape = {list(right)}."
            )
    return tuple([b if a == 1 else a for a, b in zip(left, right, strict=True)])


def _matmul_infer(x: Meta, y: Meta, transpose_x: bool, transpose_y: bool) -> Meta:
    left = _swapped(x.shape) if transpose_x else x.shape
    right = _swapped(y.shape) if transpose_y else y.shape
    if not left or not right:
        raise invalid(
            f"In operator matmul, inputs must have at least 1 axis, but received X: {list(x.shape)}, Y: "
            f"{list(y.shape)}.",
            "multiply by a number with *",
        )
    rows, width = -2 if len(right) > 1 else -1, left[-1]
    if width != right[rows] and -1 not in (width, right[rows]):
        hint = "; with one transposed they fit" if left[-2:-1] == (right[rows],) or right[-1] == width else ""
        raise invalid(
            f"In operator matmul, the [{len(left) - 1}] dimension of Input(X) must be equal to the "
            f"[{len(right) + rows}] dimension of Input(Y). But receiving the [{len(left) - 1}] dimension of Input(X) "
            f"is [{width}], and the [{len(right) + rows}] dimension of Input(Y) is [{right[rows]}].",
            f"the shapes are {list(x.shape)} and {list(y.shape)}{hint}",
        )
    shape = (*_batch(left[:-2], right[:-2]), *left[-2:-1], *right[-1:][: len(right) - 1])
    return Meta(shape, np.result_type(x.dtype, y.dtype))


@listed(Listing(trans_x=of("transpose_x"), trans_y=of("transpose_y")))
@tried_with((2, 3), (3, 2))
@operator("matmul_v2", infer=_matmul_infer, prepare=alike_pair)
def matmul(x: Array, y: Array, *, transpose_x: bool = False, transpose_y: bool = False) -> Any:
    """Multiply matrices; leading axes are a batch and broadcast, one axis is a vector, as in NumPy.

    Raises:
        ValueError: if the inner sizes differ or the batches do not broadcast.
    """
    if transpose_x and x.ndim > 1:
        x = x.swapaxes(-1, -2)
    if transpose_y and y.ndim > 1:
        y = y.swapaxes(-1, -2)
    if y.ndim != 2 or x.ndim <= 2:
        return product(x, y)
    rows = x.reshape(math.prod(x.shape[:-1]), x.shape[-1])  # one product instead of one per batch entry
    return product(rows, y).reshape(*x.shape[:-1], y.shape[1])


SMALL = 1 << 12
"""Multiplications up to which a product is no call of BLAS: from here on this costs more than 5 microseconds."""
_LARGE = 1 << 14  # elements of a result from which filling costs more than checks
_SUMS = {
    (1, 2): "j,jk->k", (2, 1): "ij,j->i", (2, 2): "ij,jk->ik", (3, 3): "aij,ajk->aik", (4, 4): "abij,abjk->abik",
}  # fmt: skip


def product(x: Any, y: Any) -> Any:
    """Return ``x @ y``; of small matrices, equal rows and equal columns give elements that are equal bit by bit.

    BLAS adds the columns of a block in another order than those left over: hidden units that begin equal would part
    by rounding. In :func:`numpy.einsum` all elements are sums in the same order.
    """
    if type(x) is not np.ndarray or type(y) is not np.ndarray:  # Tensors and symbols
        return x @ y
    sums = _SUMS.get((x.ndim, y.ndim), "")
    fits = sums and x.shape[-1] == y.shape[-2:][0] and x.size * y.size <= SMALL * x.shape[-1]
    if fits and x.dtype.char in "fdFD" and x.dtype == y.dtype:
        # in one layout: the order of a sum depends on it
        return np.einsum(sums, np.ascontiguousarray(x), np.ascontiguousarray(y))
    if x.ndim == y.ndim == 2 and x.shape[0] * y.shape[1] < _LARGE:
        return x.dot(y)  # the same BLAS call: it has fewer checks, but fills its result with zeros first
    return np.matmul(x, y)


def turned(x: Any) -> Any:
    """Return `x` with its last two axes exchanged."""
    return x.T if x.ndim == 2 else transpose2(x, (*range(x.ndim - 2), x.ndim - 1, x.ndim - 2))


def _as_matrices(dy: Any, x_ndim: int, y_ndim: int) -> Any:
    """Return the gradient of a product with the axes that its vectors lack."""
    shape = tuple(dy.shape)
    if y_ndim == 1:
        dy, shape = reshape2(dy, (*shape, 1)), (*shape, 1)
    return reshape2(dy, (*shape[:-1], 1, shape[-1])) if x_ndim == 1 else dy


@matmul.gradient("x")
def _(dy: Value, y: Value, x_shape: Shape, transpose_x: bool, transpose_y: bool) -> Value:
    if len(x_shape) == 2 and y.ndim == 2 and not transpose_x:
        return product(dy, y if transpose_y else y.T)
    if y.ndim == 1:
        y, transpose_y = reshape2(y, (-1, 1)), False
        dy = _as_matrices(dy, len(x_shape), 1)
    elif len(x_shape) == 1:
        dy = _as_matrices(dy, 1, 2)
    if len(x_shape) > 1 and transpose_x:
        return unbroadcast(matmul(y, dy, transpose_y, True), x_shape)
    dx = matmul(dy, y, False, not transpose_y)
    if len(x_shape) == 1:
        dx = reshape2(unbroadcast(dx, (1, x_shape[0])), x_shape)
    return unbroadcast(dx, x_shape)


@matmul.gradient("y")
def _(dy: Value, x: Value, y_shape: Shape, transpose_x: bool, transpose_y: bool) -> Value:
    if len(y_shape) == 2 and x.ndim > 1 and not transpose_x:
        if x.ndim > 2:  # one product instead of a batch and its sum
            x, dy = reshape2(x, (-1, x.shape[-1])), reshape2(dy, (-1, dy.shape[-1]))
        return product(dy.T, x) if transpose_y else product(x.T, dy)
    dy = _as_matrices(dy, x.ndim, len(y_shape))
    if x.ndim == 1:
        x, transpose_x = reshape2(x, (1, -1)), False
    if len(y_shape) > 1 and transpose_y:
        return unbroadcast(matmul(dy, x, True, transpose_x), y_shape)
    dw = matmul(x, dy, not transpose_x, False)
    if len(y_shape) == 1:
        dw = reshape2(unbroadcast(dw, (y_shape[0], 1)), y_shape)
    return unbroadcast(dw, y_shape)


# -- mul: the product in static.nn.fc ------------------------------------------------------------------------


def _size(sizes: Shape) -> int:
    return -1 if -1 in sizes else math.prod(sizes)


def _mul_infer(x: Meta, y: Meta, x_num_col_dims: int, y_num_col_dims: int) -> Meta:
    """Shape rule: the leading axes of `x`, the trailing axes of `y`."""
    if x.ndim <= x_num_col_dims:
        raise invalid(f"X needs more than x_num_col_dims = {x_num_col_dims} axes, but has {list(x.shape)}.")
    width, height = _size(x.shape[x_num_col_dims:]), _size(y.shape[:y_num_col_dims])
    if width != height and -1 not in (width, height):
        raise invalid(
            f"After flattening, the width of X must be the height of Y, but received {width} and {height}: the shapes "
            f"{list(x.shape)} and {list(y.shape)} with x_num_col_dims = {x_num_col_dims}, "
            f"y_num_col_dims = {y_num_col_dims}.",
            "the first num_flatten_dims axes stay, the others become the columns",
        )
    return Meta((*x.shape[:x_num_col_dims], *y.shape[y_num_col_dims:]), np.result_type(x.dtype, y.dtype))


@tried_with((2, 3, 2), (6, 2))
@operator("mul", infer=_mul_infer, prepare=alike_pair)
def mul(x: Array, y: Array, *, x_num_col_dims: int = 1, y_num_col_dims: int = 1) -> Array:
    """Multiply matrices: the axes of `x` from `x_num_col_dims` on are one, those of `y` before `y_num_col_dims` too."""
    if x.ndim == y.ndim == 2:
        return product(x, y)
    columns = math.prod(x.shape[x_num_col_dims:])
    require(columns == math.prod(y.shape[:y_num_col_dims]))
    flat: Array = product(x.reshape(-1, columns), y.reshape(columns, -1))
    return flat.reshape(*x.shape[:x_num_col_dims], *y.shape[y_num_col_dims:])


def _as_matrix(x: Any, shape: Shape, columns_from: int) -> Any:
    """Flatten both halves of the axes; a matrix stays as it is."""
    return x if len(shape) == 2 else reshape2(x, (-1, math.prod(shape[columns_from:])))


@mul.gradient("x")
def _(dy: Value, y: Value, x_shape: Shape, x_num_col_dims: int, y_num_col_dims: int) -> Value:
    dy_flat = _as_matrix(dy, tuple(dy.shape), x_num_col_dims)
    dx = matmul(dy_flat, _as_matrix(y, tuple(y.shape), y_num_col_dims), transpose_y=True)
    return dx if len(x_shape) == 2 else reshape2(dx, x_shape)


@mul.gradient("y")
def _(dy: Value, x: Value, y_shape: Shape, x_num_col_dims: int) -> Value:
    dy_flat = _as_matrix(dy, tuple(dy.shape), x_num_col_dims)
    dw = matmul(_as_matrix(x, tuple(x.shape), x_num_col_dims), dy_flat, transpose_x=True)
    return dw if len(y_shape) == 2 else reshape2(dw, y_shape)
