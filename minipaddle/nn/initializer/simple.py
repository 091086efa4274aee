"""Initializers that draw from one distribution, whatever the shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.core.meta import Array
from minipaddle.core.random import generator
from minipaddle.nn.initializer.base import Initializer

__all__ = ["Normal", "TruncatedNormal", "Uniform"]


class Normal(Initializer):
    """Normal distribution."""

    def __init__(self, mean: float = 0.0, std: float = 1.0, name: str | None = None) -> None:
        self.mean, self.std = mean, std

    def draw(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        """Draw every element on its own."""
        return generator().normal(self.mean, self.std, shape).astype(dtype)


class TruncatedNormal(Initializer):
    """Normal distribution of which only what lies between `a` and `b` is left."""

    def __init__(
        self, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0, name: str | None = None
    ) -> None:
        self.mean, self.std, self.a, self.b = mean, std, a, b

    def draw(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        """Draw probabilities between those of `a` and `b`, and look up the numbers that have them."""
        from scipy.special import ndtr, ndtri

        low, high = ndtr((np.array([self.a, self.b]) - self.mean) / self.std)
        values = self.mean + self.std * ndtri(generator().uniform(low, high, shape))
        return np.asarray(np.clip(values, self.a, self.b)).astype(dtype)


class Uniform(Initializer):
    """Uniform distribution in [low, high)."""

    def __init__(self, low: float = -1.0, high: float = 1.0, name: str | None = None) -> None:
        self.low, self.high = low, high

    def draw(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        """Draw every element on its own."""
        return generator().uniform(self.low, self.high, shape).astype(dtype)
