"""How often each number is there."""

from __future__ import annotations

import numpy as np

from minipaddle.ops.creation.cast import numpy_dtype
from minipaddle.ops.definition import Array, Meta, Value, failure, operator, tried_with
from minipaddle.ops.definition.arguments import integer


def _bins(x: Meta, weights: Meta | None = None, *, minlength: int = 0) -> Meta:
    if weights is None:
        return Meta((-1,), np.dtype("int64"))
    return Meta((-1,), np.dtype("float32" if weights.dtype == np.float32 else "float64"))


@tried_with(lambda rng: ([rng.integers(0, 4, 6), rng.uniform(0, 1, 6)], {}))
@operator("bincount", infer=_bins)
def bincount_op(x: Array, weights: Array | None = None, *, minlength: int = 0) -> Array:
    """Count how often each number from 0 up is there, or add up its weights."""
    if x.size and x.min() < 0:
        raise failure(ValueError, "The elements in input tensor must be non-negative ints.")
    found = np.bincount(x, None if weights is None else weights, minlength)
    return found.astype(
        _bins(Meta(x.shape, x.dtype), None if weights is None else Meta((), weights.dtype)).dtype
    )


def bincount(x: Value, weights: Value | None = None, minlength: int = 0, name: str | None = None) -> Value:
    """Return how often each number from 0 up is in the vector `x`, or the sums of the `weights` of each.

    Args:
        x: vector of integers, none negative.
        weights: vector of the same length; the result is float32, or float64 if they are not float32.
    """
    if numpy_dtype(x).kind not in "iu":
        raise TypeError("Elements in Input(x) should all be integers")
    return bincount_op(x, weights, integer(minlength))
