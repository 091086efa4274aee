"""Which kind an image is of: PIL's, an array or a tensor; its pixels, and the sizes that people may ask for."""

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
    """Return whether it is one of PIL's, which is imported already if there is one."""
    pil = sys.modules.get("PIL.Image")
    return pil is not None and isinstance(img, pil.Image)


def _is_tensor_image(img: Any) -> bool:
    """Return whether it is a Tensor or a Variable: [C, H, W], or several of them."""
    return isinstance(img, Value)


def _is_numpy_image(img: Any) -> bool:
    """Return whether it is an array [H, W, C] or [H, W]."""
    return isinstance(img, np.ndarray) and img.ndim in (2, 3)


def pil(module: str) -> Any:
    """Return a module of PIL's, of which there is an image."""
    return import_module(f"PIL.{module}")


def pixels_of(img: Any, name: str = "img") -> Array:
    """Return the pixels of an image as an array [H, W, C] or [H, W].

    Raises:
        TypeError: **should be PIL Image**, for what is no image.
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
    """Return [height, width], which may be one number for both."""
    if isinstance(size, int | float):
        return int(size), int(size)
    height, width = size
    return height, width


def new_size(size: Any, height: int, width: int) -> tuple[int, int]:
    """Return height and width after resizing to `size`: both, or that of the shorter side.

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
    """Return how many pixels to put left, above, right and below; one number or two may stand for them.

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
