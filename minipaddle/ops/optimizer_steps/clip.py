"""What gradient clipping is made of."""

from __future__ import annotations

import numpy as np

from minipaddle.ops.definition import Array, Meta, Value, operator, tried_with
from minipaddle.ops.math.exponential import sqrt
from minipaddle.ops.math.maximum_minimum import maximum
from minipaddle.ops.math.rounding import sign
from minipaddle.ops.reduction.sum import reduce_sum


@operator("squared_l2_norm", kinds="biuf", infer=lambda x: Meta((1,), x.dtype))
def squared_l2_norm(x: Array) -> Array:
    """Add up the squares of all elements, as a tensor [1]."""
    return np.add.reduce((x * x).reshape(-1), keepdims=True)


squared_l2_norm.gradient("x")(lambda dy, x: dy * (2 * x))


@tried_with((2, 3), max_norm=0.5)
@operator("clip_by_norm", kinds="biuf")
def clip_by_norm(x: Array, *, max_norm: float) -> Array:
    """Shorten what is longer than `max_norm` to that."""
    norm = np.sqrt(np.add.reduce((x * x).reshape(-1)))
    return x * (max_norm / norm) if norm > max_norm else x.copy()


@clip_by_norm.gradient("x", program=True)
def _(dy: Value, x: Value, max_norm: float) -> Value:
    length = maximum(sqrt(reduce_sum(x * x)), reduce_sum(x * 0) + max_norm)
    clipped = sign(length - max_norm)
    along = clipped * reduce_sum(dy * x) / (length * length)
    return (dy - x * along) * (max_norm / length)
