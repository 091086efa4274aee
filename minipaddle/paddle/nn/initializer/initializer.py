"""Base of the initializers, fan-in and fan-out, gains, and the global initializer."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.tape.memory import ensure_writable
from minipaddle.engine.value.meta import Array, Attrs
from minipaddle.ops.definition.program_printing import printed
from minipaddle.ops.definition.traits import is_random


class Initializer:
    """Makes the first value of a parameter; ``initializer(tensor)`` also fills a tensor that exists.

    Each says which operator makes the value. A startup program gets that operator, :meth:`draw` runs it.
    """

    def call(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[Operator, Attrs]:
        """Return the operator that makes a value of this shape and dtype, and its attributes."""
        raise NotImplementedError(f"{type(self).__name__}.call")

    def call_in(self, program: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[Operator, Attrs]:
        """Return the result of :meth:`call`, with the startup program's seed, if it has one."""
        operator, attrs = self.call(shape, dtype)
        return operator, {**attrs, "seed": program.random_seed} if is_random(operator) else attrs

    def draw(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        """Return a new array of this shape and dtype."""
        operator, attrs = self.call(shape, dtype)
        array: Array = operator.run(**attrs)
        return array

    def __call__(self, param: Any, block: Any = None) -> Any:
        """Fill `param` and return it; with the `block` of a Program append the operator that fills it there."""
        if block is not None:
            operator, attrs = self.call_in(block.program, param.shape, param.meta.dtype)
            listed = printed(operator).listing.write(attrs)
            return block.append_op(type=printed(operator).type, outputs={"Out": param}, attrs=listed)
        ensure_writable(param)
        param.array[...] = self.draw(param.array.shape, param.array.dtype)
        return param


def fans(shape: tuple[int, ...]) -> tuple[int, int]:
    """Return fan-in and fan-out: [in, out] of a Linear weight, [out, in, ...window] of a filter."""
    if len(shape) < 2:
        size = math.prod(shape)
        return size, size
    if len(shape) == 2:
        return shape[0], shape[1]
    window = math.prod(shape[2:])
    return shape[1] * window, shape[0] * window


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """Return the factor that keeps the variance through `nonlinearity`.

    Raises:
        ValueError: if there is no such nonlinearity.
    """
    slope = 0.01 if param is None else float(param)
    gains = {
        "tanh": 5.0 / 3,
        "relu": math.sqrt(2.0),
        "leaky_relu": math.sqrt(2.0 / (1 + slope**2)),
        "selu": 3.0 / 4,
    }
    plain = (
        "sigmoid",
        "linear",
        "conv1d",
        "conv2d",
        "conv3d",
        *(f"conv{axes}d_transpose" for axes in (1, 2, 3)),
        *(f"conv_transpose{axes}d" for axes in (1, 2, 3)),
    )
    gains |= dict.fromkeys(plain, 1)
    if nonlinearity not in gains:
        raise ValueError(
            f"nonlinearity function {nonlinearity} is not supported now; choose from {', '.join(gains)}"
        )
    return gains[nonlinearity]


_global: list[Any] = [None, None]


def set_global_initializer(weight_init: Initializer | None, bias_init: Initializer | None = None) -> None:
    """Set the initializers of parameters that are given none, from here on; None: back to the default."""
    for one in (weight_init, bias_init):
        if one is not None and not isinstance(one, Initializer):
            raise TypeError(f"an initializer is expected, but got {type(one).__name__}")
    _global[:] = [weight_init, bias_init]


def global_initializer(is_bias: bool) -> Initializer | None:
    """Return the initializer set by :func:`set_global_initializer`."""
    chosen: Initializer | None = _global[is_bias]
    return chosen
