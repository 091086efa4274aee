"""The largest and the smallest elements along axes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from minipaddle.ops.definition import Array, Meta, Operator, Value, invalid, listed, operator
from minipaddle.ops.definition.axis_printing import Reduced
from minipaddle.ops.definition.infer_meta import axes_of, reduced_shape
from minipaddle.ops.definition.lesson import Claim, Seen, lesson
from minipaddle.ops.reduction.sum import cast_to, numpy_axis, over_axes, reduce_sum
from minipaddle.ops.views.reshape import reshape2


def _choose_infer(x: Meta, axis: Any, keepdim: bool) -> Meta:
    axes = axes_of(axis, x.ndim)
    for one in axes:
        if x.shape[one] == 0:
            raise invalid(f"Cannot perform reduction along an axis ({one}) that has a size of 0.")
    return Meta(reduced_shape(x.shape, axes, keepdim), x.dtype)


def share_among_ties(dy: Value, x: Value, out: Value, axis: Any, keepdim: bool) -> Value:
    """Return `dy` at the elements that were chosen, in equal parts if several are equal."""
    if not keepdim and axis is not None:
        kept = reduced_shape(tuple(x.shape), axes_of(axis, x.ndim), True)
        dy, out = reshape2(dy, kept), reshape2(out, kept)
    chosen = cast_to(x == out, dy.dtype)
    return cast_to(chosen * (dy / reduce_sum(chosen, axis, True)), dy.dtype)


def _choosing(type: str, name: str, chooser: Callable[..., Any], doc: str) -> Operator:
    """Make one of the four operators; Paddle has all four, with the same meaning since 3.0."""

    def kernel(x: Array, *, axis: Any = None, keepdim: bool = False) -> Any:
        return chooser(x, numpy_axis(x, axis), None, None, keepdim)

    kernel.__name__, kernel.__doc__ = type, doc
    made = operator(type, name=name, infer=_choose_infer, kinds="biuf")(kernel)
    listed(Reduced(), kind=name)(made)
    made.gradient("x")(share_among_ties)
    return made


reduce_max = _choosing("reduce_max", "max", np.maximum.reduce, "Take the greatest element along `axis`.")
reduce_min = _choosing("reduce_min", "min", np.minimum.reduce, "Take the smallest element along `axis`.")
reduce_amax = _choosing("reduce_amax", "amax", np.maximum.reduce, "Take the greatest element along `axis`.")
reduce_amin = _choosing("reduce_amin", "amin", np.minimum.reduce, "Take the smallest element along `axis`.")


@lesson(reduce_max, reduce_min)
def _(dy: Seen, x: Seen, out: Seen, axis: Any) -> Iterator[Claim]:
    if x.array is None or out.array is None:
        return
    kept = reduced_shape(x.shape, axes_of(axis, len(x.shape)), True)
    equal = np.sum(x.array == out.array.reshape(kept), dtype=np.int64)
    yield Claim(
        "only the elements that are equal to {out} get the gradient: of several for one, each gets an equal part",
        equal > out.array.size,
        out=out.name,
    )
    yield Claim(
        "only the element that was taken gets the gradient: the others could change, and {out} would not",
        equal <= out.array.size,
        out=out.name,
    )


_GREATEST = "Return the greatest element along `axis`; equal ones share the gradient."
_SMALLEST = "Return the smallest element along `axis`; equal ones share the gradient."
max, amax = over_axes(reduce_max, _GREATEST), over_axes(reduce_amax, _GREATEST)
min, amin = over_axes(reduce_min, _SMALLEST), over_axes(reduce_amin, _SMALLEST)
