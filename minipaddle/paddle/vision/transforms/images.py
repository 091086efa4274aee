"""The kinds of images: PIL's, an array or a tensor; their pixels, checks of sizes, and colours."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from numbers import Number
from typing import Any

import numpy as np

from minipaddle.engine.tensor.creation import to_tensor
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Array
from minipaddle.engine.value.value import Value


def _is_pil_image(img: Any) -> bool:
    """Return whether it is a PIL image: PIL is then imported already."""
    pil = sys.modules.get("PIL.Image")
    return pil is not None and isinstance(img, pil.Image)


def _is_tensor_image(img: Any) -> bool:
    """Return whether it is a Tensor or a Variable: [C, H, W], or several of them."""
    return isinstance(img, Value)


def _is_numpy_image(img: Any) -> bool:
    """Return whether it is an array [H, W, C] or [H, W]."""
    return isinstance(img, np.ndarray) and img.ndim in (2, 3)


def pil(module: str) -> Any:
    """Return a module of PIL, for a PIL image."""
    return import_module(f"PIL.{module}")


def pixels_of(img: Any, name: str = "img") -> Array:
    """Return the pixels of an image as an array [H, W, C] or [H, W].

    Raises:
        TypeError: **should be PIL Image**, for anything else.
        RuntimeError: **not support**, for a tensor of another shape; **no gradient**, for one that needs a gradient,
            and for a Variable, for which numbers would be drawn once for all runs of a Program.
    """
    if _is_pil_image(img) or _is_numpy_image(img):
        return np.asarray(img)
    if not _is_tensor_image(img):
        raise TypeError(
            f"{name} should be PIL Image or Tensor Image or ndarray with dim=[2 or 3]. Got {type(img)}"
        )
    if len(img.shape) != 3:
        raise RuntimeError(f"not support [type={type(img)}, ndim={len(img.shape)}] paddle image")
    if not isinstance(img, Tensor) or not img.stop_gradient:
        raise RuntimeError(
            "transforms compute on pixels, with no gradient and outside of Programs: transform the data set, or use "
            "what paddle.nn.functional has: interpolate, pad, grid_sample"
        )
    return np.moveaxis(img.numpy(), 0, -1)


def of_kind(img: Any, pixels: Array) -> Any:
    """Return an array of pixels as an image of the kind of `img`."""
    if _is_pil_image(img):
        made = pil("Image").fromarray(pixels)
        if img.mode == "P":
            made.putpalette(img.getpalette())
        return made
    return to_tensor(np.ascontiguousarray(np.moveaxis(pixels, -1, 0))) if _is_tensor_image(img) else pixels


def image_size(img: Any) -> tuple[int, int]:
    """Return width and height."""
    height, width = pixels_of(img).shape[:2]
    return width, height


def pair(size: Any) -> tuple[int, int]:
    """Return [height, width], from both or from one number for both."""
    if isinstance(size, int | float):
        return int(size), int(size)
    height, width = size
    return height, width


def new_size(size: Any, height: int, width: int) -> tuple[int, int]:
    """Return height and width after resizing to `size`: both, or the length of the shorter side.

    Raises:
        TypeError: **inappropriate size**.

    >>> new_size(10, 40, 20), new_size([5, 6], 40, 20)
    ((20, 10), (5, 6))
    """
    if not (isinstance(size, int) or (isinstance(size, Iterable) and len(tuple(size)) == 2)):
        raise TypeError(f"Got inappropriate size arg: {size}")
    if not isinstance(size, int):
        down, across = size
        return int(down), int(across)
    if size == min(height, width):
        return height, width
    return (int(size * height / width), size) if width < height else (size, int(size * width / height))


def four_sides(padding: Any, fill: Any, padding_mode: Any) -> tuple[int, int, int, int]:
    """Return the padding left, above, right and below, from one, two or four numbers.

    Raises:
        TypeError: **inappropriate**.
        ValueError: **2, or 4 element**.
        AssertionError: **Padding mode**.
    """
    for name, value, kinds in (
        ("padding", padding, (Number, list, tuple)),
        ("fill", fill, (Number, str, list, tuple)),
        ("padding_mode", padding_mode, (str,)),
    ):
        if not isinstance(value, kinds):
            raise TypeError(f"Got inappropriate {name} arg")
    sides = list(padding) if isinstance(padding, Sequence) else [padding]
    if isinstance(padding, Sequence) and len(sides) not in (2, 4):
        raise ValueError(
            f"Padding must be an int or a 2, or 4 element tuple, not a {len(sides)} element tuple"
        )
    assert padding_mode in ("constant", "edge", "reflect", "symmetric"), (
        "Padding mode should be either constant, edge, reflect or symmetric"
    )
    left, above, right, below = sides * (4 // len(sides))
    return left, above, right, below


def adjust_brightness(img: Any, brightness_factor: float) -> Any:
    """Return the image blended with black (factor 0: black, 1: itself), also extrapolated; an array becomes bytes."""
    if _is_pil_image(img):
        return pil("ImageEnhance").Brightness(img).enhance(brightness_factor)
    pixels = pixels_of(img)
    return _blend(img, pixels.astype(np.uint8) if _is_numpy_image(img) else pixels, 0, brightness_factor)


def adjust_contrast(img: Any, contrast_factor: float) -> Any:
    """Return the image blended with one grey (factor 0: grey, 1: itself), also extrapolated; an array's grey is 74."""
    if _is_pil_image(img):
        return pil("ImageEnhance").Contrast(img).enhance(contrast_factor)
    grey = 74 if _is_numpy_image(img) else _grey(img, pixels_of(img)).mean()
    return _blend(img, pixels_of(img), grey, contrast_factor)


