"""Triangular matrices: equations with one; Cholesky and QR factorization."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.ops.creation.promotion import alike_pair
from minipaddle.ops.definition import Array, Meta, Shape, Value, invalid, mark, operator, require, tried_with
from minipaddle.ops.definition.infer_meta import broadcast_shapes
from minipaddle.ops.linalg.matmul import turned
from minipaddle.ops.linalg.matrix import adjoint, lapack, scipy, spd, square
from minipaddle.ops.manipulation.concat import concat
from minipaddle.ops.manipulation.diagonal import tril, triu
from minipaddle.ops.math.complex import is_complex
from minipaddle.ops.reduction.sum import unbroadcast

NOT_SQUARE = "The inner-most 2 dimensions of Input(X) all should be square matrices"


# -- triangular_solve ----------------------------------------------------------------------------------------


def _triangular_infer(x: Meta, y: Meta, **attrs: Any) -> Meta:
    rows = square(x, NOT_SQUARE)[-1]
    if y.ndim < 2:
        raise invalid(
            "The input tensor Y's dimensions of TriangularSolveOp should be >=2. But received Y's dimensions = "
            f"{y.ndim}, Y's shape = {list(y.shape)}."
        )
    if y.shape[-2] != rows and -1 not in (y.shape[-2], rows):
        raise invalid(f"The height of Y should be {rows}, as that of X, but received {list(y.shape)}.")
    batch = broadcast_shapes(x.shape[:-2], y.shape[:-2])
    return Meta((*batch, *y.shape[-2:]), np.result_type(x.dtype, y.dtype))


@tried_with(lambda rng: ([rng.uniform(0.2, 0.9, (3, 3)) + np.eye(3), rng.uniform(0.2, 0.9, (2, 3, 2))], {}))
@operator("triangular_solve", kinds="fc", infer=_triangular_infer, prepare=alike_pair)
@lapack
def triangular_solve(
    x: Array, y: Array, *, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> Array:
    """Return the solution of ``x @ z = y`` for triangular `x`; the other side of its diagonal is not read.

    Args:
        y: matrices [..., N, K]; batches broadcast.
        unitriangular: whether the diagonal of `x` counts as ones.
    """
    require(min(x.ndim, y.ndim) >= 2 and x.shape[-1] == x.shape[-2] == y.shape[-2])
    batch = np.broadcast_shapes(x.shape[:-2], y.shape[:-2])
    left = np.broadcast_to(x, (*batch, *x.shape[-2:])).reshape(-1, *x.shape[-2:])
    right = np.broadcast_to(y, (*batch, *y.shape[-2:])).reshape(-1, *y.shape[-2:])
    (solver,) = scipy("linalg").get_lapack_funcs(("trtrs",), (x, y))
    out = np.empty(right.shape, np.result_type(x, y))
    for place, (a, b) in enumerate(zip(left, right, strict=True)):
        out[place], singular = solver(a, b, lower=not upper, trans=transpose, unitdiag=unitriangular)
        if singular:
            out[place] = np.nan
    return out.reshape(*batch, *y.shape[-2:])


@triangular_solve.gradient("x")
def _(dy: Value, x: Value, out: Value, upper: bool, transpose: bool, unitriangular: bool) -> Value:
    g = triangular_solve(x, dy, upper, not transpose, unitriangular)
    dx = -(out @ turned(g)) if transpose else -(g @ turned(out))
    inside = int(unitriangular)
    return unbroadcast(triu(dx, inside) if upper else tril(dx, -inside), tuple(x.shape))


@triangular_solve.gradient("y")
def _(dy: Value, x: Value, y_shape: Shape, upper: bool, transpose: bool, unitriangular: bool) -> Value:
    return unbroadcast(triangular_solve(x, dy, upper, not transpose, unitriangular), y_shape)


# -- cholesky ------------------------------------------------------------------------------------------------


def _cholesky_infer(x: Meta, **attrs: Any) -> Meta:
    if x.ndim < 2 or (x.shape[-1] != x.shape[-2] and -1 not in x.shape[-2:]):
        raise AssertionError(
            "Shape must have at least 2 dimensions and last two dimensions must be equal, but received shape "
            f"{list(x.shape)}."
        )
    return x


@tried_with(spd(batch=(2,)))
@operator("cholesky", kinds="f", infer=_cholesky_infer)
@lapack
def cholesky(x: Array, *, upper: bool = False) -> Array:
    """Return the lower triangle L with ``L @ L.T = x``, or the upper one U with ``U.T @ U = x``.

    Args:
        x: symmetric, positive definite matrices [..., N, N]; only one triangle is read.
        upper: which triangle to read, and to return.

    Raises:
        ValueError: **Cholesky decomposition was not successful**, if a matrix is not positive definite.
        AssertionError: if the last two axes differ in size.
    """
    try:
        return np.linalg.cholesky(x, upper=upper)
    except np.linalg.LinAlgError:
        raise invalid(
            "Cholesky decomposition was not successful. The input matrice might not be positive definite.",
            "all eigenvalues (paddle.linalg.eigh) must be above 0",
        ) from None


mark("symmetric", cholesky)


@cholesky.gradient("x")
def _(dy: Value, out: Value, upper: bool) -> Value:
    low, dl = (turned(out), turned(dy)) if upper else (out, dy)
    inner = tril(turned(low) @ tril(dl))
    inner = inner + turned(tril(inner, -1))  # both halves at once: twice the symmetric part
    half = triangular_solve(low, inner, upper=False, transpose=True)
    return triangular_solve(low, turned(half), upper=False, transpose=True) * 0.5


MODES = ("reduced", "complete", "r")


def _qr_infer(x: Meta, mode: str) -> list[Meta]:
    if x.ndim < 2:
        raise invalid(f"the rank of input must greater than 2, but received shape {list(x.shape)}.")
    if mode not in MODES:
        raise invalid(
            f"QR received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'"
        )
    *batch, rows, columns = x.shape
    inner = rows if mode == "complete" else min(rows, columns)
    q = (0,) if mode == "r" else (*batch, rows, inner)
    return [Meta(q, x.dtype), Meta((*batch, inner, columns), x.dtype)]


@tried_with(lambda rng: ([rng.uniform(0.2, 0.9, (2, 3, 2)) + np.eye(3, 2)], {}))
@operator("qr", kinds="fc", infer=_qr_infer, outputs=("q", "r"))
@lapack
def qr_op(x: Array, *, mode: Any = "reduced") -> Any:
    """Return Q and R; Q is empty for mode "r"."""
    require(x.ndim >= 2 and mode in MODES)
    if mode == "r":
        return np.empty(0, x.dtype), np.linalg.qr(x, "r")
    return tuple(np.linalg.qr(x, mode))


@qr_op.gradient("x", conjugate=False)
def _(dq: Value, dr: Value, x: Value, q: Value, r: Value, mode: str) -> Value:
    rows, columns = x.shape[-2:]
    if mode == "r" or (mode == "complete" and rows > columns):
        what = "mode='r'" if mode == "r" else f"mode='complete' and {rows} > {columns}"
        raise invalid(f"The derivative of qr is not implemented when {what}.", "mode='reduced' has one")
    if rows >= columns:
        return _of_tall(dq, dr, q, r)
    beside, du, dv = x[..., rows:], dr[..., :rows], dr[..., rows:]  # the columns right of a square part
    dx = _of_tall(dq + beside @ adjoint(dv), du, q, r[..., :rows])
    return concat([dx, q @ dv], -1)


def _of_tall(dq: Any, dr: Any, q: Any, r: Any) -> Any:
    """Return the gradient of a matrix that is not wider than high: (dQ + Q sym(R dR* - dQ* Q)) R^-*."""
    inner = tril(r @ adjoint(triu(dr)) - adjoint(dq) @ q)
    inner = inner + adjoint(tril(inner, -1))
    if is_complex(q):  # the diagonal of R is real
        inner = (inner + adjoint(inner)) * 0.5
    # y R^-* is solved from the left: R y* = ..., both sides transposed
    return adjoint(triangular_solve(r, adjoint(dq + q @ inner), upper=True))


def qr(x: Value, mode: str = "reduced", name: str | None = None) -> Any:
    """Return Q, whose columns are of length 1 and at right angles, and R, an upper triangle: ``Q @ R`` is `x`.

    Args:
        mode: "reduced"; "complete", with a square Q; "r", to get R alone. As in Paddle, "r" has no gradient, and
            "complete" has one unless the matrix is higher than wide.
    """
    found = qr_op(x, mode)
    return found[1] if mode == "r" else found
