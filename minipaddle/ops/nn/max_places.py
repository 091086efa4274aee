"""Pooling that returns the index of each maximum: in windows, or in bins.

A mask has, for each window, the place of its maximum in the flattened image, and -1 for a window of
nothing but padding. With it, gradients read and write at places: the gradient writes to the places of the maxima
(``places_spread``), the gradient of that reads there (``places_read``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.ops.definition import Array, Attrs, Listing, Meta, Operator, listed, of, operator, tried_with
from minipaddle.ops.nn.pooling import AXES, POOL, check_pool, example, window_counts, winners
from minipaddle.ops.nn.window import PADDINGS, Pads, Sizes, layout

Bins = Sequence[tuple[Array, Array]]
"""For each axis, the begins and ends of the bins."""


def equal_bins(size: int, count: int) -> tuple[Array, Array]:
    """Return the borders of `count` bins on an axis of `size`; they overlap if it is not divisible."""
    edges = np.arange(count)
    return edges * size // count, -(-(edges + 1) * size // count)


def _read(x: Array, mask: Array) -> Array:
    """Read [N, C, ...] at the places of a mask; 0 for a window without a place."""
    flat = np.take_along_axis(x.reshape(*x.shape[:2], -1), mask.reshape(*mask.shape[:2], -1), 2)
    return np.where(mask < 0, 0, flat.reshape(mask.shape)).astype(x.dtype, copy=False)


def _maxima(x: Array, bins: Bins) -> tuple[Array, Array]:
    """Return the maximum of each bin, and its place."""
    axes = len(bins)
    places: Any = 0
    for axis, (starts, stops) in enumerate(bins):
        along = np.minimum(starts[:, None] + np.arange(int((stops - starts).max())), stops[:, None] - 1)
        shape = [1] * (2 * axes)
        shape[axis], shape[axes + axis] = along.shape
        places = places * x.shape[2 + axis] + along.reshape(shape)
    counts = places.shape[:axes]
    cells = places.reshape(math.prod(counts), -1)
    found = x.reshape(*x.shape[:2], -1)[:, :, cells]
    first = np.argmax(found, -1)
    mask = np.take_along_axis(np.broadcast_to(cells, found.shape), first[..., None], -1)
    mask = mask.reshape(*x.shape[:2], *counts).astype("int32")
    return _read(x, mask), mask


def _define_max(axes: int) -> Operator:
    """Define ``max_pool2d_with_index`` or ``max_pool3d_with_index``."""
    two, none = (2,) * axes, (0, 0) * axes

    def infer(
        x: Meta, ksize: Sizes, strides: Sizes, paddings: Pads, ceil_mode: bool, adaptive: bool
    ) -> tuple[Meta, Meta]:
        check_pool(x, axes)
        counts = ksize if adaptive else window_counts(x.shape, ksize, strides, paddings, ceil_mode)
        shape = (*x.shape[:2], *counts)
        return Meta(shape, x.dtype), Meta(shape, np.dtype("int32"))

    def numbers(rng: np.random.Generator) -> tuple[list[Array], Attrs]:
        arrays, attrs = example(axes)(rng)
        return arrays, {**attrs, "ceil_mode": False}  # no attribute in a Program of 2.6.2

    @listed(Listing("ceil_mode", paddings=PADDINGS, global_pooling=False))
    @tried_with(numbers)
    @operator(
        f"max_pool{axes}d_with_index",
        kinds="biuf",
        name=f"max_pool{axes}d_with_index",
        infer=infer,
        outputs=("out", "mask"),
        by_products=("mask",),
    )
    def max_pool(
        x: Array,
        *,
        ksize: Sizes = two,
        strides: Sizes = two,
        paddings: Pads = none,
        ceil_mode: bool = False,
        adaptive: bool = False,
    ) -> tuple[Array, ...]:
        """Reduce every window (or bin, if `adaptive`) of [N, C, ...] to its maximum, and say where that stood."""
        if adaptive:
            return _maxima(
                x, [equal_bins(size, count) for size, count in zip(x.shape[2:], ksize, strict=True)]
            )
        out = POOL[axes].kernel(
            x, ksize=ksize, pooling_type="max", strides=strides, paddings=paddings, ceil_mode=ceil_mode
        )
        return out, _mask(x, out, ksize, strides, paddings)

    max_pool.gradient("x")(lambda dy, mask, x_shape: places_spread(dy, mask, tuple(x_shape[2:])))

    return max_pool


def _mask(x: Array, out: Array, ksize: Sizes, strides: Sizes, paddings: Pads) -> Array:
    """Return the index in the image of each window's first maximum; -1 if it is padding."""
    mask = np.zeros(out.shape, np.int32)
    for place, here in winners(x, out, ksize, strides, paddings):
        flat: Any = 0
        padding: Any = False
        for axis, (part, stride) in enumerate(zip(place[1:], strides, strict=True)):
            along = np.arange(out.shape[2 + axis]) * stride + (part.start - paddings[2 * axis])
            shape = [-1 if one == axis else 1 for one in range(len(strides))]
            flat = flat * x.shape[2 + axis] + along.reshape(shape)
            padding = padding | ((along < 0) | (along >= x.shape[2 + axis])).reshape(shape)
        np.copyto(mask, np.where(padding, -1, flat), where=here, casting="unsafe")
    return mask


