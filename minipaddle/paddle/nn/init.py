"""``paddle.nn.init``: initializers as functions that fill a tensor in place, and return nothing."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.core.later import front
from minipaddle.engine.core.value import Value
from minipaddle.ops.creation.range import eye
from minipaddle.paddle.nn.initializer.constant import Assign, Constant, Dirac, Orthogonal
from minipaddle.paddle.nn.initializer.initializer import calculate_gain
from minipaddle.paddle.nn.initializer.random import Normal, TruncatedNormal, Uniform
from minipaddle.paddle.nn.initializer.xavier_kaiming import (
    KaimingNormal,
    KaimingUniform,
    XavierNormal,
    XavierUniform,
)

__all__ = [
    "calculate_gain", "constant_", "dirac_", "eye_", "kaiming_normal_", "kaiming_uniform_", "normal_", "ones_",
    "orthogonal_", "trunc_normal_", "uniform_", "xavier_normal_", "xavier_uniform_", "zeros_",
]  # fmt: skip


def kaiming_uniform_(
    tensor: Value, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu"
) -> None:
    """Fill as :class:`KaimingUniform` does; `a` is the slope of the leaky ReLU below 0."""
    KaimingUniform(negative_slope=a, nonlinearity=nonlinearity, mode=mode)(tensor)


def kaiming_normal_(
    tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu"
) -> None:
    """Fill as :class:`KaimingNormal` does; `a` is the slope of the leaky ReLU below 0."""
    KaimingNormal(negative_slope=a, nonlinearity=nonlinearity, mode=mode)(tensor)


def xavier_uniform_(
    tensor: Any, gain: float = 1.0, fan_in: float | None = None, fan_out: float | None = None
) -> None:
    """Fill as :class:`XavierUniform` does."""
    XavierUniform(fan_in, fan_out, gain)(tensor)


def xavier_normal_(
    tensor: Any, gain: float = 1.0, fan_in: float | None = None, fan_out: float | None = None
) -> None:
    """Fill as :class:`XavierNormal` does."""
    XavierNormal(fan_in, fan_out, gain)(tensor)


def uniform_(tensor: Value, a: float = 0.0, b: float = 1.0) -> None:
    """Fill evenly from [a, b)."""
    Uniform(a, b)(tensor)


def normal_(tensor: Any, mean: float = 0.0, std: float = 1.0) -> None:
    """Fill from the normal distribution."""
    Normal(mean, std)(tensor)


def trunc_normal_(tensor: Any, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0) -> None:
    """Fill from what lies between `a` and `b` of the normal distribution."""
    TruncatedNormal(mean, std, a, b)(tensor)


def constant_(tensor: Any, val: float) -> None:
    """Fill with one number."""
    Constant(val)(tensor)


def ones_(tensor: Value) -> None:
    """Fill with ones."""
    Constant(1.0)(tensor)


def zeros_(tensor: Any) -> None:
    """Fill with zeros."""
    Constant(0.0)(tensor)


def dirac_(tensor: Any, groups: int = 1) -> None:
    """Fill as :class:`Dirac` does."""
    Dirac(groups)(tensor)


def eye_(tensor: Any) -> None:
    """Fill a matrix with ones on its diagonal and zeros elsewhere.

    Raises:
        AssertionError: **Only support 2 dimensional tensor**.
    """
    if len(tensor.shape) != 2:
        raise AssertionError(f"Only support 2 dimensional tensor, but got {len(tensor.shape)}.")
    rows, columns = tensor.shape
    Assign(eye(rows, columns, tensor.dtype).numpy())(tensor)


def orthogonal_(tensor: Any, gain: float = 1) -> None:
    """Fill as :class:`Orthogonal` does."""
    Orthogonal(gain)(tensor)


__getattr__ = front(globals())
