"""Eigenvalues of symmetric (Hermitian) matrices, and singular values.

Eigenvectors are LAPACK's: of length 1, with an arbitrary sign (a phase). Only a result that does not depend on the sign
has a meaningful gradient.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.value.dtype import real_of
from minipaddle.ops.definition import Array, Meta, Value, invalid, listed, mark, operator, tried_with
from minipaddle.ops.linalg.einsum import einsum_op
from minipaddle.ops.linalg.matrix import adjoint, as_column, as_row, gaps, halved, lapack, spd, square
from minipaddle.ops.math.complex import is_complex
from minipaddle.ops.reduction.sum import cast_to


def _svd_infer(x: Meta, full_matrices: bool) -> list[Meta]:
    if x.ndim < 2:
        raise invalid(f"the rank of input must greater than 2, but received shape {list(x.shape)}.")
    *batch, rows, columns = x.shape
    few = min(rows, columns)
    left, right = (rows, columns) if full_matrices else (few, few)
    return [
        Meta((*batch, rows, left), x.dtype),
        Meta((*batch, few), real_of(x.dtype)),
        Meta((*batch, right, columns), x.dtype),
    ]


@listed(grad_keeps="X", numbered="U, VH, S", outputs="U, S, VH")
@tried_with(lambda rng: ([rng.uniform(0.2, 0.9, (2, 3, 2)) + np.array([[2, 0], [0, 0.3], [0.5, 0]])], {}))
@operator("svd", kinds="fc", infer=_svd_infer, outputs=("u", "s", "vh"))
@lapack
def svd_op(x: Array, *, full_matrices: bool = False) -> tuple[Array, ...]:
    """Return U, the singular values, the greatest first, and the adjoint of V: ``U * S @ VH`` is `x`."""
    return tuple(np.linalg.svd(x, full_matrices))


@svd_op.gradient("x", conjugate=False)
def _(du: Value, ds: Value, dvh: Value, u: Value, s: Value, vh: Value) -> Value:
    few = s.shape[-1]
    u, du = u[..., :few], du[..., :few]
    v, dv = adjoint(vh)[..., :few], adjoint(dvh)[..., :few]
    s, ds = cast_to(s, u.dtype), cast_to(ds, u.dtype)
    apart = gaps(s * s)
    left, right = adjoint(u) @ du, adjoint(v) @ dv
    turn_u, turn_v = (left - adjoint(left)) * apart, (right - adjoint(right)) * apart
    inner = turn_u * as_row(s) + as_column(s) * turn_v
    zero = cast_to(s == 0, s.dtype)
    over = (1 - zero) / (s + zero)
    rest_u = (du - u @ left) * as_row(over)  # the part orthogonal to the columns of U
    rest_v = (dv - v @ right) * as_row(over)
    if is_complex(u):  # each pair of columns may turn by a phase
        ds = ds + einsum_op([left - adjoint(left)], "...ii->...i") * over * 0.5
    return (u @ inner + u * as_row(ds) + rest_u) @ adjoint(v) + u @ adjoint(rest_v)


def svd(x: Value, full_matrices: bool = False, name: str | None = None) -> tuple[Any, Any, Any]:
    """Return U, the singular values, greatest first, and the adjoint of V; `full_matrices` makes both square."""
    found: tuple[Any, Any, Any] = svd_op(x, full_matrices)
    return found


def _eigh_infer(x: Meta, **attrs: Any) -> list[Meta]:
    shape = square(
        x,
        "The input matrix must be batches of square matrices",
        "Input(input) only support >=2 tensor: the Input(X) should have at least 2 dimensions",
    )
    return [Meta(shape[:-1], real_of(x.dtype)), x]


@tried_with(spd(batch=(2,)))
@operator("eigh", name="eigh", kinds="fc", infer=_eigh_infer, outputs=("eigenvalues", "eigenvectors"))
@lapack
def eigh_op(x: Array, *, UPLO: Any = "L") -> tuple[Array, ...]:
    """Return the eigenvalues of a symmetric matrix, the least first, and its eigenvectors as columns."""
    return tuple(np.linalg.eigh(x, UPLO))


mark("symmetric", eigh_op)


@eigh_op.gradient("x", conjugate=False)
def _(dw: Value, dv: Value, eigenvalues: Value, eigenvectors: Value) -> Value:
    v, back = eigenvectors, adjoint(eigenvectors)
    turn = (back @ dv) * cast_to(gaps(eigenvalues), v.dtype)
    return halved((v * as_row(cast_to(dw, v.dtype)) + v @ turn) @ back)


def _checked(UPLO: str) -> str:
    if UPLO not in ("L", "U"):
        raise ValueError(f"UPLO must be L or U. But received UPLO is: {UPLO}")
    return UPLO


def eigh(x: Value, UPLO: str = "L", name: str | None = None) -> tuple[Value, ...]:
    """Return the eigenvalues of symmetric (Hermitian) matrices, the least first, and their eigenvectors as columns."""
    return eigh_op(x, _checked(UPLO))
