"""Initializers that draw from one distribution, whatever the shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.value.meta import Attrs
from minipaddle.ops.random.sample import gaussian_random, truncated_gaussian_random, uniform_random
from minipaddle.paddle.nn.initializer.initializer import Initializer


class Normal(Initializer):
    """Normal distribution."""

    def __init__(self, mean: float = 0.0, std: float = 1.0, name: str | None = None) -> None:
        self.mean, self.std = mean, std

    def call(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[Operator, Attrs]:
        """Return the operator that draws the elements, and its attributes."""
        return gaussian_random, {"shape": shape, "dtype": dtype, "mean": self.mean, "std": self.std}


class TruncatedNormal(Initializer):
    """Normal distribution cut off below `a` and above `b`."""

    def __init__(
        self, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0, name: str | None = None
    ) -> None:
        self.mean, self.std, self.a, self.b = mean, std, a, b

    def call(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[Operator, Attrs]:
        """Return the operator that draws the elements, and its attributes."""
        attrs = {"shape": shape, "dtype": dtype, "mean": self.mean, "std": self.std, "a": self.a, "b": self.b}
        return truncated_gaussian_random, attrs


class Uniform(Initializer):
    """Uniform distribution in [low, high)."""

    def __init__(self, low: float = -1.0, high: float = 1.0, name: str | None = None) -> None:
        assert high >= low, "high should greater or equal than low"
        self.low, self.high = low, high

    def call(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[Operator, Attrs]:
        """Return the operator that draws the elements, and its attributes."""
        return uniform_random, {"shape": shape, "dtype": dtype, "min": self.low, "max": self.high}
