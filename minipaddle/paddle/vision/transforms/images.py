"""Which kind an image is of: PIL's, an array or a tensor; its size, and the sizes that people may ask for."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from numbers import Number
from typing import Any

import numpy as np

from minipaddle.engine.core.value import Value


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


def image_size(img: Any) -> tuple[int, int]:
    """Return width and height.

    Raises:
        TypeError: **Unexpected type**, for what is no image.
        ValueError: **3-D or 4-D**.
    """
    if _is_pil_image(img):
        width, height = img.size
        return width, height
    if _is_numpy_image(img):
        return img.shape[1], img.shape[0]
    if not _is_tensor_image(img):
        raise TypeError(f"Unexpected type {type(img)}")
    if len(img.shape) not in (3, 4):
        raise ValueError(f"The dim for input Tensor should be 3-D or 4-D, but received {len(img.shape)}")
    return img.shape[-1], img.shape[-2]


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


def bordered(pixels: Any, border: Any, padding_mode: Any) -> Any:
    """Return an array with a border made of its own pixels: "edge", "reflect" or "symmetric"."""
    return np.pad(pixels, border, mode=padding_mode)


def middle(height: int, width: int, size: tuple[int, int]) -> tuple[int, int]:
    """Return where a piece of that `size` begins that is cut out of the middle."""
    return round((height - size[0]) / 2.0), round((width - size[1]) / 2.0)


def is_hue(factor: float) -> None:
    """Refuse what is no part of a turn.

    Raises:
        ValueError: **hue_factor**.
    """
    if not -0.5 <= factor <= 0.5:
        raise ValueError(f"hue_factor:{factor} is not in [-0.5, 0.5].")