def adjust_saturation(img: Any, saturation_factor: float) -> Any:
    """Return the image blended with its greys (factor 0: grey, 1: itself); for an array by a random factor near 1."""
    if _is_pil_image(img):
        return pil("ImageEnhance").Color(img).enhance(saturation_factor)
    pixels = pixels_of(img)
    if _is_numpy_image(img):
        saturation_factor = np.random.uniform(max(0, 1 - saturation_factor), 1 + saturation_factor)
        pixels = pixels[..., ::-1]  # OpenCV's order: blue, green, red
    grey = _grey(img, pixels.astype(np.float32))
    return _blend(img, pixels_of(img), grey, saturation_factor)


def _blend(img: Any, pixels: Array, other: Any, factor: float) -> Any:
    """Return a blend of `other` (factor 0) and `pixels` (1), extrapolated too, clipped to the valid range."""
    largest = 255.0
    if _is_tensor_image(img):
        assert factor >= 0, f"a factor should be non-negative, not {factor}"
        largest = 1.0 if pixels.dtype.kind == "f" else 255.0
    mixed = (pixels.astype(float) - other) * factor + other
    return of_kind(img, mixed.clip(0, largest).astype(pixels.dtype))


def _grey(img: Any, pixels: Array) -> Array:
    """Return the brightness of pixels of red, green and blue, [H, W, 1]; one channel stays."""
    if _is_numpy_image(img):
        weights = np.array([0.299, 0.587, 0.114])
        if pixels.dtype.kind != "f":  # in integers, as OpenCV does
            whole = np.rint(weights * (1 << 15)).astype(int)
            bright = (pixels.astype(int) @ whole + (1 << 14)) >> 15
            return np.asarray(bright[..., None].astype(pixels.dtype))
        return np.asarray((pixels @ weights.astype(pixels.dtype))[..., None])
    if pixels.shape[-1] not in (1, 3):
        raise ValueError("channels of input should be either 1 or 3.")
    return pixels if pixels.shape[-1] == 1 else (pixels @ np.array([0.2989, 0.587, 0.114]))[..., None]


