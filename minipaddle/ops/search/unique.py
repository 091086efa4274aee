"""The distinct elements, and how often each is there."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.engine.value.dtype import as_numpy
from minipaddle.ops.creation.cast import numpy_dtype
from minipaddle.ops.definition import Array, Meta, Value, invalid, operator, tried_with
from minipaddle.ops.definition.arguments import integer
from minipaddle.ops.definition.axis_printing import axes_as_list
from minipaddle.ops.definition.program_printing import Listing, derived, listed, of


def _unique_infer(x: Meta, axis: int | None, dtype: str, **attrs: Any) -> tuple[Meta, Meta, Meta, Meta]:
    shape = (-1,) if axis is None else (*x.shape[:axis], -1, *x.shape[axis + 1 :])
    each = x.shape if axis is None else x.shape[axis : axis + 1]
    count, inverse = Meta((-1,), as_numpy(dtype)), -1 if -1 in each else math.prod(each)
    return Meta(shape, x.dtype), count, Meta((inverse,), count.dtype), count


_ALWAYS = derived(lambda attrs, metas: True)


@listed(
    Listing(
        axis=of("axis", axes_as_list, lambda axes: axes[0] if axes else None),
        return_index=_ALWAYS,
        return_inverse=_ALWAYS,
        return_counts=_ALWAYS,
    )
)
@operator(
    "unique",
    kinds="biuf",
    infer=_unique_infer,
    outputs=("out", "indices", "index", "counts"),
    by_products=("out", "indices", "index", "counts"),
)
def unique_op(
    x: Array, *, axis: int | None = None, dtype: str = "int64", is_sorted: bool = True
) -> tuple[Array, ...]:
    """Return the different elements, sorted or as they come, where each is first, which one each is, and how often."""
    out, first, inverse, counts = np.unique(
        x, return_index=True, return_inverse=True, return_counts=True, axis=axis
    )
    inverse = inverse.reshape(-1)
    if not is_sorted:
        order = np.argsort(first)
        out, first, counts = np.take(out, order, axis or 0), first[order], counts[order]
        inverse = np.argsort(order)[inverse]
    return out, first.astype(dtype), inverse.astype(dtype), counts.astype(dtype)


def unique(
    x: Value,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    dtype: Any = "int64",
    sorted: bool = True,
    name: str | None = None,
) -> Any:
    """Return the different elements of `x` in order (whatever `sorted` says); if asked, indices, inverse, counts."""
    out, *others = unique_op(x, axis, as_numpy(dtype).name)
    asked = (return_index, return_inverse, return_counts)
    chosen = [other for other, wanted in zip(others, asked, strict=True) if wanted]
    return (out, *chosen) if chosen else out


def _bins(x: Meta, weights: Meta | None, **attrs: Any) -> Meta:
    if weights is None:
        return Meta((-1,), np.dtype("int64"))
    return Meta((-1,), np.dtype("float32" if weights.dtype == np.float32 else "float64"))


@tried_with(lambda rng: ([rng.integers(0, 4, 6), rng.uniform(0, 1, 6)], {}))
@operator("bincount", infer=_bins)
def bincount_op(x: Array, weights: Array | None = None, *, minlength: int = 0) -> Array:
    """Count how often each number from 0 up is there, or add up its weights."""
    if x.size and x.min() < 0:
        raise invalid("The elements in input tensor must be non-negative ints.")
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
