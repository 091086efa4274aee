"""Images from files: their bytes, and the pixels of a JPEG."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from minipaddle.engine.autograd.creation import to_tensor
from minipaddle.paddle.vision.image import library

_MODES = {"unchanged": None, "gray": "L", "rgb": "RGB"}


def read_file(filename: str, name: str | None = None) -> Any:
    """Return the bytes of a file, uint8 [bytes].

    Args:
        filename: its path.
        name: not used.
    """
    with open(filename, "rb") as file:
        return to_tensor(np.frombuffer(file.read(), np.uint8).copy())


def decode_jpeg(x: Any, mode: str = "unchanged", name: str | None = None) -> Any:
    """Return the pixels of an image, uint8 [C, H, W], from the bytes of its file; PIL reads them.

    Args:
        x: the bytes, uint8 [bytes].
        mode: "unchanged", "gray" or "rgb".
        name: not used.

    Raises:
        ImportError: **is not installed**, without PIL.
        ValueError: **mode**.
    """
    if mode not in _MODES:
        raise ValueError(f"The provided mode is not supported for JPEG files: {mode}")
    image = library("PIL.Image", "pillow").open(io.BytesIO(x.numpy().tobytes()))
    pixels = np.array(image if _MODES[mode] is None else image.convert(_MODES[mode]))
    return to_tensor(np.ascontiguousarray(np.atleast_3d(pixels).transpose(2, 0, 1)))
