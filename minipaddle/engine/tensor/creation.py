"""``paddle.to_tensor``."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.extension_point import Point
from minipaddle.engine.mode.eager import current
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.value import Value
from minipaddle.ops.creation.convert import array_from

__all__ = ["is_tensor", "to_tensor"]

to_variable = Point("to_tensor while a Program is built")


def to_tensor(data: Any, dtype: Any = None, place: Any = None, stop_gradient: bool = True) -> Any:
    """Return a Tensor of a number, nested lists, a NumPy array or a Tensor, always a copy; in a Program a Variable.

    Args:
        data: the data to copy. Python floats become the default dtype, ints int64; arrays keep their dtype.
        dtype: a dtype to convert to.
        place: accepted; there is only the CPU.
        stop_gradient: False to have gradients computed.

    Raises:
        ValueError: for lists of unequal length.
        TypeError: for a value that no Tensor can hold.
    """
    if not current.get().dynamic:
        return to_variable(data, dtype, stop_gradient)
    tensor = Tensor(array_from(data, dtype))
    for one in current.get().tell:
        one.copied(tensor, data)
    if not stop_gradient:
        tensor.stop_gradient = False
    return tensor


def is_tensor(x: Any) -> bool:
    """Return whether `x` is a Tensor, or a Variable of a Program."""
    return isinstance(x, Value)
