"""``mul``: the product of two tensors read as matrices, which is what ``static.nn.fc`` is made of."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.ops.creation.promotion import alike_pair
from minipaddle.ops.definition import Array, Meta, Shape, Value, invalid, operator, require, tried_with
from minipaddle.ops.linalg.matmul import matmul
from minipaddle.ops.views.reshape import reshape2


def _size(sizes: Shape) -> int:
    return -1 if -1 in sizes else math.prod(sizes)


def _mul_infer(x: Meta, y: Meta, x_num_col_dims: int, y_num_col_dims: int) -> Meta:
    """Shape rule: the leading axes of `x`, the trailing axes of `y`."""
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
        return x.dot(y)
    columns = math.prod(x.shape[x_num_col_dims:])
    require(columns == math.prod(y.shape[:y_num_col_dims]))
    product = x.reshape(-1, columns).dot(y.reshape(columns, -1))
    return product.reshape(*x.shape[:x_num_col_dims], *y.shape[y_num_col_dims:])


def _as_matrix(x: Any, shape: Shape, columns_from: int) -> Any:
    """Flatten both halves of the axes; a matrix stays as it is."""
    return x if len(shape) == 2 else reshape2(x, (-1, math.prod(shape[columns_from:])))


@mul.gradient("x")
def _(dy: Value, y: Value, x_shape: Shape, x_num_col_dims: int, y_num_col_dims: int) -> Value:
    dx = matmul(
        _as_matrix(dy, tuple(dy.shape), x_num_col_dims),
        _as_matrix(y, tuple(y.shape), y_num_col_dims),
        transpose_y=True,
    )
    return dx if len(x_shape) == 2 else reshape2(dx, x_shape)


@mul.gradient("y")
def _(dy: Value, x: Value, y_shape: Shape, x_num_col_dims: int) -> Value:
    dy_flat = _as_matrix(dy, tuple(dy.shape), x_num_col_dims)
    dw = matmul(_as_matrix(x, tuple(x.shape), x_num_col_dims), dy_flat, transpose_x=True)
    return dw if len(y_shape) == 2 else reshape2(dw, y_shape)
