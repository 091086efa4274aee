"""Products other than ``matmul``, most of them based on it, and the sum of a list of tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.ops.creation.promotion import alike, alike_pair, promote
from minipaddle.ops.definition import Array, Meta, Shape, Value, failure, invalid, mark, operator, tried_with
from minipaddle.ops.definition.infer_meta import broadcast_shapes, require
from minipaddle.ops.definition.program_printing import Listing, listed, of
from minipaddle.ops.linalg.matmul import matmul, product, turned
from minipaddle.ops.math.scale import scale
from minipaddle.ops.reduction.sum import expand_back, unbroadcast
from minipaddle.ops.views.reshape import reshape2


def mm(input: Value, mat2: Value, name: str | None = None) -> Value:
    """Return the product of two matrices, as :func:`matmul` does."""
    return matmul(input, mat2)


def _bmm_infer(x: Meta, y: Meta) -> Meta:
    for name, meta in (("X", x), ("Y", y)):
        if meta.ndim != 3:
            raise invalid(
                f"Input({name}) of BmmOp must be 3-dimensional in BmmOp, but received {name}'s shape: "
                f"{list(meta.shape)}.",
                "paddle.matmul takes any number of axes",
            )
    for what, a, b in (("width and height", x.shape[2], y.shape[1]), ("batch size", x.shape[0], y.shape[0])):
        if a != b and -1 not in (a, b):
            raise invalid(
                f"Input(X) and Input(Y) must have the same {what} in BmmOp, but received [{a}] and [{b}] "
                f"in the shapes {list(x.shape)} and {list(y.shape)}."
            )
    return Meta((x.shape[0], x.shape[1], y.shape[2]), np.result_type(x.dtype, y.dtype))


@tried_with((2, 2, 3), (2, 3, 2))
@operator("bmm", infer=_bmm_infer, prepare=alike_pair)
def bmm(x: Array, y: Array) -> Any:
    """Multiply the matrices of two batches of equal size: [B, M, K] by [B, K, N]."""
    require(x.ndim == y.ndim == 3 and x.shape[0] == y.shape[0])
    return product(x, y)


bmm.gradient("x")(lambda dy, y: bmm(dy, turned(y)))
bmm.gradient("y")(lambda dy, x: bmm(turned(x), dy))


def _mv_infer(x: Meta, vec: Meta) -> Meta:
    for what, meta, ndim in (("X", x, 2), ("Vec", vec, 1)):
        if meta.ndim != ndim:
            raise invalid(f"The rank of input {what} should be {ndim}, but is {meta.ndim}")
    if x.shape[1] != vec.shape[0] and -1 not in (x.shape[1], vec.shape[0]):
        raise invalid(
            "X's second dimension is expected to be equal to Vec's first dimension, but received X's shape: "
            f"{list(x.shape)}, Vec's shape: {list(vec.shape)}."
        )
    return Meta(x.shape[:1], np.result_type(x.dtype, vec.dtype))


@tried_with((2, 3), (3,))
@operator("mv", infer=_mv_infer, prepare=alike_pair)
def mv(x: Array, vec: Array) -> Any:
    """Return the product of the matrix `x` and the vector `vec`."""
    require(x.ndim == 2 and vec.ndim == 1)
    return product(x, vec)


mv.gradient("x")(lambda dy, vec: reshape2(dy, (-1, 1)) * vec)
mv.gradient("vec")(lambda dy, x: mv(turned(x), dy))


def _dot_infer(x: Meta, y: Meta) -> Meta:
    if (x.shape != y.shape and -1 not in (*x.shape, *y.shape)) or x.ndim not in (1, 2):
        raise failure(
            RuntimeError,
            f"ShapeError: The shape of input tensor X: {list(x.shape)} should be exactly the same with "
            f"input tensor Y: {list(y.shape)}, and both have 1 or 2 axes.",
        )
    return Meta(x.shape[:-1], np.result_type(x.dtype, y.dtype))


@operator("dot", infer=_dot_infer, prepare=alike_pair)
def dot(x: Array, y: Array) -> Any:
    """Multiply two vectors (or the rows of two matrices) elementwise and add up."""
    require(x.shape == y.shape and x.ndim in (1, 2))
    return x.dot(y) if x.ndim == 1 else np.add.reduce(x * y, -1, x.dtype)


dot.gradient("x")(lambda dy, y, x_shape: expand_back(dy, x_shape, -1, False) * y)
dot.gradient("y")(lambda dy, x, x_shape: expand_back(dy, x_shape, -1, False) * x)


def outer(x: Value, y: Value, name: str | None = None) -> Value:
    """Return the product of every element of `x` with every element of `y`, as a matrix."""
    return reshape2(x, (-1, 1)) * reshape2(y, (1, -1))


def _addmm_infer(input: Meta, x: Meta, y: Meta, **attrs: Any) -> Meta:
    for what, meta in (("X", x), ("Y", y)):
        if meta.ndim != 2:
            raise invalid(
                f"The Input tensor {what}'s dimension must be 2, but received {what}'s shape = {list(meta.shape)}."
            )
    if x.shape[1] != y.shape[0] and -1 not in (x.shape[1], y.shape[0]):
        raise invalid(
            f"The input Variable x's width must be equal with Variable y' height. But received x's shape = "
            f"{list(x.shape)}, y's shape = {list(y.shape)}."
        )
    shape = (x.shape[0], y.shape[1])
    if broadcast_shapes(input.shape, shape) != shape:
        raise invalid(
            f"The input tensor input of shape {list(input.shape)} does not broadcast to that of the product, "
            f"{list(shape)}."
        )
    return Meta(shape, x.dtype)


@listed(Listing(Alpha=of("alpha"), Beta=of("beta")))
@tried_with((1, 4), (2, 3), (3, 4), beta=0.5, alpha=2.0)
@operator("addmm", prepare=alike, infer=_addmm_infer)
def addmm(input: Array, x: Array, y: Array, *, beta: float = 1.0, alpha: float = 1.0) -> Array:
    """Return ``alpha * x @ y + beta * input``; `input` broadcasts."""
    require(x.ndim == y.ndim == 2)
    out: Array = product(x, y) * x.dtype.type(alpha)
    out += input * input.dtype.type(beta)
    return out


addmm.gradient("input")(lambda dy, input_shape, beta: unbroadcast(dy * beta, input_shape))
addmm.gradient("x")(lambda dy, y, alpha: matmul(dy, turned(y)) * alpha)
addmm.gradient("y")(lambda dy, x, alpha: matmul(turned(x), dy) * alpha)


def _add_n_infer(x: list[Meta]) -> Meta:
    for number, meta in enumerate(x):
        if len(meta.shape) != len(x[0].shape) or any(
            a != b and -1 not in (a, b) for a, b in zip(meta.shape, x[0].shape, strict=True)
        ):
            raise invalid(
                f"The input tensor X of AddNOp must have same shape. But received X[0]'s shape = {list(x[0].shape)}, "
                f"X[{number}]'s shape = {list(meta.shape)}."
            )
    return x[0]


@listed(kind="add_n")
@operator("sum", name="add_n", prepare=alike, infer=_add_n_infer)
def sum_op(*x: Array) -> Any:
    """Add tensors of one shape."""
    require(len({one.shape for one in x}) == 1)
    total = x[0].copy()
    for one in x[1:]:
        total += one
    return total


mark("averages", sum_op)


@sum_op.gradient("x", program=lambda dy, x_shape: [scale(dy) for _ in x_shape])
def _(dy: Value, x_shape: Sequence[Shape]) -> Sequence[Value]:
    return [dy] * len(x_shape)


def add_n(inputs: Any, name: str | None = None) -> Any:
    """Return the sum of a list of tensors of one shape, or of one tensor with itself alone."""
    return sum_op(list(inputs) if isinstance(inputs, (list, tuple)) else [inputs])


FIRST = 9
"""Paddle's code for "the first axis of size 3"."""


