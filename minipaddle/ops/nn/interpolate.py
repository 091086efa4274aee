"""Interpolation: an image of another size, every pixel of which is a weighted sum of a few pixels of the old one.

It works axis by axis: place `i` of the new axis reads the old places ``taps[i]``, with weights. Nearest reads
one, linear two, cubic four. So all modes are one linear map, ``interpolate``, whose gradient, ``interpolate_spread``,
adds every weighted gradient to the places that were read.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from minipaddle.ops.definition import Array, Meta, Operator, Shape, Value, failure, invalid, operator
from minipaddle.ops.definition.example import tried_with
from minipaddle.ops.definition.program_printing import Listing, listed

RANKS = {"linear": (3,), "bilinear": (4,), "trilinear": (5,), "bicubic": (4,), "nearest": (4, 5)}
"""The numbers of axes allowed in each mode."""
Taps = tuple[Array, Array]
"""For one axis: the places read [new size, count], and their weights."""
Tap = tuple[slice | Array, Array | None]
"""One of the taps: a place for each new pixel, and its weight, None if all are 1."""


def _nearest(size: int, count: int, ratio: np.float32, align_corners: bool, align_mode: int) -> Taps:
    """Return the place before; with aligned corners, the nearest one."""
    places = (np.arange(count, dtype="float32") * ratio + (0.5 if align_corners else 0)).astype("int64")
    return np.minimum(places, size - 1)[:, None], np.ones((count, 1), "float32")


def _linear(size: int, count: int, ratio: np.float32, align_corners: bool, align_mode: int) -> Taps:
    """Return the neighbours before and after, weighted by nearness."""
    steps = np.arange(count, dtype="float32")
    centred = align_mode == 0 and not align_corners
    position = np.maximum(ratio * (steps + 0.5) - 0.5, 0) if centred else ratio * steps
    before = np.minimum(position.astype("int64"), size - 1)
    share = (position - before).astype("float32")
    return np.stack([before, np.minimum(before + 1, size - 1)], 1), np.stack([1 - share, share], 1)


def _keys(distance: Array) -> Array:
    """Return the weight of a place by its distance: the cubic of Keys, 0 from 2 on."""
    a, d = -0.75, np.abs(distance)
    near = ((a + 2) * d - (a + 3)) * d * d + 1
    far = ((d - 5) * d + 8) * d * a - 4 * a
    return np.where(d < 1, near, np.where(d < 2, far, 0))


def _cubic(size: int, count: int, ratio: np.float32, align_corners: bool, align_mode: int) -> Taps:
    """Return two neighbours on either side; the border element repeats."""
    steps = np.arange(count, dtype="float32")
    position = ratio * steps if align_corners else ratio * (steps + 0.5) - 0.5
    places = np.floor(position).astype("int64")[:, None] + np.arange(-1, 3)
    return np.clip(places, 0, size - 1), _keys(position[:, None] - places)


TAPS = {"nearest": _nearest, "linear": _linear, "bilinear": _linear, "trilinear": _linear, "bicubic": _cubic}


@lru_cache(maxsize=256)
def _taps(size: int, count: int, scale: float, mode: str, align_corners: bool, align_mode: int) -> list[Tap]:
    """Return the taps of one axis of `size`, resized to `count`; numbers are rounded where Paddle rounds."""
    return _simplified(*_read_by(size, count, scale, mode, align_corners, align_mode))


@lru_cache(maxsize=256)
def _givers(
    size: int, count: int, scale: float, mode: str, align_corners: bool, align_mode: int
) -> list[Tap]:
    """Return the inverse taps: for each place of the old axis, the new ones that read it."""
    places, weights = _read_by(size, count, scale, mode, align_corners, align_mode)
    reads = np.flatnonzero(weights)
    reads = reads[np.argsort(places.reshape(-1)[reads], kind="stable")]
    old, new = places.reshape(-1)[reads], reads // places.shape[1]
    turn = np.arange(len(old)) - np.searchsorted(old, old)
    back = np.zeros((size, int(turn.max()) + 1), places.dtype)
    given = np.zeros(back.shape, weights.dtype)
    back[old, turn], given[old, turn] = new, weights.reshape(-1)[reads]
    return _simplified(back, given)


def _read_by(size: int, count: int, scale: float, mode: str, align_corners: bool, align_mode: int) -> Taps:
    ratio = np.float32(1 / np.float32(scale) if scale > 0 else np.float32(size) / np.float32(count))
    if align_corners:
        ratio = np.float32(np.float32(size - 1) / np.float32(max(count - 1, 1)))
    if count == 1 and mode not in ("linear", "trilinear"):
        ratio = np.float32(0)  # in Paddle a single pixel is the first one, not the middle
    return TAPS[mode](size, count, ratio, align_corners, align_mode)


def _simplified(places: Array, weights: Array) -> list[Tap]:
    """Return the taps one by one: places in equal steps as a slice, weights that are all 1 as None."""
    taps: list[Tap] = []
    for place, weight in zip(places.T, weights.T, strict=True):
        steps = np.diff(place)
        even = len(steps) > 0 and steps[0] > 0 and bool((steps == steps[0]).all())
        where = slice(int(place[0]), int(place[-1]) + 1, int(steps[0])) if even else np.array(place)
        taps.append((where, None if (weight == 1).all() else np.array(weight)))
    return taps


def _read(x: Array, axis: int, taps: list[Tap]) -> Array:
    """Return the weighted sum of the elements at the taps of one axis."""
    out: Any = None
    shape = [-1 if one == axis else 1 for one in range(x.ndim)]
    for places, weights in taps:
        if isinstance(places, slice):
            part = x[(*[slice(None)] * axis, places)]
            part = part.copy() if weights is None else part * weights.astype(x.dtype).reshape(shape)
        else:
            part = np.take(x, places, axis)
            if weights is not None:
                part *= weights.astype(x.dtype).reshape(shape)
        out = part if out is None else np.add(out, part, out=out)
    return out


def new_size(x: Shape, out_d: int, out_h: int, out_w: int, scale: Sequence[float]) -> tuple[int, ...]:
    """Return the spatial size, given by numbers or, for -1, by a scale; -1 if the size of `x` is unknown."""
    size = (out_d, out_h, out_w)[5 - len(x) :]
    if scale:
        size = tuple(
            [-1 if one < 0 else int(one * np.float32(by)) for one, by in zip(x[2:], scale, strict=True)]
        )
    if 0 in size:
        raise invalid(f"out_shape of Op(interpolate) should be greater than 0, but received {list(size)}.")
    return size


def _define(mode: str) -> Operator:
    """Define the operator of one mode."""

    def infer(x: Meta, out_d: int, out_h: int, out_w: int, scale: Sequence[float], **attrs: Any) -> Meta:
        if x.ndim not in RANKS[mode]:
            raise invalid(f"'{mode}' only support {' or '.join(f'{n}-D' for n in RANKS[mode])} tensor.")
        if x.dtype.kind != "f" and mode != "nearest":
            raise failure(
                RuntimeError,
                f"The kernel with key (CPU, {x.dtype}) of kernel `{mode}_interp` is not registered.",
                "convert it first: x.astype('float32')",
            )
        return Meta((*x.shape[:2], *new_size(x.shape, out_d, out_h, out_w, scale)), x.dtype)

    n = RANKS[mode][0] - 2
    sizes: Any = dict(zip(("out_w", "out_h", "out_d")[:n], (5, 2, 3)))

    @listed(Listing(data_layout="NCHW", interp_method=mode), kind=f"{mode}_interp_v2")
    @tried_with((2, 1, *(2, 4, 3)[-n:]), within=(-1, 1), **sizes, align_corners=False, align_mode=0)
    @operator(f"{mode}_interp_v2", kinds="biuf", name=f"{mode}_interp", infer=infer)
    def interpolate(
        x: Array,
        *,
        out_d: int = -1,
        out_h: int = -1,
        out_w: int = -1,
        scale: Sequence[float] = (),
        align_corners: bool = True,
        align_mode: int = 1,
    ) -> Array:
        out = x
        size = new_size(x.shape, out_d, out_h, out_w, scale)
        for axis in range(x.ndim - 1, 1, -1):
            by = scale[axis - 2] if scale else 0.0
            taps = _taps(x.shape[axis], size[axis - 2], by, mode, align_corners, align_mode)
            out = _read(out, axis, taps)
        return out

    @interpolate.gradient("x")
    def _(dy: Value, x_shape: Shape, scale: Any, align_corners: bool, align_mode: int) -> Value:
        return interpolate_spread(dy, tuple(x_shape[2:]), mode, scale, align_corners, align_mode)

    interpolate.__doc__ = (
        f"Resize the last axes of [N, C, ...] by {mode} interpolation: to sizes, or by factors.\n\n"
        "    Raises:\n        ValueError: for another number of axes, or a size of 0.\n"
    )
    return interpolate


INTERPOLATE = {mode: _define(mode) for mode in RANKS}
"""The operator of each mode."""


@listed(inputs="DOut", outputs="DX")
@tried_with((2, 1, 5, 3), within=(-1, 1), input_size=(3, 4), mode="bilinear")
@operator(
    "interpolate_spread",
    kinds="biuf",
    infer=lambda dy, input_size, **others: Meta((*dy.shape[:2], *input_size), dy.dtype),
    outputs=("dx",),
)
def interpolate_spread(
    dy: Array,
    *,
    input_size: Sequence[int] = (),
    mode: str = "nearest",
    scale: Sequence[float] = (),
    align_corners: bool = False,
    align_mode: int = 0,
) -> Array:
    """Return the gradient of the source image: each pixel gets back its weights."""
    out = dy
    for axis in range(2, dy.ndim):
        by = scale[axis - 2] if scale else 0.0
        size = input_size[axis - 2]
        out = _read(out, axis, _givers(size, dy.shape[axis], by, mode, align_corners, align_mode))
    return out


@interpolate_spread.gradient("dy")
def _(dx: Value, dy_shape: Shape, mode: str, scale: Any, align_corners: bool, align_mode: int) -> Value:
    size = (-1, -1, *dy_shape[2:])[-3:]
    if scale:  # the size follows from it
        size = (-1, -1, -1)
    return INTERPOLATE[mode](dx, *size, scale, align_corners, align_mode)
