"""``paddle.utils.dlpack``: memory shared with other libraries, by the protocol DLPack, which NumPy speaks.

(https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/utils/dlpack/Overview_en.html)
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from minipaddle.engine.autograd.tensor import Tensor
from minipaddle.engine.core.meta import Array

__all__ = ["from_dlpack", "to_dlpack"]


DLDeviceType = IntEnum("DLDeviceType", {"kDLCPU": 1})
"""Where the memory is, by DLPack's numbers."""


class _Capsule:
    """A capsule as an object that offers it: what NumPy takes."""

    def __init__(self, capsule: Any) -> None:
        self._capsule = capsule

    def __dlpack__(self, **options: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return (DLDeviceType["kDLCPU"], 0)


class _Writable:
    """An array that NumPy takes for read-only, since its capsule does not say; Paddle writes into such memory."""

    def __init__(self, array: Array) -> None:
        told = array.__array_interface__
        self._keeps = array
        self.__array_interface__ = {**told, "data": (told["data"][0], False)}


def to_dlpack(x: Tensor) -> Any:
    """Return a capsule with the memory of a tensor: who writes into it writes into the tensor.

    Raises:
        TypeError: **must be paddle.Tensor**.
    """
    if not isinstance(x, Tensor):
        raise TypeError(f"The type of 'x' in to_dlpack must be paddle.Tensor, but received {type(x)}.")
    return x.detach().__dlpack__()


def from_dlpack(dlpack: Any, *, device: Any = None, copy: bool | None = None) -> Tensor:
    """Return a tensor on the memory of an array, or of a capsule, which can be used once.

    Args:
        dlpack: an object with ``__dlpack__``, such as a NumPy array; or what :func:`to_dlpack` returned.
        device: accepted; there is only the CPU.
        copy: True for memory of its own.

    Raises:
        ValueError: **invalid capsule**: it was used before, or is none.
        BufferError: DLPack does not know the type of the elements.
    """
    offered = dlpack if hasattr(dlpack, "__dlpack__") else _Capsule(dlpack)
    try:
        array = np.from_dlpack(offered)
    except BufferError as error:
        raise BufferError(str(error)) from None  # said by NumPy, and right
    except (TypeError, ValueError) as error:
        raise ValueError(
            "(InvalidArgument) from_dlpack received an invalid capsule. Note that DLTensor capsules can be consumed "
            "only once, so you might have already constructed a tensor from it once."
        ) from error
    shared = array if array.flags.writeable else np.asarray(_Writable(array))
    return Tensor(shared.copy() if copy else shared)