def to_grayscale(img: Any, num_output_channels: int = 1) -> Any:
    """Return the brightness of the pixels, in one channel or three.

    Raises:
        ValueError: **num_output_channels**.
    """
    pixels = pixels_of(img)
    if num_output_channels not in (1, 3):
        raise ValueError("num_output_channels should be either 1 or 3")
    if _is_pil_image(img):
        grey = img.convert("L")
        return grey if num_output_channels == 1 else pil("Image").merge("RGB", (grey, grey, grey))
    bright = _grey(img, pixels).astype(pixels.dtype)
    return of_kind(img, np.broadcast_to(bright, (*bright.shape[:2], num_output_channels)))


def adjust_hue(img: Any, hue_factor: float) -> Any:
    """Return the image with its hues turned by a part of the circle, from -0.5 to 0.5.

    Raises:
        ValueError: **hue_factor**; for a tensor AssertionError.
    """
    if _is_tensor_image(img):
        assert -0.5 <= hue_factor <= 0.5, "hue_factor should be in range [-0.5, 0.5]"
    if not -0.5 <= hue_factor <= 0.5:
        raise ValueError(f"hue_factor:{hue_factor} is not in [-0.5, 0.5].")
    if _is_pil_image(img):
        if img.mode in ("L", "1", "I", "F"):
            return img
        hue, saturation, value = img.convert("HSV").split()
        turned = (np.array(hue, np.int16) + int(hue_factor * 255)) % 256
        hue = pil("Image").fromarray(turned.astype(np.uint8))
        return pil("Image").merge("HSV", (hue, saturation, value)).convert(img.mode)
    pixels = pixels_of(img)
    if _is_tensor_image(img) and pixels.shape[-1] == 1:
        return img
    if pixels.ndim != 3 or pixels.shape[2] != 3:
        raise ValueError(f"adjust_hue takes an image [height, width, 3], not {list(pixels.shape)}")
    if _is_numpy_image(img):
        return _turned_bytes(pixels.astype(np.uint8), hue_factor).astype(pixels.dtype)
    largest = 255.0 if pixels.dtype == np.uint8 else 1.0
    sixths, span, value = _hexagon(pixels / largest)
    turned = _rgb((sixths / 6 + hue_factor) % 1, span / np.where(value == 0, 1, value), value)
    return of_kind(img, (turned * largest).astype(pixels.dtype))


def _turned_bytes(pixels: Array, factor: float) -> Array:
    """Return pixels of blue, green and red with hue turned as in OpenCV: in bytes, by fixed-point division (4096)."""
    sixths, span, value = _hexagon(pixels[..., ::-1].astype(float))
    per_span = np.rint((1 << 20) / (6 * np.maximum(span, 1)))
    hue = np.floor(np.rint(sixths * span) * per_span / 4096 + 0.5) + int(factor * 255)
    saturation = np.floor(span * np.rint(255 * 4096 / np.maximum(value, 1)) / 4096 + 0.5)
    turned = _rgb(hue % 256 / 255 % 1, saturation / 255, value / 255)
    return np.asarray(np.rint(turned * 255).clip(0, 255)[..., ::-1].astype(np.uint8))


def _hexagon(pixels: Array) -> tuple[Array, Array, Array]:
    """Return the hue in sixths of its circle, the distance from grey, and the value."""
    red, green, blue = pixels[..., 0], pixels[..., 1], pixels[..., 2]
    value = pixels.max(-1)
    span = value - pixels.min(-1)
    some = np.where(span == 0, 1, span)
    beside_green = np.where(value == green, (blue - red) / some + 2, (red - green) / some + 4)
    return np.where(value == red, (green - blue) / some, beside_green), span, value


def _rgb(hue: Array, s: Array, v: Array) -> Array:
    """Return red, green and blue of hue, saturation and value; all are between 0 and 1."""
    sixth = np.floor(hue * 6).astype(int)
    rest = hue * 6 - sixth
    table = np.stack([v, v * (1 - s), v * (1 - s * rest), v * (1 - s * (1 - rest))], -1)
    ways = np.array([[0, 3, 1], [2, 0, 1], [1, 0, 3], [1, 2, 0], [3, 1, 0], [0, 1, 2]])
    return np.take_along_axis(table, ways[np.minimum(sixth, 5)], -1)
