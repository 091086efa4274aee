"""Singular values, and what is made of them: pseudo-inverse, rank, condition, approximations of low rank."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.engine.core.dtype import real_of
from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Attrs, Meta
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.listed import Listing, derived, listed, of
from minipaddle.ops.linalg.eigen import eigh_op, eigvalsh
from minipaddle.ops.linalg.einsum import einsum_op
from minipaddle.ops.linalg.inverse import inverse
from minipaddle.ops.linalg.matrix import adjoint, as_column, as_row, gaps, lapack
from minipaddle.ops.linalg.qr import qr
from minipaddle.ops.math.complex import is_complex
from minipaddle.ops.math.minimum import maximum
from minipaddle.ops.math.rounding import abs
from minipaddle.ops.random.sample import randn
from minipaddle.ops.reduction.mean import mean
from minipaddle.ops.reduction.minmax import amax, amin
from minipaddle.ops.reduction.sum import cast_to, reduce_sum
from minipaddle.ops.stat.norm import norm


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


def _tall(rng: np.random.Generator) -> Any:
    return [rng.uniform(0.2, 0.9, (2, 3, 2)) + np.array([[2, 0], [0, 0.3], [0.5, 0]])], {}


@listed(grad_keeps="X", numbered="U, VH, S")
@operator(
    "svd",
    "X -> U, S, VH",
    kinds="fc",
    infer=_svd_infer,
    latex=r"x = U \mathrm{diag}(s) V^{*}",
    example=_tall,
    page="linalg/svd",
)
@lapack
def svd_op(x: Array, full_matrices: bool = False) -> tuple[Array, ...]:
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
        x: matrices [..., M, N].
        full_matrices: whether U and V are square; their further columns have no gradient.
        name: ignored.

    Raises:
        ValueError: for fewer than two axes.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/linalg/svd_en.html
    """
    found: tuple[Any, Any, Any] = svd_op(x, full_matrices)
    return found


def svdvals(x: Value, name: str | None = None) -> Value:
    """Return the singular values of matrices, the greatest first.

    Raises:
        ValueError: for fewer than two axes.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/linalg/svdvals_en.html
    """
    return svd_op(x)[1]


# -- made of them --------------------------------------------------------------------------------------------


