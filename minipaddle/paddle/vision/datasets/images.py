"""Data sets of images: their base, generated stand-ins, MNIST, Fashion-MNIST, CIFAR and folders."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

from minipaddle.engine.value.dtype import default_float
from minipaddle.engine.value.meta import Array
from minipaddle.paddle.framework.downloads import file_of
from minipaddle.paddle.framework.unpickle import unpickle
from minipaddle.paddle.io.dataset import Dataset
from minipaddle.paddle.vision.image import get_image_backend, library

Transform = Callable[[Any], Any] | None


class Images(Dataset):
    """Base of data sets of images.

    Args:
        mode: "train" or "test".
        transform: called on each image.
        backend: "pil" or "cv2": images of PIL, or arrays of floats; by default the one set by ``set_image_backend``.
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

    def _in_chosen_form(self, pixels: Array) -> Any:
        """Return an image of bytes in the user's chosen form, transformed."""
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
    """Return images of bytes and their labels: digits of random size and position, one colour per class."""
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


def _read(path: str, axes: int) -> Array:
    """Return the numbers of a file: a header of 16 or 8 bytes, then one byte for each number."""
    with gzip.open(path, "rb") as file:
        raw = file.read()
    shape = np.frombuffer(raw, ">u4", axes, offset=4).astype(int)
    return np.frombuffer(raw, np.uint8, offset=4 + 4 * axes).reshape(shape)


class MNIST(Images):
    """Images of handwritten digits, with the digits as labels.

    Args:
        image_path: the file of the images, gzipped; by default where Paddle keeps it.
        label_path: the file of the labels.
        mode, transform, backend: as in :class:`minipaddle.paddle.vision.datasets.images.Images`.
        download: whether the files may be searched where Paddle keeps them; nothing is downloaded.
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
        return self._in_chosen_form(pixels), self.labels[idx]

    def __len__(self) -> int:
        return len(self.labels)


class FashionMNIST(MNIST):
    """Images of ten kinds of clothes. The arguments are those of :class:`MNIST`."""

    NAME = "fashion-mnist"
    URL_PREFIX = "https://dataset.bj.bcebos.com/fashion_mnist/"


class Cifar10(Images):
    """Images of ten kinds of things, with their kinds as labels.

    Args:
        data_file: the archive ``cifar-10-python.tar.gz``; by default where Paddle keeps it. It is read, not run.
        mode, transform, backend: as in :class:`minipaddle.paddle.vision.datasets.images.Images`.
        download: whether the file may be searched where Paddle keeps it; nothing is downloaded.
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
        return self._in_chosen_form(image), np.array(label).astype(np.int64)

    def __len__(self) -> int:
        return len(self.data)


class Cifar100(Cifar10):
    """Images of a hundred kinds of things. The arguments are those of :class:`Cifar10`."""

    _classes = 100
    _parts = ("train", "test")


IMG_EXTENSIONS = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")


def default_loader(path: str) -> Any:
    """Return the image in a file, with red, green and blue: PIL's, or an array where OpenCV is the backend."""
    if get_image_backend() == "cv2":
        return library("cv2", "opencv-python").imread(path)[:, :, ::-1]
    with open(path, "rb") as file:
        return library("PIL.Image", "pillow").open(file).convert("RGB")


class ImageFolder(Dataset):
    """Images in a folder and its subfolders, in order, without classes.

    Args:
        root: the folder.
        loader: returns the image in a file; by default by PIL or OpenCV.
        extensions: suffixes of file names; by default those of images.
        transform: called on each image.
        is_valid_file: whether a path is used, in place of `extensions`.

    Raises:
        RuntimeError: **Found 0**, if there is no such file.
    """

    def __init__(
        self,
        root: str,
        loader: Callable[[str], Any] | None = None,
        extensions: Sequence[str] | None = None,
        transform: Transform = None,
        is_valid_file: Callable[[str], bool] | None = None,
    ) -> None:
        self.root = root
        self.transform = transform
        self.extensions = IMG_EXTENSIONS if extensions is None else extensions
        self.loader = loader or default_loader
        endings = tuple(one.lower() for one in self.extensions)
        wanted = is_valid_file or (lambda path: path.lower().endswith(endings))
        paths = [
            os.path.join(inside, name)
            for inside, _, names in sorted(os.walk(os.path.expanduser(root), followlinks=True))
            for name in sorted(names)
        ]
        self.samples = [path for path in paths if wanted(path)]
        if not self.samples:
            raise RuntimeError(
                f"Found 0 files in subfolders of: {root}\nSupported extensions are: {','.join(self.extensions)}"
            )

    def __getitem__(self, index: int) -> list[Any]:
        """Return an image, in a list."""
        image = self.loader(self.samples[index])
        return [image if self.transform is None else self.transform(image)]

    def __len__(self) -> int:
        return len(self.samples)
