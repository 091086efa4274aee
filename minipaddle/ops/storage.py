"""What a Tensor says of its memory and of its place, and the other types that it can be had in, by their names."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.engine.core import memory
from minipaddle.engine.core.eager import Eager
from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array
from minipaddle.engine.core.value import Value
from minipaddle.ops.activation.softmax import softmax as softmax_of
from minipaddle.ops.common.arguments import integers
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.indexing.scatter import scatter_nd

__all__ = [
    "complex64", "complex128", "cuda", "dense_dim", "float16", "float32", "float64", "get_device", "int8",
    "int16", "int32", "int64", "resize_", "scatter_nd", "set_", "softmax", "sparse_dim", "uint8",
]  # fmt: skip


def _as(dtype: str) -> Callable[[Any], Any]:
    def converted(x: Value) -> Value:
        return cast(x, dtype)

    converted.__doc__ = f"Return `x` as {dtype}."
    converted.__name__ = converted.__qualname__ = dtype
    return converted


complex64, complex128 = _as("complex64"), _as("complex128")
float16, float32, float64 = _as("float16"), _as("float32"), _as("float64")
int8, int16, int32, int64, uint8 = _as("int8"), _as("int16"), _as("int32"), _as("int64"), _as("uint8")


def softmax(input: Value, dim: int | None = None, dtype: Any = None) -> Value:
    """Return the exponentials of `input` along `dim`, divided by their sum, in this type.

    Without a `dim` it is the first axis of tensors of 0, 1 or 3 axes, and the second of others: so in another library.
    """
    axis = (0 if input.ndim in (0, 1, 3) else 1) if dim is None else dim
    return softmax_of(input if dtype is None else cast(input, dtype), axis)


def get_device(x: Value) -> int:
    """Return -1: the number of the GPU of a Tensor on the CPU."""
    return -1


def cuda(x: Value, device_id: Any = None, blocking: bool = True) -> Any:
    """Refuse to copy `x` to a GPU.

    Raises:
        ValueError: **No available device**.
    """
    raise failure(ValueError, "No available device found.", "x.cpu(), or x itself")


def dense_dim(x: Value) -> int:
    """Return how many axes are not sparse: all."""
    return int(x.ndim)


def sparse_dim(x: Value) -> int:
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
        ValueError: for a leaf that requires a gradient, or what goes beyond the memory of `source`.
    """
    _writable(x)
    if source is not None and not isinstance(source, Eager.tensor):
        raise failure(TypeError, f"source must be a Tensor, but got {type(source).__name__}.")
    held = np.empty(0, x.array.dtype) if source is None else source.array
    if shape is None:
        shown = held
    else:
        sizes = integers(shape)
        steps = _in_a_row(sizes) if stride is None else integers(stride)
        shown = _window(held.reshape(-1), sizes, steps, int(offset))
    x.array = shown
    memory.note_write(x.array)
    return x


def _in_a_row(sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the strides of elements that stand in a row."""
    return tuple([math.prod(sizes[place + 1 :]) for place in range(len(sizes))])


def _window(row: Array, sizes: tuple[int, ...], steps: tuple[int, ...], offset: int) -> Array:
    """Return a view of what stands in a row.

    Raises:
        ValueError: for sizes or steps below zero, or if the memory ends before the last element.
    """
    first, rest = divmod(offset, row.itemsize)
    last = first + sum((size - 1) * step for size, step in zip(sizes, steps, strict=False))
    right = len(sizes) == len(steps) and min((*sizes, *steps, offset), default=0) >= 0 and not rest
    if not right or (0 not in sizes and last >= row.size):
        raise failure(
            ValueError,
            f"{row.size} elements do not hold shape {[*sizes]}, stride {[*steps]} and an offset of {offset} bytes.",
        )
    bytes_apart = [step * row.itemsize for step in steps]
    return np.lib.stride_tricks.as_strided(row[first:], sizes, bytes_apart)


def resize_(x: Any, shape: Any, fill_zero: bool = False, name: str | None = None) -> Any:
    """Give `x` another shape, with its first elements in the same order, and return it; what is new is zero.

    Raises:
        ValueError: for a leaf that requires a gradient.
    """
    _writable(x)
    sizes = integers(shape)
    if min(sizes, default=0) < 0:
        raise failure(ValueError, f"The shape must not have sizes below zero, but received {[*sizes]}.")
    count = math.prod(sizes)
    row = x.array.reshape(-1)[:count]
    fresh = np.zeros(count, x.array.dtype)
    fresh[: row.size] = row
    x.array = fresh.reshape(sizes)
    memory.note_write(x.array)
    return x
