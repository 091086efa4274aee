"""What Paddle 2.6 counts for models of clicks. Their "gradients" are no slopes: they are what an update is to add.

``data_norm`` learns no mean: the gradients of its three statistics are the sums over the batch, which an optimizer of a
parameter server adds to them. ``cvm`` hands the views and clicks themselves back as the gradients of their columns.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Meta, Shape
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.listed import Listing, listed
from minipaddle.ops.indexing.index import slice_op
from minipaddle.ops.manipulation.concat import concat
from minipaddle.ops.reduction.sum import unbroadcast

_SEEN = 1e-7
"""A slot whose first column, the number of views, is below this has not been seen."""


def _seen(x: Array, slot_dim: int) -> Array:
    """Return which numbers stand in a slot that was seen; without slots all do."""
    if slot_dim <= 0:
        return np.ones(x.shape, bool)
    return np.repeat(np.abs(x[:, ::slot_dim]) >= _SEEN, slot_dim, 1)


def _data_norm_infer(x: Meta, *others: Any, **attrs: Any) -> tuple[Meta, Meta, Meta]:
    if not 0 <= attrs.get("epsilon", 1e-5) <= 0.001:
        raise failure(ValueError, "'epsilon' should be between 0.0 and 0.001.")
    return x, others[0], others[0]


@listed(
    Listing(data_layout="NCHW", sync_stats=False, summary_decay_rate=0.9999999), grad_keeps="scale_w, bias, X"
)
@operator(
    "data_norm", "X, BatchSize, BatchSum, BatchSquareSum, scale_w?, bias? -> Y^, Means~, Scales~", kinds="f",
    infer=_data_norm_infer, latex=r"(x - \mu) / \sigma", page="static/nn/data_norm",
    example=lambda rng: ([rng.uniform(0.2, 0.9, (4, 2)), *rng.uniform(2, 4, (5, 2))], {"enable_scale_and_shift": True}),
)  # fmt: skip
def data_norm(
    x: Array, batch_size: Array, batch_sum: Array, batch_square_sum: Array, scale_w: Array | None = None,
    bias: Array | None = None, epsilon: float = 1e-5, slot_dim: int = -1, enable_scale_and_shift: bool = False,
) -> tuple[Array, ...]:  # fmt: skip
    """Subtract the mean of all that was counted, and divide by the root of the mean square."""
    means, scales = batch_sum / batch_size, np.sqrt(batch_size / batch_square_sum)
    y = np.where(_seen(x, slot_dim), (x - means) * scales, x.dtype.type(0))
    return y if scale_w is None else y * scale_w + bias, means, scales


@data_norm.gradient("x")
def _(dy: Value, scales: Value, scale_w: Value | None) -> Value:
    return dy * scales if scale_w is None else dy * scale_w * scales


@data_norm.gradient("scale_w")
def _(dy: Value, x: Value, means: Value, scales: Value, scale_w_shape: Shape) -> Value:
    return unbroadcast((x - means) * scales * dy, scale_w_shape)


@data_norm.gradient("bias")
def _(dy: Value, bias_shape: Shape) -> Value:
    return unbroadcast(dy, bias_shape)


@data_norm.gradient("batch_size")
def _(dy: Value, x: Value, means: Value, epsilon: float, slot_dim: int) -> Value:
    return data_norm_sums(x, means, epsilon, slot_dim)[0]


@data_norm.gradient("batch_sum")
def _(dy: Value, x: Value, means: Value, epsilon: float, slot_dim: int) -> Value:
    return data_norm_sums(x, means, epsilon, slot_dim)[1]


@data_norm.gradient("batch_square_sum")
def _(dy: Value, x: Value, means: Value, epsilon: float, slot_dim: int) -> Value:
    return data_norm_sums(x, means, epsilon, slot_dim)[2]


@operator(
    "data_norm_sums", "X, Means -> BatchSize~, BatchSum~, BatchSquareSum~", kinds="f", page="static/nn/data_norm",
    infer=lambda x, means, **attrs: (means, means, means), latex=r"n, \sum x, \sum (x - \mu)^2",
    example=lambda rng: ([rng.uniform(0.2, 0.9, (4, 2)), rng.uniform(0.2, 0.9, 2)], {}),
)  # fmt: skip
def data_norm_sums(x: Array, means: Array, epsilon: float = 1e-5, slot_dim: int = -1) -> tuple[Array, ...]:
    """Return how many rows count, their sum, and the sum of the squares of what they differ from the mean.

    With slots they are those of one row on the average.
    """
    seen = _seen(x, slot_dim)
    size = seen.sum(0).astype(x.dtype)
    total, squares = (x * seen).sum(0), ((x - means) ** 2 * seen).sum(0)
    if slot_dim <= 0:
        return size, total, squares + size * x.dtype.type(epsilon)
    rows = np.maximum(size, 1)
    return (size > 0).astype(x.dtype), total / rows, squares / rows + size * x.dtype.type(epsilon)


def _cvm_infer(x: Meta, cvm: Meta, *, use_cvm: bool = True) -> Meta:
    return x if use_cvm else Meta((x.shape[0], x.shape[1] - 2), x.dtype)


@listed(grad_keeps="X")
@operator(
    "cvm", "X, CVM -> Y^", kinds="f", infer=_cvm_infer, page="static/nn/continuous_value_model",
    latex=r"\ln(v + 1), \ln(c + 1) - \ln(v + 1)",
    example=lambda rng: ([rng.uniform(0.2, 0.9, (4, 3)), rng.uniform(0.2, 0.9, (4, 2))], {}),
)  # fmt: skip
def cvm(x: Array, cvm: Array, use_cvm: bool = True) -> Array:
    """Return rows whose first columns, views and clicks, are logarithms; or without these."""
    if not use_cvm:
        return x[:, 2:].copy()
    views = np.log(x[:, :1] + 1)
    return np.concatenate([views, np.log(x[:, 1:2] + 1) - views, x[:, 2:]], 1)


@cvm.gradient("x")
def _(dy: Value, cvm: Value, use_cvm: bool) -> Value:
    return concat([cvm, slice_op(dy, ":, 2:") if use_cvm else dy], 1)
