"""Adaptive average pooling: as many bins as are asked for, whatever the size of the image.

Averaging is linear along each axis, so it is a product with a matrix for each, and its gradient one with the
transposed matrices. It is defined for any number of axes, and made for images and volumes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from minipaddle.ops.definition import Array, Listing, Meta, Operator, listed, of, operator, tried_with
from minipaddle.ops.nn.max_places import equal_bins
from minipaddle.ops.nn.pooling import AXES, check_pool
from minipaddle.ops.nn.window import Sizes, layout


def _averaging(size: int, bins: int) -> Array:
    """Return the matrix [bins, size] that averages `size` elements into `bins` that may overlap."""
    start, stop = equal_bins(size, bins)
    places = np.arange(size)
    inside = (places >= start[:, None]) & (places < stop[:, None])
    return np.asarray(inside / (stop - start)[:, None])


def _along(x: Array, matrices: Sequence[Array]) -> Array:
    """Multiply each of the last axes by its matrix [new size, size], the last one first."""
    out = x @ matrices[-1].astype(x.dtype).T
    for axis, matrix in enumerate(reversed(matrices[:-1]), 2):
        out = np.moveaxis(matrix.astype(x.dtype) @ np.moveaxis(out, -axis, -2), -2, -axis)
    return np.ascontiguousarray(out)


def _define(axes: int) -> Operator:
    """Define the adaptive ``pool2d`` or ``pool3d``."""
    one = (1,) * axes

    def infer(x: Meta, output_size: Sizes = one) -> Meta:
        check_pool(x, axes)
        return Meta((*x.shape[:2], *output_size), x.dtype)

    @listed(
        Listing(
            ksize=of("output_size"),
            adaptive=True,
            pooling_type="avg",
            strides=[1] * axes,
            paddings=[0] * axes,
            ceil_mode=False,
            exclusive=True,
            **layout(axes),
        ),
        type=f"pool{axes}d",
        kind=f"pool{axes}d",
        grad_keeps="Out",
    )
    @tried_with(
        lambda rng: ([rng.uniform(-1, 1, (2, 1, *(3, 5, 4)[-axes:]))], {"output_size": (2, 3, 2)[-axes:]})
    )
    @operator(f"adaptive_pool{axes}d", kinds="biuf", name=f"pool{axes}d", infer=infer)
    def pool(x: Array, *, output_size: Sizes = one) -> Array:
        """Average [N, C, ...] into `output_size` bins, which overlap where the sizes do not divide."""
        return _along(x, [_averaging(*sizes) for sizes in zip(x.shape[2:], output_size, strict=True)])

    pool.gradient("x")(lambda dy, x_shape: _GRAD[axes](dy, tuple(x_shape[2:])))

    return pool


def _define_grad(axes: int) -> Operator:
    """Define what the gradient of that is."""
    one = (1,) * axes

    @listed(inputs="DOut", outputs="DX")
    @tried_with(
        lambda rng: ([rng.uniform(-1, 1, (2, 1, *(2, 3, 2)[-axes:]))], {"input_size": (3, 5, 4)[-axes:]})
    )
    @operator(
        f"adaptive_pool{axes}d_grad",
        kinds="biuf",
        name=f"adaptive_pool{axes}d_grad",
        infer=lambda dy, input_size=one: Meta((*dy.shape[:2], *input_size), dy.dtype),
        outputs=("dx",),
    )
    def grad(dy: Array, *, input_size: Sizes = one) -> Array:
        """Spread a number per bin evenly over the bin."""
        return _along(dy, [_averaging(*sizes).T for sizes in zip(input_size, dy.shape[2:], strict=True)])

    grad.gradient("dy")(lambda dx, dy_shape: ADAPTIVE[axes](dx, tuple(dy_shape[2:])))

    return grad


ADAPTIVE = {axes: _define(axes) for axes in AXES}
_GRAD = {axes: _define_grad(axes) for axes in AXES}
