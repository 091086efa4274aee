"""Transforms of colours by drawn factors."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from minipaddle.paddle.vision.transforms import functional as F
from minipaddle.paddle.vision.transforms.base import Compose, Drawn, drawn_between


def _span(
    value: Any, name: str, center: float = 1, bound: tuple[float, float] = (0, float("inf")), floor: float = 0
) -> list[float] | None:
    """Return the least and the largest factor; None if the image stays as it is.

    Raises:
        TypeError: **single number or a list**.
        ValueError: **non negative**, **between**.
    """
    if isinstance(value, (int, float)):
        if value < 0:
            raise ValueError(f"If {name} is a single number, it must be non negative.")
        low, high = max(center - value, floor), center + value
    elif isinstance(value, (tuple, list)) and len(value) == 2:
        low, high = value
        if not bound[0] <= low <= high <= bound[1]:
            raise ValueError(f"{name} values should be between {bound}")
    else:
        raise TypeError(f"{name} should be a single number or a list/tuple with length 2.")
    return None if low == high == center else [low, high]


class BrightnessTransform(Drawn):
    """Make an image brighter or darker.

    Args:
        value: how far from 1 the factor may be, or the least and the largest factor.
        keys: as in :class:`BaseTransform`.
    """

    def __init__(self, value: Any, keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.value = _span(value, "brightness")

    def _apply_image(self, image: Any) -> Any:
        return image if self.value is None else F.adjust_brightness(image, drawn_between(*self.value))


class ContrastTransform(Drawn):
    """Give an image more contrast, or less.

    Args:
        value: how far from 1 the factor may be.
        keys: as in :class:`BaseTransform`.

    Raises:
        ValueError: **non-negative**.
    """

    def __init__(self, value: Any, keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        if isinstance(value, (int, float)) and value < 0:
            raise ValueError("contrast value should be non-negative")
        self.value = _span(value, "contrast")

    def _apply_image(self, image: Any) -> Any:
        return image if self.value is None else F.adjust_contrast(image, drawn_between(*self.value))


class SaturationTransform(Drawn):
    """Give an image more colour, or less.

    Args:
        value: how far from 1 the factor may be, or the least and the largest factor.
        keys: as in :class:`BaseTransform`.
    """

    def __init__(self, value: Any, keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.value = _span(value, "saturation")

    def _apply_image(self, image: Any) -> Any:
        return image if self.value is None else F.adjust_saturation(image, drawn_between(*self.value))


class HueTransform(Drawn):
    """Turn the colours of an image.

    Args:
        value: how far, up to 0.5, or the least and the largest part of the circle.
        keys: as in :class:`BaseTransform`.
    """

    def __init__(self, value: Any, keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.value = _span(value, "hue", center=0, bound=(-0.5, 0.5), floor=-float("inf"))

    def _apply_image(self, image: Any) -> Any:
        return image if self.value is None else F.adjust_hue(image, drawn_between(*self.value))


class ColorJitter(Drawn):
    """Change brightness, contrast, saturation and hue, in a drawn order.

    Args:
        brightness: as in :class:`BrightnessTransform`.
        contrast: as in :class:`ContrastTransform`.
        saturation: as in :class:`SaturationTransform`.
        hue: as in :class:`HueTransform`.
        keys: as in :class:`BaseTransform`.
    """

    def __init__(
        self,
        brightness: Any = 0,
        contrast: Any = 0,
        saturation: Any = 0,
        hue: Any = 0,
        keys: Sequence[str] | None = None,
    ) -> None:
        super().__init__(keys)
        self.brightness = brightness
        self.contrast = contrast
        self.saturation = saturation
        self.hue = hue

    def _apply_image(self, image: Any) -> Any:
        given = (self.brightness, self.contrast, self.saturation, self.hue)
        kinds = (BrightnessTransform, ContrastTransform, SaturationTransform, HueTransform)
        steps = [
            kind(value, self.keys) for kind, value in zip(kinds, given, strict=True) if value is not None
        ]
        random.shuffle(steps)
        return Compose(steps)(image)
