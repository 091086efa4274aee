"""Inverse, determinant, and the solution of a system of equations."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.ops.creation.promotion import alike_pair
from minipaddle.ops.definition import Array, Meta, Shape, Value, invalid, listed, operator, tried_with
from minipaddle.ops.definition.infer_meta import broadcast_shapes
from minipaddle.ops.linalg.matmul import turned
from minipaddle.ops.linalg.matrix import (
    adjoint,
    as_column,
    beside_matrix,
    lapack,
    regular,
    square,
    square_rule,
)
from minipaddle.ops.math.complex import conj, imag, is_complex, real
from minipaddle.ops.reduction.sum import cast_to, reduce_sum, unbroadcast

NOT_SQUARE = "the input matrix should be square matrix"


@listed(inputs="Input")
@tried_with(regular(batch=(2,)))
@operator("inverse", kinds="fc", infer=square_rule(), outputs=("output",))
@lapack
def inverse(x: Array) -> Array:
    """Return the inverse of a square matrix, or of each of a batch."""
    return np.linalg.inv(x)


@inverse.gradient("x")
def _(dy: Value, output: Value) -> Value:
    back = turned(output)
    return -(back @ dy @ back)


# -- determinants --------------------------------------------------------------------------------------------


@listed(grad_keeps="Out", inputs="Input")
@tried_with(regular(batch=(2,)))
@operator("determinant", name="det", kinds="fc", infer=lambda x: Meta(square(x, NOT_SQUARE)[:-2], x.dtype))
@lapack
def det(x: Array) -> Any:
    """Return the determinant of a square matrix, or of each of a batch."""
    return np.linalg.det(x)


@tried_with(regular())
@operator("cofactors", kinds="fc", infer=square_rule(NOT_SQUARE))
@lapack
def cofactors(x: Array) -> Array:
    """Return how the determinant changes with each element: its cofactor, also where the determinant is 0."""
    size = np.linalg.det(x)
    if np.all(size):
        return size[..., None, None] * np.linalg.inv(x).swapaxes(-1, -2)
    left, widths, right = np.linalg.svd(x)
    others = np.where(np.eye(x.shape[-1], dtype=bool), 1, widths[..., None, :]).prod(-1)
    sign = np.linalg.det(left) * np.linalg.det(right)
    return np.asarray((sign[..., None, None] * (left * others[..., None, :]) @ right).conj(), x.dtype)


det.gradient("x")(lambda dy, x: beside_matrix(dy) * cofactors(x))


@cofactors.gradient("x")
def _(dy: Value, x: Value, out: Value) -> Value:
    back = turned(inverse(x))
    return beside_matrix(reduce_sum(dy * out, (-2, -1))) * back - out @ turned(dy) @ back


@listed(grad_keeps="Out", inputs="Input")
@tried_with(regular(batch=(2,)))
@operator(
    "slogdeterminant",
    name="slogdet",
    kinds="fc",
    infer=lambda x: Meta((2, *square(x, NOT_SQUARE)[:-2]), x.dtype),
)
@lapack
def slogdet(x: Array) -> Array:
    """Return, stacked, sign and log of the absolute value of the determinant, which itself may overflow."""
    return np.stack(np.linalg.slogdet(x)).astype(x.dtype, copy=False)


@slogdet.gradient("x", conjugate=False)
def _(dy: Value, x: Value, out: Value) -> Value:
    back = adjoint(inverse(x))
    if not is_complex(x):
        return beside_matrix(dy[1]) * back
    turn = cast_to(imag(out[0] * conj(dy[0])), x.dtype) * 1j  # the sign moves along a circle
    return beside_matrix(cast_to(real(dy[1]), x.dtype) - turn) * back


# -- equations -----------------------------------------------------------------------------------------------


def _is_vector(x: Shape, y: Shape) -> bool:
    """Return whether the right side is one vector for each matrix."""
    return len(y) == 1 or (len(y) == len(x) - 1 and y == x[:-1])


def _solve_infer(x: Meta, y: Meta) -> Meta:
    rows = square(x, "The inner-most 2 dimensions of Input(X) all should be square matrices")[-1]
    right = (*y.shape, 1) if _is_vector(x.shape, y.shape) else y.shape
    if right[-2] != rows and -1 not in (right[-2], rows):
        raise invalid(
            "Matrix X1 with dimension greater than 2 and any matrix Y1,the matrix X1's width must be equal with matrix "
            f"Y1's height. But received X's shape = {list(x.shape)}, Y's shape = {list(y.shape)}."
        )
    shape = (*broadcast_shapes(x.shape[:-2], right[:-2]), *right[-2:])
    return Meta(shape[:-1] if right != y.shape else shape, np.result_type(x.dtype, y.dtype))


@tried_with(regular((3, 2)))
@operator("solve", kinds="fc", infer=_solve_infer, prepare=alike_pair)
@lapack
def solve_op(x: Array, y: Array) -> Array:
    """Return the solution of ``x @ out = y``."""
    if _is_vector(x.shape, y.shape):
        return np.linalg.solve(x, y[..., None])[..., 0]
    return np.linalg.solve(x, y)


@solve_op.gradient("x")
def _(dy: Value, x: Value, y_shape: Shape, out: Value) -> Value:
    g = solve_op(turned(x), dy)
    if _is_vector(tuple(x.shape), y_shape):
        g, out = as_column(g), as_column(out)
    return unbroadcast(-(g @ turned(out)), tuple(x.shape))


solve_op.gradient("y")(lambda dy, x, y_shape: unbroadcast(solve_op(turned(x), dy), y_shape))


def solve(x: Value, y: Value, left: bool = True, name: str | None = None) -> Value:
    """Return the solution of ``x @ z = y``, or ``z @ x = y``: `y` is matrices or vectors, batches broadcast."""
    return solve_op(x, y) if left else turned(solve_op(turned(x), turned(y)))


def inv(x: Value, name: str | None = None) -> Value:
    """Return the inverse of a square matrix, or of each of a batch: :func:`inverse` by its name in ``linalg``."""
    return inverse(x)
