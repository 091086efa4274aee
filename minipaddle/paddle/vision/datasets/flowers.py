"""Flowers: photographs of 102 kinds of flowers, of any size."""

from __future__ import annotations

import io
import tarfile
from typing import Any

import numpy as np

from minipaddle.engine.core.meta import Array
from minipaddle.paddle.framework.downloads import file_of
from minipaddle.paddle.vision.datasets.handing_out import Images, Transform, made_up
from minipaddle.paddle.vision.image import library

_URL = "http://paddlemodels.bj.bcebos.com/flowers"
_PARTS = {"train": "tstid", "test": "trnid", "valid": "valid"}
"""Paddle trains on the larger part, which the authors tested with."""


def _name(index: Any) -> str:
    """Return what a photograph is called in the archive."""
    return f"jpg/image_{index:05}.jpg"


class Flowers(Images):
    """Photographs of flowers, and which kind each is, from 1.

    Args:
        data_file: the archive ``102flowers.tgz``; by default where Paddle keeps it. Reading it needs PIL.
        label_file: ``imagelabels.mat``.
        setid_file: ``setid.mat``.
        mode: "train", "valid" or "test".
        transform: called on each image.
        download: whether the files may be looked for where Paddle keeps them; nothing is downloaded.
        backend: "pil" or "cv2", as in :class:`minipaddle.paddle.vision.datasets.handing_out.Images`.
    """

    def __init__(
        self,
        data_file: str | None = None,
        label_file: str | None = None,
        setid_file: str | None = None,
        mode: str = "train",
        transform: Transform = None,
        download: bool = True,
        backend: str | None = None,
    ) -> None:
        super().__init__(mode, ("train", "valid", "test"), transform, backend)
        given = {
            name: file_of(path, f"{_URL}/{file}", "flowers", download, name)
            for name, path, file in (
                ("data_file", data_file, "102flowers.tgz"),
                ("label_file", label_file, "imagelabels.mat"),
                ("setid_file", setid_file, "setid.mat"),
            )
        }
        self._photographs: dict[str, bytes] = {}
        if None in given.values():
            self.images, labels = made_up(102, (64, 64, 3), self.mode)
            self.labels, self.indexes = labels + 1, np.arange(1, len(labels) + 1)
            return
        from scipy.io import loadmat

        self.labels = loadmat(given["label_file"])["labels"][0]
        self.indexes = loadmat(given["setid_file"])[_PARTS[self.mode]][0]
        wanted = {_name(index) for index in self.indexes}
        with tarfile.open(given["data_file"]) as archive:
            for member in archive:
                file = archive.extractfile(member) if member.name in wanted else None
                if file is not None:
                    self._photographs[member.name] = file.read()

    def __getitem__(self, idx: int) -> tuple[Any, Array]:
        """Return an image and its label [1]."""
        index = self.indexes[idx]
        label = np.array([self.labels[index - 1]]).astype(np.int64)
        if not self._photographs:
            return self._handed_out(self.images[index - 1]), label
        image = library("PIL.Image", "pillow").open(io.BytesIO(self._photographs[_name(index)]))
        return self._handed_out(np.array(image)), label

    def __len__(self) -> int:
        return len(self.indexes)
