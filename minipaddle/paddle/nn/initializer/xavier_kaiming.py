"""Initializers that keep the variance from layer to layer: Xavier (Glorot) and Kaiming (He)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.value.meta import Attrs
from minipaddle.ops.random.sample import gaussian_random, uniform_random
from minipaddle.paddle.nn.initializer.initializer import Initializer, calculate_gain


def fans(shape: tuple[int, ...]) -> tuple[int, int]:
    """Return fan-in and fan-out: [in, out] of a Linear weight, [out, in, ...window] of a filter."""
    if len(shape) < 2:
        size = math.prod(shape)
        return size, size
    if len(shape) == 2:
        return shape[0], shape[1]
    window = math.prod(shape[2:])
    return shape[1] * window, shape[0] * window


class _Scaled(Initializer):
    """Draws with a standard deviation that follows from the shape."""

    uniform = False

    def std(self, shape: tuple[int, ...]) -> float:
        """Return the standard deviation for a parameter of this shape."""
        raise NotImplementedError

    def call(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[Operator, Attrs]:
        """Draw from a normal or a uniform distribution of that standard deviation."""
        std = float(np.float32(self.std(shape)))  # Paddle's operators hold it in float32
        if not self.uniform:
            return gaussian_random, {"shape": shape, "dtype": dtype, "mean": 0.0, "std": std}
        limit = float(np.float32(math.sqrt(3.0) * self.std(shape)))
        return uniform_random, {"shape": shape, "dtype": dtype, "min": -limit, "max": limit}


class XavierNormal(_Scaled):
    """Normal distribution with variance ``2 gain^2 / (fan_in + fan_out)``."""

    def __init__(
        self,
        fan_in: float | None = None,
        fan_out: float | None = None,
        gain: float = 1.0,
        name: str | None = None,
    ) -> None:
        self.fan_in, self.fan_out, self.gain = fan_in, fan_out, gain

    def std(self, shape: tuple[int, ...]) -> float:
        """Return ``gain * sqrt(2 / (fan_in + fan_out))``."""
        found_in, found_out = fans(shape)
        fan_in = found_in if self.fan_in is None else self.fan_in
        fan_out = found_out if self.fan_out is None else self.fan_out
        return self.gain * math.sqrt(2.0 / max(fan_in + fan_out, 1))


class XavierUniform(XavierNormal):
    """The same variance, uniform: the default of weights."""

    uniform = True


class KaimingNormal(_Scaled):
    """Normal distribution with variance ``gain(nonlinearity)^2 / fan_in`` (or ``fan_out``, by `mode`)."""

    def __init__(
        self,
        fan_in: float | None = None,
        negative_slope: float = 0.0,
        nonlinearity: str = "relu",
        mode: str = "fan_in",
    ) -> None:
        if mode not in ("fan_in", "fan_out"):
            raise ValueError(
                f"The mode of KaimingNormal/KaimingUniform should be 'fan_in' or 'fan_out', but received {mode}."
            )
        self.fan_in, self.gain, self.mode = fan_in, calculate_gain(nonlinearity, negative_slope), mode

    def std(self, shape: tuple[int, ...]) -> float:
        """Return ``gain / sqrt(fan)``."""
        found = fans(shape)[self.mode == "fan_out"]
        return self.gain / math.sqrt(max(found if self.fan_in is None else self.fan_in, 1))


class KaimingUniform(KaimingNormal):
    """The same variance, uniform."""

    uniform = True
