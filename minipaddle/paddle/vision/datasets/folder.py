"""Images in folders: one for each class, or all together."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from minipaddle.paddle.io.dataset import Dataset
from minipaddle.paddle.vision.datasets.images import Transform
from minipaddle.paddle.vision.image import get_image_backend, library

IMG_EXTENSIONS = (".jpg", ".jpeg", ".png", ".ppm", ".bmp", ".pgm", ".tif", ".tiff", ".webp")
Question = Callable[[str], bool] | None


def _files(folder: str, extensions: Sequence[str], is_valid_file: Question) -> list[str]:
    """Return the wanted files in a folder and in those inside, in order."""
    paths = [
        os.path.join(root, name)
        for root, _, names in sorted(os.walk(os.path.expanduser(folder), followlinks=True))
        for name in sorted(names)
    ]
    endings = tuple(one.lower() for one in extensions)
    wanted = is_valid_file or (lambda path: path.lower().endswith(endings))
    return [path for path in paths if wanted(path)]


def default_loader(path: str) -> Any:
    """Return the image in a file, with red, green and blue: PIL's, or an array where OpenCV is the backend."""
    if get_image_backend() == "cv2":
        return library("cv2", "opencv-python").imread(path)[:, :, ::-1]
    with open(path, "rb") as file:
        return library("PIL.Image", "pillow").open(file).convert("RGB")


class _Files(Dataset):
    """Base of data sets of images in the files of a folder.

    Args:
        root: the folder.
        loader: gives the image in a file; by default PIL or OpenCV do.
        extensions: what names of files end with; by default those of images.
        transform: called on each image.
        is_valid_file: says of a path whether it is wanted, in place of `extensions`.

    Raises:
        RuntimeError: **Found 0**, if there is no such file.
    """

    _wanted = "files"

    def __init__(
        self,
        root: str,
        loader: Callable[[str], Any] | None = None,
        extensions: Sequence[str] | None = None,
        transform: Transform = None,
        is_valid_file: Question = None,
    ) -> None:
        self.root = root
        self.transform = transform
        self.extensions = IMG_EXTENSIONS if extensions is None else extensions
        self.loader = loader or default_loader
        self.samples = self._found(is_valid_file)
        if not self.samples:
            raise RuntimeError(
                f"Found 0 {self._wanted} in subfolders of: {root}\n"
                f"Supported extensions are: {','.join(self.extensions)}"
            )

    def _found(self, is_valid_file: Question) -> list[Any]:
        return _files(self.root, self.extensions, is_valid_file)

    def _image(self, path: str) -> Any:
        image = self.loader(path)
        return image if self.transform is None else self.transform(image)

    def __len__(self) -> int:
        return len(self.samples)


class DatasetFolder(_Files):
    """Images in a folder for each class: ``root/cat/1.png``, ``root/dog/a/2.png``; classes are numbered by name.

    The arguments are those of :class:`_Files`.
    """

    _wanted = "directories"

    def _found(self, is_valid_file: Question) -> list[Any]:
        self.classes = sorted(entry.name for entry in os.scandir(self.root) if entry.is_dir())
        self.class_to_idx = {name: number for number, name in enumerate(self.classes)}
        found = [
            (path, number)
            for name, number in self.class_to_idx.items()
            for path in _files(os.path.join(self.root, name), self.extensions, is_valid_file)
        ]
        self.targets = [number for _, number in found]
        return found

    def __getitem__(self, index: int) -> tuple[Any, int]:
        """Return an image and the number of its class."""
        path, target = self.samples[index]
        return self._image(path), target


class ImageFolder(_Files):
    """Images in a folder and in those inside, without classes. The arguments are those of :class:`_Files`."""

    def __getitem__(self, index: int) -> list[Any]:
        """Return an image, in a list."""
        return [self._image(self.samples[index])]
