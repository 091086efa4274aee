"""Pooling: each window of an image becomes one number, its maximum or its mean.

The gradient of ``max`` goes to the first largest element of a window; that of ``avg`` is spread evenly. Both are linear
maps of the incoming gradient, written as operators so that gradients of gradients work: ``pool2d_spread`` sends the
gradient back, ``pool2d_pick`` reads at the places where it went.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from minipaddle.core.errors import failure
from minipaddle.core.meta import Array, Attrs, Meta
from minipaddle.core.operator import operator
from minipaddle.core.value import Value
from minipaddle.ops.common.listed import Listing, listed
from minipaddle.ops.nn.window import LAYOUT, PADDINGS, Pads, Pair, enlarge, output_size, places, shrink

TWO: Pair = (2, 2)
NONE: Pads = (0, 0, 0, 0)


def _counts(shape: tuple[int, ...], ksize: Pair, strides: Pair, paddings: Pads, ceil_mode: bool) -> Pair:
    """Return how many windows there are, down and across."""
    rest = (strides[0] - 1, strides[1] - 1) if ceil_mode else (0, 0)  # the last window may stick out
    top, bottom, left, right = paddings
    return (
        output_size(shape[2], min(ksize[0], shape[2] + top + bottom), strides[0], top + bottom + rest[0]),
        output_size(shape[3], min(ksize[1], shape[3] + left + right), strides[1], left + right + rest[1]),
    )


def _reach(shape: tuple[int, ...], ksize: Pair, strides: Pair, paddings: Pads, counts: Pair) -> Pads:
    """Return the border that every window needs to be complete; at least `paddings`."""
    top, bottom, left, right = paddings
    missing_h = (counts[0] - 1) * strides[0] + ksize[0] - (shape[2] + top + bottom)
    missing_w = (counts[1] - 1) * strides[1] + ksize[1] - (shape[3] + left + right)
    return top, bottom + max(missing_h, 0), left, right + max(missing_w, 0)


def _divisor(
    shape: tuple[int, ...], ksize: Pair, strides: Pair, paddings: Pads, counts: Pair, exclusive: bool
) -> Any:
    """Return by what the sum of each window is divided: [OH, OW], or one number where all are alike."""
    border = _reach(shape, ksize, strides, paddings, counts)
    if not any(border) or (not exclusive and border == paddings):
        return ksize[0] * ksize[1]
    inside = np.ones(shape[2:])
    if not exclusive:  # the padding that was asked for counts, what sticks out beyond it does not
        inside = enlarge(inside, paddings, 1.0)
        border = (0, border[1] - paddings[1], 0, border[3] - paddings[3])
    cells = enlarge(inside, border)
    down = np.add.reduce([cells[rows, columns] for rows, columns in places(ksize, strides, counts)])
    return np.maximum(down, 1)


def _infer_pool2d(
    x: Meta,
    ksize: Pair = TWO,
    pooling_type: str = "max",
    strides: Pair = TWO,
    paddings: Pads = NONE,
    ceil_mode: bool = False,
    exclusive: bool = True,
) -> Meta:
    """Shape rule: [N, C, H, W] gives [N, C, OH, OW]."""
    if pooling_type == "avg" and x.dtype.kind != "f":
        raise failure(
            RuntimeError,
            f"The kernel with key (CPU, {x.dtype}) of kernel `pool2d` is not registered.",
            "convert it first: x.astype('float32')",
        )
    if x.ndim != 4:
        raise failure(
            ValueError,
            f"the input of Op(pool) should be 4-D or 5-D Tensor. But received: {x.ndim}-D Tensor and it's "
            f"shape is {list(x.shape)}.",
            "images are [batch, channels, height, width]; add an axis with unsqueeze",
        )
    height, width = (output_size(size, 1, 1, 0) for size in x.shape[2:])
    counts = _counts((*x.shape[:2], height, width), ksize, strides, paddings, ceil_mode)
    return Meta((*x.shape[:2], *counts), x.dtype)


def _example_pool2d(rng: np.random.Generator) -> tuple[list[Array], Attrs]:
    x = rng.permutation(2 * 2 * 5 * 4).reshape(2, 2, 5, 4) / 40.0  # all different: no ties
    return [x], {"ksize": (2, 3), "strides": (2, 1), "paddings": (1, 0, 0, 1), "ceil_mode": True}


@listed(Listing(paddings=PADDINGS, adaptive=False, **LAYOUT))
@operator(
    "pool2d",
    "X -> Out",
    kinds="biuf",
    infer=_infer_pool2d,
    example=_example_pool2d,
    latex=r"\max_{ij} x_{h+i,w+j}",
    page="nn/functional/*_pool2d",
)
def pool2d(
    x: Array,
    ksize: Pair = TWO,
    pooling_type: str = "max",
    strides: Pair = TWO,
    paddings: Pads = NONE,
    ceil_mode: bool = False,
    exclusive: bool = True,
) -> Any:
    """Reduce every window of [N, C, H, W] to its maximum or (``pooling_type="avg"``) its mean."""
    counts = _counts(x.shape, ksize, strides, paddings, ceil_mode)
    border = _reach(x.shape, ksize, strides, paddings, counts)
    largest = pooling_type == "max"
    whole = enlarge(x, border, _lowest(x.dtype) if largest else 0.0)
    combine = np.maximum if largest else np.add
    spots = places(ksize, strides, counts)
    rows, columns = next(spots)
    out = whole[:, :, rows, columns].copy()
    for rows, columns in spots:
        combine(out, whole[:, :, rows, columns], out=out)
    if not largest:
        out /= _divisor(x.shape, ksize, strides, paddings, counts, exclusive)
    return out


@pool2d.gradient("x")
def _(
    dy: Value,
    x: Value,
    out: Value,
    ksize: Any,
    pooling_type: str,
    strides: Any,
    paddings: Any,
    ceil_mode: bool,
    exclusive: bool,
) -> Value:
    return pool2d_spread(dy, x, out, ksize, pooling_type, strides, paddings, ceil_mode, exclusive)


def _lowest(dtype: np.dtype[Any]) -> float:
    return -np.inf if dtype.kind == "f" else np.iinfo(dtype).min


def _winners(
    x: Array, out: Array, ksize: Pair, strides: Pair, paddings: Pads
) -> Iterator[tuple[slice, slice, Array]]:
    """Yield each place of the window, and which windows have their first maximum there."""
    counts: Pair = out.shape[2:]
    whole = enlarge(x, _reach(x.shape, ksize, strides, paddings, counts), _lowest(x.dtype))
    free = np.ones(out.shape, bool)
    for rows, columns in places(ksize, strides, counts):
        here = whole[:, :, rows, columns] == out
        here &= free
        free ^= here
        yield rows, columns, here


def _infer_spread(dy: Meta, x: Meta, out: Meta, **attrs: Any) -> Meta:
    """Shape rule: like the image."""
    return Meta(x.shape, dy.dtype)


def _example_spread(rng: np.random.Generator) -> tuple[list[Array], Attrs]:
    (x,), attrs = _example_pool2d(rng)
    out = pool2d.kernel(x, **attrs)
    return [rng.uniform(-1, 1, out.shape), x, out], attrs


@operator("pool2d_spread", "DOut, X, Out -> DX", kinds="biuf", infer=_infer_spread, example=_example_spread)
def pool2d_spread(
    dy: Array,
    x: Array,
    out: Array,
    ksize: Pair = TWO,
    pooling_type: str = "max",
    strides: Pair = TWO,
    paddings: Pads = NONE,
    ceil_mode: bool = False,
    exclusive: bool = True,
) -> Any:
    """Send a number per window back into the image: to its first maximum, or evenly to all of it."""
    counts = dy.shape[2:]
    border = _reach(x.shape, ksize, strides, paddings, counts)
    grad = enlarge(np.zeros(x.shape, dy.dtype), border)
    if pooling_type == "max":
        for rows, columns, here in _winners(x, out, ksize, strides, paddings):
            grad[:, :, rows, columns] += dy * here
    else:
        share = (dy / _divisor(x.shape, ksize, strides, paddings, counts, exclusive)).astype(
            dy.dtype, copy=False
        )
        for rows, columns in places(ksize, strides, counts):
            grad[:, :, rows, columns] += share
    return shrink(grad, border)


@pool2d_spread.gradient("dy")
def _(
    dx: Value,
    x: Value,
    out: Value,
    ksize: Any,
    pooling_type: str,
    strides: Any,
    paddings: Any,
    ceil_mode: bool,
    exclusive: bool,
) -> Value:
    return pool2d_pick(dx, x, out, ksize, pooling_type, strides, paddings, ceil_mode, exclusive)


def _infer_pick(g: Meta, x: Meta, out: Meta, **attrs: Any) -> Meta:
    """Shape rule: one number per window."""
    return Meta(out.shape, g.dtype)


def _example_pick(rng: np.random.Generator) -> tuple[list[Array], Attrs]:
    (x,), attrs = _example_pool2d(rng)
    return [rng.uniform(-1, 1, x.shape), x, pool2d.kernel(x, **attrs)], attrs


@operator("pool2d_pick", "G, X, Out -> Picked", kinds="biuf", infer=_infer_pick, example=_example_pick)
def pool2d_pick(
    g: Array,
    x: Array,
    out: Array,
    ksize: Pair = TWO,
    pooling_type: str = "max",
    strides: Pair = TWO,
    paddings: Pads = NONE,
    ceil_mode: bool = False,
    exclusive: bool = True,
) -> Any:
    """Reduce the windows of `g` as those of `x` were: take it where `x` has its maximum, or the mean."""
    if pooling_type != "max":
        return pool2d.kernel(g, ksize, pooling_type, strides, paddings, ceil_mode, exclusive)
    whole = enlarge(g, _reach(x.shape, ksize, strides, paddings, out.shape[2:]))
    picked = np.zeros(out.shape, g.dtype)
    for rows, columns, here in _winners(x, out, ksize, strides, paddings):
        picked += whole[:, :, rows, columns] * here
    return picked


@pool2d_pick.gradient("g")
def _(
    dy: Value,
    x: Value,
    out: Value,
    ksize: Any,
    pooling_type: str,
    strides: Any,
    paddings: Any,
    ceil_mode: bool,
    exclusive: bool,
) -> Value:
    return pool2d_spread(dy, x, out, ksize, pooling_type, strides, paddings, ceil_mode, exclusive)


def _infer_mask(x: Meta, out: Meta, **attrs: Any) -> Meta:
    """Shape rule: one int32 per window."""
    return Meta(out.shape, np.dtype("int32"))


@operator(
    "pool2d_mask", "X, Out -> Mask", kinds="biuf", infer=_infer_mask, example=lambda rng: _mask_example(rng)
)
def pool2d_mask(x: Array, out: Array, ksize: Pair = TWO, strides: Pair = TWO, paddings: Pads = NONE) -> Any:
    """Where in its image [H * W] each window has its first maximum."""
    mask = np.zeros(out.shape, np.int32)
    width = x.shape[3]
    down, across = np.arange(out.shape[2])[:, None] * strides[0], np.arange(out.shape[3]) * strides[1]
    for rows, columns, here in _winners(x, out, ksize, strides, paddings):
        flat = (down + (rows.start - paddings[0])) * width + across + (columns.start - paddings[2])
        np.copyto(mask, flat, where=here, casting="unsafe")
    return mask


def _mask_example(rng: np.random.Generator) -> tuple[list[Array], Attrs]:
    (x,), attrs = _example_pool2d(rng)
    return [x, pool2d.kernel(x, **attrs)], {key: attrs[key] for key in ("ksize", "strides", "paddings")}
