"""Random transforms, by Python's own generators, once for each image: crops, flips, turns, colours."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np

from minipaddle.paddle.vision.transforms import functional as F
from minipaddle.paddle.vision.transforms.base import REQUIRED, Compose, Options
from minipaddle.paddle.vision.transforms.images import image_size, pair


class RandomResizedCrop(
    Options, size=REQUIRED, scale=(0.08, 1.0), ratio=(3.0 / 4, 4.0 / 3), interpolation="bilinear"
):
    """Crop a piece of random size and shape, and resize it.

    Args:
        ratio: the least and the largest quotient of the piece's width and height.
        scale: the least and the largest part of the image.
        ratio: the least and the largest width of the piece for its height.
        interpolation: as in :func:`resize`.
    """

    def _check(self, given: dict[str, Any]) -> None:
        given["size"] = (given["size"], given["size"]) if isinstance(given["size"], int) else given["size"]
        assert given["scale"][0] <= given["scale"][1], "scale should be of kind (min, max)"
        assert given["ratio"][0] <= given["ratio"][1], "ratio should be of kind (min, max)"

    def _draw(self, image: Any, attempts: int = 10) -> tuple[int, int, int, int]:
        """Return top, left, height and width of the piece."""
        width, height = image_size(image)
        for _ in range(attempts):
            area = np.random.uniform(self.scale[0], self.scale[1]) * (height * width)
            ratio = math.exp(np.random.uniform(math.log(self.ratio[0]), math.log(self.ratio[1])))
            w, h = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
            if 0 < w <= width and 0 < h <= height:
                top = random.randint(0, height - h)
                return top, random.randint(0, width - w), h, w
        w, h = width, height
        if width / height < min(self.ratio):
            h = round(w / min(self.ratio))
        elif width / height > max(self.ratio):
            w = round(h * max(self.ratio))
        return (height - h) // 2, (width - w) // 2, h, w

    def _apply_image(self, image: Any) -> Any:
        return F.resize(F.crop(image, *self._draw(image)), self.size, self.interpolation)


class RandomCrop(Options, size=REQUIRED, padding=None, pad_if_needed=False, fill=0, padding_mode="constant"):
    """Cut out a piece at a random position.

    Args:
        size: [height, width], or one number for both.
        padding: a border added before, as in :func:`pad`.
        pad_if_needed: whether smaller images get a border.
        fill: the colour of a constant border.
        padding_mode: as in :func:`pad`.
    """

    def _check(self, given: dict[str, Any]) -> None:
        given["size"] = pair(given["size"])

    def _apply_image(self, image: Any) -> Any:
        if self.padding is not None:
            image = F.pad(image, self.padding, self.fill, self.padding_mode)
        height, width = self.size
        wide, high = image_size(image)
        if self.pad_if_needed and (wide < width or high < height):
            missing = (max(width - wide, 0), max(height - high, 0))
            image = F.pad(image, missing, self.fill, self.padding_mode)
        wide, high = image_size(image)
        top, left = 0, 0
        if (wide, high) != (width, height):
            top, left = random.randint(0, high - height), random.randint(0, wide - width)
        return F.crop(image, top, left, height, width)


class RandomHorizontalFlip(Options, prob=0.5):
    """Mirror an image at random.

    Args:
        prob: the probability.
    """

    def _check(self, given: dict[str, Any]) -> None:
        assert 0 <= given["prob"] <= 1, "probability must be between 0 and 1"

    def _apply_image(self, image: Any) -> Any:
        return F.hflip(image) if random.random() < self.prob else image


class RandomVerticalFlip(RandomHorizontalFlip):
    """Flip an image upside down at random. The arguments are those of :class:`RandomHorizontalFlip`."""

    def _apply_image(self, image: Any) -> Any:
        return F.vflip(image) if random.random() < self.prob else image


class RandomRotation(Options, degrees=REQUIRED, interpolation="nearest", expand=False, center=None, fill=0):
    """Turn an image by at most `degrees` to both sides, or by [least, largest]. The rest is as in :func:`rotate`."""

    def _check(self, given: dict[str, Any]) -> None:
        if isinstance(given["degrees"], (int, float)):
            if given["degrees"] < 0:
                raise ValueError("If degrees is a single number, it must be positive.")
            given["degrees"] = (-given["degrees"], given["degrees"])
        elif len(given["degrees"]) != 2:
            raise ValueError("If degrees is a sequence, it must be of len 2.")

    def _apply_image(self, image: Any) -> Any:
        angle = random.uniform(*self.degrees)
        return F.rotate(image, angle, self.interpolation, self.expand, self.center, self.fill)


class _Adjustment(Options, value=REQUIRED):
    """Base of the transforms that adjust one property of an image's colours.

    Args:
        value: the largest distance of the factor from its center, or the least and the largest factor.

    Raises:
        TypeError: **single number or a list**.
        ValueError: **non negative**, **between**.
    """

    name = ""
    center, bound, floor = 1, (0.0, float("inf")), 0.0

    def _check(self, given: dict[str, Any]) -> None:
        value = given["value"]
        if isinstance(value, (int, float)):
            if value < 0:
                raise ValueError(f"If {self.name} is a single number, it must be non negative.")
            low, high = max(self.center - value, self.floor), self.center + value
        elif isinstance(value, (tuple, list)) and len(value) == 2:
            low, high = value
            if not self.bound[0] <= low <= high <= self.bound[1]:
                raise ValueError(f"{self.name} values should be between {self.bound}")
        else:
            raise TypeError(f"{self.name} should be a single number or a list/tuple with length 2.")
        given["value"] = None if low == high == self.center else [low, high]

    def _apply_image(self, image: Any) -> Any:
        adjust = getattr(F, f"adjust_{self.name}")
        return image if self.value is None else adjust(image, random.uniform(*self.value))


class BrightnessTransform(_Adjustment):
    """Make an image brighter or darker, by a factor near 1. The arguments are those of :class:`_Adjustment`."""

    name = "brightness"


class ContrastTransform(_Adjustment):
    """Change the contrast of an image by a factor near 1. The arguments are those of :class:`_Adjustment`."""

    name = "contrast"


class SaturationTransform(_Adjustment):
    """Change the saturation of an image by a factor near 1. The arguments are those of :class:`_Adjustment`."""

    name = "saturation"


class HueTransform(_Adjustment):
    """Turn the hues of an image, by a part of the circle. The arguments are those of :class:`_Adjustment`."""

    name = "hue"
    center, bound, floor = 0, (-0.5, 0.5), -float("inf")


class ColorJitter(Options, brightness=0, contrast=0, saturation=0, hue=0):
    """Change brightness, contrast, saturation and hue, in random order; each by its own transform's argument."""

    def _apply_image(self, image: Any) -> Any:
        given = (self.brightness, self.contrast, self.saturation, self.hue)
        kinds = (BrightnessTransform, ContrastTransform, SaturationTransform, HueTransform)
        steps = [
            kind(value, self.keys) for kind, value in zip(kinds, given, strict=True) if value is not None
        ]
        random.shuffle(steps)
        return Compose(steps)(image)
