"""spectral_norm: a weight divided by its largest singular value, found by power iterations."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Meta
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.creation.assign import share_data
from minipaddle.ops.reduction.sum import reduce_sum
from minipaddle.ops.views.reshape import reshape2
from minipaddle.ops.views.transpose import transpose2


def _infer(weight: Meta, u: Meta, v: Meta, *, dim: int = 0, power_iters: int = 1, eps: float = 1e-12) -> Meta:
    height = weight.shape[dim]
    if u.ndim != 1 or (u.shape[0] != height and -1 not in (u.shape[0], height)):
        raise failure(
            ValueError,
            f"Input(U)'s 1st dimension size should be equal to Input(Weight)'s dim {dim}, {height}, but received the "
            f"shape {list(u.shape)}.",
        )
    return weight


def _order(ndim: int, dim: int) -> tuple[int, ...]:
    return (dim, *[axis for axis in range(ndim) if axis != dim])


def _vectors(matrix: Any, u: Any, v: Any, power_iters: int, eps: float) -> tuple[Any, Any]:
    """Return the vectors after the iterations, as columns."""

    def unit(x: Array) -> Array:
        return x / ((x * x).sum() ** 0.5 + eps)

    for _ in range(power_iters):
        v = unit(matrix.T @ u)
        u = unit(matrix @ v)
    return u, v


@operator(
    "spectral_norm",
    "Weight, U, V -> Out",
    infer=_infer,
    kinds="f",
    latex=r"W / \sigma(W)",
    example=lambda rng: (
        [rng.uniform(0.2, 0.9, shape) for shape in ((2, 3, 2), (3,), (4,))],
        {"dim": 1, "power_iters": 0},
    ),
    page="nn/SpectralNorm",
)
def spectral_norm(
    weight: Array, u: Array, v: Array, dim: int = 0, power_iters: int = 1, eps: float = 1e-12
) -> Array:
    """Divide a weight by its largest singular value, found from the vectors `u` and `v`.

    The axes of the weight other than `dim` count as one. The vectors stay as they are.
    """
    matrix = weight.transpose(_order(weight.ndim, dim)).reshape(len(u), len(v))
    u, v = _vectors(matrix, u.reshape(-1, 1), v.reshape(-1, 1), power_iters, eps)
    return weight / (u.T @ matrix @ v).sum()


@spectral_norm.gradient("weight")
def _(dy: Value, weight: Value, u: Value, v: Value, dim: int, power_iters: int, eps: float) -> Value:
    order = _order(weight.ndim, dim)
    turned = transpose2(weight, order)
    matrix = reshape2(turned, (u.shape[0], v.shape[0]))
    u, v = _vectors(share_data(matrix), reshape2(u, (-1, 1)), reshape2(v, (-1, 1)), power_iters, eps)
    product = u @ v.T
    largest = reduce_sum(product * matrix)
    direction = transpose2(
        reshape2(product, tuple(turned.shape)), tuple([order.index(axis) for axis in range(len(order))])
    )
    return dy / largest - direction * (reduce_sum(dy * weight) / (largest * largest))
