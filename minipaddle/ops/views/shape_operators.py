"""Properties of a tensor: shape, numel, rank as tensors, and the kind of its numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.ops.creation.assign import constant
from minipaddle.ops.creation.cast import numpy_dtype
from minipaddle.ops.definition import Array, Meta, Value, listed, mark, operator


@operator("shape", infer=lambda x: Meta((x.ndim,), np.dtype("int64")))
def shape(input: Array) -> Array:
    """Return the sizes of the axes as a tensor of int64."""
    return np.array(input.shape, np.int64)


@listed(kind="numel", inputs="Input")
@operator("size", infer=lambda x: Meta((), np.dtype("int64")))
def numel(x: Array) -> Any:
    """Return the number of elements as a 0-D tensor of int64."""
    return np.int64(math.prod(x.shape))


mark("selects", shape, numel)


def rank(input: Value) -> Value:
    """Return the number of axes as a 0-D tensor of int32."""
    return constant(np.array(input.ndim, np.int32))


def _kind(x: Any) -> str:
    """Return the letter of the kind of a tensor's numbers."""
    if not hasattr(x, "stop_gradient"):
        raise TypeError(f"Expected Tensor, but received type of x: {type(x)}")
    return numpy_dtype(x).kind


def is_complex(x: Any) -> bool:
    """Return whether the elements are complex numbers."""
    return _kind(x) == "c"


def is_integer(x: Value) -> bool:
    """Return whether the elements are integers; bools are none."""
    return _kind(x) in "iu"


def is_floating_point(x: Any) -> bool:
    """Return whether the elements are floats."""
    return _kind(x) == "f"


def tolist(x: Any) -> Any:
    """Return the elements as nested lists of Python numbers."""
    return x.tolist()


def clone(x: Any, name: str | None = None) -> Any:
    """Return a copy of `x` that gradients flow through."""
    return x.clone()
