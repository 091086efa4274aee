"""The k largest, and how often the right class is among them."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.ops.definition import Array, Meta, Shape, Value, failure, listed, operator, tried_with
from minipaddle.ops.definition.arguments import axis_of_0d, integer
from minipaddle.ops.indexing.take_along_axis import add_along
from minipaddle.ops.search.sort import _INT64, _places_in_order


def _three_numbers(x: Meta, indices: Meta, label: Meta) -> tuple[Meta, Meta, Meta]:
    """Shape rule: a share and two counts."""
    count = Meta((), np.dtype("int32"))
    return Meta((), np.dtype("float32")), count, count


@listed(inputs="Out, Indices, Label")
@tried_with(
    lambda rng: ([rng.uniform(0, 1, (4, 2)), rng.integers(0, 3, (4, 2)), rng.integers(0, 3, (4, 1))], {})
)
@operator("accuracy", infer=_three_numbers, outputs=("accuracy", "correct", "total"))
def accuracy_op(x: Array, indices: Array, label: Array) -> Any:
    """Return the share of rows whose `label` [N, 1] is among the `indices` [N, k] of the best, their number, and N."""
    correct = (indices == label.reshape(-1, 1)).any(axis=1).sum()
    return np.float32(correct / max(len(indices), 1)), np.int32(correct), np.int32(len(indices))


def _topk_infer(
    x: Meta, *, k: int, axis: int = -1, largest: bool = True, sorted: bool = True
) -> tuple[Meta, Meta]:
    if k < 1:
        raise failure(
            ValueError, f"the attribute of k in the topk must >= 1 or be a Tensor, but received {k}."
        )
    if not x.ndim:
        axis_of_0d(axis)
    elif not -x.ndim <= axis < x.ndim:
        raise failure(
            ValueError, f"the axis of topk must be [{-x.ndim}, {x.ndim}), but you set axis is {axis}."
        )
    size = x.shape[axis] if x.ndim else 1
    if size != -1 and k > size:
        raise failure(
            ValueError,
            f"The input 'k' ({k}) for topk op must be less than or equal to {size}, the size of axis {axis}.",
        )
    shape = list(x.shape)
    if shape:
        shape[axis] = k
    return Meta(tuple(shape), x.dtype), Meta(tuple(shape), _INT64)


@listed(grad_takes="Out")
@tried_with(lambda rng: ([rng.permutation(12).reshape(3, 4) / 12.0], {"k": 2}))
@operator("top_k_v2", kinds="biuf", name="topk", infer=_topk_infer, outputs=("out", "indices"))
def top_k_v2(
    x: Array, *, k: int, axis: int = -1, largest: bool = True, sorted: bool = True
) -> tuple[Array, ...]:
    """Return the `k` largest (or smallest) elements along an axis, in order, and where they were."""
    if k < 1 or k > (x.shape[axis] if x.ndim else 1):
        raise ValueError  # worded by the shape rule
    if not x.ndim:
        axis_of_0d(axis)
        return x.copy(), np.zeros((), np.int64)
    indices = np.take(_places_in_order(x, axis, largest), range(k), axis)
    return np.take_along_axis(x, indices, axis), indices


@top_k_v2.gradient("x")
def _(dy: Value, dindices: Value, indices: Value, axis: int, x_shape: Shape) -> Value:
    return add_along(dy, indices, axis, x_shape, True) if x_shape else dy


def topk(
    x: Value,
    k: Any,
    axis: int | None = -1,
    largest: bool = True,
    sorted: bool = True,
    name: str | None = None,
) -> tuple[Value, ...]:
    """Return the `k` largest elements of `x` along `axis`, and their indices.

    Args:
        k: how many; an int, or a tensor with one.
        axis: where; None is the last.
        largest: False: the smallest.
        sorted: they always come in order.
    """
    return top_k_v2(x, integer(k), -1 if axis is None else axis, largest, sorted)