_MASK = np.array([[[[0, 4], [8, 4]]]], "int32")


@listed(inputs="DOut, Mask", outputs="DX")
@tried_with((1, 1, 2, 2), _MASK, within=(-1, 1), input_size=(3, 3))
@operator(
    "places_spread",
    kinds="biuf",
    infer=lambda dy, mask, input_size: Meta((*dy.shape[:2], *input_size), dy.dtype),
    outputs=("dx",),
)
def places_spread(dy: Array, mask: Array, *, input_size: Sizes = ()) -> Array:
    """Add the number of each window to where its maximum stood, in an image of zeros."""
    n, c, area = *dy.shape[:2], math.prod(input_size)
    out = np.zeros(n * c * area, dy.dtype)
    places = mask.reshape(n * c, -1) + np.arange(n * c)[:, None] * area
    np.add.at(out, places.reshape(-1), np.where(mask < 0, 0, dy).reshape(-1))
    return out.reshape(n, c, *input_size)


@tried_with((1, 1, 3, 3), _MASK, within=(-1, 1))
@operator("places_read", kinds="biuf", infer=lambda x, mask: Meta(mask.shape, x.dtype))
def places_read(x: Array, mask: Array) -> Array:
    """Read an image where the maxima of another one stood."""
    return _read(x, mask)


places_spread.gradient("dy")(lambda dx, mask: places_read(dx, mask))
places_read.gradient("x")(lambda dy, mask, x_shape: places_spread(dy, mask, tuple(x_shape[2:])))


MAX_POOL = {axes: _define_max(axes) for axes in AXES}


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

    def infer(x: Meta, output_size: Sizes) -> Meta:
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
    @tried_with((2, 1, *(3, 5, 4)[-axes:]), within=(-1, 1), output_size=(2, 3, 2)[-axes:])
    @operator(f"adaptive_pool{axes}d", kinds="biuf", name=f"pool{axes}d", infer=infer)
    def pool(x: Array, *, output_size: Sizes = one) -> Array:
        """Average [N, C, ...] into `output_size` bins, which overlap where the sizes do not divide."""
        return _along(x, [_averaging(*sizes) for sizes in zip(x.shape[2:], output_size, strict=True)])

    pool.gradient("x")(lambda dy, x_shape: _GRAD[axes](dy, tuple(x_shape[2:])))

    return pool


def _define_grad(axes: int) -> Operator:
    """Return the operator of its gradient."""
    one = (1,) * axes

    @listed(inputs="DOut", outputs="DX")
    @tried_with((2, 1, *(2, 3, 2)[-axes:]), within=(-1, 1), input_size=(3, 5, 4)[-axes:])
    @operator(
        f"adaptive_pool{axes}d_grad",
        kinds="biuf",
        name=f"adaptive_pool{axes}d_grad",
        infer=lambda dy, input_size: Meta((*dy.shape[:2], *input_size), dy.dtype),
        outputs=("dx",),
    )
    def grad(dy: Array, *, input_size: Sizes = one) -> Array:
        """Spread a number per bin evenly over the bin."""
        return _along(dy, [_averaging(*sizes).T for sizes in zip(input_size, dy.shape[2:], strict=True)])

    grad.gradient("dy")(lambda dx, dy_shape: ADAPTIVE[axes](dx, tuple(dy_shape[2:])))

    return grad


ADAPTIVE = {axes: _define(axes) for axes in AXES}
_GRAD = {axes: _define_grad(axes) for axes in AXES}
