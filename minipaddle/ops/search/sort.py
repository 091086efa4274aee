"""Order: sort, argsort."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.ops.definition import Array, Meta, Shape, Value, failure, listed, operator
from minipaddle.ops.definition.arguments import axis_of_0d
from minipaddle.ops.indexing.take_along_axis import add_along

_INT64 = np.dtype("int64")


def _places_in_order(x: Array, axis: int, descending: bool) -> Array:
    """Return the indices that sort `x`; equal elements keep their order either way."""
    if not descending:
        return np.argsort(x, axis, kind="stable")
    backwards = np.flip(np.argsort(np.flip(x, axis), axis, kind="stable"), axis)
    return x.shape[axis] - 1 - backwards


def _sort_infer(x: Meta, *, axis: int = -1, descending: bool = False) -> tuple[Meta, Meta]:
    if not x.ndim:
        axis_of_0d(axis)
    elif not -x.ndim <= axis < x.ndim:
        raise failure(ValueError, f"'axis'({axis}) must be in the range [{-x.ndim}, num_dims({x.ndim})).")
    return x, Meta(x.shape, _INT64)


@listed(grad_takes="Out")
@operator("argsort", kinds="biuf", infer=_sort_infer, outputs=("out", "indices"))
def argsort_op(x: Array, *, axis: int = -1, descending: bool = False) -> tuple[Array, ...]:
    """Sort along an axis; also return the index that each element came from."""
    if not x.ndim:
        axis_of_0d(axis)
        return x.copy(), np.zeros((), np.int64)
    indices = _places_in_order(x, axis, descending)
    return np.take_along_axis(x, indices, axis), indices


@argsort_op.gradient("x")
def _(dy: Value, dindices: Value, indices: Value, axis: int, x_shape: Shape) -> Value:
    return add_along(dy, indices, axis, x_shape, True) if x_shape else dy


def sort(
    x: Value, axis: int = -1, descending: bool = False, stable: bool = False, name: str | None = None
) -> Value:
    """Return the elements of `x` in order along `axis`; equal ones always keep their order."""
    return argsort_op(x, axis, descending)[0]


def argsort(
    x: Any, axis: int = -1, descending: bool = False, stable: bool = False, name: str | None = None
) -> Any:
    """Return the indices that put `x` in order along `axis`; equal elements always keep their order."""
    return argsort_op(x, axis, descending)[1]
