"""Deterministic transforms; random ones, exported here too, are in ``random_transforms.py``."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Number
from typing import Any

import numpy as np

from minipaddle.engine.names.missing import missing
from minipaddle.paddle.vision.transforms import functional as F
from minipaddle.paddle.vision.transforms.base import REQUIRED, Options
from minipaddle.paddle.vision.transforms.images import _is_pil_image, _is_tensor_image, four_sides, pair

__getattr__ = missing(__name__, globals())


class ToTensor(Options, function=F.to_tensor):
    """Turn an image into a Tensor. The arguments are those of :func:`to_tensor`."""


class Resize(Options, function=F.resize):
    """Resize an image. The arguments are those of :func:`resize`."""

    def _check(self, given: dict[str, Any]) -> None:
        size = given["size"]
        assert isinstance(size, int) or (isinstance(size, Iterable) and len(tuple(size)) == 2), (
            f"size is a number or [height, width], not {size!r}"
        )


class CenterCrop(Options, function=F.center_crop, size=REQUIRED):
    """Cut out the middle of an image: [height, width], or one number for both."""

    def _check(self, given: dict[str, Any]) -> None:
        given["size"] = pair(given["size"])


class Normalize(Options, function=F.normalize, mean=0.0, std=1.0, data_format="CHW", to_rgb=False):
    """Return ``(image - mean) / std`` of each channel, as :func:`normalize` does; one number serves for all three."""

    def _check(self, given: dict[str, Any]) -> None:
        given |= {name: [given[name]] * 3 for name in ("mean", "std") if isinstance(given[name], Number)}


class Transpose(Options, order=(2, 0, 1)):
    """Return an image as an array, with its axes reordered.

    Args:
        order: the order of axes; by default from [H, W, C] to [C, H, W].
    """

    def _apply_image(self, image: Any) -> Any:
        if _is_tensor_image(image):
            return image.transpose(list(self.order))
        pixels = np.asarray(image) if _is_pil_image(image) else image
        return (pixels[..., np.newaxis] if pixels.ndim == 2 else pixels).transpose(self.order)


class Pad(Options, function=F.pad):
    """Add a border to an image. The arguments are those of :func:`pad`."""

    def _check(self, given: dict[str, Any]) -> None:
        four_sides(given["padding"], given["fill"], given["padding_mode"])
        given |= {name: tuple(one) for name, one in given.items() if isinstance(one, list)}


class Grayscale(Options, function=F.to_grayscale):
    """Make an image grey, of 1 channel or 3."""
