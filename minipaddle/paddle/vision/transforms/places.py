"""Transforms that cut, turn and flip by drawn numbers."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from numbers import Number
from typing import Any

import numpy as np

from minipaddle.paddle.vision.transforms import functional as F
from minipaddle.paddle.vision.transforms.base import Drawn, drawn_between, happens
from minipaddle.paddle.vision.transforms.images import image_size, pair


class RandomResizedCrop(Drawn):
    """Cut out a piece of drawn size and shape, and resize it.

    Args:
        size: [height, width] of the result, or one number for both.
        scale: the least and the largest part of the image.
        ratio: the least and the largest width of the piece for its height.
        interpolation: as in :func:`resize`.
        keys: as in :class:`BaseTransform`.
    """

    def __init__(
        self,
        size: Any,
        scale: Sequence[float] = (0.08, 1.0),
        ratio: Sequence[float] = (3.0 / 4, 4.0 / 3),
        interpolation: str = "bilinear",
        keys: Sequence[str] | None = None,
    ) -> None:
        super().__init__(keys)
        self.size = (size, size) if isinstance(size, int) else size
        assert scale[0] <= scale[1], "scale should be of kind (min, max)"
        assert ratio[0] <= ratio[1], "ratio should be of kind (min, max)"
        self.scale = scale
        self.ratio = ratio
        self.interpolation = interpolation

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


class RandomCrop(Drawn):
    """Cut out a piece anywhere.

    Args:
        size: [height, width], or one number for both.
        padding: a border before that, as in :func:`pad`.
        pad_if_needed: whether smaller images get a border.
        fill: the colour of a constant border.
        padding_mode: as in :func:`pad`.
        keys: as in :class:`BaseTransform`.
    """

    def __init__(
        self,
        size: Any,
        padding: Any = None,
        pad_if_needed: bool = False,
        fill: Any = 0,
        padding_mode: str = "constant",
        keys: Sequence[str] | None = None,
    ) -> None:
        super().__init__(keys)
        self.size = pair(size)
        self.padding = padding
        self.pad_if_needed = pad_if_needed
        self.fill = fill
        self.padding_mode = padding_mode

    def _apply_image(self, image: Any) -> Any:
        if self.padding is not None:
            image = F.pad(image, self.padding, self.fill, self.padding_mode)
        height, width = self.size
        wide, high = image_size(image)
        if self.pad_if_needed and wide < width:
            image = F.pad(image, (width - wide, 0), self.fill, self.padding_mode)
        if self.pad_if_needed and high < height:
            image = F.pad(image, (0, height - high), self.fill, self.padding_mode)
        wide, high = image_size(image)
        top, left = 0, 0
        if (wide, high) != (width, height):
            top, left = random.randint(0, high - height), random.randint(0, wide - width)
        return F.crop(image, top, left, height, width)


class RandomHorizontalFlip(Drawn):
    """Exchange left and right, or not.

    Args:
        prob: how often.
        keys: as in :class:`BaseTransform`.
    """

    def __init__(self, prob: float = 0.5, keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        assert 0 <= prob <= 1, "probability must be between 0 and 1"
        self.prob = prob

    def _apply_image(self, image: Any) -> Any:
        return F.hflip(image) if happens(self.prob) else image


class RandomVerticalFlip(RandomHorizontalFlip):
    """Turn an image upside down, or not. The arguments are those of :class:`RandomHorizontalFlip`."""

    def _apply_image(self, image: Any) -> Any:
        return F.vflip(image) if happens(self.prob) else image


def _check_sequence(x: Any, name: str, sizes: tuple[int, ...]) -> None:
    wanted = " or ".join(map(str, sizes))
    if not isinstance(x, Sequence):
        raise TypeError(f"{name} should be a sequence of length {wanted}.")
    if len(x) not in sizes:
        raise ValueError(f"{name} should be sequence of length {wanted}.")


def _angles(x: Any, name: str, sizes: tuple[int, ...] = (2,)) -> list[float]:
    """Return the least and the largest angle; one number is that far to both sides."""
    if isinstance(x, (int, float)):
        if x < 0:
            raise ValueError(f"If {name} is a single number, it must be positive.")
        return [-float(x), float(x)]
    _check_sequence(x, name, sizes)
    return [float(one) for one in x]


class RandomAffine(Drawn):
    """Turn, move, stretch and shear an image.

    Args:
        degrees: how far it may be turned to both sides, or the least and the largest angle.
        translate: how far it may be moved: parts of its width and its height.
        scale: the least and the largest factor.
        shear: how far across to both sides; or two angles; or two across and two down.
        interpolation: "nearest", "bilinear" or "bicubic".
        fill: the colour where there was no image.
        center: what stays where it is while it turns; by default the middle.
        keys: as in :class:`BaseTransform`.
    """

    def __init__(
        self,
        degrees: Any,
        translate: Any = None,
        scale: Any = None,
        shear: Any = None,
        interpolation: str = "nearest",
        fill: Any = 0,
        center: Any = None,
        keys: Sequence[str] | None = None,
    ) -> None:
        self.degrees = _angles(degrees, "degrees")
        super().__init__(keys)
        assert interpolation in ("nearest", "bilinear", "bicubic"), f"there is no {interpolation!r}"
        self.interpolation = interpolation
        if translate is not None:
            _check_sequence(translate, "translate", (2,))
            if not all(0.0 <= part <= 1.0 for part in translate):
                raise ValueError("translation values should be between 0 and 1")
        self.translate = translate
        if scale is not None:
            _check_sequence(scale, "scale", (2,))
            if min(scale) <= 0:
                raise ValueError("scale values should be positive")
        self.scale = scale
        self.shear = None if shear is None else _angles(shear, "shear", (2, 4))
        if not isinstance(fill, (Sequence, Number, type(None))):
            raise TypeError("Fill should be either a sequence or a number.")
        self.fill = 0 if fill is None else fill
        if center is not None:
            _check_sequence(center, "center", (2,))
        self.center = center

    def _apply_image(self, image: Any) -> Any:
        angle = drawn_between(*self.degrees)
        moved, scale, shear = (0, 0), 1.0, (0.0, 0.0)
        if self.translate is not None:
            far = [part * size for part, size in zip(self.translate, image_size(image), strict=True)]
            moved = (int(drawn_between(-far[0], far[0])), int(drawn_between(-far[1], far[1])))
        if self.scale is not None:
            scale = drawn_between(*self.scale)
        if self.shear is not None:
            across = drawn_between(*self.shear[:2])
            shear = (across, drawn_between(*self.shear[2:]) if len(self.shear) == 4 else 0.0)
        return F.affine(image, angle, moved, scale, shear, self.interpolation, self.fill, self.center)


class RandomRotation(Drawn):
    """Turn an image.

    Args:
        degrees: how far to both sides, or the least and the largest angle, to the left.
        interpolation: "nearest", "bilinear" or "bicubic".
        expand: whether the image becomes so large that all of it is seen.
        center: what stays where it is; by default the middle.
        fill: the colour where there was no image.
        keys: as in :class:`BaseTransform`.
    """

    def __init__(
        self,
        degrees: Any,
        interpolation: str = "nearest",
        expand: bool = False,
        center: Any = None,
        fill: Any = 0,
        keys: Sequence[str] | None = None,
    ) -> None:
        if isinstance(degrees, (int, float)):
            if degrees < 0:
                raise ValueError("If degrees is a single number, it must be positive.")
            degrees = (-degrees, degrees)
        elif len(degrees) != 2:
            raise ValueError("If degrees is a sequence, it must be of len 2.")
        self.degrees = degrees
        super().__init__(keys)
        self.interpolation = interpolation
        self.expand = expand
        self.center = center
        self.fill = fill

    def _apply_image(self, image: Any) -> Any:
        angle = drawn_between(*self.degrees)
        return F.rotate(image, angle, self.interpolation, self.expand, self.center, self.fill)


class RandomPerspective(Drawn):
    """See an image from aside, or not.

    Args:
        prob: how often.
        distortion_scale: how far corners may move, from 0 to 1.
        interpolation: "nearest", "bilinear" or "bicubic".
        fill: the colour where there was no image.
        keys: as in :class:`BaseTransform`.
    """

    def __init__(
        self,
        prob: float = 0.5,
        distortion_scale: float = 0.5,
        interpolation: str = "nearest",
        fill: Any = 0,
        keys: Sequence[str] | None = None,
    ) -> None:
        super().__init__(keys)
        assert 0 <= prob <= 1, "probability must be between 0 and 1"
        assert 0 <= distortion_scale <= 1, "distortion_scale must be between 0 and 1"
        assert interpolation in ("nearest", "bilinear", "bicubic"), f"there is no {interpolation!r}"
        assert isinstance(fill, (Number, str, list, tuple)), f"fill is a colour, not {fill!r}"
        self.prob = prob
        self.distortion_scale = distortion_scale
        self.interpolation = interpolation
        self.fill = fill

    def get_params(
        self, width: int, height: int, distortion_scale: float
    ) -> tuple[list[list[int]], list[list[int]]]:
        """Return the four corners, and where they come to lie, clockwise from the upper left."""
        right, below = width, height
        across, down = (int(distortion_scale * (size // 2)) + 1 for size in (width, height))
        low_x, high_x = (0, across), (right - across, right)
        low_y, high_y = (0, down), (below - down, below)
        spans = ((low_x, low_y), (high_x, low_y), (high_x, high_y), (low_x, high_y))
        ends = [[int(drawn_between(*x)), int(drawn_between(*y))] for x, y in spans]
        return [[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], ends

    def _apply_image(self, image: Any) -> Any:
        if not happens(self.prob):
            return image
        starts, ends = self.get_params(*image_size(image), self.distortion_scale)
        return F.perspective(image, starts, ends, self.interpolation, self.fill)
