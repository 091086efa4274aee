"""Means: over axes, and of all elements."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from minipaddle.engine.names.translatable import Phrase, phrase
from minipaddle.ops.definition import Array, Listing, Meta, Seen, Shape, Value, lesson, listed, mark, operator
from minipaddle.ops.definition.axis_printing import Reduced
from minipaddle.ops.reduction.sum import (
    _reduced,
    add_up,
    cast_to,
    counted,
    expand_back,
    expand_view,
    numpy_axis,
    reducing,
)


@listed(Listing(dim=[], keep_dim=False, reduce_all=True, in_dtype=-1, out_dtype=-1), type="reduce_mean")
@operator("mean", infer=lambda x: Meta((), x.dtype))
def mean_all(x: Array) -> Any:
    """Return the mean of all elements, without axes."""
    return reduce_mean.kernel(x)


mean_all.gradient("x")(lambda dy, x_shape: expand_view(dy / math.prod(x_shape), x_shape))


@listed(Reduced(), kind="mean")
@operator("reduce_mean", name="mean", infer=reducing())
def reduce_mean(x: Array, *, axis: Any = None, keepdim: bool = False) -> Any:
    """Average the elements along `axis` (all of them: None)."""
    total = add_up(x, numpy_axis(x, axis), None, None, keepdim)
    count = x.size if axis is None else counted(x.shape, axis)
    return total / count if x.dtype.kind in "fc" else (total / count).astype(x.dtype)


mark("averages", mean_all, reduce_mean)


@reduce_mean.gradient("x")
def _(dy: Value, x_shape: Shape, axis: Any, keepdim: bool) -> Value:
    if axis is None:
        return expand_view(cast_to(dy / math.prod(x_shape), dy.dtype), x_shape)
    return expand_back(cast_to(dy / counted(x_shape, axis), dy.dtype), x_shape, axis, keepdim)


@lesson(mean_all, reduce_mean)
def _(dy: Seen, x: Seen) -> Iterator[Phrase]:
    size = math.prod(x.shape) // max(math.prod(dy.shape), 1)
    yield phrase(
        "{size} elements share in the mean: each gets {gradient} / {size}", size=size, gradient=dy.name
    )


def mean(
    x: Value, axis: Any = None, keepdim: bool = False, name: str | None = None, *, dtype: Any = None
) -> Value:
    """Average the elements of `x` (as `dtype`, if given) along `axis` (an axis, several, or None for all)."""
    if dtype is not None:
        x = cast_to(x, dtype)
    return _reduced(reduce_mean, x, axis, keepdim)
