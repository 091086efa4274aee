"""What data sets of images share: their modes, how an image is handed out, and made-up ones that stand in for them."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np

from minipaddle.engine.value.dtype import default_float
from minipaddle.engine.value.meta import Array
from minipaddle.paddle.io.dataset import Dataset
from minipaddle.paddle.vision.image import get_image_backend, library

Transform = Callable[[Any], Any] | None


class Images(Dataset):
    """Base of data sets of images.

    Args:
        mode: "train" or "test".
        transform: called on each image.
        backend: "pil" or "cv2": images of PIL, or arrays of floats; by default what ``set_image_backend`` chose.
            Without PIL and without `backend`, images are arrays of bytes: transforms make the same of both.

    Raises:
        AssertionError: **mode should be**.
        ValueError: **Expected backend**.
    """

    def __init__(self, mode: str, transform: Transform, backend: str | None) -> None:
        assert mode.lower() in ("train", "test"), f"mode should be 'train' or 'test', but got {mode}"
        self.mode = mode.lower()
        chosen = get_image_backend() if backend is None else backend
        if chosen not in ("pil", "cv2"):
            raise ValueError(f"Expected backend are one of ['pil', 'cv2'], but got {chosen}")
        self.backend = chosen
        self.transform = transform
        self.dtype = default_float().name
        self._plain = backend is None and chosen == "pil" and find_spec("PIL") is None

    def _handed_out(self, pixels: Array) -> Any:
        """Return an image of bytes as the user wants it."""
        image: Any = pixels
        if self.backend == "cv2":
            image = pixels.astype(np.float32) if pixels.ndim == 2 else pixels
        elif not self._plain:
            image = library("PIL.Image", "pillow").fromarray(pixels)
        if self.transform is not None:
            image = self.transform(image)
        return image.astype(self.dtype) if self.backend == "cv2" else image


_DIGITS = (
    *("111101101101111", "010110010010111", "111001111100111", "111001111001111", "101101111001001"),
    *("111100111001111", "111100111101111", "111001010010010", "111101111101111", "111101111001111"),
)
"""The digits, three pixels across and five down."""


def made_up(classes: int, shape: tuple[int, ...], mode: str) -> tuple[Array, Array]:
    """Return images of bytes and their labels: digits of drawn size and place, in a colour of each class's own."""
    rng = np.random.default_rng(sum(map(ord, mode)))
    labels = np.arange(10 * classes if mode == "train" else 2 * classes) % classes
    height, width = shape[:2]
    images = rng.integers(0, 40, (len(labels), *shape))
    for image, label in zip(images, labels, strict=True):
        size = int(rng.integers(3, min(height, width) // 5))
        digit = np.array(list(_DIGITS[label % 10]), int).reshape(5, 3)
        large = np.kron(digit, np.ones((size, size), int)).astype(bool)
        top, left = (
            int(rng.integers(0, whole - part + 1)) for whole, part in zip(shape, large.shape, strict=False)
        )
        colour = 255 if len(shape) == 2 else 80 + np.array([label * 37, label * 71, label * 113]) % 176
        image[top : top + large.shape[0], left : left + large.shape[1]][large] = colour
    return images.astype(np.uint8), labels
