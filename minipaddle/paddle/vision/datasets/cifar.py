"""CIFAR-10 and CIFAR-100: images of things and animals, 32 x 32 pixels each."""

from __future__ import annotations

import io
import tarfile
from typing import Any

import numpy as np

from minipaddle.engine.value.meta import Array
from minipaddle.paddle.framework.downloads import file_of
from minipaddle.paddle.framework.unpickle import unpickle
from minipaddle.paddle.vision.datasets.image_dataset import Images, Transform, made_up


class Cifar10(Images):
    """Images of ten kinds of things, and which kind each is.

    Args:
        data_file: the archive ``cifar-10-python.tar.gz``; by default where Paddle keeps it. It is read, not run.
        mode, transform, backend: as in :class:`minipaddle.paddle.vision.datasets.image_dataset.Images`.
        download: whether the file may be looked for where Paddle keeps it; nothing is downloaded.
    """

    _classes = 10
    _parts = ("data_batch", "test_batch")

    def __init__(
        self,
        data_file: str | None = None,
        mode: str = "train",
        transform: Transform = None,
        download: bool = True,
        backend: str | None = None,
    ) -> None:
        super().__init__(mode, transform, backend)
        url = f"https://dataset.bj.bcebos.com/cifar/cifar-{self._classes}-python.tar.gz"
        self.data_file = file_of(data_file, url, "cifar", download, "data_file")
        if self.data_file is None:
            images, labels = made_up(self._classes, (32, 32, 3), self.mode)
            self.data = list(zip(images.transpose(0, 3, 1, 2).reshape(len(images), -1), labels, strict=True))
        else:
            self.data = self._read(self.data_file)

    def _read(self, path: str) -> list[tuple[Array, Any]]:
        found: list[tuple[Array, Any]] = []
        part = self._parts[self.mode == "test"]
        with tarfile.open(path) as archive:
            members = {member.name: member for member in archive if member.isfile()}
            for name in sorted(name for name in members if part in name):
                file = archive.extractfile(members[name])
                assert file is not None, f"{name} is no file"
                tree = unpickle(io.BytesIO(file.read()))
                batch = {
                    key.decode() if isinstance(key, bytes) else key: value for key, value in tree.items()
                }
                labels = batch["labels"] if "labels" in batch else batch["fine_labels"]
                found.extend(zip(batch["data"].array, labels, strict=True))
        return found

    def __getitem__(self, idx: int) -> tuple[Any, Array]:
        """Return an image and its label, without axes."""
        pixels, label = self.data[idx]
        image = np.ascontiguousarray(np.reshape(pixels, (3, 32, 32)).transpose(1, 2, 0))
        return self._handed_out(image), np.array(label).astype(np.int64)

    def __len__(self) -> int:
        return len(self.data)


class Cifar100(Cifar10):
    """Images of a hundred kinds of things. The arguments are those of :class:`Cifar10`."""

    _classes = 100
    _parts = ("train", "test")
