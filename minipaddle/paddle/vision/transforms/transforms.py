"""Transforms as classes: those that do the same to every image; the others are listed at the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Number
from typing import Any

import numpy as np

from minipaddle.paddle.vision.transforms import functional as F
from minipaddle.paddle.vision.transforms.base import BaseTransform, Compose
from minipaddle.paddle.vision.transforms.colours import (
    BrightnessTransform,
    ColorJitter,
    ContrastTransform,
    HueTransform,
    SaturationTransform,
)
from minipaddle.paddle.vision.transforms.erasing import RandomErasing
from minipaddle.paddle.vision.transforms.images import _is_pil_image, _is_tensor_image, pair
from minipaddle.paddle.vision.transforms.places import (
    RandomAffine,
    RandomCrop,
    RandomHorizontalFlip,
    RandomPerspective,
    RandomResizedCrop,
    RandomRotation,
    RandomVerticalFlip,
)

__all__ = [
    "BaseTransform", "BrightnessTransform", "CenterCrop", "ColorJitter", "Compose", "ContrastTransform", "Grayscale",
    "HueTransform", "Normalize", "Pad", "RandomAffine", "RandomCrop", "RandomErasing", "RandomHorizontalFlip",
    "RandomPerspective", "RandomResizedCrop", "RandomRotation", "RandomVerticalFlip", "Resize", "SaturationTransform",
    "ToTensor", "Transpose",
]  # fmt: skip


class ToTensor(BaseTransform):
    """Make an image a Tensor: bytes become float32 between 0 and 1, other numbers stay.

    Args:
        data_format: "CHW" or "HWC": the order of axes in the result.
        keys: as in :class:`BaseTransform`.
    """

    def __init__(self, data_format: str = "CHW", keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.data_format = data_format

    def _apply_image(self, image: Any) -> Any:
        return F.to_tensor(image, self.data_format)


class Resize(BaseTransform):
    """Make an image larger or smaller.

    Args:
        size: [height, width], or the length of the shorter side.
        interpolation: "nearest", "bilinear", "bicubic", and "area" and "lanczos" where there are such.
        keys: as in :class:`BaseTransform`.
    """

    def __init__(self, size: Any, interpolation: str = "bilinear", keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        assert isinstance(size, int) or (isinstance(size, Iterable) and len(tuple(size)) == 2), (
            f"size is a number or [height, width], not {size!r}"
        )
        self.size = size
        self.interpolation = interpolation

    def _apply_image(self, image: Any) -> Any:
        return F.resize(image, self.size, self.interpolation)


class CenterCrop(BaseTransform):
    """Cut out the middle of an image.

    Args:
        size: [height, width], or one number for both.
        keys: as in :class:`BaseTransform`.
    """

    def __init__(self, size: Any, keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.size = pair(size)

    def _apply_image(self, image: Any) -> Any:
        return F.center_crop(image, self.size)


class Normalize(BaseTransform):
    """Take ``(image - mean) / std`` of each channel.

    Args:
        mean: what is subtracted: a number, or one for each channel.
        std: what is divided by: a number, or one for each channel.
        data_format: "CHW" or "HWC": where the channels of the image are.
        to_rgb: whether the last axis of an array is turned round first.
        keys: as in :class:`BaseTransform`.
    """

    def __init__(
        self,
        mean: Any = 0.0,
        std: Any = 1.0,
        data_format: str = "CHW",
        to_rgb: bool = False,
        keys: Sequence[str] | None = None,
    ) -> None:
        super().__init__(keys)
        self.mean = [mean] * 3 if isinstance(mean, Number) else mean
        self.std = [std] * 3 if isinstance(std, Number) else std
        self.data_format = data_format
        self.to_rgb = to_rgb

    def _apply_image(self, image: Any) -> Any:
        return F.normalize(image, self.mean, self.std, self.data_format, self.to_rgb)


class Transpose(BaseTransform):
    """Put the axes of an image, which becomes an array, into another order.

    Args:
        order: of the axes; by default from [H, W, C] to [C, H, W].
        keys: as in :class:`BaseTransform`.
    """

    def __init__(self, order: Sequence[int] = (2, 0, 1), keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.order = order

    def _apply_image(self, image: Any) -> Any:
        if _is_tensor_image(image):
            return image.transpose(list(self.order))
        pixels = np.asarray(image) if _is_pil_image(image) else image
        return (pixels[..., np.newaxis] if pixels.ndim == 2 else pixels).transpose(self.order)


class Pad(BaseTransform):
    """Put a border around an image.

    Args:
        padding: pixels on each side; or [left and right, above and below]; or [left, above, right, below].
        fill: the colour of a constant border.
        padding_mode: "constant", "edge", "reflect" or "symmetric".
        keys: as in :class:`BaseTransform`.

    Raises:
        AssertionError: for an argument of another kind.
        ValueError: **2, or 4 element**.
    """

    def __init__(
        self, padding: Any, fill: Any = 0, padding_mode: str = "constant", keys: Sequence[str] | None = None
    ) -> None:
        assert isinstance(padding, (Number, list, tuple)), f"padding is a number or several, not {padding!r}"
        assert isinstance(fill, (Number, str, list, tuple)), f"fill is a colour, not {fill!r}"
        assert padding_mode in ("constant", "edge", "reflect", "symmetric"), (
            f"there is no padding_mode {padding_mode!r}"
        )
        if isinstance(padding, Sequence) and len(padding) not in (2, 4):
            raise ValueError(
                f"Padding must be an int or a 2, or 4 element tuple, not a {len(padding)} element tuple"
            )
        super().__init__(keys)
        self.padding = tuple(padding) if isinstance(padding, list) else padding
        self.fill = tuple(fill) if isinstance(fill, list) else fill
        self.padding_mode = padding_mode

    def _apply_image(self, image: Any) -> Any:
        return F.pad(image, self.padding, self.fill, self.padding_mode)


class Grayscale(BaseTransform):
    """Make an image grey.

    Args:
        num_output_channels: 1 or 3.
        keys: as in :class:`BaseTransform`.
    """

    def __init__(self, num_output_channels: int = 1, keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.num_output_channels = num_output_channels

    def _apply_image(self, image: Any) -> Any:
        return F.to_grayscale(image, self.num_output_channels)
