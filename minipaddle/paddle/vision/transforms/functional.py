"""Functions on one image: PIL's, an array [H, W, C] or a tensor [C, H, W]; they return the same kind.

Each has one implementation, on an array of pixels, with the results of OpenCV, as in Paddle; PIL computes its own
images. Where Paddle's results depend on the kind of an image, a line here says so.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from minipaddle.engine.operator.lazy_loading import homes, later
from minipaddle.engine.tensor.creation import to_tensor as tensor_of
from minipaddle.engine.value.meta import Array
from minipaddle.paddle.vision.transforms.images import (
    _is_pil_image,
    _is_tensor_image,
    four_sides,
    image_size,
    new_size,
    of_kind,
    pair,
    pil,
    pixels_of,
)

_COLOURS = "adjust_brightness adjust_contrast adjust_hue adjust_saturation to_grayscale"
__getattr__ = later(
    globals(), homes("minipaddle.paddle.vision.transforms", {"images": f"{_COLOURS} _is_numpy_image"})
)

_PIL_NUMBERS = {"I": np.int32, "I;16": np.int32, "F": np.float32, "1": np.uint8}


def to_tensor(pic: Any, data_format: str = "CHW") -> Any:
    """Return the image as a Tensor: bytes become float32 between 0 and 1, other numbers stay.

    Args:
        pic: a PIL image, an array [H, W, C] or a tensor [C, H, W].
        data_format: "CHW" or "HWC": the order of axes in the result.

    Raises:
        TypeError: **should be PIL Image**.
        ValueError: **data_format**.
    """
    if _is_tensor_image(pic):
        return pic if data_format.lower() == "chw" else pic.transpose([1, 2, 0])
    pixels = pixels_of(pic, "pic")
    if data_format not in ("CHW", "HWC"):
        raise ValueError(f"data_format should be CHW or HWC. Got {data_format}")
    if _is_pil_image(pic):
        pixels = np.asarray(pic, _PIL_NUMBERS.get(pic.mode)) * (255 if pic.mode == "1" else 1)
    pixels = pixels[:, :, None] if pixels.ndim == 2 else pixels
    if pixels.dtype == np.uint8:
        pixels = pixels.astype(np.float32) / np.float32(255)
    return tensor_of(np.ascontiguousarray(pixels.transpose(2, 0, 1)) if data_format == "CHW" else pixels)


def resize(img: Any, size: Any, interpolation: str = "bilinear") -> Any:
    """Return the image in another size.

    Args:
        img: a PIL image, an array or a tensor.
        size: [height, width], or the length of the shorter side.
        interpolation: "nearest", "bilinear" or "bicubic"; for a PIL image also PIL's others.
    """
    width, height = image_size(img)
    down, across = new_size(size, height, width)
    if (down, across) == (height, width):
        return img
    if _is_pil_image(img):
        return img.resize((across, down), pil("Image").Resampling[interpolation.upper()])
    return of_kind(img, resized(pixels_of(img), down, across, interpolation.lower()))


def pad(img: Any, padding: Any, fill: Any = 0, padding_mode: str = "constant") -> Any:
    """Return the image with a border.

    Args:
        img: a PIL image, an array or a tensor.
        padding: pixels on each side; or [left and right, above and below]; or [left, above, right, below].
        fill: the colour of a constant border.
        padding_mode: "constant", "edge", "reflect" or "symmetric".

    Raises:
        TypeError: **inappropriate**.
        ValueError: **2, or 4 element**.
        AssertionError: **Padding mode**.
    """
    pixels = pixels_of(img)
    left, above, right, below = four_sides(padding, fill, padding_mode)
    border = [(above, below), (left, right), (0, 0)][: pixels.ndim]
    if padding_mode != "constant":
        return of_kind(img, np.pad(pixels, border, mode=cast(Any, padding_mode)))
    if _is_pil_image(img):
        wide = pil("ImageOps").expand(img, border=(left, above, right, below), fill=fill)
        if img.mode == "P":
            wide.putpalette(img.getpalette())
        return wide
    whole = np.zeros([size + sum(two) for size, two in zip(pixels.shape, border, strict=True)], pixels.dtype)
    whole[...] = _colour(img, fill, pixels)
    whole[above : above + pixels.shape[0], left : left + pixels.shape[1]] = pixels
    return of_kind(img, whole)


def _colour(img: Any, fill: Any, pixels: Array) -> Array:
    """Return a number for each channel: for an array as in OpenCV, where one number is followed by zeros."""
    channels = pixels.shape[2] if pixels.ndim == 3 else 1
    given = list(fill) if isinstance(fill, (list, tuple)) else [fill]
    rest = given[0] if _is_tensor_image(img) else 0
    colour = np.array([*given, *[rest] * channels][:channels], float)
    return colour if pixels.ndim == 3 else colour[0]


def crop(img: Any, top: int, left: int, height: int, width: int) -> Any:
    """Return the part of the image that begins at `top` and `left`."""
    if _is_pil_image(img):
        return img.crop((left, top, left + width, top + height))
    return of_kind(img, pixels_of(img)[top : top + height, left : left + width])


def center_crop(img: Any, output_size: Any) -> Any:
    """Return the middle part: [height, width], or one number for both."""
    height, width = pair(output_size)
    wide, high = image_size(img)
    return crop(img, round((high - height) / 2.0), round((wide - width) / 2.0), height, width)


def hflip(img: Any) -> Any:
    """Return the image with left and right exchanged."""
    if _is_pil_image(img):
        return img.transpose(pil("Image").Transpose.FLIP_LEFT_RIGHT)
    return of_kind(img, np.ascontiguousarray(pixels_of(img)[:, ::-1]))


def vflip(img: Any) -> Any:
    """Return the image upside down."""
    if _is_pil_image(img):
        return img.transpose(pil("Image").Transpose.FLIP_TOP_BOTTOM)
    return of_kind(img, np.ascontiguousarray(pixels_of(img)[::-1]))


def rotate(
    img: Any,
    angle: float,
    interpolation: str = "nearest",
    expand: bool = False,
    center: Any = None,
    fill: Any = 0,
) -> Any:
    """Return the image turned to the left.

    Args:
        img: a PIL image, an array or a tensor.
        angle: in degrees.
        interpolation: "nearest", "bilinear" or "bicubic".
        expand: whether to enlarge the image so that all of it is visible.
        center: the fixed point; by default the middle.
        fill: the colour outside of the old image.
    """
    if _is_pil_image(img):
        way = pil("Image").Resampling[interpolation.upper()]
        colour = (fill,) * 3 if isinstance(fill, int) else tuple(fill)
        return img.rotate(angle, way, expand, center and tuple(center), fillcolor=colour)
    pixels = pixels_of(img)
    height, width = pixels.shape[:2]
    half = 0.5 if _is_tensor_image(img) else 0.0  # positions are pixel middles; OpenCV's are pixel indices
    x, y = (one - half for one in ((width / 2.0, height / 2.0) if center is None else center))
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    matrix = np.array([[cos, sin, (1 - cos) * x - sin * y], [-sin, cos, sin * x + (1 - cos) * y]])
    down, across = height, width
    if expand:
        corners = np.array([[0, width, width, 0], [0, 0, height, height], [1, 1, 1, 1]])
        reached = np.round(matrix @ corners, 9)
        across, down = (int(size) for size in np.ceil(reached.max(1)) - np.floor(reached.min(1)))
        matrix[:, 2] += (across - width) * 0.5, (down - height) * 0.5
    back = np.linalg.inv(np.vstack([matrix, [0, 0, 1]]))[:2]
    places = np.meshgrid(np.arange(across), np.arange(down))
    from_x, from_y = np.tensordot(back, np.stack([*places, np.ones_like(places[0])]), 1)
    return of_kind(img, read_at(pixels, from_x, from_y, interpolation, _colour(img, fill, pixels)))


def normalize(img: Any, mean: Any, std: Any, data_format: str = "CHW", to_rgb: bool = False) -> Any:
    """Return ``(img - mean) / std`` for each channel; a PIL image becomes an array.

    Args:
        img: a PIL image, an array or a tensor, through which gradients flow.
        mean: subtracted, a number for each channel.
        std: the divisor, a number for each channel.
        data_format: "CHW" or "HWC": the position of the channels of `img`.
        to_rgb: whether the last axis of an array is reversed first.
    """
    if _is_tensor_image(img):
        shape = [-1, 1, 1] if data_format.lower() == "chw" else [-1]
        return (img - tensor_of(mean).reshape(shape)) / tensor_of(std).reshape(shape)
    if _is_pil_image(img):
        img = np.array(img).astype(np.float32)
    pixels = img[..., ::-1] if to_rgb else img
    axes = (-1, 1, 1) if data_format == "CHW" else (1, 1, -1)
    low, span = (np.array(one).reshape(axes).astype(np.float32) for one in (mean, std))
    return np.asarray((pixels - low) / span)


def _linear(x: Array) -> Array:
    """Return the weight of a pixel at distance x."""
    return np.asarray(np.clip(1 - np.abs(x), 0, None))


def _cubic(x: Array) -> Array:
    """Return the weight of a pixel at distance x: the cubic convolution with a = -0.75."""
    x, a = np.abs(x), -0.75
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    far = ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
    return np.where(x <= 1, near, np.where(x < 2, far, 0))


_CURVES: dict[str, tuple[int, Callable[[Array], Array]]] = {"bilinear": (2, _linear), "bicubic": (4, _cubic)}
"""The number of pixels used along an axis, and their weights."""


def _like(numbers: Array, img: Array) -> Array:
    """Return numbers in the type of `img`: for integers rounded, and clipped to the range."""
    if img.dtype.kind == "f":
        return numbers.astype(img.dtype)
    span = np.iinfo(img.dtype)
    return np.clip(np.rint(numbers), span.min, span.max).astype(img.dtype)


def resized(img: Array, height: int, width: int, way: str) -> Array:
    """Return an array [H, W] or [H, W, C] in another size."""
    y, x = (_places(old, new, way) for old, new in zip(img.shape, (height, width), strict=False))
    return read_at(img, *np.meshgrid(x, y), way)


def _places(size: int, new: int, way: str) -> Array:
    """Return the source position on an axis for each pixel of the resized axis."""
    out = np.arange(new)
    return np.floor(out * size / new) if way == "nearest" else (out + 0.5) * size / new - 0.5


def read_at(img: Array, x: Array, y: Array, way: str, colour: Array | None = None) -> Array:
    """Return values at the positions x, y of an array [H, W] or [H, W, C]; outside, the colour or the edge."""
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
    """Return the first pixel used at each position of an axis, and the weights of it and its successors."""
    if way not in _CURVES:
        raise ValueError(f"an array is read with nearest, bilinear or bicubic interpolation, not {way!r}")
    count, curve = _CURVES[way]
    first = np.floor(place) - count // 2 + 1
    shares = [curve(place - first - step) for step in range(count)]
    return first, [share / sum(shares) for share in shares]


def _pixels(img: Array, x: Array, y: Array, colour: Array | None) -> Array:
    """Return the pixels in columns x and rows y; outside the image, the colour or the nearest pixel."""
    height, width = img.shape[:2]
    rows, columns = np.clip(y, 0, height - 1).astype(int), np.clip(x, 0, width - 1).astype(int)
    found = np.asarray(img[rows, columns], float)
    if colour is None:
        return found
    inside = (rows == y) & (columns == x)
    return np.where(inside[..., None] if img.ndim == 3 else inside, found, colour)
