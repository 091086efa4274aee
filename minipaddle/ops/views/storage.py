"""What a Tensor says of its memory and of its place, and the other types that it can be had in, by their names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.core import memory
from minipaddle.core.errors import failure
from minipaddle.ops.activation.softmax import softmax as softmax_of
from minipaddle.ops.common.arguments import integers
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.indexing.gather import scatter_nd

__all__ = [
    "complex64",
    "complex128",
    "cuda",
    "dense_dim",
    "float16",
    "float32",
    "float64",
    "get_device",
    "int8",
    "int16",
    "int32",
    "int64",
    "resize_",
    "scatter_nd",
    "set_",
    "softmax",
    "sparse_dim",
    "uint8",
]  # fmt: skip


def _as(dtype: str) -> Callable[[Any], Any]:
    def converted(x: Any) -> Any:
        return cast(x, dtype)

    converted.__doc__ = f"Return `x` as {dtype}."
    converted.__name__ = converted.__qualname__ = dtype
    return converted


complex64, complex128 = _as("complex64"), _as("complex128")
float16, float32, float64 = _as("float16"), _as("float32"), _as("float64")
int8, int16, int32, int64, uint8 = _as("int8"), _as("int16"), _as("int32"), _as("int64"), _as("uint8")


def softmax(input: Any, dim: int | None = None, dtype: Any = None) -> Any:
    """Return the exponentials of `input` along `dim`, divided by their sum, in this type.

    Without a `dim` it is the first axis of tensors of 0, 1 or 3 axes, and the second of others: so in another library.
    """
    axis = (0 if input.ndim in (0, 1, 3) else 1) if dim is None else dim
    return softmax_of(input if dtype is None else cast(input, dtype), axis)


def get_device(x: Any) -> int:
    """Return -1: the number of the GPU of a Tensor on the CPU."""
    return -1


def cuda(x: Any, device_id: Any = None, blocking: bool = True) -> Any:
    """Refuse to copy `x` to a GPU.

    Raises:
        ValueError: **No available device**.
    """
    raise failure(ValueError, "No available device found.", "x.cpu(), or x itself")


def dense_dim(x: Any) -> int:
    """Return how many axes are not sparse: all."""
    return int(x.ndim)


def sparse_dim(x: Any) -> int:
    """Return how many axes are sparse: none."""
    return 0


def _writable(x: Any) -> None:
    if not x.stop_gradient and x.is_leaf:
        raise failure(
            ValueError, f"Leaf Tensor {x.name} that doesn't stop gradient can't use inplace strategy."
        )


def set_(
    x: Any,
    source: Any = None,
    shape: Any = None,
    stride: Any = None,
    offset: int = 0,
    name: str | None = None,
) -> Any:
    """Let `x` be a view of the memory of `source`, and return it; without a source it has no elements any more.

    Args:
        x: tensor.
        source: whose memory to show, optional.
        shape: sizes of the axes; None: those of `source`.
        stride: how many elements lie between neighbours along each axis; None: as they stand in a row.
        offset: bytes before the first element.
        name: not used.

    Raises:
        ValueError: for a leaf that requires a gradient.
    """
    _writable(x)
    held = np.empty(0, x.array.dtype) if source is None else source.array
    if shape is None:
        shown = held if source is not None else held.reshape([0])
    else:
        sizes = integers(shape)
        steps = (
            [int(np.prod(sizes[place + 1 :])) for place in range(len(sizes))] if stride is None else stride
        )
        row = held.reshape(-1)[offset // held.itemsize :]
        shown = np.lib.stride_tricks.as_strided(row, sizes, [step * held.itemsize for step in steps])
    x.array = shown
    memory.note_write(x.array)
    return x


def resize_(x: Any, shape: Any, fill_zero: bool = False, name: str | None = None) -> Any:
    """Give `x` another shape, with its first elements in the same order, and return it; what is new is zero.

    Raises:
        ValueError: for a leaf that requires a gradient.
    """
    _writable(x)
    sizes = integers(shape)
    row = x.array.reshape(-1)[: int(np.prod(sizes))]
    fresh = np.zeros(int(np.prod(sizes)), x.array.dtype)
    fresh[: row.size] = row
    x.array = fresh.reshape(sizes)
    memory.note_write(x.array)
    return x
