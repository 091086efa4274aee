"""Initializers that leave nothing, or little, to chance."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.engine.core.meta import Array, Attrs
from minipaddle.engine.core.operator import Operator
from minipaddle.ops.creation.assign import assign_value
from minipaddle.ops.creation.full import fill_constant
from minipaddle.ops.random.init import orthogonal_random
from minipaddle.paddle.nn.initializer.initializer import Initializer


class Constant(Initializer):
    """The same number everywhere."""

    def __init__(self, value: float = 0.0) -> None:
        self.value = value

    def call(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[Operator, Attrs]:
        """Fill."""
        return fill_constant, {"shape": shape, "value": self.value, "dtype": dtype}


class Assign(Initializer):
    """A given value: an array, a Tensor or nested lists."""

    def __init__(self, value: Any, name: str | None = None) -> None:
        self.value = np.array(value)

    def call(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[Operator, Attrs]:
        """Copy.

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
        """Return the value; one of another size gives its own shape to the parameter, as in Paddle."""
        return super().draw(shape if self.value.size == math.prod(shape) else self.value.shape, dtype)


NumpyArrayInitializer = Assign


class Bilinear(Initializer):
    """Weights of a transposed convolution that enlarges images by bilinear interpolation."""

    def call(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[Operator, Attrs]:
        """Give every window the same weights.

        Paddle counts rows in fractions: the weights are those of its formula, not of an exact interpolation.

        Raises:
            ValueError: **length of shape must be 4**, or if the windows are no squares.
        """
        if len(shape) != 4:
            raise ValueError("the length of shape must be 4.")
        if shape[2] != shape[3]:
            raise ValueError("shape[2] must be equal to shape[3].")
        size = shape[3]
        middle = math.ceil(size / 2)
        centre = (2 * middle - 1 - middle % 2) / (2 * middle)
        places = np.arange(math.prod(shape))
        weights = (1 - abs(places % size / middle - centre)) * (
            1 - abs(places / size % size / middle - centre)
        )
        return assign_value, {"values": weights.astype("float32").reshape(shape).astype(dtype)}


class Dirac(Initializer):
    """Weights of a convolution that lets channels through as they are, as many as there are; by `groups`."""

    def __init__(self, groups: Any = 1, name: str | None = None) -> None:
        assert isinstance(groups, int) and groups > 0, " 'groups' must be a positive integer. "
        self.groups = groups

    def call(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[Operator, Attrs]:
        """Put a one into the middle of the window that leads from each channel to itself.

        Paddle's startup program has six operators for it; this is one.
        """
        assert len(shape) in (3, 4, 5), "Only Tensor with 3/4/5 dimensions can be initialized by Dirac"
        assert shape[0] % self.groups == 0, "Tensor 0-dimension must be divisible by groups"
        values = np.zeros(shape, dtype)
        outputs = shape[0] // self.groups
        middle = tuple(size // 2 for size in shape[2:])
        for group in range(self.groups):
            for channel in range(min(outputs, shape[1])):
                values[(group * outputs + channel, channel, *middle)] = 1
        return assign_value, {"values": values}


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
