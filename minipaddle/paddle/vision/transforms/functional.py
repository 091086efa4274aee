"""Functions on one image: PIL's, an array [H, W, C] or a tensor [C, H, W]; they give one of the same kind.

Arrays are treated as OpenCV would, and Paddle does, but by NumPy; PIL's images by PIL. Read next:
:mod:`minipaddle.paddle.vision.transforms.functional_cv2`.
"""

from __future__ import annotations

import math
from types import ModuleType
from typing import Any

import numpy as np

from minipaddle.paddle.vision.transforms import functional_cv2, functional_tensor
from minipaddle.paddle.vision.transforms.images import _is_numpy_image, _is_pil_image, _is_tensor_image


def _library(img: Any, name: str = "img") -> ModuleType:
    """Return the module whose functions take such an image.

    Raises:
        TypeError: **should be PIL Image**.
    """
    if _is_pil_image(img):
        from minipaddle.paddle.vision.transforms import functional_pil

        return functional_pil
    if _is_tensor_image(img):
        return functional_tensor
    if _is_numpy_image(img):
        return functional_cv2
    raise TypeError(
        f"{name} should be PIL Image or Tensor Image or ndarray with dim=[2 or 3]. Got {type(img)}"
    )


def to_tensor(pic: Any, data_format: str = "CHW") -> Any:
    """Return the image as a Tensor: bytes become float32 between 0 and 1, other numbers stay.

    Args:
        pic: a PIL image, an array [H, W, C] or a tensor [C, H, W].
        data_format: "CHW" or "HWC": the order of axes in the result.

    Raises:
        TypeError: **should be PIL Image**.
        ValueError: **data_format**.
    """
    library = _library(pic, "pic")
    if library is functional_tensor:
        return pic if data_format.lower() == "chw" else pic.transpose([1, 2, 0])
    if data_format not in ("CHW", "HWC"):
        raise ValueError(f"data_format should be CHW or HWC. Got {data_format}")
    return library.to_tensor(pic, data_format)


def resize(img: Any, size: Any, interpolation: str = "bilinear") -> Any:
    """Return the image in another size.

    Args:
        img: a PIL image, an array or a tensor.
        size: [height, width], or the length of the shorter side.
        interpolation: "nearest", "bilinear", "bicubic", and "area" and "lanczos" where there are such.
    """
    return _library(img).resize(img, size, interpolation)


def pad(img: Any, padding: Any, fill: Any = 0, padding_mode: str = "constant") -> Any:
    """Return the image with a border.

    Args:
        img: a PIL image, an array or a tensor.
        padding: pixels on each side; or [left and right, above and below]; or [left, above, right, below].
        fill: the colour of a constant border.
        padding_mode: "constant", "edge", "reflect" or "symmetric".

    Raises:
        TypeError: **inappropriate**.
        ValueError: **2, or 4 element**; "symmetric" for a tensor.
        AssertionError: **Padding mode**.
    """
    return _library(img).pad(img, padding, fill, padding_mode)


def crop(img: Any, top: int, left: int, height: int, width: int) -> Any:
    """Return the piece of the image that begins at `top` and `left`."""
    return _library(img).crop(img, top, left, height, width)


def center_crop(img: Any, output_size: Any) -> Any:
    """Return the piece in the middle: [height, width], or one number for both."""
    return _library(img).center_crop(img, output_size)


def hflip(img: Any) -> Any:
    """Return the image with left and right exchanged."""
    return _library(img).hflip(img)


def vflip(img: Any) -> Any:
    """Return the image upside down."""
    return _library(img).vflip(img)


def adjust_brightness(img: Any, brightness_factor: float) -> Any:
    """Return the image between black (factor 0) and itself (1), and beyond; an array becomes bytes."""
    return _library(img).adjust_brightness(img, brightness_factor)


def adjust_contrast(img: Any, contrast_factor: float) -> Any:
    """Return the image between one grey (factor 0) and itself (1), and beyond."""
    return _library(img).adjust_contrast(img, contrast_factor)


def adjust_saturation(img: Any, saturation_factor: float) -> Any:
    """Return the image between its greys (factor 0) and itself (1), and beyond; an array by a drawn factor near 1."""
    return _library(img).adjust_saturation(img, saturation_factor)


def adjust_hue(img: Any, hue_factor: float) -> Any:
    """Return the image with its colours turned by a part of the circle, from -0.5 to 0.5.

    Raises:
        ValueError: **hue_factor**; for a tensor AssertionError.
    """
    return _library(img).adjust_hue(img, hue_factor)


def _affine_matrix(center: Any, angle: float, translate: Any, scale: float, shear: Any) -> list[float]:
    """Return the six numbers that say where each pixel of the moved image comes from."""
    turn, across, down = math.radians(angle), math.radians(shear[0]), math.radians(shear[1])
    a = math.cos(turn - down) / math.cos(down)
    b = -math.cos(turn - down) * math.tan(across) / math.cos(down) - math.sin(turn)
    c = math.sin(turn - down) / math.cos(down)
    d = -math.sin(turn - down) * math.tan(across) / math.cos(down) + math.cos(turn)
    m = [one / scale for one in (d, -b, 0.0, -c, a, 0.0)]
    x, y = -center[0] - translate[0], -center[1] - translate[1]
    m[2] += m[0] * x + m[1] * y + center[0]
    m[5] += m[3] * x + m[4] * y + center[1]
    return m


