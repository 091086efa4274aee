"""What users ask of a tensor: its kind, whether it is empty, where its memory is; and what they ask it to become."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import md5
from typing import Any

import numpy as np

from minipaddle.engine.core.meta import Array, Meta
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.arguments import integers
from minipaddle.ops.creation.cast import cast, numpy_dtype


def _kind(x: Any) -> str:
    """Return the letter of the kind of a tensor's numbers.

    Raises:
        TypeError: if `x` is no tensor.
    """
    if not hasattr(x, "stop_gradient"):
        raise TypeError(f"Expected Tensor, but received type of x: {type(x)}")
    return numpy_dtype(x).kind


def is_complex(x: Any) -> bool:
    """Return whether the elements are complex numbers.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/is_complex_en.html
    """
    return _kind(x) == "c"


def is_integer(x: Value) -> bool:
    """Return whether the elements are integers; bools are none.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/is_integer_en.html
    """
    return _kind(x) in "iu"


def is_floating_point(x: Any) -> bool:
    """Return whether the elements are floats.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/is_floating_point_en.html
    """
    return _kind(x) == "f"


@operator("is_empty", "X -> Out", infer=lambda x: Meta((), np.dtype(bool)))
def is_empty(x: Array) -> Array:
    """Tell whether a tensor has no element, as one bool.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/is_empty_en.html
    """
    return np.array(x.size == 0)


def is_same_shape(x: Value, y: Value) -> bool:
    """Return whether two tensors have the same shape."""
    return list(x.shape) == list(y.shape)


def tolist(x: Any) -> Any:
    """Return the elements as nested lists of Python numbers.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/tolist_en.html
    """
    return x.tolist()


def clone(x: Any, name: str | None = None) -> Any:
    """Return a copy of `x` that gradients flow through.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/clone_en.html
    """
    return x.clone()


def type_as(x: Value, other: Value) -> Value:
    """Return `x` in the data type of `other`."""
    return x.astype(other.dtype)


def byte(x: Value) -> Value:
    """Return `x` as uint8."""
    return cast(x, "uint8")


def char(x: Value) -> Value:
    """Return `x` as int8."""
    return cast(x, "int8")


def short(x: Value) -> Value:
    """Return `x` as int16."""
    return cast(x, "int16")


def cfloat(x: Any) -> Any:
    """Return `x` as complex64."""
    return cast(x, "complex64")


def cdouble(x: Any) -> Any:
    """Return `x` as complex128."""
    return cast(x, "complex128")


def requires_grad_(x: Any, requires_grad: bool = True) -> Any:
    """Ask for the gradient of `x`, or, False, for none; return `x`."""
    x.stop_gradient = not requires_grad
    return x


def apply(x: Value, func: Callable[[Any], Any]) -> Value:
    """Return what `func` makes of the tensor.

    Raises:
        RuntimeError: if `x` requires gradient.
    """
    if not x.stop_gradient:
        raise RuntimeError("Cannot apply function on a tensor that required gradient.")
    return func(x)


def apply_(x: Any, func: Callable[[Any], Any]) -> Any:
    """Write what `func` makes of the tensor into it; return it.

    Raises:
        RuntimeError: if `x` requires gradient.
    """
    x.set_value(apply(x, func))
    return x


def repeat(input: Any, *repeats: Any) -> Any:
    """Return `input` so many times along each axis, as ``paddle.tile`` does."""
    return input.tile(integers(repeats[0] if len(repeats) == 1 else repeats))


def split_with_sizes(x: Any, split_sizes: Any, dim: int = 0) -> list[Any]:
    """Return the parts of `x` of these sizes along `dim`."""
    found: list[Any] = x.split(list(integers(split_sizes)), dim)
    return found


def data_ptr(x: Any) -> int:
    """Return the address of the first element."""
    return int(x.array.ctypes.data)


def _is_shared_buffer_with(x: Any, tensor: Any) -> bool:
    """Return whether the two lie in the same memory."""
    return bool(np.shares_memory(x.array, tensor.array))


def _md5sum(x: Any) -> str:
    """Return the MD5 sum of the bytes."""
    return md5(np.ascontiguousarray(x.array).tobytes(), usedforsecurity=False).hexdigest()


def get_strides(x: Any) -> list[int]:
    """Return how many elements lie between neighbours along each axis."""
    return [step // x.array.itemsize for step in x.array.strides]


def _no(x: Any) -> bool:
    """Return False: tensors are dense."""
    return False


is_sparse = is_sparse_coo = is_sparse_csr = is_selected_rows = _no


def is_dense(x: Value) -> bool:
    """Return True: all tensors are dense."""
    return True
