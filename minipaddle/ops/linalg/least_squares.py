"""Least squares: the solution of a system that has none, or too many."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.core.meta import Array, Meta
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.creation.promotion import alike_pair
from minipaddle.ops.linalg.matrix import lapack

DRIVERS = ("gels", "gelsy", "gelsd", "gelss")


def _lstsq_infer(x: Meta, y: Meta, *, rcond: float = 0.0, driver: str = "gelsy") -> list[Meta]:
    *batch, rows, columns = x.shape
    residuals = (*batch, y.shape[-1]) if rows > columns and driver != "gelsy" else (0,)
    sizes = (*batch, min(rows, columns)) if driver in ("gelsd", "gelss") else (0,)
    rank = Meta((0,), np.dtype("int64")) if driver == "gels" else Meta(tuple(batch), np.dtype("int32"))
    solution = (*batch, columns, y.shape[-1])
    return [Meta(solution, x.dtype), Meta(residuals, x.dtype), rank, Meta(sizes, x.dtype)]


@operator(
    "lstsq",
    "X, Y -> Solution~, Residuals~, Rank~, SingularValues~",
    kinds="f",
    infer=_lstsq_infer,
    prepare=alike_pair,
    latex=r"\arg\min_z |x z - y|",
    example=lambda rng: ([rng.uniform(0.2, 0.9, (4, 2)), rng.uniform(0.2, 0.9, (4, 3))], {}),
    page="linalg/lstsq",
)
@lapack
def lstsq_op(x: Array, y: Array, rcond: float = 0.0, driver: str = "gelsy") -> tuple[Array, ...]:
    """Return solution, residuals, rank, singular values; what a driver does not know is empty."""
    *batch, rows, columns = x.shape
    right = np.broadcast_to(y, (*batch, *y.shape[-2:])).reshape(-1, *y.shape[-2:])
    solved = [np.linalg.lstsq(a, b, rcond) for a, b in zip(x.reshape(-1, rows, columns), right, strict=True)]
    metas = _lstsq_infer(Meta(x.shape, x.dtype), Meta(y.shape, y.dtype), rcond=rcond, driver=driver)
    solution = np.array([found[0] for found in solved], x.dtype).reshape(metas[0].shape)
    error = np.square(y - x @ solution).sum(-2) if metas[1].shape != (0,) else np.empty(0, x.dtype)
    rank, sizes = (
        np.array([found[place] for found in solved] if meta.shape != (0,) else [], meta.dtype).reshape(
            meta.shape
        )
        for place, meta in ((2, metas[2]), (3, metas[3]))
    )
    return solution, error, rank, sizes


def lstsq(
    x: Value, y: Value, rcond: float | None = None, driver: str | None = None, name: str | None = None
) -> tuple[Any, Any, Any, Any]:
    """Return the z for which ``x @ z`` is nearest to `y`, the squared distances, the rank, and the singular values.

    There is no gradient, as in Paddle: ``pinv(x) @ y`` has one.

    Args:
        x: matrices [..., M, N].
        y: matrices [..., M, K].
        rcond: singular values below this part of the greatest are taken for zeros; None: what rounding may do.
        driver: the routine of LAPACK that says which results there are: "gels" knows no rank, only "gelsd" and "gelss"
            know singular values, and all but "gelsy" (None) the distances, if M > N. What is not known is empty.
        name: ignored.

    Raises:
        ValueError: for another driver, or shapes that do not go together.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/linalg/lstsq_en.html
    """
    if driver not in (None, *DRIVERS):
        raise ValueError(
            f"Only support valid driver is 'gels', 'gelss', 'gelsd', 'gelsy' or None for CPU inputs. But got {driver}"
        )
    if x.ndim < 2 or y.ndim < 2:
        raise ValueError(f"The shape of x should be (*, M, N), but received ndim is [{x.ndim} < 2]")
    if x.shape[-2] != y.shape[-2]:
        raise ValueError(
            f"x with shape (*, M = {x.shape[-2]}, N) and y with shape (*, M = {y.shape[-2]}, K) should have same M."
        )
    if rcond is None:
        single = "float32" in str(x.dtype) or "float16" in str(x.dtype)
        rcond = 1e-7 * max(x.shape[-2:]) if single else 1e-15 * max(x.shape[-2:])
    return lstsq_op(x, y, rcond, driver or "gelsy")
