"""Views with steps of one's own: as_strided, and windows along an axis."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.engine.core.eager import current
from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.memory import owner_of
from minipaddle.engine.core.meta import Array, Meta, Shape
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.arguments import axis_in, integers
from minipaddle.ops.creation.assign import constant
from minipaddle.ops.indexing.index import getitem
from minipaddle.ops.views.transpose import transpose2


def _places(dims: Shape, stride: Shape, offset: int) -> Array:
    """Return the number of the element that each place of the view shows."""
    found = np.full(dims, offset, np.int64)
    for axis, step in enumerate(stride):
        found += (np.arange(dims[axis]) * step).reshape(
            [-1 if one == axis else 1 for one in range(len(dims))]
        )
    return found


@operator(
    "as_strided", "input -> out", infer=lambda x, dims, stride, offset=0: Meta(tuple(dims), x.dtype), view=True,
    example=lambda rng: ([rng.uniform(0.2, 0.9, (2, 3))], {"dims": (2, 2, 2), "stride": (3, 1, 1)}),
)  # fmt: skip
def as_strided_op(x: Array, dims: Any, stride: Any, offset: int = 0) -> Array:
    """Show the memory of a tensor under a shape, with so many elements from one place to the next."""
    size, places = x.itemsize, [(count - 1) * step for count, step in zip(dims, stride, strict=True)]
    last = offset + sum(places)
    if min([offset, last, *stride]) < 0 or (math.prod(dims) and last >= max(x.size, 1)):
        raise failure(
            ValueError, f"shape {list(dims)} with stride {list(stride)} reaches beyond {x.size} elements."
        )
    owner = owner_of(x)
    start = x.ctypes.data - owner.ctypes.data + offset * size
    made: Array = np.ndarray(dims, x.dtype, owner.ravel("K"), start, [step * size for step in stride])
    made.setflags(write=x.flags.writeable)
    return made


@as_strided_op.gradient("x")
def _(dy: Value, dims: Any, stride: Any, offset: int, x_shape: Shape) -> Value:
    return strided_at(dy, dims, stride, offset, x_shape)


@operator(
    "strided_at", "X -> Out", infer=lambda x, dims, stride, offset, shape: Meta(tuple(shape), x.dtype),
    example=lambda rng: (
        [rng.uniform(0.2, 0.9, (2, 2, 2))], {"dims": (2, 2, 2), "stride": (3, 1, 1), "offset": 0, "shape": (2, 3)}
    ),
)  # fmt: skip
def strided_at(x: Array, dims: Any, stride: Any, offset: int, shape: Any) -> Array:
    """Start from zeros of `shape` and add `x` where a view by steps shows them: the gradient of such a view."""
    out = np.zeros(math.prod(shape), x.dtype)
    np.add.at(out, _places(tuple(dims), tuple(stride), offset), x)
    return out.reshape(shape)


@strided_at.gradient("x")
def _(dy: Value, dims: Any, stride: Any, offset: int) -> Value:
    return as_strided_op(dy, dims, stride, offset)


def as_strided(x: Value, shape: Any, stride: Any, offset: int = 0, name: str | None = None) -> Value:
    """Return a view on the memory of `x` with this shape, and so many elements from one place to the next.

    Args:
        x: tensor, whose elements stand in memory in order.
        shape: sizes.
        stride: a step for each axis.
        offset: the element to begin with.
        name: ignored.

    Raises:
        ValueError: if the view would reach beyond the elements.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/as_strided_en.html
    """
    return as_strided_op(x, integers(shape), integers(stride), offset)


def unfold(x: Any, axis: int, size: int, step: int, name: str | None = None) -> Any:
    """Return the windows of `size` along `axis`, one every `step`, with their elements along a new last axis.

    Raises:
        ValueError: if there is no such axis, or a window does not fit.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/unfold_en.html
    """
    place = axis_in(axis, x.ndim)
    if size > x.shape[place] or size < 0 or step <= 0:
        raise failure(
            ValueError,
            f"paddle.unfold size({size}) and step({step}) must fit into the axis of size {x.shape[place]}.",
        )
    count = (x.shape[place] - size) // step + 1
    if current.get().dynamic and x.array.flags.c_contiguous:
        steps = [one // x.array.itemsize for one in x.array.strides]
        shape = [*x.shape[:place], count, *x.shape[place + 1 :], size]
        return as_strided_op(
            x, tuple(shape), (*steps[:place], steps[place] * step, *steps[place + 1 :], steps[place])
        )
    rows = constant(np.arange(count)[:, None] * step + np.arange(size))
    taken = getitem(x, (slice(None),) * place + (rows,))
    return transpose2(taken, (*range(place + 1), *range(place + 2, x.ndim + 1), place + 1))
