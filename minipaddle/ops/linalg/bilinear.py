"""bilinear: a product of two inputs, with a weight that has a matrix for each output."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Meta
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.listed import listed
from minipaddle.ops.creation.promotion import alike
from minipaddle.ops.linalg.matmul import matmul
from minipaddle.ops.reduction.sum import fold
from minipaddle.ops.views.reshape import unsqueeze2

# -- bilinear -------------------------------------------------------------------------------------------------


def _bilinear_infer(x: Meta, y: Meta, weight: Meta, bias: Meta | None) -> Meta:
    for axis, (name, meta, place) in enumerate((("X", x, "second"), ("Y", y, "third")), 1):
        if meta.ndim != 2:
            raise failure(
                ValueError, f"The input({name}) must be a 2D Tensor, but its shape is {list(meta.shape)}."
            )
        if meta.shape[1] != weight.shape[axis] and -1 not in (meta.shape[1], weight.shape[axis]):
            raise failure(
                ValueError,
                f"The second dimension of input({name}) must be equal to the {place} dimension of the input(Weight), "
                f"but received {list(meta.shape)} and {list(weight.shape)}.",
            )
    if x.shape[0] != y.shape[0] and -1 not in (x.shape[0], y.shape[0]):
        raise failure(
            ValueError,
            "The first dimension(batch_size) of input(X) must be equal to the first dimension of the input(Y), but "
            f"received {list(x.shape)} and {list(y.shape)}.",
        )
    if bias is not None and bias.shape != (1, weight.shape[0]):
        raise failure(
            ValueError,
            f"The Input(Bias) must be a 2-D tensor of shape {[1, weight.shape[0]]}, but it is {list(bias.shape)}.",
        )
    return Meta((x.shape[0], weight.shape[0]), x.dtype)


@listed(kind="bilinear")
@operator(
    "bilinear_tensor_product",
    "X, Y, Weight, Bias? -> Out",
    name="bilinear",
    prepare=alike,
    infer=_bilinear_infer,
    latex=r"x^\top W_k\, y + b_k",
    example=lambda rng: ([rng.uniform(0.2, 0.9, shape) for shape in ((2, 3), (2, 4), (5, 3, 4), (1, 5))], {}),
    page="nn/functional/bilinear",
)
def bilinear(x: Array, y: Array, weight: Array, bias: Array | None) -> Array:
    """Return ``x @ weight[k] @ y`` for each `k`: [N, I], [N, J] and [K, I, J] give [N, K]; `bias` is [1, K].

    Raises:
        ValueError: if the sizes do not match.
    """
    if len(x) != len(y) or (bias is not None and bias.shape != (1, len(weight))):
        raise ValueError  # worded by the shape rule
    out = (np.matmul(x, weight) * y).sum(-1).T
    return np.ascontiguousarray(out) if bias is None else out + bias


def _by_output(dy: Any) -> Any:
    """Return the gradient as [K, N, 1], to be multiplied with rows."""
    return unsqueeze2(dy.T, (2,))


@bilinear.gradient("x")
def _(dy: Value, y: Value, weight: Value) -> Value:
    return fold(_by_output(dy) * matmul(y, weight, transpose_y=True), 0)


@bilinear.gradient("y")
def _(dy: Value, x: Value, weight: Value) -> Value:
    return fold(_by_output(dy) * matmul(x, weight), 0)


@bilinear.gradient("weight")
def _(dy: Value, x: Value, y: Value) -> Value:
    return matmul(_by_output(dy) * x, y, transpose_x=True)


@bilinear.gradient("bias")
def _(dy: Value) -> Value:
    return fold(dy, 0, True)