def _check_affine(
    angle: Any, translate: Any, scale: float, shear: Any, interpolation: Any, center: Any
) -> None:
    if not isinstance(angle, (int, float)):
        raise TypeError("Argument angle should be int or float")
    if not isinstance(translate, (list, tuple)):
        raise TypeError("Argument translate should be a sequence")
    if len(translate) != 2:
        raise ValueError("Argument translate should be a sequence of length 2")
    if scale <= 0.0:
        raise ValueError("Argument scale should be positive")
    if not isinstance(shear, (int, float, list, tuple)):
        raise TypeError("Shear should be either a single value or a sequence of two values")
    if not isinstance(interpolation, str):
        raise TypeError("Argument interpolation should be a string")
    if center is not None and not isinstance(center, (list, tuple)):
        raise TypeError("Argument center should be a sequence")


def affine(
    img: Any,
    angle: float,
    translate: Any,
    scale: float,
    shear: Any,
    interpolation: str = "nearest",
    fill: Any = 0,
    center: Any = None,
) -> Any:
    """Return the image turned, moved, stretched and sheared.

    Args:
        img: a PIL image, an array or a tensor.
        angle: to turn it, in degrees to the right.
        translate: pixels to move it, across and down.
        scale: to stretch it.
        shear: degrees, across and down; one number for across.
        interpolation: "nearest", "bilinear" or "bicubic".
        fill: the colour where there was no image.
        center: what stays where it is while it turns; by default the middle.

    Raises:
        TypeError: for an argument of another type.
        ValueError: **translate**, **scale**, **Shear**.
    """
    library = _library(img)
    _check_affine(angle, translate, scale, shear, interpolation, center)
    if isinstance(shear, (int, float)):
        shear = [shear, 0.0]
    shear = [shear[0], shear[0]] if len(shear) == 1 else list(shear)
    if len(shear) != 2:
        raise ValueError(f"Shear should be a sequence containing two values. Got {shear}")
    if library is functional_cv2:
        about = (img.shape[0] * 0.5, img.shape[1] * 0.5) if center is None else center
        return functional_cv2.affine(img, angle, translate, scale, shear, interpolation, fill, about)
    if library is functional_tensor:
        sizes = (img.shape[-2], img.shape[-1])  # in this order, as Paddle has it
        about = (
            (0.0, 0.0) if center is None else tuple(c - s * 0.5 for c, s in zip(center, sizes, strict=True))
        )
    else:
        about = (img.size[0] * 0.5, img.size[1] * 0.5) if center is None else center
    return library.affine(img, _affine_matrix(about, angle, translate, scale, shear), interpolation, fill)


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
        expand: whether the image becomes so large that all of it is seen.
        center: what stays where it is; by default the middle.
        fill: the colour where there was no image.
    """
    fill = tuple(fill) if isinstance(fill, list) else fill
    center = tuple(center) if isinstance(center, list) else center
    return _library(img).rotate(img, angle, interpolation, expand, center, fill)


def _perspective_coefficients(startpoints: Any, endpoints: Any) -> list[float]:
    """Return the eight numbers that say where each pixel of the image seen from aside comes from."""
    rows = []
    for (x, y), (u, v) in zip(endpoints, startpoints, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y])
    found = np.linalg.lstsq(np.array(rows, float), np.array(startpoints, float).reshape(8), rcond=None)
    return list(map(float, found[0]))


def perspective(
    img: Any, startpoints: Any, endpoints: Any, interpolation: str = "nearest", fill: Any = 0
) -> Any:
    """Return the image seen from aside: four points of it come to lie where four others are.

    Args:
        img: a PIL image, an array or a tensor.
        startpoints: four corners [x, y].
        endpoints: where they come to lie.
        interpolation: "nearest", "bilinear" or "bicubic".
        fill: the colour where there was no image.
    """
    library = _library(img)
    if library is functional_cv2:
        return functional_cv2.perspective(img, startpoints, endpoints, interpolation, fill)
    return library.perspective(img, _perspective_coefficients(startpoints, endpoints), interpolation, fill)


def to_grayscale(img: Any, num_output_channels: int = 1) -> Any:
    """Return how bright the pixels are, in one channel or three.

    Raises:
        ValueError: **num_output_channels**.
    """
    library = _library(img)
    if num_output_channels not in (1, 3):
        raise ValueError("num_output_channels should be either 1 or 3")
    return library.to_grayscale(img, num_output_channels)


def normalize(img: Any, mean: Any, std: Any, data_format: str = "CHW", to_rgb: bool = False) -> Any:
    """Return ``(img - mean) / std`` for each channel; a PIL image becomes an array.

    Args:
        img: a PIL image, an array or a tensor.
        mean: what is subtracted, a number for each channel.
        std: what is divided by, a number for each channel.
        data_format: "CHW" or "HWC": where the channels of `img` are.
        to_rgb: whether the last axis of an array is turned round first.
    """
    if _is_tensor_image(img):
        return functional_tensor.normalize(img, mean, std, data_format)
    if _is_pil_image(img):
        img = np.array(img).astype(np.float32)
    return functional_cv2.normalize(img, mean, std, data_format, to_rgb)


def erase(img: Any, i: int, j: int, h: int, w: int, v: Any, inplace: bool = False) -> Any:
    """Return the image with `v` written over the piece of `h` x `w` that begins at row `i` and column `j`."""
    return _library(img).erase(img, i, j, h, w, v, inplace)
