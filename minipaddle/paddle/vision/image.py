"""Images read from files: by PIL, OpenCV or, without either, as a Tensor."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_BACKENDS = ("pil", "cv2", "tensor")
_chosen = ["pil"]


def _checked(backend: Any) -> str:
    if backend not in _BACKENDS:
        raise ValueError(f"Expected backend are one of ['pil', 'cv2', 'tensor'], but got {backend}")
    return str(backend)


def set_image_backend(backend: str) -> None:
    """Choose the library that reads images: "pil", "cv2" or "tensor".

    Raises:
        ValueError: **Expected backend**.
    """
    _chosen[0] = _checked(backend)


def get_image_backend() -> str:
    """Return the name of the library that reads images."""
    return _chosen[0]


def image_load(path: str, backend: str | None = None) -> Any:
    """Return the image in a file: PIL's, an array [H, W, 3] of blue, green and red, or a Tensor [3, H, W].

    Args:
        path: the path of the file.
        backend: "pil", "cv2" or "tensor"; by default the one set by :func:`set_image_backend`.

    Raises:
        ImportError: **is not installed**, where PIL or OpenCV is wanted and missing.
        ValueError: **Expected backend**.
    """
    backend = _checked(_chosen[0] if backend is None else backend)
    if backend == "cv2":
        return library("cv2", "opencv-python").imread(path)
    image = library("PIL.Image", "pillow").open(path)
    if backend == "pil":
        return image
    from minipaddle.paddle.vision.transforms.functional import to_tensor

    return to_tensor(image.convert("RGB"))


def library(module: str, package: str) -> Any:
    """Return an optional library, imported.

    Raises:
        ImportError: **is not installed**.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        root = module.partition(".")[0]
        raise ImportError(
            f"{root} is not installed, and reading images needs it: pip install {package}"
        ) from error
