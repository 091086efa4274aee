"""How often something is there: bincount, histograms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Meta
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.arguments import integer
from minipaddle.ops.common.listed import Listing, listed
from minipaddle.ops.creation.assign import constant
from minipaddle.ops.creation.cast import numpy_dtype


def _bins(x: Meta, weights: Meta | None = None, *, minlength: int = 0) -> Meta:
    if weights is None:
        return Meta((-1,), np.dtype("int64"))
    return Meta((-1,), np.dtype("float32" if weights.dtype == np.float32 else "float64"))


@operator(
    "bincount", "X, Weights? -> Out", infer=_bins, latex=r"|\{j : x_j = i\}|",
    example=lambda rng: ([rng.integers(0, 4, 6), rng.uniform(0, 1, 6)], {}),
)  # fmt: skip
def bincount_op(x: Array, weights: Array | None = None, minlength: int = 0) -> Array:
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
        minlength: how many numbers to count at least.
        name: ignored.

    Raises:
        TypeError: if `x` does not hold integers.
        ValueError: for a negative number.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/bincount_en.html
    """
    if numpy_dtype(x).kind not in "iu":
        raise TypeError("Elements in Input(x) should all be integers")
    return bincount_op(x, weights, integer(minlength))


# -- histograms -----------------------------------------------------------------------------------------------


def _range(x: Array, min: float, max: float) -> tuple[float, float]:
    """Return the limits of a histogram: those of the numbers, if both are 0.

    Raises:
        ValueError: if they are in the wrong order, or not finite.
    """
    if max < min:
        raise failure(
            ValueError, f"max must be larger or equal to min. But received max is {max}, min is {min}"
        )
    if min == max == 0 and x.size:
        min, max = float(x.min()), float(x.max())
    if not (math.isfinite(min) and math.isfinite(max)):
        raise failure(ValueError, f"range of [{min}, {max}] is not finite")
    return (min - 0.5, max + 0.5) if min == max else (min, max)


def _counts_infer(
    x: Meta,
    weight: Meta | None = None,
    *,
    bins: int = 100,
    min: float = 0.0,
    max: float = 0.0,
    density: bool = False,
) -> Meta:
    dtype = weight.dtype if weight is not None else np.dtype("float32" if density else "int64")
    return Meta((bins,), np.dtype("float32") if density else dtype)


@listed(Listing("density"))
@operator(
    "histogram", "X, Weight? -> Out", kinds="iuf", infer=_counts_infer, latex=r"|\{j : x_j \in b_i\}|",
    example=lambda rng: ([rng.uniform(0, 1, (2, 3)), None], {"bins": 4, "min": 0.0, "max": 1.0}),
)  # fmt: skip
def histogram_op(
    x: Array,
    weight: Array | None = None,
    bins: int = 100,
    min: float = 0.0,
    max: float = 0.0,
    density: bool = False,
) -> Array:
    """Count how many elements are in each of equal bins, or add up their weights."""
    low, high = _range(x, min, max)
    weights = None if weight is None else weight.reshape(-1)
    counts, _ = np.histogram(x.reshape(-1), bins, (low, high), weights=weights, density=density)
    meta = None if weight is None else Meta((), weight.dtype)
    return counts.astype(_counts_infer(Meta((), x.dtype), meta, bins=bins, density=density).dtype)


def histogram(
    input: Value,
    bins: int = 100,
    min: float = 0.0,
    max: float = 0.0,
    weight: Value | None = None,
    density: bool = False,
    name: str | None = None,
) -> Value:
    """Return how many elements of `input` are in each of equal `bins` from `min` to `max`.

    Args:
        input: tensor.
        bins: how many.
        min: lower limit; if both limits are 0, they are those of the elements.
        max: upper limit.
        weight: what each element counts instead of 1.
        density: whether the result is scaled such that the area under it is 1.
        name: ignored.

    Raises:
        ValueError: if `max` is less than `min`.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/histogram_en.html
    """
    return histogram_op(input, weight, integer(bins), min, max, density)


def histogram_bin_edges(
    input: Value, bins: int = 100, min: float = 0.0, max: float = 0.0, name: str | None = None
) -> Value:
    """Return the limits of the bins of :func:`histogram`, as float32.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/histogram_bin_edges_en.html
    """
    low, high = _range(np.asarray(input), min, max)
    return constant(np.linspace(low, high, integer(bins) + 1).astype("float32"))


def histogramdd(
    x: Value,
    bins: Any = 10,
    ranges: Any = None,
    density: bool = False,
    weights: Any = None,
    name: str | None = None,
) -> tuple[Any, list[Any]]:
    """Return how many rows of `x` are in each cell of a grid, and the limits of the cells along each axis.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/histogramdd_en.html
    """
    rows = np.asarray(x)
    dtype, rows = rows.dtype, rows.reshape(-1, rows.shape[-1])
    if isinstance(bins, (list, tuple)):
        bins = [np.asarray(one) if hasattr(one, "numpy") else one for one in bins]
    limits = None if ranges is None else list(zip(ranges[::2], ranges[1::2], strict=True))
    given = None if weights is None else np.asarray(weights).reshape(-1)
    counts, edges = np.histogramdd(rows, bins, limits, density=density, weights=given)
    return constant(counts.astype(dtype)), [constant(one.astype(dtype)) for one in edges]
