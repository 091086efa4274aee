"""Activations made of straight pieces."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.operator.operator import operator
from minipaddle.engine.value.meta import Array
from minipaddle.engine.value.value import Value
from minipaddle.ops.activation.rectifiers import around_zero, step
from minipaddle.ops.creation.promotion import floating
from minipaddle.ops.definition.program_printing import Listing, listed, of
from minipaddle.ops.definition.traits import mark
from minipaddle.ops.math.rounding import abs


@listed(Listing(**{"lambda": of("threshold")}))
@operator("softshrink", "X -> Out", kinds="biuf", prepare=floating, example=around_zero())
def softshrink(x: Array, threshold: float = 0.5) -> Array:
    """Move every element towards 0 by `threshold`, stopping there; the slope at the threshold is 0."""
    return x - np.clip(x, -threshold, threshold)


softshrink.gradient("x")(lambda dy, out: dy * step(abs(out)))


@listed(kind="hardsigmoid")
@operator(
    "hard_sigmoid", "X -> Out", kinds="biuf", name="hardsigmoid", prepare=floating, example=around_zero()
)
def hardsigmoid(x: Array, slope: float = 0.1666667, offset: float = 0.5) -> Any:
    """Straight approximation of `sigmoid`: ``slope x + offset``, confined to [0, 1]."""
    return np.clip(x * slope + offset, 0, 1)


hardsigmoid.gradient("x")(lambda dy, out, slope: dy * (step(out) * step(1 - out) * slope))


@listed(Listing(threshold=6.0, scale=6.0, offset=3.0), kind="hardswish")
@operator("hard_swish", "X -> Out", kinds="biuf", name="hardswish", prepare=floating, example=around_zero())
def hardswish(x: Array) -> Array:
    """Approximation of `swish` without exponentials: ``x relu6(x + 3) / 6``."""
    return x * np.clip(x + 3, 0, 6) / 6


@hardswish.gradient("x", formula=lambda dy, x: dy * np.where(x > 3, 1, np.where(x < -3, 0, x / 3 + 0.5)))
def _(dy: Value, x: Value) -> Value:
    below = step(3 - x)
    return dy * (1 - below + below * step(x + 3) * (x * (1 / 3) + 0.5))


mark("cuts off", hardsigmoid, softshrink, hardswish)
