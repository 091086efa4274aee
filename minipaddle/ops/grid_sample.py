"""Sampling along a grid: an image read at any positions.

A position lies between ``2^n`` pixels; the value there is their sum, each weighted by nearness.
The rules use the same functions as the kernel, on operators instead of arrays, so that they can be
differentiated in turn.
"""

from __future__ import annotations

from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np

from minipaddle.ops.creation.cast import cast
from minipaddle.ops.definition import Array, Meta, Shape, Value, invalid, listed, operator, tried_with
from minipaddle.ops.manipulation.concat import stack
from minipaddle.ops.math.maximum_minimum import clip, minimum
from minipaddle.ops.math.rounding import abs, floor, round
from minipaddle.ops.nn.max_places import places_read, places_spread
from minipaddle.ops.reduction.sum import broadcast_to, reduce_sum
from minipaddle.ops.views.reshape import reshape

_ON_ARRAYS = SimpleNamespace(
    abs=np.abs,
    floor=np.floor,
    round=np.round,
    minimum=np.minimum,
    clip=np.clip,
    cast=lambda x, dtype: x.astype(dtype),
)
_ON_VALUES = SimpleNamespace(abs=abs, floor=floor, round=round, minimum=minimum, clip=clip, cast=cast)


def _position(
    g: Any, size: int, padding_mode: str, align_corners: bool, m: SimpleNamespace
) -> tuple[Any, Any]:
    """Return the position on an axis of `size` for a number of the grid, and its derivative with respect to it."""
    raw = (g + 1) * ((size - 1) / 2) if align_corners else ((g + 1) * size - 1) / 2
    speed: Any = (size - 1) / 2 if align_corners else size / 2
    if padding_mode == "zeros":
        return raw, speed
    if padding_mode == "reflection":
        shift, span = (0.0, size - 1) if align_corners else (0.5, size)
        moved = raw + shift
        far = m.abs(moved)
        rounds = m.floor(far / max(span, 1))
        odd = rounds - m.floor(rounds / 2) * 2
        rest = far - m.floor(far / max(2 * span, 1)) * (2 * span)
        speed = speed * (1 - m.cast(moved < 0, g.dtype) * 2) * (1 - odd * 2)
        raw = m.minimum(rest, 2 * span - rest) - shift
    inside = m.cast(raw > 0, g.dtype) * m.cast(raw < size - 1, g.dtype)
    return m.clip(raw, 0.0, float(size - 1)), inside * speed


def _corners(
    g: Any, shape: Shape, mode: str, padding_mode: str, align_corners: bool, m: SimpleNamespace
) -> Any:
    """Yield, for each neighbouring pixel, its index, its weight, and the weight's derivative with respect to the grid.

    `shape` is the image's; the last axis of `g` [N, OH, OW, axes] has the image's last axis first.
    """
    sizes = tuple(shape[2:])
    axes = len(sizes)
    along = []
    for axis, size in enumerate(sizes):
        position, speed = _position(g[..., axes - 1 - axis], size, padding_mode, align_corners, m)
        low = m.round(position) if mode == "nearest" else m.floor(position)
        along.append((size, position - low, low, speed))
    for turn in product((0, 1) if mode == "bilinear" else (0,), repeat=axes):
        flat: Any = 0
        shares, slopes, inside = [], [], []
        for (size, rest, low, speed), ahead in zip(along, turn, strict=True):
            here = low + ahead
            flat = flat * size + m.cast(m.clip(here, 0.0, float(size - 1)), "int64")
            inside.append(m.cast(here >= 0, g.dtype) * m.cast(here <= size - 1, g.dtype))
            shares.append(1 if mode == "nearest" else rest if ahead else 1 - rest)
            slopes.append(speed if ahead else -speed)
        there = inside[0]
        for one in inside[1:]:
            there = there * one
        changes = []
        for axis in range(axes):
            change = slopes[axis] * there
            for other in range(axes):
                change = change if other == axis else change * shares[other]
            changes.append(change)
        share = there
        for one in shares:
            share = share * one
        yield flat, share, changes[::-1]


def _infer_sample(x: Meta, grid: Meta, **attrs: Any) -> Meta:
    """Shape rule: [N, C, H, W] and [N, OH, OW, 2] give [N, C, OH, OW]."""
    if x.ndim not in (4, 5) or grid.ndim != x.ndim or grid.shape[-1] not in (-1, x.ndim - 2):
        raise invalid(
            "Input(X) of grid_sampler should be 4-D or 5-D, and Input(Grid) [N, ..., axes] of as many dimensions, but "
            f"received X with shape {list(x.shape)} and Grid with shape {list(grid.shape)}."
        )
    if -1 not in (x.shape[0], grid.shape[0]) and x.shape[0] != grid.shape[0]:
        raise invalid(
            "Input(X) and Input(Grid) dims[0] should be equal, but received X dims "
            f"{list(x.shape)} and Grid dims {list(grid.shape)}."
        )
    return Meta((*x.shape[:2], *grid.shape[1:-1]), x.dtype)


_PLACES = np.array([[[-0.7, -0.1], [0.2, 0.55]]])[..., None] + np.array([0.0, 0.13])


@listed(kind="grid_sample")
@tried_with((1, 2, 3, 4), _PLACES, within=(-1, 1))
@operator("grid_sampler", kinds="f", name="grid_sample", infer=_infer_sample, outputs=("output",))
def grid_sample(
    x: Array, grid: Array, *, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool = True
) -> Array:
    """Read images at the positions of a grid."""
    n, c = x.shape[:2]
    pixels = x.reshape(n, c, -1)
    out = np.zeros((n, c, *grid.shape[1:-1]), x.dtype)
    for flat, share, _ in _corners(grid, x.shape, mode, padding_mode, align_corners, _ON_ARRAYS):
        found = np.take_along_axis(pixels, flat.reshape(n, 1, -1), 2)
        out += found.reshape(out.shape) * share[:, None].astype(x.dtype)
    return out


def _for_channels(one: Any, channels: int) -> Any:
    """Repeat one value per pixel [N, OH, OW] for every channel."""
    shape = [one.shape[0], channels, *one.shape[1:]]
    return broadcast_to(reshape(one, [one.shape[0], 1, *one.shape[1:]]), shape)


@grid_sample.gradient("x")
def _(dy: Value, grid: Value, x_shape: Shape, mode: str, padding_mode: str, align_corners: bool) -> Value:
    total: Any = 0
    for flat, share, _ in _corners(grid, x_shape, mode, padding_mode, align_corners, _ON_VALUES):
        weighted = dy * reshape(share, [share.shape[0], 1, *share.shape[1:]])
        total = total + places_spread(weighted, _for_channels(flat, x_shape[1]), tuple(x_shape[2:]))
    return total


@grid_sample.gradient("grid")
def _(dy: Value, x: Value, grid: Value, mode: str, padding_mode: str, align_corners: bool) -> Value:
    if mode == "nearest":
        return grid * 0
    parts: list[Any] = [0] * (len(x.shape) - 2)
    for flat, _, changes in _corners(grid, tuple(x.shape), mode, padding_mode, align_corners, _ON_VALUES):
        found = places_read(x, _for_channels(flat, x.shape[1]))
        pull = reduce_sum(dy * found, axis=[1])
        parts = [part + pull * change for part, change in zip(parts, changes, strict=True)]
    return stack([cast(part, grid.dtype) for part in parts], -1)
