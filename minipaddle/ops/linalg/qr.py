"""QR: a matrix as one with columns of length 1 at right angles, times a triangle."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.ops.definition import Array, Meta, Value, failure, operator, tried_with
from minipaddle.ops.linalg.cholesky import triangular_solve
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


@tried_with(lambda rng: ([rng.uniform(0.2, 0.9, (2, 3, 2)) + np.eye(3, 2)], {}))
@operator("qr", kinds="fc", infer=_qr_infer, outputs=("q", "r"))
@lapack
def qr_op(x: Array, *, mode: Any = "reduced") -> Any:
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
        mode: "reduced"; "complete", with a square Q; "r", to get R alone. As in Paddle, "r" has no gradient, and
            "complete" has one unless the matrix is higher than wide.
    """
    found = qr_op(x, mode)
    return found[1] if mode == "r" else found
