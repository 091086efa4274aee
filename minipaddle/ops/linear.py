"""Matrix products."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.core.errors import failure
from minipaddle.core.meta import Array, Meta, Shape
from minipaddle.core.operator import operator
from minipaddle.ops.elementwise import unbroadcast
from minipaddle.ops.promotion import promote
from minipaddle.ops.reduction import expand_back
from minipaddle.ops.shaping import reshape2
from minipaddle.ops.transposing import transpose2

__all__ = ["add_n", "addmm", "bmm", "dot", "inner", "matmul", "mm", "outer"]


# -- matmul --------------------------------------------------------------------------------------------------


def _swapped(shape: Shape) -> Shape:
    return (*shape[:-2], shape[-1], shape[-2]) if len(shape) > 1 else shape


def _batch(x: Shape, y: Shape) -> Shape:
    """Return the batch axes of a product.

    Raises:
        ValueError: if they do not broadcast.
    """
    ndim = max(len(x), len(y))
    left, right = (1,) * (ndim - len(x)) + x, (1,) * (ndim - len(y)) + y
    for axis, (a, b) in enumerate(zip(left, right, strict=True)):
        if a != b and 1 not in (a, b) and -1 not in (a, b):
            raise failure(
                ValueError,
                f"Input(X) and Input(Y) has error dim. X_broadcast's shape[{axis}] must be equal to "
                "Y_broadcast's "
                f"shape[{axis}], or one of them 1, but received X_broadcast's shape = {list(left)}, "
                f"Y_broadcast's shape = {list(right)}.",
            )
    return tuple([b if a == 1 else a for a, b in zip(left, right, strict=True)])


def _matmul_infer(x: Meta, y: Meta, *, transpose_x: bool = False, transpose_y: bool = False) -> Meta:
    left = _swapped(x.shape) if transpose_x else x.shape
    right = _swapped(y.shape) if transpose_y else y.shape
    if not left or not right:
        raise failure(
            ValueError,
            f"In operator matmul, inputs must have at least 1 axis, but received X: {list(x.shape)}, Y: "
            f"{list(y.shape)}.",
            "multiply by a number with *",
        )
    rows, width = -2 if len(right) > 1 else -1, left[-1]
    if width != right[rows] and -1 not in (width, right[rows]):
        raise failure(
            ValueError,
            f"In operator matmul, the [{len(left) - 1}] dimension of Input(X) must be equal to the "
            f"[{len(right) + rows}] dimension of Input(Y). But receiving the [{len(left) - 1}] dimension "
            "of Input(X) is "
            f"[{width}], and the [{len(right) + rows}] dimension of Input(Y) is [{right[rows]}].",
            f"the shapes are {list(x.shape)} and {list(y.shape)}; transpose_x=True or transpose_y=True may "
            "be missing",
        )
    shape = (*_batch(left[:-2], right[:-2]), *left[-2:-1], *right[-1:][: len(right) - 1])
    return Meta(shape, np.result_type(x.dtype, y.dtype))


@operator(
    "matmul_v2",
    "X, Y -> Out",
    infer=_matmul_infer,
    prepare=promote,
    latex=r"x y",
    example=lambda rng: ([rng.uniform(0.2, 0.9, (2, 3)), rng.uniform(0.2, 0.9, (3, 2))], {}),
)
def matmul(x: Array, y: Array, transpose_x: bool = False, transpose_y: bool = False) -> Any:
    """Multiply matrices; leading axes are a batch and broadcast, one axis is a vector, as in NumPy.

    Args:
        x: tensor of one axis or more.
        y: tensor of one axis or more.
        transpose_x: whether to exchange the last two axes of `x` first.
        transpose_y: the same for `y`.

    Raises:
        ValueError: if the inner sizes differ or the batches do not broadcast.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/matmul_en.html
    """
    if transpose_x and x.ndim > 1:
        x = x.swapaxes(-1, -2)
    if transpose_y and y.ndim > 1:
        y = y.swapaxes(-1, -2)
    if y.ndim != 2 or x.ndim == 1:
        return np.matmul(x, y)
    if x.ndim == 2:
        return x.dot(y)  # the same BLAS call with half the ceremony
    width = x.shape[-1]  # one product instead of one per batch entry
    return x.reshape(math.prod(x.shape[:-1]), width).dot(y).reshape(*x.shape[:-1], y.shape[1])


def _turned(x: Any) -> Any:
    """Exchange the last two axes."""
    return x.T if x.ndim == 2 else transpose2(x, (*range(x.ndim - 2), x.ndim - 1, x.ndim - 2))


def _as_matrices(dy: Any, x_ndim: int, y_ndim: int) -> Any:
    """Give the gradient of a product the axes that its vectors lack."""
    shape = tuple(dy.shape)
    if y_ndim == 1:
        dy, shape = reshape2(dy, (*shape, 1)), (*shape, 1)
    return reshape2(dy, (*shape[:-1], 1, shape[-1])) if x_ndim == 1 else dy


@matmul.gradient(
    "x",
    formula=(
        "dy @ y.T",
        "dy @ y",
        "y @ dy.T",
        "y.T @ dy.T",
        "dy @ swapaxes(y, -1, -2)",
        "outer(dy, y)",
        "dy * y",
        "y @ dy",
        "expand_dims(dy, -1) * y",
        "unbroadcast(dy @ swapaxes(y, -1, -2), x_shape)",
        "unbroadcast(dy @ y, x_shape)",
    ),
)
def _(dy: Any, y: Any, x_shape: Any, transpose_x: bool, transpose_y: bool) -> Any:
    if len(x_shape) == 2 and y.ndim == 2 and not transpose_x:
        return dy @ y if transpose_y else dy @ y.T
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


@matmul.gradient(
    "y",
    formula=(
        "x.T @ dy",
        "dy.T @ x",
        "x @ dy",
        "dy.T @ x.T",
        "swapaxes(x, -1, -2) @ dy",
        "swapaxes(dy, -1, -2) @ x",
        "outer(x, dy)",
        "dy * x",
        "x.reshape(-1, x.shape[-1]).T @ dy.reshape(-1, dy.shape[-1])",
        "dy.reshape(-1, dy.shape[-1]).T @ x.reshape(-1, x.shape[-1])",
        "unbroadcast(swapaxes(x, -1, -2) @ dy, y_shape)",
        "unbroadcast(swapaxes(dy, -1, -2) @ x, y_shape)",
        "unbroadcast(expand_dims(dy, -1) * x, y_shape)",
    ),
)
def _(dy: Any, x: Any, y_shape: Any, transpose_x: bool, transpose_y: bool) -> Any:
    if len(y_shape) == 2 and x.ndim == 2 and not transpose_x:
        return dy.T @ x if transpose_y else x.T @ dy
    if len(y_shape) == 2 and x.ndim > 2 and not transpose_x:  # one product instead of a batch and its sum
        x, dy = reshape2(x, (-1, x.shape[-1])), reshape2(dy, (-1, dy.shape[-1]))
        return dy.T @ x if transpose_y else x.T @ dy
    dy = _as_matrices(dy, x.ndim, len(y_shape))
    if x.ndim == 1:
        x, transpose_x = reshape2(x, (1, -1)), False
    if len(y_shape) > 1 and transpose_y:
        return unbroadcast(matmul(dy, x, True, transpose_x), y_shape)
    dw = matmul(x, dy, not transpose_x, False)
    if len(y_shape) == 1:
        dw = reshape2(unbroadcast(dw, (y_shape[0], 1)), y_shape)
    return unbroadcast(dw, y_shape)


def mm(input: Any, mat2: Any, name: str | None = None) -> Any:
    """Return the product of two matrices, as :func:`matmul` does.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/mm_en.html
    """
    return matmul(input, mat2)


# -- other products ------------------------------------------------------------------------------------------


def _bmm_infer(x: Meta, y: Meta) -> Meta:
    for name, meta in (("X", x), ("Y", y)):
        if meta.ndim != 3:
            raise failure(
                ValueError,
                f"Input({name}) of BmmOp must be 3-dimensional in BmmOp, but received {name}'s shape: "
                f"{list(meta.shape)}.",
                "paddle.matmul takes any number of axes",
            )
    for what, a, b in (("width and height", x.shape[2], y.shape[1]), ("batch size", x.shape[0], y.shape[0])):
        if a != b and -1 not in (a, b):
            raise failure(
                ValueError,
                f"Input(X) and Input(Y) must have the same {what} in BmmOp, but received [{a}] and [{b}] "
                f"in the shapes {list(x.shape)} and {list(y.shape)}.",
            )
    return Meta((x.shape[0], x.shape[1], y.shape[2]), np.result_type(x.dtype, y.dtype))


@operator(
    "bmm",
    "X, Y -> Out",
    infer=_bmm_infer,
    prepare=promote,
    latex=r"x_b y_b",
    example=lambda rng: ([rng.uniform(0.2, 0.9, (2, 2, 3)), rng.uniform(0.2, 0.9, (2, 3, 2))], {}),
)
def bmm(x: Array, y: Array) -> Any:
    """Multiply the matrices of two batches of equal size: [B, M, K] by [B, K, N].

    Raises:
        ValueError: if an input has not three axes, or sizes differ.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/bmm_en.html
    """
    if x.ndim != 3 or y.ndim != 3 or x.shape[0] != y.shape[0]:
        raise ValueError  # worded by the shape rule
    return np.matmul(x, y)


@bmm.gradient("x", formula="dy @ swapaxes(y, -1, -2)")
def _(dy: Any, y: Any) -> Any:
    return bmm(dy, _turned(y))


@bmm.gradient("y", formula="swapaxes(x, -1, -2) @ dy")
def _(dy: Any, x: Any) -> Any:
    return bmm(_turned(x), dy)


def _dot_infer(x: Meta, y: Meta) -> Meta:
    if (x.shape != y.shape and -1 not in (*x.shape, *y.shape)) or x.ndim not in (1, 2):
        raise failure(
            RuntimeError,
            f"ShapeError: The shape of input tensor X: {list(x.shape)} should be exactly the same with "
            "input tensor "
            f"Y: {list(y.shape)}, and both have 1 or 2 axes.",
        )
    return Meta(x.shape[:-1], np.result_type(x.dtype, y.dtype))


@operator("dot", "X, Y -> Out", infer=_dot_infer, prepare=promote, latex=r"x \cdot y")
def dot(x: Array, y: Array) -> Any:
    """Multiply two vectors (or the rows of two matrices) elementwise and add up.

    Raises:
        RuntimeError: if the shapes differ.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/dot_en.html
    """
    if x.shape != y.shape or x.ndim not in (1, 2):
        raise RuntimeError  # worded by the shape rule
    return x.dot(y) if x.ndim == 1 else np.add.reduce(x * y, -1)


@dot.gradient("x", formula="expand_dims(dy, -1) * y")
def _(dy: Any, y: Any, x_shape: Any) -> Any:
    return expand_back(dy, x_shape, -1, False) * y


@dot.gradient("y", formula="expand_dims(dy, -1) * x")
def _(dy: Any, x: Any, x_shape: Any) -> Any:
    return expand_back(dy, x_shape, -1, False) * x


def inner(x: Any, y: Any, name: str | None = None) -> Any:
    """Return the sums of products over the last axes of `x` and `y`.

    Raises:
        ValueError: if the last axes differ in size.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/inner_en.html
    """
    if x.ndim == 0 or y.ndim == 0:
        return x * y
    if x.shape[-1] != y.shape[-1]:
        raise failure(
            ValueError,
            f"Input X's last dim should be equal to Y's last dim for inner, "
            f"but received X's shape: {list(x.shape)}, Y's shape: {list(y.shape)}.",
        )
    width = x.shape[-1]
    product = matmul(reshape2(x, (-1, width)), reshape2(y, (-1, width)), transpose_y=True)
    return reshape2(product, (*x.shape[:-1], *y.shape[:-1]))


def outer(x: Any, y: Any, name: str | None = None) -> Any:
    """Return the product of every element of `x` with every element of `y`, as a matrix.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/outer_en.html
    """
    return reshape2(x, (-1, 1)) * reshape2(y, (1, -1))


def addmm(input: Any, x: Any, y: Any, beta: float = 1.0, alpha: float = 1.0, name: str | None = None) -> Any:
    """Return ``alpha * x @ y + beta * input``.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/addmm_en.html
    """
    return input * beta + matmul(x, y) * alpha


# -- many at once --------------------------------------------------------------------------------------------


def _add_n_infer(x: list[Meta]) -> Meta:
    for number, meta in enumerate(x):
        if len(meta.shape) != len(x[0].shape) or any(
            a != b and -1 not in (a, b) for a, b in zip(meta.shape, x[0].shape, strict=True)
        ):
            raise failure(
                ValueError,
                "The input tensor X of AddNOp must have same shape. But received X[0]'s shape = "
                f"{list(x[0].shape)}, "
                f"X[{number}]'s shape = {list(meta.shape)}.",
            )
    return x[0]


@operator("sum", "X* -> Out", name="add_n", infer=_add_n_infer, latex=r"\sum_i x_i")
def sum_of_list(x: list[Array]) -> Any:
    """Add tensors of one shape."""
    if any(one.shape != x[0].shape for one in x):
        raise ValueError  # worded by the shape rule
    total = x[0].copy()
    for one in x[1:]:
        total += one
    return total


@sum_of_list.gradient("x")
def _(dy: Any, x_shape: Any) -> Any:
    return [dy] * len(x_shape)


def add_n(inputs: Any, name: str | None = None) -> Any:
    """Return the sum of a list of tensors of one shape, or of one tensor with itself alone.

    Raises:
        ValueError: if the shapes differ.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/add_n_en.html
    """
    return sum_of_list(list(inputs) if isinstance(inputs, (list, tuple)) else [inputs])
