"""Base of the initializers, and gains."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.tape.memory import ensure_writable
from minipaddle.engine.value.meta import Array, Attrs
from minipaddle.ops.definition.program_printing import printed


class Initializer:
    """Makes the first value of a parameter; ``initializer(tensor)`` also fills a tensor that exists.

    Each says which operator makes the value. A startup program gets that operator, :meth:`draw` runs it.
    """

    def call(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[Operator, Attrs]:
        """Return the operator that makes a value of this shape and dtype, and its attributes."""
        raise NotImplementedError(f"{type(self).__name__}.call")

    def draw(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        """Return a new array of this shape and dtype."""
        operator, attrs = self.call(shape, dtype)
        array: Array = operator.run(**attrs)
        return array

    def __call__(self, param: Any, block: Any = None) -> Any:
        """Fill `param` and return it; with the `block` of a Program append the operator that fills it there."""
        if block is not None:
            operator, attrs = self.call(param.shape, param.meta.dtype)
            seed = {"seed": block.program.random_seed} if "seed" in operator.attr_names else {}
            listed = printed(operator).listing.write({**attrs, **seed})
            return block.append_op(type=printed(operator).type, outputs={"Out": param}, attrs=listed)
        ensure_writable(param)
        param.array[...] = self.draw(param.array.shape, param.array.dtype)
        return param


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
