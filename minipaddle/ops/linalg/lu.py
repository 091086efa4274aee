"""LU: a matrix as a lower triangle times an upper one, its rows exchanged."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Meta, Shape
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.listed import Listing, listed, of
from minipaddle.ops.common.scipy import scipy
from minipaddle.ops.creation.full import zeros_like
from minipaddle.ops.creation.range import eye
from minipaddle.ops.linalg.cholesky import triangular_solve
from minipaddle.ops.linalg.matmul import turned
from minipaddle.ops.linalg.matrix import adjoint, lapack, regular
from minipaddle.ops.manipulation.concat import concat
from minipaddle.ops.manipulation.triangle import tril, triu


def _lu_infer(x: Meta, **attrs: Any) -> list[Meta]:
    if x.ndim < 2:
        raise failure(
            ValueError, f"The rank of input must greater than 2, but received shape {list(x.shape)}."
        )
    integers = np.dtype("int32")
    return [x, Meta((*x.shape[:-2], min(x.shape[-2:])), integers), Meta(x.shape[:-2], integers)]


@listed(Listing(pivots=of("pivot")), grad_keeps="X")
@operator(
    "lu",
    "X -> Out, Pivots~, Infos~",
    kinds="fc",
    infer=_lu_infer,
    latex="x = P L U",
    example=regular(batch=(2,)),
    page="linalg/lu",
)
@lapack
def lu_op(x: Array, pivot: bool = True) -> tuple[Array, ...]:
    """Return both triangles in one matrix, which rows were exchanged (counted from 1), and 0 or the zero pivot."""
    factor = scipy("linalg").lapack.get_lapack_funcs(("getrf",), (x,))[0]
    out = np.empty_like(x).reshape(-1, *x.shape[-2:])
    pivots = np.empty((len(out), min(x.shape[-2:])), np.int32)
    infos = np.empty(len(out), np.int32)
    for place, one in enumerate(x.reshape(out.shape)):
        out[place], pivots[place], infos[place] = factor(one)
    return (
        out.reshape(x.shape),
        pivots.reshape(*x.shape[:-2], min(x.shape[-2:])) + np.int32(1),
        infos.reshape(x.shape[:-2]),
    )


@lu_op.gradient("x")
def _(dy: Value, out: Value, pivots: Value) -> Value:
    rows, columns = out.shape[-2:]
    few = min(rows, columns)
    lower, upper = out[..., :few], out[..., :few, :]
    dl, du = dy[..., :few], dy[..., :few, :]
    top, left = lower[..., :few, :], upper[..., :few]
    inner_l = turned(_unit(lower)) @ tril(dl, -1)
    inner_u = triu(du) @ turned(triu(upper))
    if rows > columns:  # what is below a square part changes U alone
        inner_u = inner_u - turned(lower[..., few:, :]) @ dl[..., few:, :]
        inner_l = turned(_unit(top)) @ tril(dl[..., :few, :], -1)
    if rows < columns:
        inner_l = inner_l - du[..., few:] @ turned(upper[..., few:])
        inner_u = triu(du[..., :few]) @ turned(triu(left))
    inner = tril(inner_l, -1) + triu(inner_u)
    half = triangular_solve(top, inner, upper=False, transpose=True, unitriangular=True)
    dx = turned(triangular_solve(left, turned(half), upper=True))
    if rows > columns:
        below = turned(triangular_solve(left, turned(dl[..., few:, :]), upper=True))
        dx = concat([dx, below], -2)
    if rows < columns:
        beside = triangular_solve(top, du[..., few:], upper=False, transpose=True, unitriangular=True)
        dx = concat([dx, beside], -1)
    return lu_unpack_op(out, pivots)[0] @ dx


def _unit(x: Any) -> Any:
    """Return the lower triangle with ones on its diagonal."""
    return tril(x, -1) + eye(x.shape[-2], x.shape[-1], dtype=x.dtype)


def lu(x: Value, pivot: bool = True, get_infos: bool = False, name: str | None = None) -> tuple[Value, ...]:
    """Return both triangles of the LU factorisation in one matrix, and which rows were exchanged, counted from 1.

    Args:
        x: matrices [..., M, N].
        pivot: whether rows may be exchanged; they must, as in Paddle on a CPU.
        get_infos: whether to return a third tensor: 0, or the number of the first pivot that is zero.
        name: ignored.

    Raises:
        ValueError: for fewer than two axes, or without `pivot`.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/linalg/lu_en.html
    """
    if not pivot:
        raise failure(ValueError, "lu without pivoting is not implemented on the CPU, but got pivots=False")
    found = lu_op(x)
    return found if get_infos else found[:2]


# -- taken apart ---------------------------------------------------------------------------------------------


def _unpack_infer(x: Meta, y: Meta, **attrs: Any) -> list[Meta]:
    if x.ndim < 2 or y.ndim < 1:
        raise failure(
            ValueError,
            f"The rank of input must greater than 2, but received shapes {list(x.shape)} and {list(y.shape)}.",
        )
    *batch, rows, columns = x.shape
    few = min(rows, columns)
    shapes: list[Shape] = [(*batch, rows, rows), (*batch, rows, few), (*batch, few, columns)]
    return [Meta(shape, x.dtype) for shape in shapes]


def _factored(rng: np.random.Generator) -> Any:
    return [rng.uniform(0.2, 0.9, (2, 3, 2)), np.array([[2, 3], [1, 2]], "int32")], {}


@listed(grad_keeps="X, Pivots, L, U, Pmat")
@operator(
    "lu_unpack",
    "X, Pivots -> Pmat~, L, U",
    kinds="fc",
    infer=_unpack_infer,
    latex="P, L, U",
    example=_factored,
    page="linalg/lu_unpack",
)
@lapack
def lu_unpack_op(
    x: Array, pivots: Array, unpack_ludata: bool = True, unpack_pivots: bool = True
) -> tuple[Array, ...]:
    """Return the matrix that exchanges rows, the lower triangle and the upper one."""
    *batch, rows, columns = x.shape
    few = min(rows, columns)
    order = np.tile(np.arange(rows), (*batch, 1)).reshape(-1, rows)
    for one, exchanged in zip(order, pivots.reshape(-1, pivots.shape[-1]), strict=True):
        for place, other in enumerate(exchanged - 1):
            one[place], one[other] = one[other], one[place]
    permuted = np.eye(rows, dtype=x.dtype)[order].swapaxes(-1, -2).reshape(*batch, rows, rows)
    lower = np.tril(x[..., :few], -1) + np.eye(rows, few, dtype=x.dtype)
    return permuted.copy(), lower, np.triu(x[..., :few, :])


@lu_unpack_op.gradient("x")
def _(dl: Value, du: Value, x_shape: Shape) -> Value:
    rows, columns = x_shape[-2:]
    below, above = tril(dl, -1), triu(du)
    if rows > columns:
        above = concat([above, zeros_like(below[..., columns:, :])], -2)
    if rows < columns:
        below = concat([below, zeros_like(above[..., rows:])], -1)
    return below + above


def lu_unpack(
    x: Value, y: Value, unpack_ludata: bool = True, unpack_pivots: bool = True, name: str | None = None
) -> tuple[Any, Any, Any]:
    """Return the matrix P that exchanges rows, the lower triangle L and the upper one U, of what :func:`lu` returned.

    Args:
        x: both triangles in one matrix.
        y: which rows were exchanged.
        unpack_ludata: whether L and U are wanted; they are None otherwise.
        unpack_pivots: whether P is wanted; it is None otherwise.
        name: ignored.

    Raises:
        ValueError: for fewer than two axes.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/linalg/lu_unpack_en.html
    """
    permuted, lower, upper = lu_unpack_op(x, y, unpack_ludata, unpack_pivots)
    triangles = (lower, upper) if unpack_ludata else (None, None)
    return permuted if unpack_pivots else None, *triangles


def lu_solve(b: Value, lu: Value, pivots: Value, trans: str = "N", name: str | None = None) -> Value:
    """Return the solution of ``A @ z = b`` for the matrix A of which :func:`lu` has returned `lu` and `pivots`.

    Args:
        b: matrices [..., N, K].
        lu: both triangles in one matrix [..., N, N].
        pivots: which rows were exchanged.
        trans: "N"; "T" for the transpose of A, "C" for its adjoint.
        name: ignored.

    Raises:
        ValueError: for another `trans`.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/linalg/lu_solve_en.html
    """
    if trans not in ("N", "T", "C"):
        raise failure(ValueError, f"trans must be 'N', 'T' or 'C', but received {trans!r}.")
    exchange = lu_unpack_op(lu, pivots)[0]
    if trans == "N":
        half = triangular_solve(lu, turned(exchange) @ b, upper=False, unitriangular=True)
        return triangular_solve(lu, half, upper=True)
    if trans == "C":
        lu = adjoint(turned(lu))
    half = triangular_solve(lu, b, upper=True, transpose=True)
    return exchange @ triangular_solve(lu, half, upper=False, transpose=True, unitriangular=True)
