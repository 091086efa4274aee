"""QR: a matrix as one with columns of length 1 at right angles, times a triangle; and Householder's mirrors."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Meta
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.creation.range import eye
from minipaddle.ops.linalg.cholesky import triangular_solve
from minipaddle.ops.linalg.matmul import matmul
from minipaddle.ops.linalg.matrix import adjoint, lapack
from minipaddle.ops.manipulation.concat import concat
from minipaddle.ops.manipulation.triangle import tril, triu
from minipaddle.ops.math.complex import is_complex

MODES = ("reduced", "complete", "r")


def _qr_infer(x: Meta, *, mode: str = "reduced") -> list[Meta]:
    if x.ndim < 2:
        raise failure(
            ValueError, f"the rank of input must greater than 2, but received shape {list(x.shape)}."
        )
    if mode not in MODES:
        raise failure(
            ValueError,
            f"QR received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'",
        )
    *batch, rows, columns = x.shape
    inner = rows if mode == "complete" else min(rows, columns)
    q = (0,) if mode == "r" else (*batch, rows, inner)
    return [Meta(q, x.dtype), Meta((*batch, inner, columns), x.dtype)]


@operator(
    "qr",
    "X -> Q, R",
    kinds="fc",
    infer=_qr_infer,
    latex="x = Q R",
    example=lambda rng: ([rng.uniform(0.2, 0.9, (2, 3, 2)) + np.eye(3, 2)], {}),
    page="linalg/qr",
)
@lapack
def qr_op(x: Array, mode: Any = "reduced") -> Any:
    """Return Q and R; Q is empty for mode "r"."""
    if x.ndim < 2 or mode not in MODES:
        raise ValueError  # worded by the shape rule
    if mode == "r":
        return np.empty(0, x.dtype), np.linalg.qr(x, "r")
    return tuple(np.linalg.qr(x, mode))


@qr_op.gradient("x", conjugate=False)
def _(dq: Value, dr: Value, x: Value, q: Value, r: Value, mode: str) -> Value:
    rows, columns = x.shape[-2:]
    if mode == "r" or (mode == "complete" and rows > columns):
        what = "mode='r'" if mode == "r" else f"mode='complete' and {rows} > {columns}"
        raise failure(
            ValueError, f"The derivative of qr is not implemented when {what}.", "mode='reduced' has one"
        )
    if rows >= columns:
        return _of_tall(dq, dr, q, r)
    beside, du, dv = x[..., rows:], dr[..., :rows], dr[..., rows:]  # what stands right of a square part
    dx = _of_tall(dq + beside @ adjoint(dv), du, q, r[..., :rows])
    return concat([dx, q @ dv], -1)


def _of_tall(dq: Any, dr: Any, q: Any, r: Any) -> Any:
    """Return the gradient of a matrix that is not wider than high: (dQ + Q sym(R dR* - dQ* Q)) R^-*."""
    inner = tril(r @ adjoint(triu(dr)) - adjoint(dq) @ q)
    inner = inner + adjoint(tril(inner, -1))
    if is_complex(q):  # the diagonal of R is real
        inner = (inner + adjoint(inner)) * 0.5
    # y R^-* is solved for from the left: R y* = ..., and both sides turned
    return adjoint(triangular_solve(r, adjoint(dq + q @ inner), upper=True))


def qr(x: Value, mode: str = "reduced", name: str | None = None) -> Any:
    """Return Q, whose columns are of length 1 and at right angles, and R, an upper triangle: ``Q @ R`` is `x`.

    Args:
        x: matrices [..., M, N].
        mode: "reduced"; "complete", with a square Q; "r", to get R alone. As in Paddle, "r" has no gradient, and
            "complete" has one unless the matrix is higher than wide.
        name: ignored.

    Raises:
        ValueError: for another `mode`, or fewer than two axes.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/linalg/qr_en.html
    """
    found = qr_op(x, mode)
    return found[1] if mode == "r" else found


# -- mirrors -------------------------------------------------------------------------------------------------


def householder_product(x: Value, tau: Value, name: str | None = None) -> Value:
    """Return the first columns of the product of Householder's mirrors: I - tau[i] v v*, v the columns of `x`.

    Args:
        x: [..., M, N], at most as wide as high; of column i, what is below the diagonal counts, and a 1 on it.
        tau: [..., K], at most as many as columns.
        name: ignored.

    Raises:
        AssertionError: if the shapes do not go together.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/linalg/householder_product_en.html
    """
    rows, columns = x.shape[-2:]
    assert x.ndim >= 2 and tau.ndim == x.ndim - 1, (
        "The input x must have more than 2 dimensions, and input tau must have more than 1 dimension"
    )
    assert rows >= columns, "The rows of input x must be greater than or equal to the columns of input x."
    assert columns >= tau.shape[-1], "The last dim of x must be greater than or equal to that of tau."
    mirrors = tril(x, -1) + eye(rows, columns, dtype=x.dtype)
    q = eye(rows, columns, dtype=x.dtype)
    for place in reversed(range(tau.shape[-1])):
        v = mirrors[..., place : place + 1]
        q = q - tau[..., place : place + 1][..., None] * (v @ (adjoint(v) @ q))
    return q


def ormqr(
    x: Value, tau: Value, y: Value, left: bool = True, transpose: bool = False, name: str | None = None
) -> Value:
    """Return `y` multiplied by what :func:`householder_product` gives for `x` and `tau`.

    Args:
        x: [..., M, K], the mirrors.
        tau: [..., K].
        y: matrices.
        left: whether the product of the mirrors stands left of `y`.
        transpose: whether to multiply by its transpose.
        name: ignored.

    Raises:
        AssertionError: if the shapes do not go together.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/linalg/ormqr_en.html
    """
    assert x.ndim == y.ndim == tau.ndim + 1, (
        "the dimension of x is 1 larger than the dimension of tau and the dimension of x is equal to the dimension of "
        "input"
    )
    assert x.shape[-1] == tau.shape[-1], "The innermost dimension of x and tau should be the same"
    own, others = "column" if left != transpose else "row", "row" if left else "column"
    assert x.shape[-1 if left != transpose else -2] == y.shape[-2 if left else -1], (
        f"The {own} dimension of x and the {others} dimension of y should be the same"
    )
    q = householder_product(x, tau)
    return matmul(q, y, transpose_x=transpose) if left else matmul(y, q, transpose_y=transpose)
