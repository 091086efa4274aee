"""Transforms of arrays [H, W, C] and [H, W], with the results of OpenCV, by NumPy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.engine.autograd.creation import to_tensor as tensor_of
from minipaddle.engine.core.meta import Array
from minipaddle.paddle.vision.transforms.images import bordered, four_sides, is_hue, middle, new_size, pair
from minipaddle.paddle.vision.transforms.resampling import read_at, resized


def to_tensor(pic: Array, data_format: str) -> Any:
    """Return the pixels as float32 between 0 and 1, or as the numbers that they are."""
    pixels = pic[:, :, None] if pic.ndim == 2 else pic
    if pixels.dtype == np.uint8:
        pixels = pixels.astype(np.float32) / np.float32(255)
    return tensor_of(np.ascontiguousarray(pixels.transpose(2, 0, 1)) if data_format == "CHW" else pixels)


def resize(img: Array, size: Any, interpolation: str) -> Array:
    """Return the image in another size."""
    height, width = new_size(size, *img.shape[:2])
    return img if (height, width) == img.shape[:2] else resized(img, height, width, interpolation)


def pad(img: Array, padding: Any, fill: Any, padding_mode: str) -> Array:
    """Return the image with a border."""
    left, above, right, below = four_sides(padding, fill, padding_mode)
    border = [(above, below), (left, right), (0, 0)][: img.ndim]
    if padding_mode != "constant":
        return np.asarray(bordered(img, border, padding_mode))
    wide = np.zeros([size + sum(two) for size, two in zip(img.shape, border, strict=True)], img.dtype)
    wide[...] = _colour(fill, img)
    wide[above : above + img.shape[0], left : left + img.shape[1]] = img
    return wide


def _colour(fill: Any, img: Array) -> Array:
    """Return a number for each channel: OpenCV's colour of one number is that number, then zeros."""
    channels = img.shape[2] if img.ndim == 3 else 1
    given = list(fill) if isinstance(fill, (list, tuple)) else [fill]
    colour = np.array([*given, *[0] * channels][:channels], float)
    return colour if img.ndim == 3 else colour[0]


def crop(img: Array, top: int, left: int, height: int, width: int) -> Array:
    """Return a piece of the image."""
    return img[top : top + height, left : left + width]


def center_crop(img: Array, output_size: Any) -> Array:
    """Return the piece in the middle."""
    size = pair(output_size)
    return crop(img, *middle(img.shape[0], img.shape[1], size), *size)


def hflip(img: Array) -> Array:
    """Return the image with left and right exchanged."""
    return np.ascontiguousarray(img[:, ::-1])


def vflip(img: Array) -> Array:
    """Return the image upside down."""
    return np.ascontiguousarray(img[::-1])


def _looked_up(img: Array, table: Array) -> Array:
    return table.clip(0, 255).astype(np.uint8)[img]


def adjust_brightness(img: Array, factor: float) -> Array:
    """Return the image between black (0) and itself (1), and beyond, as bytes."""
    return _looked_up(img.astype(np.uint8), np.arange(256) * factor)


def adjust_contrast(img: Array, factor: float) -> Array:
    """Return the image, of bytes, between the grey 74 (0) and itself (1), and beyond."""
    return _looked_up(img, (np.arange(256) - 74) * factor + 74)


def adjust_saturation(img: Array, factor: float) -> Array:
    """Return the image between its greys (0) and itself (1), and beyond, by a factor drawn up to `factor` from 1."""
    share = np.random.uniform(max(0, 1 - factor), 1 + factor)
    pixels = img.astype(np.float32)
    grey = (pixels @ np.array([0.114, 0.587, 0.299], np.float32))[..., None]
    return (pixels * share + grey * (1 - share)).clip(0, 255).astype(img.dtype)


def adjust_hue(img: Array, factor: float) -> Array:
    """Return the image, of bytes, with its colours turned by a part of the circle."""
    is_hue(factor)
    if img.ndim != 3 or img.shape[2] != 3:
        raise ValueError(f"adjust_hue takes an image [height, width, 3], not {list(img.shape)}")
    hue, saturation, value = _hsv(img.astype(np.uint8).astype(int))
    return _bgr((hue + int(factor * 255)) % 256, saturation, value).astype(img.dtype)


def _hsv(pixels: Array) -> tuple[Array, Array, Array]:
    """Return hue, saturation and value as whole numbers up to 255, of whole blue, green and red."""
    blue, green, red = pixels[..., 0], pixels[..., 1], pixels[..., 2]
    value = pixels.max(-1)
    span = value - pixels.min(-1)
    half, one = 1 << 11, 1 << 12
    per_value = np.rint(255 * one / np.maximum(value, 1)).astype(int)
    per_span = np.rint(256 * one / (6.0 * np.maximum(span, 1))).astype(int)
    saturation = (span * per_value + half) >> 12
    turn = np.where(
        value == red, green - blue, np.where(value == green, blue - red + 2 * span, red - green + 4 * span)
    )
    hue = (turn * per_span + half) >> 12
    return hue + 256 * (hue < 0), saturation, value


