"""What users ask of a tensor: its kind, whether it is empty, where its memory is; and what they ask it to become."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.value.value import Value
from minipaddle.ops.creation.cast import numpy_dtype


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
