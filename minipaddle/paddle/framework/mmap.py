"""Numbers of a file that is larger than memory: ``paddle.MmapStorage`` reads those that are asked for."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from minipaddle.engine.autograd.tensor import Tensor
from minipaddle.engine.core.dtype import as_numpy
from minipaddle.engine.core.errors import failure
from minipaddle.ops.common.arguments import integer


class MmapStorage:
    """The first `nbytes` bytes of a file, read when they are asked for.

    Args:
        filename: the file.
        nbytes: how many bytes of it.

    Raises:
        RuntimeError: **unable to open file**; **smaller than the required mapping size**.
    """

    def __init__(self, filename: Any, nbytes: int) -> None:
        nbytes = integer(nbytes)
        if not isinstance(filename, (str, os.PathLike)) or not os.path.isfile(filename):
            raise failure(RuntimeError, f"unable to open file <{filename}> in read-only mode.")
        size = os.path.getsize(filename)
        if not 0 <= nbytes <= size:
            raise failure(
                RuntimeError,
                f"file <{filename}> size <{size}> is smaller than the required mapping size <{nbytes}>",
            )
        self._bytes: Any = (
            np.memmap(filename, np.uint8, "r", shape=(nbytes,)) if nbytes else np.zeros(0, np.uint8)
        )

    def get_slice(self, dtype: Any = "uint8", start: int = 0, stop: int = 1, step: int = 1) -> Tensor:
        """Return numbers of a type, from number `start` to before `stop`, each `step`-th.

        Raises:
            ValueError: for places outside of the file, or a `step` below 1.
        """
        bits = as_numpy(dtype)
        held = len(self._bytes) // bits.itemsize
        if not 0 <= start <= stop <= held or step < 1:
            raise failure(
                ValueError, f"the slice {start}:{stop}:{step} is not within the {held} numbers of the file."
            )
        numbers = self._bytes[: held * bits.itemsize].view(bits)[start:stop:step]
        return Tensor(np.array(numbers))
