"""What users ask of a tensor: its kind, whether it is empty, where its memory is; and what they ask it to become."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.value.value import Value
from minipaddle.ops.creation.cast import numpy_dtype


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
