"""Transforms of PIL's images, by PIL: loaded when there is such an image, so that PIL is there."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.autograd.creation import to_tensor as tensor_of
from minipaddle.paddle.vision.transforms.images import bordered, four_sides, is_hue, middle, new_size, pair

from PIL import Image, ImageEnhance, ImageOps  # isort: skip

_NUMBERS = {"I": np.int32, "I;16": np.int32, "F": np.float32, "1": np.uint8}


def _way(interpolation: str) -> Any:
    """Return PIL's word for a way to find pixels in between."""
    return Image.Resampling[interpolation.upper()]


def _three(fill: Any) -> Any:
    """Return a colour; one number stands for a grey."""
    return (fill,) * 3 if isinstance(fill, int) else fill


def to_tensor(pic: Any, data_format: str) -> Any:
    """Return the pixels as float32 between 0 and 1, or as the numbers that they are."""
    pixels = np.asarray(pic, _NUMBERS.get(pic.mode)).reshape(pic.size[1], pic.size[0], -1)
    if pic.mode == "1":
        pixels = 255 * pixels
    if pixels.dtype == np.uint8:
        pixels = pixels.astype(np.float32) / np.float32(255)
    return tensor_of(pixels.transpose(2, 0, 1) if data_format == "CHW" else pixels)


def resize(img: Any, size: Any, interpolation: str) -> Any:
    """Return the image in another size."""
    height, width = new_size(size, img.size[1], img.size[0])
    return img if (width, height) == img.size else img.resize((width, height), _way(interpolation))


def pad(img: Any, padding: Any, fill: Any, padding_mode: str) -> Any:
    """Return the image with a border."""
    left, above, right, below = four_sides(padding, fill, padding_mode)
    palette = img.getpalette() if img.mode == "P" else None
    if padding_mode == "constant":
        wide = ImageOps.expand(img, border=(left, above, right, below), fill=fill)
    else:
        pixels = np.asarray(img)
        border = [(above, below), (left, right), (0, 0)][: pixels.ndim]
        wide = Image.fromarray(bordered(pixels, border, padding_mode))
    if palette is not None:
        wide.putpalette(palette)
    return wide


def crop(img: Any, top: int, left: int, height: int, width: int) -> Any:
    """Return a piece of the image."""
    return img.crop((left, top, left + width, top + height))


def center_crop(img: Any, output_size: Any) -> Any:
    """Return the piece in the middle."""
    size = pair(output_size)
    return crop(img, *middle(img.size[1], img.size[0], size), *size)


def hflip(img: Any) -> Any:
    """Return the image with left and right exchanged."""
    return img.transpose(Image.Transpose.FLIP_LEFT_RIGHT)


def vflip(img: Any) -> Any:
    """Return the image upside down."""
    return img.transpose(Image.Transpose.FLIP_TOP_BOTTOM)


def adjust_brightness(img: Any, factor: float) -> Any:
    """Return the image between black (0) and itself (1), and beyond."""
    return ImageEnhance.Brightness(img).enhance(factor)


def adjust_contrast(img: Any, factor: float) -> Any:
    """Return the image between its average grey (0) and itself (1), and beyond."""
    return ImageEnhance.Contrast(img).enhance(factor)


def adjust_saturation(img: Any, factor: float) -> Any:
    """Return the image between its greys (0) and itself (1), and beyond."""
    return ImageEnhance.Color(img).enhance(factor)


def adjust_hue(img: Any, factor: float) -> Any:
    """Return the image with its colours turned by a part of the circle."""
    is_hue(factor)
    if img.mode in ("L", "1", "I", "F"):
        return img
    hue, saturation, value = img.convert("HSV").split()
    turned = (np.array(hue, np.int16) + int(factor * 255)) % 256
    hue = Image.fromarray(turned.astype(np.uint8))
    return Image.merge("HSV", (hue, saturation, value)).convert(img.mode)


def affine(img: Any, matrix: Any, interpolation: str, fill: Any) -> Any:
    """Return the image whose pixel p is that at ``matrix @ p``."""
    return img.transform(img.size, Image.Transform.AFFINE, matrix, _way(interpolation), fill=_three(fill))


def rotate(img: Any, angle: float, interpolation: str, expand: bool, center: Any, fill: Any) -> Any:
    """Return the image turned to the left."""
    return img.rotate(angle, _way(interpolation), expand, center, fillcolor=_three(fill))


def perspective(img: Any, coefficients: Any, interpolation: str, fill: Any) -> Any:
    """Return the image seen from aside."""
    kind = Image.Transform.PERSPECTIVE
    return img.transform(img.size, kind, coefficients, _way(interpolation), fill=_three(fill))


def to_grayscale(img: Any, num_output_channels: int) -> Any:
    """Return how bright the pixels are, in one or three channels."""
    grey = img.convert("L")
    if num_output_channels == 1:
        return grey
    return Image.merge("RGB", (grey, grey, grey))


def erase(img: Any, i: int, j: int, h: int, w: int, v: Any, inplace: bool) -> Any:
    """Return the image with a piece written over."""
    pixels = np.array(img, np.uint8)
    pixels[i : i + h, j : j + w] = v
    return Image.fromarray(pixels)
