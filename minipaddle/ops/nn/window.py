"""Sliding windows over the last two axes: what convolution and pooling share.

A window is described as Paddle prints it: ``ksize`` (kh, kw), ``strides``, ``paddings`` (top, bottom, left, right) and
``dilations``. Everything is done on whole arrays; the only Python loops run over the kh * kw places of a window.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from minipaddle.core.errors import failure
from minipaddle.core.meta import Array
from minipaddle.ops.common.listed import of

Pair = tuple[int, int]
Pads = tuple[int, int, int, int]
Places = Iterator[tuple[slice, slice]]


def _listed_pads(pads: Pads) -> list[int]:
    """Return two numbers where opposite borders are equal, as Paddle does, else four."""
    top, bottom, left, right = pads
    return [top, left] if top == bottom and left == right else [top, bottom, left, right]


def _read_pads(listed: list[int]) -> Pads:
    """Undo :func:`_listed_pads`."""
    top, bottom, left, right = listed if len(listed) == 4 else (listed[0], listed[0], listed[1], listed[1])
    return top, bottom, left, right


PADDINGS = of("paddings", _listed_pads, _read_pads)
"""How borders are printed in a Program."""
LAYOUT = {"global_pooling": False, "padding_algorithm": "EXPLICIT", "data_format": "NCHW"}
"""What is printed of every pooling."""


def output_size(size: int, window: int, stride: int, pads: int, dilation: int = 1) -> int:
    """Return how many windows fit on an axis of `size`; -1 (not known) stays -1.

    Raises:
        ValueError: if not a single one does.
    """
    if size < 0:
        return -1
    if stride <= 0:
        raise failure(ValueError, f"The stride should be larger than 0, but received stride is {stride}.")
    reach = dilation * (window - 1) + 1
    count = (size + pads - reach) // stride + 1
    if count <= 0:
        raise failure(
            ValueError,
            f"The output size should be greater than 0, but received {count}: a window that reaches over "
            f"{reach} "
            f"does not fit into {size} + {pads} (input + padding).",
            "use a smaller kernel or dilation, or more padding",
        )
    return count


def enlarge(x: Array, pads: Pads, value: float = 0.0) -> Array:
    """Put a border of `value` around the last two axes; without a border, return `x` itself."""
    if not any(pads):
        return x
    top, bottom, left, right = pads
    *outer, height, width = x.shape
    shape = (*outer, height + top + bottom, width + left + right)
    out = np.zeros(shape, x.dtype) if value == 0 else np.full(shape, value, x.dtype)
    out[..., top : top + height, left : left + width] = x
    return out


def shrink(x: Array, pads: Pads) -> Array:
    """Cut the border off again."""
    if not any(pads):
        return x
    top, bottom, left, right = pads
    height, width = x.shape[-2:]
    return x[..., top : height - bottom, left : width - right].copy()


def windows(x: Array, ksize: Pair, strides: Pair, dilations: Pair = (1, 1)) -> Array:
    """View [N, C, H, W] as [N, C, kh, kw, OH, OW]: kh * kw places in OH * OW windows. Nothing is copied."""
    n, c, height, width = x.shape
    out_h = output_size(height, ksize[0], strides[0], 0, dilations[0])
    out_w = output_size(width, ksize[1], strides[1], 0, dilations[1])
    step_n, step_c, step_h, step_w = x.strides
    return as_strided(
        x,
        (n, c, *ksize, out_h, out_w),
        (
            *(step_n, step_c, step_h * dilations[0], step_w * dilations[1]),
            *(step_h * strides[0], step_w * strides[1]),
        ),
        writeable=False,
    )


def places(ksize: Pair, strides: Pair, counts: Pair, dilations: Pair = (1, 1)) -> Places:
    """Yield, for each place (i, j) of the window, the rows and columns at which all windows have it."""
    for i in range(0, ksize[0] * dilations[0], dilations[0]):
        rows = slice(i, i + strides[0] * (counts[0] - 1) + 1, strides[0])
        for j in range(0, ksize[1] * dilations[1], dilations[1]):
            yield rows, slice(j, j + strides[1] * (counts[1] - 1) + 1, strides[1])


def add_windows(out: Array, pieces: Any, ksize: Pair, strides: Pair, dilations: Pair = (1, 1)) -> Array:
    """Add ``pieces`` [N, C, kh, kw, OH, OW] to where :func:`windows` took them from in `out`."""
    counts = pieces.shape[-2:]
    flat = pieces.reshape(*pieces.shape[:2], -1, *counts)
    for place, (rows, columns) in enumerate(places(ksize, strides, counts, dilations)):
        out[..., rows, columns] += flat[:, :, place]
    return out
