"""Transforms of tensors [C, H, W], on operators: gradients flow through them, and they stand in Programs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.engine.autograd.creation import to_tensor
from minipaddle.engine.core.dtype import as_numpy
from minipaddle.ops.creation.assign import constant
from minipaddle.ops.linalg.einsum import einsum
from minipaddle.ops.manipulation.concat import concat, stack
from minipaddle.ops.math.lerp import lerp
from minipaddle.ops.search.where import where
from minipaddle.paddle.nn import functional as F
from minipaddle.paddle.vision.transforms.images import four_sides, image_size, middle, new_size, pair


def _check(img: Any) -> None:
    if len(img.shape) not in (3, 4):
        raise RuntimeError(f"not support [type={type(img)}, ndim={len(img.shape)}] paddle image")


def _is_float(img: Any) -> bool:
    return as_numpy(img.dtype).kind == "f"


def _channels(img: Any) -> int:
    _check(img)
    channels = img.shape[-3]
    if channels not in (1, 3):
        raise ValueError("channels of input should be either 1 or 3.")
    return int(channels)


def _blend(img: Any, other: Any, ratio: float) -> Any:
    """Return what lies between `other` (0) and `img` (1), or beyond, as far as there are such pixels."""
    if not _is_float(img):
        mixed = other.astype("float32") + (img.astype("float32") - other.astype("float32")) * float(ratio)
        return mixed.clip(0, 255.0).astype(img.dtype)
    return lerp(other, img, float(ratio)).clip(0, 1.0).astype(img.dtype)


def resize(img: Any, size: Any, interpolation: str) -> Any:
    """Return the image in another size."""
    _check(img)
    width, height = image_size(img)
    down, across = new_size(size, height, width)
    if isinstance(size, int) and (down, across) == (height, width):
        return img
    return F.interpolate(img.unsqueeze(0), size=[down, across], mode=interpolation.lower()).squeeze(0)


def pad(img: Any, padding: Any, fill: Any, padding_mode: str) -> Any:
    """Return the image with a border."""
    _check(img)
    left, above, right, below = four_sides(padding, fill, padding_mode)
    if padding_mode == "symmetric":
        raise ValueError("Do not support symmetric mode")
    mode = "replicate" if padding_mode == "edge" else padding_mode
    return F.pad(img.unsqueeze(0), [left, right, above, below], mode=mode, value=float(fill)).squeeze(0)


def crop(img: Any, top: int, left: int, height: int, width: int) -> Any:
    """Return a piece of the image."""
    _check(img)
    return img[:, top : top + height, left : left + width]


def center_crop(img: Any, output_size: Any) -> Any:
    """Return the piece in the middle."""
    size = pair(output_size)
    width, height = image_size(img)
    return crop(img, *middle(height, width, size), *size)


def hflip(img: Any) -> Any:
    """Return the image with left and right exchanged."""
    _check(img)
    return img.flip([-1])


def vflip(img: Any) -> Any:
    """Return the image upside down."""
    _check(img)
    return img.flip([-2])


def adjust_brightness(img: Any, factor: float) -> Any:
    """Return the image between black (0) and itself (1), and beyond."""
    _check(img)
    assert factor >= 0, "brightness_factor should be non-negative."
    assert img.shape[-3] in (1, 3), "channels of input should be either 1 or 3."
    return _blend(img, img * 0, factor)


def adjust_contrast(img: Any, factor: float) -> Any:
    """Return the image between its average grey (0) and itself (1), and beyond."""
    _check(img)
    assert factor >= 0, "contrast_factor should be non-negative."
    grey = img if _channels(img) == 1 else to_grayscale(img, 1)
    number = grey if _is_float(img) else grey.astype("float32")
    return _blend(img, number.mean([-3, -2, -1], keepdim=True), factor)


def adjust_saturation(img: Any, factor: float) -> Any:
    """Return the image between its greys (0) and itself (1), and beyond."""
    _check(img)
    assert factor >= 0, "saturation_factor should be non-negative."
    return img if _channels(img) == 1 else _blend(img, to_grayscale(img, 1), factor)


def adjust_hue(img: Any, factor: float) -> Any:
    """Return the image with its colours turned by a part of the circle."""
    _check(img)
    assert -0.5 <= factor <= 0.5, "hue_factor should be in range [-0.5, 0.5]"
    if _channels(img) == 1:
        return img
    is_bytes = as_numpy(img.dtype) == np.uint8
    hue, saturation, value = _hsv(img.astype("float32") / 255.0 if is_bytes else img)
    hue = hue + factor
    turned = _rgb(hue - hue.floor(), saturation, value)
    return (turned * 255.0).astype("uint8") if is_bytes else turned


def _hsv(img: Any) -> tuple[Any, Any, Any]:
    """Return hue, saturation and value, each [H, W] and between 0 and 1."""
    red, green, blue = img.unbind(-3)
    high, low = img.max(-3), img.min(-3)
    flat, one = high == low, high * 0 + 1
    saturation = (high - low) / where(flat, one, high)
    span = where(flat, one, high - low)
    r, g, b = (high - red) / span, (high - green) / span, (high - blue) / span
    is_red, is_green = high == red, high == green

    def part(mask: Any, hue: Any) -> Any:
        return mask.astype(high.dtype) * hue

    turn = part(is_red, b - g)
    turn = turn + part(is_green.logical_and(is_red.logical_not()), r - b + 2.0)
    turn = turn + part(is_red.logical_or(is_green).logical_not(), g - r + 4.0)
    hue = turn / 6.0 + 1.0
    return hue - hue.trunc(), saturation, high


def _rgb(hue: Any, saturation: Any, value: Any) -> Any:
    """Return red, green and blue [3, H, W]."""
    sixth = (hue * 6.0).floor()
    rest = hue * 6.0 - sixth
    p = (value * (1.0 - saturation)).clip(0.0, 1.0)
    q = (value * (1.0 - saturation * rest)).clip(0.0, 1.0)
    t = (value * (1.0 - saturation * (1.0 - rest))).clip(0.0, 1.0)
    which = constant(np.arange(6, dtype=np.int32).reshape(6, 1, 1))
    mask = (sixth.astype("int32").unsqueeze(-3) % 6 == which).astype(hue.dtype)
    ways = [[value, q, p, p, t, value], [t, value, value, q, p, p], [p, p, t, value, value, q]]
    table = stack([stack(row, -3) for row in ways], -4)
    return einsum("...ijk, ...xijk -> ...xjk", mask, table)


def _sampled(img: Any, grid: Any, mode: str, fill: Any) -> Any:
    """Return the images [N, C, H, W] read at the places of the grid, and `fill` where they end."""
    grid = grid.expand([img.shape[0], *grid.shape[1:]])
    if fill is None:
        return F.grid_sample(img, grid, mode=mode, padding_mode="zeros", align_corners=False)
    found = F.grid_sample(
        concat([img, img[:, :1] * 0 + 1], axis=1), grid, mode=mode, padding_mode="zeros", align_corners=False
    )
    inside, found = found[:, -1:], found[:, :-1]
    colour = np.array(fill if isinstance(fill, (tuple, list)) else [fill], as_numpy(img.dtype))
    if mode == "nearest":
        inside = (inside >= 0.5).astype(img.dtype)
    return found * inside + (1.0 - inside) * to_tensor(colour.reshape(1, -1, 1, 1))


def _grid(matrix: Any, size: tuple[int, int], new: tuple[int, int]) -> Any:
    """Return where each pixel of an image of the `new` size comes from: places from -1 to 1, [1, H, W, 2].

    `matrix` [rows, 3] is about the middle of the image, and takes x, y and 1.
    """
    height, width = new
    x = np.linspace(-width * 0.5 + 0.5, width * 0.5 - 0.5, width, dtype=np.float32)
    y = np.linspace(-height * 0.5 + 0.5, height * 0.5 - 0.5, height, dtype=np.float32)
    places = np.stack([*np.meshgrid(x, y), np.ones(new, np.float32)], -1)
    halves = np.array([size[1] * 0.5, size[0] * 0.5], np.float32)
    moved = places @ (np.asarray(matrix, np.float32).reshape(2, 3).T / halves)
    return to_tensor(moved[None].astype(np.float32))


def _as_batch(img: Any) -> Any:
    return img.unsqueeze(0) if len(img.shape) == 3 else img


def affine(img: Any, matrix: Any, interpolation: str, fill: Any) -> Any:
    """Return the image whose pixel p is that at ``matrix @ p``."""
    size = (img.shape[-2], img.shape[-1])
    fill = (fill,) * 3 if isinstance(fill, int) else fill
    out = _sampled(_as_batch(img), _grid(matrix, size, size), interpolation, fill)
    return out.squeeze(0) if len(img.shape) == 3 else out


def rotate(img: Any, angle: float, interpolation: str, expand: bool, center: Any, fill: Any) -> Any:
    """Return the image turned to the left."""
    height, width = img.shape[-2], img.shape[-1]
    turn = math.radians(-angle % 360)
    cos, sin = math.cos(turn), math.sin(turn)
    x, y = (0, 0) if center is None else (center[0] - width * 0.5, center[1] - height * 0.5)
    matrix = np.array([[cos, sin, x - cos * x - sin * y], [-sin, cos, y + sin * x - cos * y]], np.float32)
    new = (height, width)
    if expand:
        corners = np.array(
            [[across * 0.5 * width, down * 0.5 * height, 1] for across in (-1, 1) for down in (-1, 1)]
        )
        reached = corners.astype(np.float32) @ matrix.T
        across, down = np.ceil(reached.max(0)) - np.floor(reached.min(0))
        new = (int(down), int(across))
    return _sampled(img.unsqueeze(0), _grid(matrix, (height, width), new), interpolation, fill).squeeze(0)


def perspective(img: Any, coefficients: Any, interpolation: str, fill: Any) -> Any:
    """Return the image seen from aside."""
    height, width = img.shape[-2], img.shape[-1]
    numbers = np.asarray(coefficients, np.float32)
    x, y = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    places = np.stack([x, y, np.ones_like(x)], -1).astype(np.float32)
    above = places @ (numbers[:6].reshape(2, 3).T / np.array([0.5 * width, 0.5 * height], np.float32))
    below = places @ np.array([*numbers[6:], 1], np.float32)
    grid = to_tensor((above / below[..., None] - 1)[None].astype(np.float32))
    out = _sampled(_as_batch(img), grid, interpolation, fill)
    return out.squeeze(0) if len(img.shape) == 3 else out


def to_grayscale(img: Any, num_output_channels: int) -> Any:
    """Return how bright the pixels are, in one or three channels."""
    _check(img)
    weights = to_tensor(np.array([0.2989, 0.587, 0.114]).reshape(3, 1, 1)).astype(img.dtype)
    grey = (img * weights).sum(-3, keepdim=True)
    shape = list(grey.shape)
    shape[-3] = num_output_channels
    return grey.expand(shape)


def normalize(img: Any, mean: Any, std: Any, data_format: str) -> Any:
    """Return ``(img - mean) / std`` for each channel."""
    _check(img)
    shape = [-1, 1, 1] if data_format.lower() == "chw" else [-1]
    return (img - to_tensor(mean).reshape(shape)) / to_tensor(std).reshape(shape)


def erase(img: Any, i: int, j: int, h: int, w: int, v: Any, inplace: bool) -> Any:
    """Return the image with a piece written over."""
    _check(img)
    out = img if inplace else img.clone()
    out[..., i : i + h, j : j + w] = v
    return out
