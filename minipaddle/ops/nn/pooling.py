"""Pooling: each window of an image or a volume becomes one number, its maximum or its mean.

The gradient of ``max`` goes to the first largest element of a window; that of ``avg`` is spread evenly. Both are linear
maps of the incoming gradient, written as operators so that gradients of gradients work: ``pool2d_spread`` sends the
gradient back, ``pool2d_pick`` reads at the places that it went to. They are defined for any number of axes, and
instantiated for two (``pool2d``) and three (``pool3d``).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from minipaddle.ops.definition import Array, Attrs, Meta, Operator, Shape, failure, invalid, operator
from minipaddle.ops.definition.example import tried_with
from minipaddle.ops.definition.program_printing import Listing, listed
from minipaddle.ops.nn.window import (
    PADDINGS,
    Pads,
    Place,
    Sizes,
    enlarge,
    layout,
    output_size,
    places,
    shrink,
)

AXES = (2, 3)
"""Images and volumes."""
Window = tuple[Sizes, str, Sizes, Pads, bool, bool]
"""The attributes of a pooling, shared by its gradients: ksize, pooling_type, strides, paddings, and two flags."""


def window_counts(shape: Shape, ksize: Sizes, strides: Sizes, paddings: Pads, ceil_mode: bool) -> Sizes:
    """Return the number of windows along each axis; with `ceil_mode` the last may exceed the input."""
    counts = []
    for axis, (size, window, stride) in enumerate(zip(shape[2:], ksize, strides, strict=True)):
        border = paddings[2 * axis] + paddings[2 * axis + 1]
        rest = stride - 1 if ceil_mode else 0
        if -stride < size + border + rest - window < 0:  # Paddle's division is cut off to 0: one window
            window = size + border
        counts.append(output_size(size, window, stride, border + rest))
    return tuple(counts)


def _reach(shape: Shape, ksize: Sizes, strides: Sizes, paddings: Pads, counts: Sizes) -> Pads:
    """Return the border that every window needs to be complete; at least `paddings`."""
    border = list(paddings)
    for axis, (size, window, stride, count) in enumerate(zip(shape[2:], ksize, strides, counts, strict=True)):
        missing = (count - 1) * stride + window - (size + paddings[2 * axis] + paddings[2 * axis + 1])
        border[2 * axis + 1] += max(missing, 0)
    return tuple(border)


def _divisor(
    shape: Shape, ksize: Sizes, strides: Sizes, paddings: Pads, counts: Sizes, exclusive: bool
) -> Any:
    """Return the divisors of the sums of windows: [OH, OW], or one number if all are equal."""
    border = _reach(shape, ksize, strides, paddings, counts)
    if not any(border) or (not exclusive and border == paddings):
        return math.prod(ksize)
    inside = np.ones(shape[2:])
    if not exclusive:  # given padding counts, the part of a window beyond it does not
        inside = enlarge(inside, paddings, 1.0)
        border = tuple([whole - asked for whole, asked in zip(border, paddings, strict=True)])
    cells = enlarge(inside, border)
    return np.maximum(np.add.reduce([cells[place] for place in places(ksize, strides, counts)]), 1)


def _lowest(dtype: np.dtype[Any]) -> float:
    """Return the value of padding for maxima: as in Paddle the least float32, also for float64."""
    if dtype.kind == "f":
        return float(max(np.finfo(dtype).min, np.finfo(np.float32).min))
    return np.iinfo(dtype).min


def winners(
    x: Array, out: Array, ksize: Sizes, strides: Sizes, paddings: Pads
) -> Iterator[tuple[Place, Array]]:
    """Yield each place of the window, and the windows with their first maximum there."""
    counts: Sizes = out.shape[2:]
    whole = enlarge(x, _reach(x.shape, ksize, strides, paddings, counts), _lowest(x.dtype))
    free = np.ones(out.shape, bool)
    for place in places(ksize, strides, counts):
        here = whole[place] == out
        here &= free
        free ^= here
        yield place, here


def check_pool(x: Meta, axes: int) -> None:
    """Raise for a tensor of another rank."""
    if x.ndim != axes + 2:
        raise invalid(
            f"the input of Op(pool) should be 4-D or 5-D Tensor. But received: {x.ndim}-D Tensor and it's "
            f"shape is {list(x.shape)}.",
            "images are [batch, channels, height, width]; add an axis with unsqueeze",
        )


def example(axes: int) -> Any:
    """Return an example: numbers that are all different, in windows that overlap, stick out and have borders."""

    def numbers(rng: np.random.Generator) -> tuple[list[Array], Attrs]:
        shape = (2, 1, *(3, 5, 4)[-axes:])
        x = rng.permutation(math.prod(shape)).reshape(shape) / 40.0
        sizes, steps = (2, 2, 3)[-axes:], (2, 2, 1)[-axes:]
        paddings = (0, 1, 1, 0, 0, 1)[-2 * axes :]
        return [x], {"ksize": sizes, "strides": steps, "paddings": paddings, "ceil_mode": True}

    return numbers


def _define_pool(axes: int) -> Operator:
    """Define ``pool2d`` or ``pool3d``."""
    two, none = (2,) * axes, (0, 0) * axes

    def infer(
        x: Meta,
        ksize: Sizes,
        pooling_type: str,
        strides: Sizes,
        paddings: Pads,
        ceil_mode: bool,
        **attrs: Any,
    ) -> Meta:
        if pooling_type == "avg" and x.dtype.kind != "f":
            raise failure(
                RuntimeError,
                f"The kernel with key (CPU, {x.dtype}) of kernel `pool{axes}d` is not registered.",
                "convert it first: x.astype('float32')",
            )
        check_pool(x, axes)
        for size in x.shape[2:]:
            output_size(size, 1, 1, 0)
        return Meta((*x.shape[:2], *window_counts(x.shape, ksize, strides, paddings, ceil_mode)), x.dtype)

    @listed(Listing(paddings=PADDINGS, adaptive=False, **layout(axes)))
    @tried_with(example(axes))
    @operator(f"pool{axes}d", kinds="biuf", name=f"pool{axes}d", infer=infer)
    def pool(
        x: Array,
        *,
        ksize: Sizes = two,
        pooling_type: str = "max",
        strides: Sizes = two,
        paddings: Pads = none,
        ceil_mode: bool = False,
        exclusive: bool = True,
    ) -> Array:
        """Reduce every window of [N, C, H, W] to its maximum or (``pooling_type="avg"``) its mean."""
        counts = window_counts(x.shape, ksize, strides, paddings, ceil_mode)
        border = _reach(x.shape, ksize, strides, paddings, counts)
        largest = pooling_type == "max"
        whole = enlarge(x, border, _lowest(x.dtype) if largest else 0.0)
        combine = np.maximum if largest else np.add
        spots = places(ksize, strides, counts)
        out = whole[next(spots)].copy()
        for place in spots:
            combine(out, whole[place], out=out)
        if not largest:
            out /= _divisor(x.shape, ksize, strides, paddings, counts, exclusive)
        return out

    pool.gradient("x")(
        lambda dy, x, out, ksize, pooling_type, strides, paddings, ceil_mode, exclusive: _SPREAD[axes](
            dy, x, out, (ksize, pooling_type, strides, paddings, ceil_mode, exclusive)
        )
    )

    return pool


def _pooled_example(axes: int, of_windows: bool) -> Any:
    """Return an example of a gradient: numbers for every window or element, and the input and output of the pooling."""

    def numbers(rng: np.random.Generator) -> tuple[list[Array], Attrs]:
        (x,), attrs = example(axes)(rng)
        out = POOL[axes].kernel(x, **attrs)
        window = (attrs["ksize"], "max", attrs["strides"], attrs["paddings"], True, True)
        return [rng.uniform(-1, 1, out.shape if of_windows else x.shape), x, out], {"window": window}

    return numbers


def _define_spread(axes: int) -> Operator:
    """Define ``pool2d_spread`` or ``pool3d_spread``."""

    @listed(inputs="DOut, X, Out", outputs="DX")
    @tried_with(_pooled_example(axes, True))
    @operator(
        f"pool{axes}d_spread",
        kinds="biuf",
        infer=lambda dy, x, out, window: Meta(x.shape, dy.dtype),
        name=f"pool{axes}d_spread",
        outputs=("dx",),
    )
    def spread(dy: Array, x: Array, out: Array, *, window: Window) -> Array:
        """Return an image with one number per window: at its first maximum, or spread evenly."""
        ksize, pooling_type, strides, paddings, _, exclusive = window
        counts = dy.shape[2:]
        border = _reach(x.shape, ksize, strides, paddings, counts)
        grad = enlarge(np.zeros(x.shape, dy.dtype), border)
        if pooling_type == "max":
            for place, here in winners(x, out, ksize, strides, paddings):
                grad[place] += dy * here
        else:
            share = dy / _divisor(x.shape, ksize, strides, paddings, counts, exclusive)
            share = share.astype(dy.dtype, copy=False)
            for place in places(ksize, strides, counts):
                grad[place] += share
        return shrink(grad, border)

    spread.gradient("dy")(lambda dx, x, out, window: _PICK[axes](dx, x, out, window))

    return spread


def _define_pick(axes: int) -> Operator:
    """Define ``pool2d_pick`` or ``pool3d_pick``."""

    @tried_with(_pooled_example(axes, False))
    @operator(
        f"pool{axes}d_pick",
        kinds="biuf",
        infer=lambda g, x, out, window: Meta(out.shape, g.dtype),
        name=f"pool{axes}d_pick",
        outputs=("picked",),
    )
    def pick(g: Array, x: Array, out: Array, *, window: Window) -> Array:
        """Return `g` pooled as `x` was: the element at the maximum of `x`, or the window's mean."""
        ksize, pooling_type, strides, paddings, *_ = window
        if pooling_type != "max":
            return POOL[axes].kernel(g, **dict(zip(POOL[axes].attr_names, window)))
        whole = enlarge(g, _reach(x.shape, ksize, strides, paddings, out.shape[2:]))
        picked = np.zeros(out.shape, g.dtype)
        for place, here in winners(x, out, ksize, strides, paddings):
            picked += whole[place] * here
        return picked

    pick.gradient("g")(lambda dy, x, out, window: _SPREAD[axes](dy, x, out, window))

    return pick


POOL = {axes: _define_pool(axes) for axes in AXES}
_SPREAD = {axes: _define_spread(axes) for axes in AXES}
_PICK = {axes: _define_pick(axes) for axes in AXES}
