"""A transform that writes over a piece of an image."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Number
from typing import Any

import numpy as np

from minipaddle.engine.autograd.creation import to_tensor
from minipaddle.engine.core.dtype import as_numpy
from minipaddle.ops.random.sample import normal
from minipaddle.paddle.vision.transforms import functional as F
from minipaddle.paddle.vision.transforms.base import Drawn, happens
from minipaddle.paddle.vision.transforms.images import _is_tensor_image, image_size


class RandomErasing(Drawn):
    """Write over a piece of an image, or not.

    Args:
        prob: how often.
        scale: the least and the largest part of the image.
        ratio: the least and the largest height of the piece for its width.
        value: a number, one for each channel, or "random".
        inplace: whether an array or a tensor is written into itself.
        keys: as in :class:`BaseTransform`.
    """

    def __init__(
        self,
        prob: float = 0.5,
        scale: Sequence[float] = (0.02, 0.33),
        ratio: Sequence[float] = (0.3, 3.3),
        value: Any = 0,
        inplace: bool = False,
        keys: Sequence[str] | None = None,
    ) -> None:
        super().__init__(keys)
        assert isinstance(scale, (tuple, list)), "scale should be a tuple or list"
        assert 0 <= scale[0] <= scale[1] <= 1, "scale should be of kind (min, max) and in range [0, 1]"
        assert isinstance(ratio, (tuple, list)), "ratio should be a tuple or list"
        assert 0 <= ratio[0] <= ratio[1], "ratio should be of kind (min, max)"
        assert 0 <= prob <= 1, "The probability should be in range [0, 1]"
        assert isinstance(value, (Number, str, tuple, list)), "value should be a number, tuple, list or str"
        if isinstance(value, str) and value != "random":
            raise ValueError("value must be 'random' when type is str")
        self.prob = prob
        self.scale = scale
        self.ratio = ratio
        self.value = value
        self.inplace = inplace

    def _piece(self, image: Any) -> tuple[int, int, int, int, Any]:
        """Return top, left, height, width, and what is written there; all of the image where nothing fits."""
        width, height = image_size(image)
        for _ in range(10):
            area = np.random.uniform(self.scale[0], self.scale[1]) * (height * width)
            ratio = np.exp(np.random.uniform(*np.log(self.ratio)))
            h, w = round(float(np.sqrt(area * ratio))), round(float(np.sqrt(area / ratio)))
            if h < height and w < width:
                colour = self._colour(image, h, w)
                top = np.random.randint(0, height - h + 1)
                return top, np.random.randint(0, width - w + 1), h, w, colour
        return 0, 0, height, width, image

    def _colour(self, image: Any, height: int, width: int) -> Any:
        number = [self.value] if isinstance(self.value, (int, float)) else self.value
        if not _is_tensor_image(image):
            channels = np.asarray(image).shape[-1]
            return (
                np.random.normal(size=[height, width, channels]) * 255
                if number == "random"
                else np.array(number)
            )
        if number == "random":
            return normal(shape=[image.shape[-3], height, width]).astype(image.dtype)
        return to_tensor(np.array(number, as_numpy(image.dtype)).reshape(-1, 1, 1))

    def _apply_image(self, image: Any) -> Any:
        if not happens(self.prob):
            return image
        if isinstance(self.value, (list, tuple)) and len(self.value) not in (1, 3):
            raise ValueError(
                "Value should be a single number or a sequence with length equals to image's channel."
            )
        return F.erase(image, *self._piece(image), self.inplace)
