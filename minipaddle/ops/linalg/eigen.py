"""Eigenvalues and eigenvectors: of symmetric (Hermitian) matrices, and of any.

Eigenvectors are LAPACK's: of length 1, and a sign (a phase) that nobody chose. Only what does not depend on the sign
has a gradient that means something.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.core.dtype import as_numpy, real_of
from minipaddle.engine.core.meta import Array, Meta
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.listed import Listing, listed
from minipaddle.ops.common.scipy import scipy
from minipaddle.ops.linalg.inverse import solve_op
from minipaddle.ops.linalg.matrix import (
    adjoint,
    as_column,
    as_row,
    gaps,
    halved,
    lapack,
    regular,
    spd,
    square,
)
from minipaddle.ops.math.complex import conj, real
from minipaddle.ops.reduction.sum import cast_to, reduce_sum


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


@operator(
    "eigh",
    "X -> Eigenvalues, Eigenvectors",
    kinds="fc",
    infer=_eigh_infer,
    symmetric=True,
    latex=r"x = V \mathrm{diag}(\lambda) V^{*}",
    example=spd(batch=(2,)),
    page="linalg/eigh",
)
@lapack
def eigh_op(x: Array, UPLO: Any = "L") -> tuple[Array, ...]:
    """Return the eigenvalues of a symmetric matrix, the least first, and its eigenvectors as columns."""
    return tuple(np.linalg.eigh(x, UPLO))


@eigh_op.gradient("x", conjugate=False)
def _(dw: Value, dv: Value, eigenvalues: Value, eigenvectors: Value) -> Value:
    return _unfold(dw, dv, eigenvalues, eigenvectors)


@listed(Listing(is_test=False), grad_takes="Eigenvalues")
@operator(
    "eigvalsh",
    "X -> Eigenvalues, Eigenvectors",
    kinds="fc",
    infer=_eigh_infer,
    symmetric=True,
    latex=r"\lambda(x)",
    example=spd(batch=(2,)),
    page="linalg/eigvalsh",
)
@lapack
def eigvalsh_op(x: Array, UPLO: Any = "L") -> tuple[Array, ...]:
    """Return the eigenvalues of a symmetric matrix, the least first; the eigenvectors are there for the gradient."""
    return tuple(np.linalg.eigh(x, UPLO))


@eigvalsh_op.gradient("x", conjugate=False)
def _(dw: Value, dv: Value, eigenvalues: Value, eigenvectors: Value) -> Value:
    return _unfold(dw, dv, eigenvalues, eigenvectors)


def _checked(UPLO: str) -> str:
    if UPLO not in ("L", "U"):
        raise ValueError(f"UPLO must be L or U. But received UPLO is: {UPLO}")
    return UPLO


def eigh(x: Value, UPLO: str = "L", name: str | None = None) -> tuple[Value, ...]:
    """Return the eigenvalues of symmetric (Hermitian) matrices, the least first, and their eigenvectors as columns.

    Args:
        x: square matrices [..., N, N].
        UPLO: which triangle of them to read, "L" or "U".
        name: ignored.

    Raises:
        ValueError: if the last two axes differ in size, or for another `UPLO`.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/linalg/eigh_en.html
    """
    return eigh_op(x, _checked(UPLO))


def eigvalsh(x: Value, UPLO: str = "L", name: str | None = None) -> Value:
    """Return the eigenvalues of symmetric (Hermitian) matrices, the least first; see :func:`eigh`.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/linalg/eigvalsh_en.html
    """
    return eigvalsh_op(x, _checked(UPLO))[0]


# -- of any square matrix ------------------------------------------------------------------------------------


def _eig_infer(x: Meta) -> list[Meta]:
    shape = square(
        x,
        "The input matrix must be a square matrix",
        "Expects input tensor x to be not less than 2 dimensions",
    )
    dtype = np.result_type(x.dtype, np.complex64)
    return [Meta(shape[:-1], dtype), Meta(shape, dtype)]


@operator(
    "eig",
    "X -> Eigenvalues, Eigenvectors",
    kinds="fc",
    infer=_eig_infer,
    latex=r"x V = V \mathrm{diag}(\lambda)",
    example=regular(batch=(2,)),
    page="linalg/eig",
)
@lapack
def eig(x: Array) -> tuple[Array, ...]:
    """Return the eigenvalues of square matrices, in no order, and their eigenvectors as columns; both are complex.

    Raises:
        ValueError: if the last two axes differ in size.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/linalg/eig_en.html
    """
    dtype = np.result_type(x.dtype, np.complex64)
    values, vectors = np.empty(x.shape[:-1], dtype), np.empty(x.shape, dtype)
    solver = scipy("linalg").eig  # in single precision where NumPy would compute in double: Paddle's signs
    for place in np.ndindex(x.shape[:-2]):
        values[place], vectors[place] = solver(x[place], check_finite=False)
    return values, vectors


@eig.gradient("x", conjugate=False)
def _(dw: Value, dv: Value, x_dtype: Any, eigenvalues: Value, eigenvectors: Value) -> Value:
    back = adjoint(eigenvectors)
    along = as_row(cast_to(real(reduce_sum(conj(eigenvectors) * dv, -2)), dv.dtype))  # their length stays 1
    turn = back @ (dv - eigenvectors * along) * conj(gaps(eigenvalues))
    dx = solve_op(back, turn @ back + as_column(dw) * back)
    return dx if as_numpy(x_dtype).kind == "c" else cast_to(real(dx), x_dtype)


def eigvals(x: Value, name: str | None = None) -> Value:
    """Return the eigenvalues of square matrices, in no order; they are complex.

    Raises:
        ValueError: if the last two axes differ in size.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/linalg/eigvals_en.html
    """
    return eig(x)[0]