def _axis_of_three(shape: Shape, axis: int) -> int:
    """Return the axis of the vectors."""
    if axis == FIRST:
        if 3 in shape:
            return shape.index(3)
        raise invalid(
            "There must be at least one dimension 'd' so that Input(X/Y).dims()[d] is equal to 3. But received: "
            f"Input(X/Y).dims() == {list(shape)}."
        )
    if not -len(shape) <= axis < len(shape):
        raise failure(
            IndexError,
            f"Attr(dim) is out of range, It's expected to be in range of [-{len(shape)}, {len(shape) - 1}]. But "
            f"received Attr(dim) = {axis}.",
        )
    if shape[axis] not in (3, -1):
        raise invalid(
            f"Input(X/Y).dims[dim] should be equal to 3. But received Input(X/Y).dims[dim] = {shape[axis]}."
        )
    return axis % len(shape)


def _cross_infer(x: Meta, y: Meta, axis: int) -> Meta:
    shape = broadcast_shapes(x.shape, y.shape)
    if axis != FIRST or -1 not in shape:
        _axis_of_three(shape, axis)
    return Meta(shape, np.result_type(x.dtype, y.dtype))


@listed(Listing(dim=of("axis")))
@operator("cross", infer=_cross_infer, prepare=promote, kinds="iufc")
def cross(x: Array, y: Array, *, axis: int = FIRST) -> Array:
    """Return vectors orthogonal to the vectors of `x` and `y`, as long as the area between them.

    Args:
        x: vectors of three numbers along an axis.
        axis: their axis; the default is the first axis of size 3.
    """
    place = _axis_of_three(np.broadcast_shapes(x.shape, y.shape), axis)
    x, y = np.broadcast_arrays(x, y)
    return np.cross(x, y, axis=place)


@cross.gradient("x")
def _(dy: Value, x_shape: Shape, y: Value, axis: int) -> Value:
    return unbroadcast(cross(y, dy, _axis_of_three(tuple(dy.shape), axis)), x_shape)


@cross.gradient("y")
def _(dy: Value, x: Value, y_shape: Shape, axis: int) -> Value:
    return unbroadcast(cross(dy, x, _axis_of_three(tuple(dy.shape), axis)), y_shape)