def _bgr(hue: Array, saturation: Array, value: Array) -> Array:
    """Return blue, green and red as bytes."""
    turn = hue * (6 / 255) % 6
    sixth = np.floor(turn).astype(int)
    rest, s, v = turn - sixth, saturation / 255, value / 255
    table = np.stack([v, v * (1 - s), v * (1 - s * rest), v * (1 - s * (1 - rest))], -1)
    ways = np.array([[1, 3, 0], [1, 0, 2], [3, 0, 1], [0, 2, 1], [0, 1, 3], [2, 1, 0]])
    found = np.take_along_axis(table, ways[np.minimum(sixth, 5)], -1)
    return np.asarray(np.rint(found * 255).clip(0, 255).astype(np.uint8))


def _turned(center: Any, angle: float, scale: float) -> Array:
    """Return the matrix [2, 3] that turns to the left about `center`."""
    turn = math.radians(angle)
    a, b = scale * math.cos(turn), scale * math.sin(turn)
    x, y = center
    return np.array([[a, b, (1 - a) * x - b * y], [-b, a, b * x + (1 - a) * y]])


def _warped(img: Array, matrix: Array, size: tuple[int, int], interpolation: str, fill: Any) -> Array:
    """Return the image whose pixel ``matrix @ p`` is that at p; `matrix` is [2, 3] or [3, 3]."""
    back = np.linalg.inv(np.vstack([matrix, [0, 0, 1]])[:3])
    x, y = np.meshgrid(np.arange(size[1]), np.arange(size[0]))
    across, down, depth = np.tensordot(back, np.stack([x, y, np.ones_like(x)]), 1)
    return read_at(img, across / depth, down / depth, interpolation, _colour(fill, img))


def affine(
    img: Array,
    angle: float,
    translate: Any,
    scale: float,
    shear: Any,
    interpolation: str,
    fill: Any,
    center: Any,
) -> Array:
    """Return the image turned about `center`, stretched and sheared; `translate` is where its corner comes to lie."""
    turned = _turned(center, angle, scale)
    across, down = (math.tan(math.radians(one)) for one in shear)
    matrix = np.stack([turned[0] + down * turned[1], turned[1] + across * turned[0]])
    matrix[:, 2] = translate
    fill = (fill,) * 3 if isinstance(fill, int) else fill
    return _warped(img, matrix, img.shape[:2], interpolation, fill)


def rotate(img: Array, angle: float, interpolation: str, expand: bool, center: Any, fill: Any) -> Array:
    """Return the image turned to the left."""
    height, width = img.shape[:2]
    about = (width / 2.0, height / 2.0) if center is None else center
    matrix = _turned(about, angle, 1)
    new = (height, width)
    if expand:
        corners = np.array([[0, width, width, 0], [0, 0, height, height], [1, 1, 1, 1]])
        reached = np.round(matrix @ corners, 9)
        across, down = (int(size) for size in np.ceil(reached.max(1)) - np.floor(reached.min(1)))
        matrix[:, 2] += (across - width) * 0.5, (down - height) * 0.5
        new = (down, across)
    return _warped(img, matrix, new, interpolation, fill)


def perspective(img: Array, startpoints: Any, endpoints: Any, interpolation: str, fill: Any) -> Array:
    """Return the image seen from aside."""
    rows, right = [], []
    for (x, y), (u, v) in zip(startpoints, endpoints, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        right += [u, v]
    matrix = np.append(np.linalg.solve(np.array(rows, float), np.array(right, float)), 1).reshape(3, 3)
    return _warped(img, matrix, img.shape[:2], interpolation, fill)


def to_grayscale(img: Array, num_output_channels: int) -> Array:
    """Return how bright the pixels are, in one or three channels."""
    weights = np.array([0.299, 0.587, 0.114])
    if img.dtype.kind == "f":
        grey = (img @ weights.astype(img.dtype))[..., None]
    else:
        whole = np.rint(weights * (1 << 15)).astype(int)
        grey = ((img.astype(int) @ whole + (1 << 14)) >> 15)[..., None].astype(img.dtype)
    return grey if num_output_channels == 1 else np.broadcast_to(grey, img.shape)


def normalize(img: Any, mean: Any, std: Any, data_format: str, to_rgb: bool) -> Array:
    """Return ``(img - mean) / std`` for each channel."""
    shape = (-1, 1, 1) if data_format == "CHW" else (1, 1, -1)
    pixels = img[..., ::-1] if to_rgb else img
    low, span = (np.array(one).reshape(shape).astype(np.float32) for one in (mean, std))
    return np.asarray((pixels - low) / span)


def erase(img: Array, i: int, j: int, h: int, w: int, v: Any, inplace: bool) -> Array:
    """Return the image with a piece written over."""
    out = img if inplace else img.copy()
    out[i : i + h, j : j + w] = v
    return out
