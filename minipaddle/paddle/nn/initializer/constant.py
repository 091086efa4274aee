"""Initializers with given values: a constant, an array; and orthogonal matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.value.meta import Array, Attrs
from minipaddle.ops.creation.assign import assign_value
from minipaddle.ops.creation.fill_constant import fill_constant
from minipaddle.ops.random.sample import orthogonal_random
from minipaddle.paddle.nn.initializer.initializer import Initializer


class Constant(Initializer):
    """The same number everywhere."""

    def __init__(self, value: float = 0.0) -> None:
        self.value = value

    def call(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[Operator, Attrs]:
        """Return the operator that makes a constant, and its attributes."""
        return fill_constant, {"shape": shape, "value": self.value, "dtype": dtype}


class Assign(Initializer):
    """A given value: an array, a Tensor or nested lists."""

    def __init__(self, value: Any, name: str | None = None) -> None:
        self.value = np.array(value)

    def call(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[Operator, Attrs]:
        """Return the operator that makes the given value, and its attributes.

        Raises:
            ValueError: if the value has another number of elements than the parameter.
        """
        if self.value.size != math.prod(shape):
            raise ValueError(
                f"Assign: a parameter of shape {list(shape)} cannot hold a value of shape "
                f"{list(self.value.shape)}"
            )
        return assign_value, {"values": np.asarray(self.value.reshape(shape), dtype)}

    def draw(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        """Return the value; if its size differs, the parameter takes its shape, as in Paddle."""
        return super().draw(shape if self.value.size == math.prod(shape) else self.value.shape, dtype)


class Orthogonal(Initializer):
    """A random matrix with orthonormal rows (or columns, whichever are fewer), times `gain`."""

    def __init__(self, gain: float = 1.0, name: str | None = None) -> None:
        self.gain = gain

    def call(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[Operator, Attrs]:
        """Orthogonalise a normal matrix; axes after the first are taken together."""
        if len(shape) < 2:
            raise AssertionError(
                f"Only Tensor with 2 or more dimensions can be initialized by Orthogonal, not {list(shape)}"
            )
        return orthogonal_random, {"shape": shape, "dtype": dtype, "gain": self.gain}
