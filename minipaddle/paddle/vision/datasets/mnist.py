"""MNIST and Fashion-MNIST: images of digits and of clothes, 28 x 28 grey pixels each."""

from __future__ import annotations

import gzip
from typing import Any

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.paddle.framework.downloads import file_of
from minipaddle.paddle.vision.datasets.image_dataset import Images, Transform, made_up


def _read(path: str, axes: int) -> Array:
    """Return the numbers of a file: 16 or 8 bytes say how many, one byte for each follows."""
    with gzip.open(path, "rb") as file:
        raw = file.read()
    shape = np.frombuffer(raw, ">u4", axes, offset=4).astype(int)
    return np.frombuffer(raw, np.uint8, offset=4 + 4 * axes).reshape(shape)


class MNIST(Images):
    """Images of handwritten digits, and which digit each is.

    Args:
        image_path: the file of the images, gzipped; by default where Paddle keeps it.
        label_path: the file of the labels.
        mode, transform, backend: as in :class:`minipaddle.paddle.vision.datasets.image_dataset.Images`.
        download: whether the files may be looked for where Paddle keeps them; nothing is downloaded.
    """

    NAME = "mnist"
    URL_PREFIX = "https://dataset.bj.bcebos.com/mnist/"

    def __init__(
        self,
        image_path: str | None = None,
        label_path: str | None = None,
        mode: str = "train",
        transform: Transform = None,
        download: bool = True,
        backend: str | None = None,
    ) -> None:
        super().__init__(mode, transform, backend)
        start = f"{self.URL_PREFIX}{'train' if self.mode == 'train' else 't10k'}"
        self.image_path = file_of(
            image_path, f"{start}-images-idx3-ubyte.gz", self.NAME, download, "image_path"
        )
        self.label_path = file_of(
            label_path, f"{start}-labels-idx1-ubyte.gz", self.NAME, download, "label_path"
        )
        if self.image_path is None or self.label_path is None:
            images, labels = made_up(10, (28, 28), self.mode)
        else:
            images, labels = _read(self.image_path, 3), _read(self.label_path, 1)
        self.images = list(images.reshape(len(images), -1).astype(np.float32))
        self.labels = list(labels[:, None].astype(np.int64))

    def __getitem__(self, idx: int) -> tuple[Any, Array]:
        """Return an image and its label [1]."""
        pixels = self.images[idx].reshape(28, 28).astype(np.uint8)
        return self._handed_out(pixels), self.labels[idx]

    def __len__(self) -> int:
        return len(self.labels)


class FashionMNIST(MNIST):
    """Images of ten kinds of clothes. The arguments are those of :class:`MNIST`."""

    NAME = "fashion-mnist"
    URL_PREFIX = "https://dataset.bj.bcebos.com/fashion_mnist/"