def pinv(x: Value, rcond: Any = 1e-15, hermitian: bool = False, name: str | None = None) -> Value:
    """Return the pseudo-inverse of matrices: the inverse, where nothing but zeros stands in its way.

    Args:
        x: matrices [..., M, N].
        rcond: singular values below this part of the greatest are taken for zeros; a number, or a tensor.
        hermitian: whether `x` is symmetric (Hermitian); then eigenvalues do, which are found faster.
        name: ignored.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/linalg/pinv_en.html
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


def _rank_infer(x: Meta, **attrs: Any) -> Meta:
    _svd_infer(x)
    return Meta(x.shape[:-2], np.dtype("int64"))


class _Tolerance(Listing):
    """A limit, which 2.6.2 prints as 0 beside a flag where it is left to the operator."""

    def __init__(self) -> None:
        flag = derived(lambda attrs, metas: attrs["tol"] is None)
        super().__init__(use_default_tol=flag, tol=of("tol", lambda tol: tol or 0.0))

    def read(self, listed: Attrs) -> Attrs:
        """Take the flag for no limit."""
        attrs = super().read(listed)
        return {**attrs, "tol": None} if listed.get("use_default_tol", True) else attrs


@listed(_Tolerance())
@operator(
    "matrix_rank",
    "X -> Out",
    kinds="fc",
    infer=_rank_infer,
    latex=r"\mathrm{rank}\,x",
    page="linalg/matrix_rank",
)
@lapack
def matrix_rank_op(x: Array, tol: float | None = None, hermitian: bool = False) -> Any:
    """Count the singular values above `tol`; None: above what rounding makes of zeros."""
    return np.linalg.matrix_rank(x, tol, hermitian)


def matrix_rank(
    x: Value,
    tol: Any = None,
    hermitian: bool = False,
    atol: Any = None,
    rtol: Any = None,
    name: str | None = None,
) -> Value:
    """Return how many singular values of each matrix are not zero, as int64.

    Args:
        x: matrices [..., M, N].
        tol: what is at most this counts as zero; a number or a tensor, None: the greatest times what rounding may do.
        hermitian: whether `x` is symmetric (Hermitian).
        name: ignored.
        atol: the same as `tol`, beside `rtol`: the greater of both limits holds.
        rtol: a limit as a part of the greatest singular value.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/linalg/matrix_rank_en.html
    """
    if atol is None and rtol is None and (tol is None or isinstance(tol, (int, float))):
        return matrix_rank_op(x, tol, hermitian)
    assert tol is None or (atol is None and rtol is None), "tol and (atol, rtol) cannot be given together."
    sizes = abs(eigvalsh(x)) if hermitian else svdvals(x)
    limit = tol if tol is not None else atol
    if rtol is not None:
        part = amax(sizes, -1) * rtol
        limit = part if limit is None else maximum(part, part * 0 + limit)
    if hasattr(limit, "ndim"):
        limit = cast_to(as_column(limit), sizes.dtype)
    return reduce_sum(cast_to(sizes > limit, "int64"), -1)


def cond(x: Value, p: Any = None, name: str | None = None) -> Value:
    """Return how many times a relative error grows at most in ``solve``: the norm of `x` times that of its inverse.

    Args:
        x: matrices; square ones, unless `p` is None, 2 or -2.
        p: which norm: None (as 2), "fro", "nuc", 1, -1, 2, -2, inf or -inf.
        name: ignored.

    Raises:
        ValueError: for another `p`, or a matrix that is not square.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/linalg/cond_en.html
    """
    if p not in (None, "fro", "nuc", 1, -1, 2, -2, math.inf, -math.inf):
        raise ValueError(
            f"unsupported {p} for p, only supporting ('fro', 'nuc', 1, -1, 2, -2, inf, -inf) or none"
        )
    if x.ndim < 2:
        raise ValueError(
            f"input should be a matrix or batches of matrices, but the dimension of received input is {x.ndim}"
        )
    if p in (None, 2, -2):
        sizes = svdvals(x)
        ends = amax(sizes, -1), amin(sizes, -1)
        return ends[1] / ends[0] if p == -2 else ends[0] / ends[1]
    if x.shape[-1] != x.shape[-2]:
        raise ValueError(f"only support p is {p} when input is a square matrix or batches of square matrices")
    axes = (x.ndim - 2, x.ndim - 1)
    return norm(x, p, axes) * norm(inverse(x), p, axes)


# -- of low rank ---------------------------------------------------------------------------------------------


def svd_lowrank(
    x: Value, q: int | None = None, niter: int = 2, M: Value | None = None, name: str | None = None
) -> tuple[Any, Any, Any]:
    """Return U, the `q` greatest singular values, and V, nearly: ``U * S @ V.T`` approximates ``x - M``.

    Halko, Martinsson, Tropp: a few random vectors, multiplied by the matrix again and again, span the space of the
    greatest singular values; what is left is a small matrix.

    Args:
        x: matrices [..., M, N].
        q: how many singular values; None is 6, or as many as there are.
        niter: how many times to multiply.
        M: what to subtract first, or None.
        name: ignored.

    Raises:
        ValueError: if there are not `q` singular values, or `niter` is negative.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/linalg/svd_lowrank_en.html
    """
    rows, columns = x.shape[-2:]
    q = min(6, rows, columns) if q is None else q
    if not 0 <= q <= min(rows, columns):
        raise ValueError(
            f"q(={q}) must be non-negative integer and not greater than min(m, n)={min(rows, columns)}"
        )
    if not 0 <= niter <= 1 << 16:
        raise ValueError(f"niter(={niter}) must be non-negative integer, of at most 65,536")
    if M is not None:
        x = x - M
    if rows < columns:
        left, sizes, right = svd_lowrank(adjoint(x), q, niter)
        return right, sizes, left
    space = qr(x @ randn([*x.shape[:-2], columns, q], dtype=x.dtype))[0]
    for _ in range(niter):
        space = qr(x @ qr(adjoint(x) @ space)[0])[0]
    left, sizes, right = svd_op(adjoint(space) @ x)
    return space @ left, sizes, adjoint(right)


def pca_lowrank(
    x: Value, q: int | None = None, center: bool = True, niter: int = 2, name: str | None = None
) -> tuple[Any, Any, Any]:
    """Return :func:`svd_lowrank` of rows whose mean was subtracted: the columns of V are the principal components.

    Args:
        x: rows [..., M, N].
        q: how many components; None is 6, or as many as there are.
        center: whether to subtract the mean.
        niter: how many times to multiply.
        name: ignored.

    Raises:
        ValueError: if there are not `q` components, or `niter` is negative.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/linalg/pca_lowrank_en.html
    """
    return svd_lowrank(x, q, niter, M=mean(x, -2, True) if center else None)
