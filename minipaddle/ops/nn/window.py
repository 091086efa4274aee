"""Sliding windows over the last one, two or three axes, for convolution and pooling.

A window is described as Paddle prints it: ``ksize`` (kh, kw), ``strides``, ``paddings`` (top, bottom, left, right) and
``dilations``. All operations are on whole arrays; the only Python loops run over the kh * kw places of a window.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from minipaddle.ops.definition import Array, Attrs, invalid, of

Sizes = tuple[int, ...]
"""One number for each axis that windows slide along."""
Pads = tuple[int, ...]
"""Before and after, for each of these axes."""
Place = tuple[Any, ...]
"""An ellipsis, and a slice for each axis."""


def _listed_pads(pads: Pads) -> list[int]:
    """Return one number for each axis if opposite borders are equal, as Paddle does, else two."""
    return list(pads[::2]) if pads[::2] == pads[1::2] else list(pads)


def _read_pads(listed: list[int]) -> Pads:
    """Return the borders for printed ones, of images (2 or 4 numbers) and volumes (3 or 6)."""
    return tuple(listed) if len(listed) in (4, 6) else tuple([size for size in listed for _ in (0, 1)])


PADDINGS = of("paddings", _listed_pads, _read_pads)
"""How borders are printed in a Program."""


def layout(axes: int) -> Attrs:
    """Return the attributes printed for pooling."""
    data_format = "NCHW" if axes == 2 else "NCDHW"
    return {"global_pooling": False, "padding_algorithm": "EXPLICIT", "data_format": data_format}


def output_size(size: int, window: int, stride: int, pads: int, dilation: int = 1) -> int:
    """Return the number of windows on an axis of `size`; -1 (unknown) stays -1."""
    if size < 0:
        return -1
    if stride <= 0:
        raise invalid(f"The stride should be larger than 0, but received stride is {stride}.")
    reach = dilation * (window - 1) + 1
    count = (size + pads - reach) // stride + 1
    if count <= 0:
        raise invalid(
            f"The output size should be greater than 0, but received {count}: a window that reaches over {reach} "
            f"does not fit into {size} + {pads} (input + padding).",
            "use a smaller kernel or dilation, or more padding",
        )
    return count


def output_sizes(
    sizes: Sequence[int], ksize: Sizes, strides: Sizes, paddings: Pads, dilations: Sizes | None = None
) -> Sizes:
    """Return the number of windows along each axis; see :func:`output_size`."""
    both = [before + after for before, after in zip(paddings[::2], paddings[1::2], strict=True)]
    return tuple(map(output_size, sizes, ksize, strides, both, dilations or (1,) * len(ksize)))


def enlarge(x: Array, pads: Pads, value: float = 0.0) -> Array:
    """Return `x` with a border of `value` around the last axes; without a border, `x` itself."""
    if not any(pads):
        return x
    outer, inner = x.shape[: -(len(pads) // 2)], x.shape[-(len(pads) // 2) :]
    shape = [size + before + after for size, before, after in zip(inner, pads[::2], pads[1::2], strict=True)]
    out = np.zeros((*outer, *shape), x.dtype) if value == 0 else np.full((*outer, *shape), value, x.dtype)
    kept: list[Any] = [slice(before, before + size) for size, before in zip(inner, pads[::2], strict=True)]
    out[(..., *kept)] = x
    return out


def shrink(x: Array, pads: Pads) -> Array:
    """Return `x` without its border."""
    if not any(pads):
        return x
    inner = x.shape[-(len(pads) // 2) :]
    kept: list[Any] = [slice(a, size - b) for size, a, b in zip(inner, pads[::2], pads[1::2], strict=True)]
    return x[(..., *kept)].copy()


def windows(x: Array, ksize: Sizes, strides: Sizes, dilations: Sizes) -> Array:
    """View [N, C, H, W] as [N, C, kh, kw, OH, OW]: kh * kw places in OH * OW windows, without a copy."""
    inner = x.strides[2:]
    counts = tuple(map(output_size, x.shape[2:], ksize, strides, (0,) * len(ksize), dilations))
    steps = [step * gap for step, gap in zip(inner, dilations, strict=True)]
    moves = [step * stride for step, stride in zip(inner, strides, strict=True)]
    shape, strided = (*x.shape[:2], *ksize, *counts), (*x.strides[:2], *steps, *moves)
    return as_strided(x, shape, strided, writeable=False)


def places(ksize: Sizes, strides: Sizes, counts: Sizes, dilations: Sizes | None = None) -> Iterator[Place]:
    """Yield, for each place (i, j) of the window, the rows and columns where the windows have it."""
    gaps = dilations or (1,) * len(ksize)
    along = [
        [slice(i, i + stride * (count - 1) + 1, stride) for i in range(0, window * gap, gap)]
        for window, stride, count, gap in zip(ksize, strides, counts, gaps, strict=True)
    ]
    return product([...], *along)


def add_windows(out: Array, pieces: Array, ksize: Sizes, strides: Sizes, dilations: Sizes) -> Array:
    """Add ``pieces`` [N, C, kh, kw, OH, OW] to the places in `out` from which :func:`windows` reads them."""
    counts = pieces.shape[2 + len(ksize) :]
    flat = pieces.reshape(*pieces.shape[:2], -1, *counts)
    for number, place in enumerate(places(ksize, strides, counts, dilations)):
        out[place] += flat[:, :, number]
    return out
