"""VOC2012: photographs, and what there is at each pixel."""

from __future__ import annotations

import io
import tarfile
from typing import Any

import numpy as np

from minipaddle.paddle.framework.downloads import fetched, home
from minipaddle.paddle.vision.datasets.handing_out import Images, Transform
from minipaddle.paddle.vision.image import library

_URL = "https://dataset.bj.bcebos.com/voc/VOCtrainval_11-May-2012.tar"
_ROOT = "VOCdevkit/VOC2012"
_PARTS = {"train": "trainval", "test": "train", "valid": "val"}


class VOC2012(Images):
    """Photographs, and images of the same size that say what there is; both need PIL.

    Args:
        data_file: the archive ``VOCtrainval_11-May-2012.tar``; by default where Paddle keeps it.
        mode: "train", "valid" or "test".
        transform: called on each photograph.
        download: whether the file may be looked for where Paddle keeps it; nothing is downloaded.
        backend: "pil" or "cv2".
    """

    def __init__(
        self,
        data_file: str | None = None,
        mode: str = "train",
        transform: Transform = None,
        download: bool = True,
        backend: str | None = None,
    ) -> None:
        super().__init__(mode, ("train", "valid", "test"), transform, backend)
        self.flag = _PARTS[self.mode]
        assert data_file or download, "data_file is not set and downloading automatically is disabled"
        self.data_file = data_file or fetched(_URL, home("dataset/voc2012"))
        with tarfile.open(self.data_file, "r:") as archive:
            self._places = {member.name: (member.offset_data, member.size) for member in archive}
        names = self._read(f"{_ROOT}/ImageSets/Segmentation/{self.flag}.txt").decode().split()
        self.data = [f"{_ROOT}/JPEGImages/{name}.jpg" for name in names]
        self.labels = [f"{_ROOT}/SegmentationClass/{name}.png" for name in names]

    def _read(self, name: str) -> bytes:
        start, size = self._places[name]
        with open(self.data_file, "rb") as archive:
            archive.seek(start)
            return archive.read(size)

    def __getitem__(self, idx: int) -> tuple[Any, Any]:
        """Return an image, and the image of what there is."""
        pil = library("PIL.Image", "pillow")
        image, label = (pil.open(io.BytesIO(self._read(one[idx]))) for one in (self.data, self.labels))
        if self.backend == "cv2":
            image, label = np.array(image), np.array(label)
        if self.transform is not None:
            image = self.transform(image)
        if self.backend == "cv2":
            return image.astype(self.dtype), label.astype(self.dtype)
        return image, label

    def __len__(self) -> int:
        return len(self.data)
