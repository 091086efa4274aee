"""Pixels in between: arrays in another size, and arrays read at any places, as OpenCV does both.

Bytes are computed in floats and rounded in the end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.engine.value.meta import Array


def _linear(x: Array) -> Array:
    """Return how much a pixel counts at distance x."""
    return np.asarray(np.clip(1 - np.abs(x), 0, None))


def _cubic(x: Array) -> Array:
    """Return how much a pixel counts at distance x: a cubic curve that begins with slope -0.75."""
    x, a = np.abs(x), -0.75
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    far = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
    return np.where(x <= 1, near, np.where(x < 2, far, 0))


_CURVES: dict[str, tuple[int, Callable[[Array], Array]]] = {"bilinear": (2, _linear), "bicubic": (4, _cubic)}
"""How many pixels count along an axis, and how much."""


def _curve(way: str) -> tuple[int, Callable[[Array], Array]]:
    if way not in _CURVES:
        raise ValueError(f"an array is read with nearest, bilinear or bicubic interpolation, not {way!r}")
    return _CURVES[way]


def _like(numbers: Array, img: Array) -> Array:
    """Return numbers of the type of `img`: whole ones rounded, and as far as there are such."""
    if img.dtype.kind == "f":
        return numbers.astype(img.dtype)
    span = np.iinfo(img.dtype)
    return np.clip(np.rint(numbers), span.min, span.max).astype(img.dtype)


def resized(img: Array, height: int, width: int, way: str) -> Array:
    """Return an array [H, W] or [H, W, C] in another size."""
    y, x = (_places(old, new, way) for old, new in zip(img.shape, (height, width), strict=False))
    return read_at(img, *np.meshgrid(x, y), way)


def _places(size: int, new: int, way: str) -> Array:
    """Return which place of an axis each pixel of the resized axis is read at."""
    out = np.arange(new)
    return np.floor(out * size / new) if way == "nearest" else (out + 0.5) * size / new - 0.5


def read_at(img: Array, x: Array, y: Array, way: str, colour: Array | None = None) -> Array:
    """Return what is at the places x, y of an array [H, W] or [H, W, C]; where it ends the colour, or its edge."""
    if way == "nearest":
        near = [np.rint(place.astype(np.float32)) for place in (x, y)]
        return _like(_pixels(img, near[0], near[1], colour), img)
    left, across = _shares(x, way)
    top, down = _shares(y, way)
    total: Any = 0
    for row, high in enumerate(down):
        for column, wide in enumerate(across):
            share = (high * wide)[..., None] if img.ndim == 3 else high * wide
            total = total + share * _pixels(img, left + column, top + row, colour)
    return _like(total, img)


def _shares(place: Array, way: str) -> tuple[Array, list[Array]]:
    """Return the first pixel that counts at each place of an axis, and how much it and those after it count."""
    if way not in _CURVES:
        raise ValueError(f"an array is read with nearest, bilinear or bicubic interpolation, not {way!r}")
    count, curve = _CURVES[way]
    first = np.floor(place) - count // 2 + 1
    shares = [curve(place - first - step) for step in range(count)]
    return first, [share / sum(shares) for share in shares]


def _pixels(img: Array, x: Array, y: Array, colour: Array | None) -> Array:
    """Return the pixels in columns x and rows y, and the colour where there are none, or the nearest pixel."""
    height, width = img.shape[:2]
    rows, columns = np.clip(y, 0, height - 1).astype(int), np.clip(x, 0, width - 1).astype(int)
    found = np.asarray(img[rows, columns], float)
    if colour is None:
        return found
    inside = (rows == y) & (columns == x)
    return np.where(inside[..., None] if img.ndim == 3 else inside, found, colour)
