"""Adaptive average pooling: as many bins as are asked for, whatever the size of the image.

Averaging is linear along each axis, so it is a product with a matrix from either side, and its gradient one with the
transposed matrices.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.core.errors import failure
from minipaddle.core.meta import Array, Meta, Shape
from minipaddle.core.operator import operator
from minipaddle.core.value import Value
from minipaddle.ops.common.listed import Listing, listed, of
from minipaddle.ops.nn.window import LAYOUT, Pair


def _averaging(size: int, bins: int) -> Array:
    """Return the matrix [bins, size] that averages `size` elements into `bins` that may overlap."""
    edges = np.arange(bins)
    start, stop = edges * size // bins, -(-(edges + 1) * size // bins)
    places = np.arange(size)
    inside = (places >= start[:, None]) & (places < stop[:, None])
    return np.asarray(inside / (stop - start)[:, None])


def _infer_adaptive(x: Meta, output_size: Pair = (1, 1)) -> Meta:
    """Shape rule: [N, C, H, W] gives [N, C, *output_size]."""
    if x.ndim != 4:
        raise failure(
            ValueError, f"the input of Op(pool) should be 4-D or 5-D Tensor, but received {list(x.shape)}."
        )
    return Meta((*x.shape[:2], *output_size), x.dtype)


@listed(
    Listing(
        ksize=of("output_size"),
        adaptive=True,
        pooling_type="avg",
        strides=[1, 1],
        paddings=[0, 0],
        ceil_mode=False,
        exclusive=True,
        **LAYOUT,
    ),
    type="pool2d",
    kind="pool2d",
    grad_keeps="Out",
)
@operator(
    "adaptive_pool2d",
    "X -> Out",
    kinds="biuf",
    name="pool2d",
    infer=_infer_adaptive,
    example=lambda rng: ([rng.uniform(-1, 1, (2, 1, 5, 4))], {"output_size": (3, 2)}),
    page="nn/functional/adaptive_avg_pool2d",
)
def adaptive_pool2d(x: Array, output_size: Pair = (1, 1)) -> Any:
    """Average [N, C, H, W] into `output_size` bins, which overlap where the sizes do not divide."""
    down, across = (
        _averaging(size, bins).astype(x.dtype) for size, bins in zip(x.shape[2:], output_size, strict=True)
    )
    return down @ x @ across.T


@adaptive_pool2d.gradient("x")
def _(dy: Value, x_shape: Shape) -> Value:
    return adaptive_pool2d_grad(dy, tuple(x_shape[2:]))


@operator(
    "adaptive_pool2d_grad", "DOut -> DX",
    kinds="biuf",
    infer=lambda dy, input_size=(1, 1): Meta((*dy.shape[:2], *input_size), dy.dtype),
    example=lambda rng: ([rng.uniform(-1, 1, (2, 1, 3, 2))], {"input_size": (5, 4)}),
)  # fmt: skip
def adaptive_pool2d_grad(dy: Array, input_size: Pair = (1, 1)) -> Any:
    """Spread a number per bin evenly over the bin."""
    down, across = (
        _averaging(size, bins).astype(dy.dtype) for size, bins in zip(input_size, dy.shape[2:], strict=True)
    )
    return down.T @ dy @ across


@adaptive_pool2d_grad.gradient("dy")
def _(dx: Value, dy_shape: Shape) -> Value:
    return adaptive_pool2d(dx, tuple(dy_shape[2:]))
