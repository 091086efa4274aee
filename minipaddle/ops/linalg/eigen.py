"""Eigenvalues and eigenvectors of symmetric (Hermitian) matrices.

Eigenvectors are LAPACK's: of length 1, and a sign (a phase) that nobody chose. Only what does not depend on the sign
has a gradient that means something.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.ops.definition import Array, Listing, Meta, Value, listed, mark, operator, real_of, tried_with
from minipaddle.ops.linalg.matrix import adjoint, as_row, gaps, halved, lapack, spd, square
from minipaddle.ops.reduction.sum import cast_to


def _eigh_infer(x: Meta, **attrs: Any) -> list[Meta]:
    shape = square(
        x,
        "The input matrix must be batches of square matrices",
        "Input(input) only support >=2 tensor: the Input(X) should have at least 2 dimensions",
    )
    return [Meta(shape[:-1], real_of(x.dtype)), x]


def _unfold(dw: Any, dv: Any, w: Any, v: Any) -> Any:
    """Return the gradient of a symmetric matrix for those of its eigenvalues and eigenvectors."""
    back = adjoint(v)
    turn = (back @ dv) * cast_to(gaps(w), v.dtype)
    return halved((v * as_row(cast_to(dw, v.dtype)) + v @ turn) @ back)


@tried_with(spd(batch=(2,)))
@operator("eigh", kinds="fc", infer=_eigh_infer, outputs=("eigenvalues", "eigenvectors"))
@lapack
def eigh_op(x: Array, *, UPLO: Any = "L") -> tuple[Array, ...]:
    """Return the eigenvalues of a symmetric matrix, the least first, and its eigenvectors as columns."""
    return tuple(np.linalg.eigh(x, UPLO))


mark("symmetric", eigh_op)


@eigh_op.gradient("x", conjugate=False)
def _(dw: Value, dv: Value, eigenvalues: Value, eigenvectors: Value) -> Value:
    return _unfold(dw, dv, eigenvalues, eigenvectors)


@listed(Listing(is_test=False), grad_takes="Eigenvalues")
@tried_with(spd(batch=(2,)))
@operator("eigvalsh", kinds="fc", infer=_eigh_infer, outputs=("eigenvalues", "eigenvectors"))
@lapack
def eigvalsh_op(x: Array, *, UPLO: Any = "L") -> tuple[Array, ...]:
    """Return the eigenvalues of a symmetric matrix, the least first; the eigenvectors are there for the gradient."""
    return tuple(np.linalg.eigh(x, UPLO))


mark("symmetric", eigvalsh_op)


@eigvalsh_op.gradient("x", conjugate=False)
def _(dw: Value, dv: Value, eigenvalues: Value, eigenvectors: Value) -> Value:
    return _unfold(dw, dv, eigenvalues, eigenvectors)


def _checked(UPLO: str) -> str:
    if UPLO not in ("L", "U"):
        raise ValueError(f"UPLO must be L or U. But received UPLO is: {UPLO}")
    return UPLO


def eigh(x: Value, UPLO: str = "L", name: str | None = None) -> tuple[Value, ...]:
    """Return the eigenvalues of symmetric (Hermitian) matrices, the least first, and their eigenvectors as columns."""
    return eigh_op(x, _checked(UPLO))


def eigvalsh(x: Value, UPLO: str = "L", name: str | None = None) -> Value:
    """Return the eigenvalues of symmetric (Hermitian) matrices, the least first; see :func:`eigh`."""
    return eigvalsh_op(x, _checked(UPLO))[0]
