"""The Gumbel softmax."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.value.value import Value
from minipaddle.ops.activation import random as drawing


def gumbel_softmax(
    x: Value, temperature: float = 1.0, hard: bool = False, axis: int = -1, name: str | None = None
) -> Any:
    """Draw from categories so that a gradient passes: the softmax of `x` plus Gumbel noise.

    Args:
        x: logarithms of chances, float32 or float64, any shape.
        temperature: the lower, the nearer the result is to a single one among zeros.
        hard: return that one among zeros; the gradient is that of the shares.
        axis: along which the shares sum to 1.
        name: not used.

    Raises:
        ValueError: **temperature must be greater than 0**, or for an axis that `x` does not have.
    """
    if hard and len(x.shape):
        return drawing.gumbel_softmax_hard(x, temperature=temperature, axis=axis)[0]
    return drawing.gumbel_softmax(x, temperature=temperature, axis=axis)
