"""Transforms as classes: those that do the same to every image; the others, found here too, stand in ``drawn.py``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Number
from typing import Any

import numpy as np

from minipaddle.engine.operator.lazy_loading import of_front
from minipaddle.paddle.vision.transforms import functional as F
from minipaddle.paddle.vision.transforms.base import BaseTransform
from minipaddle.paddle.vision.transforms.images import _is_pil_image, _is_tensor_image, four_sides, pair

__getattr__ = of_front(globals(), "minipaddle.paddle.vision.transforms")


class ToTensor(BaseTransform):
    """Make an image a Tensor. The arguments are those of :func:`to_tensor`."""

    def __init__(self, data_format: str = "CHW", keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.data_format = data_format

    def _apply_image(self, image: Any) -> Any:
        return F.to_tensor(image, self.data_format)


class Resize(BaseTransform):
    """Make an image larger or smaller. The arguments are those of :func:`resize`."""

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
    """Cut out the middle of an image: [height, width], or one number for both."""

    def __init__(self, size: Any, keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.size = pair(size)

    def _apply_image(self, image: Any) -> Any:
        return F.center_crop(image, self.size)


class Normalize(BaseTransform):
    """Take ``(image - mean) / std`` of each channel, as :func:`normalize` does; one number is for three channels."""

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
    """Put a border around an image. The arguments are those of :func:`pad`."""

    def __init__(
        self, padding: Any, fill: Any = 0, padding_mode: str = "constant", keys: Sequence[str] | None = None
    ) -> None:
        four_sides(padding, fill, padding_mode)
        super().__init__(keys)
        self.padding = tuple(padding) if isinstance(padding, list) else padding
        self.fill = tuple(fill) if isinstance(fill, list) else fill
        self.padding_mode = padding_mode

    def _apply_image(self, image: Any) -> Any:
        return F.pad(image, self.padding, self.fill, self.padding_mode)


class Grayscale(BaseTransform):
    """Make an image grey, of 1 channel or 3."""

    def __init__(self, num_output_channels: int = 1, keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.num_output_channels = num_output_channels

    def _apply_image(self, image: Any) -> Any:
        return F.to_grayscale(image, self.num_output_channels)
