"""Singular values, and what is made of them: pseudo-inverse, rank, condition, approximations of low rank."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.ops.definition import Array, Meta, Value, failure, listed, operator, real_of, tried_with
from minipaddle.ops.linalg.eigen import eigh_op
from minipaddle.ops.linalg.einsum import einsum_op
from minipaddle.ops.linalg.matrix import adjoint, as_column, as_row, gaps, lapack
from minipaddle.ops.math.complex import is_complex
from minipaddle.ops.math.rounding import abs
from minipaddle.ops.reduction.minmax import amax
from minipaddle.ops.reduction.sum import cast_to


def _svd_infer(x: Meta, *, full_matrices: bool = False) -> list[Meta]:
    if x.ndim < 2:
        raise failure(
            ValueError, f"the rank of input must greater than 2, but received shape {list(x.shape)}."
        )
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
    rest_u = (du - u @ left) * as_row(over)  # what leaves the space that the columns of U span
    rest_v = (dv - v @ right) * as_row(over)
    if is_complex(u):  # each pair of columns may turn together
        ds = ds + einsum_op([left - adjoint(left)], "...ii->...i") * over * 0.5
    return (u @ inner + u * as_row(ds) + rest_u) @ adjoint(v) + u @ adjoint(rest_v)


def svd(x: Value, full_matrices: bool = False, name: str | None = None) -> tuple[Any, Any, Any]:
    """Return U, the singular values, the greatest first, and the adjoint of V: ``U * S @ VH`` is `x`.

    Args:
        full_matrices: whether U and V are square; their further columns have no gradient.
    """
    found: tuple[Any, Any, Any] = svd_op(x, full_matrices)
    return found


def pinv(x: Value, rcond: Any = 1e-15, hermitian: bool = False, name: str | None = None) -> Value:
    """Return the pseudo-inverse of matrices: the inverse, where nothing but zeros stands in its way.

    Args:
        rcond: singular values below this part of the greatest are taken for zeros; a number, or a tensor.
        hermitian: whether `x` is symmetric (Hermitian); then eigenvalues do, which are found faster.
    """
    if hermitian:
        widths, left = eigh_op(x)
        size, right = abs(widths), adjoint(left)
    else:
        left, widths, right = svd_op(x)
        size = widths
    large = size > amax(size, -1, True) * rcond
    kept = cast_to(large, widths.dtype)
    over = kept / (widths + (1 - kept))
    return (adjoint(right) * as_row(cast_to(over, left.dtype))) @ adjoint(left)
