"""Order: sort, argsort, argmax, argmin, the k largest, the share of correct classes; and unique, bincount."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.engine.value.dtype import as_numpy
from minipaddle.ops.creation.cast import numpy_dtype
from minipaddle.ops.definition import Array, Meta, Shape, Value, invalid, operator, require, tried_with
from minipaddle.ops.definition.arguments import axis_in, axis_of_0d, integer
from minipaddle.ops.definition.axis_printing import OneAxis, axes_as_list
from minipaddle.ops.definition.infer_meta import reduced_shape
from minipaddle.ops.definition.program_printing import Listing, derived, listed, of
from minipaddle.ops.indexing.take_along_axis import add_along

_INT64 = np.dtype("int64")


def _places_in_order(x: Array, axis: int, descending: bool) -> Array:
    """Return the indices that sort `x`; equal elements keep their order either way."""
    if not descending:
        return np.argsort(x, axis, kind="stable")
    backwards = np.flip(np.argsort(np.flip(x, axis), axis, kind="stable"), axis)
    return x.shape[axis] - 1 - backwards


def _sort_infer(x: Meta, axis: int, **attrs: Any) -> tuple[Meta, Meta]:
    if not x.ndim:
        axis_of_0d(axis)
    elif not -x.ndim <= axis < x.ndim:
        raise invalid(f"'axis'({axis}) must be in the range [{-x.ndim}, num_dims({x.ndim})).")
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


def _arg_infer(x: Meta, axis: int | None, keepdim: bool, dtype: str) -> Meta:
    if axis is not None and not x.ndim:
        axis_of_0d(axis)
    if axis is None or not x.ndim:
        return Meta((1,) * x.ndim if keepdim else (), as_numpy(dtype))
    if not -x.ndim <= axis < x.ndim:
        raise invalid(f"'axis'({axis}) must be in the range [{-x.ndim}, Rank(X)({x.ndim})).")
    return Meta(reduced_shape(x.shape, (axis % x.ndim,), keepdim), as_numpy(dtype))


def _index_type(dtype: Any) -> str:
    """Return the name of an integer type."""
    if dtype is None:
        raise invalid("the value of 'dtype' in argmax and argmin could not be None, but received None.")
    name = as_numpy(dtype).name
    if name not in ("int32", "int64"):
        raise invalid(
            f"The attribute of dtype in argmin/argmax must be [int32] or [int64], but received [{name}]."
        )
    return name


def _place_of(type: str, name: str, find: Callable[..., Any], which: str) -> Callable[..., Any]:
    """Define ``arg_max`` or ``arg_min``, and return the function of Paddle that applies it."""

    def kernel(x: Array, *, axis: int | None = None, keepdim: bool = False, dtype: str = "int64") -> Any:
        return find(x, axis=None if not x.ndim and axis in (0, -1) else axis, keepdims=keepdim).astype(dtype)

    def function(
        x: Value, axis: Any = None, keepdim: bool = False, dtype: Any = "int64", name: str | None = None
    ) -> Value:
        return made(x, None if axis is None else integer(axis), keepdim, _index_type(dtype))

    kernel.__doc__ = f"Return the index of the {which} element, the first of equal ones."
    made = operator(type, kinds="biuf", name=name, infer=_arg_infer)(kernel)
    listed(OneAxis("flatten", 0, keepdims=of("keepdim")), kind=name)(made)
    does = f"Return the index of the {which} element of `x` along `axis` (None: in the flattened tensor)."
    function.__name__ = function.__qualname__ = name
    function.__doc__, function.__module__ = does, made.__module__
    return function


argmax = _place_of("arg_max", "argmax", np.argmax, "greatest")
argmin = _place_of("arg_min", "argmin", np.argmin, "smallest")


_COUNT = Meta((), np.dtype("int32"))


@listed(inputs="Out, Indices, Label")
@tried_with(
    lambda rng: ([rng.uniform(0, 1, (4, 2)), rng.integers(0, 3, (4, 2)), rng.integers(0, 3, (4, 1))], {})
)
@operator(
    "accuracy",
    infer=lambda *metas: (Meta((), np.dtype("float32")), _COUNT, _COUNT),
    outputs=("accuracy", "correct", "total"),
)
def accuracy_op(x: Array, indices: Array, label: Array) -> Any:
    """Return the share of rows whose `label` [N, 1] is among the `indices` [N, k] of the best, their number, and N."""
    correct = (indices == label.reshape(-1, 1)).any(axis=1).sum()
    return np.float32(correct / max(len(indices), 1)), np.int32(correct), np.int32(len(indices))


def _topk_infer(x: Meta, k: int, axis: int, **attrs: Any) -> tuple[Meta, Meta]:
    if k < 1:
        raise invalid(f"the attribute of k in the topk must >= 1 or be a Tensor, but received {k}.")
    if not x.ndim:
        axis_of_0d(axis)
    elif not -x.ndim <= axis < x.ndim:
        raise invalid(f"the axis of topk must be [{-x.ndim}, {x.ndim}), but you set axis is {axis}.")
    size = x.shape[axis] if x.ndim else 1
    if size != -1 and k > size:
        raise invalid(
            f"The input 'k' ({k}) for topk op must be less than or equal to {size}, the size of axis {axis}."
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
    require(1 <= k <= (x.shape[axis] if x.ndim else 1))
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
    """Return the `k` largest (or smallest) elements of `x` along `axis` (None: the last), in order, and where."""
    return top_k_v2(x, integer(k), -1 if axis is None else axis, largest, sorted)


# -- the different elements ----------------------------------------------------------------------------------


def _unique_infer(x: Meta, axis: int | None, dtype: str, **attrs: Any) -> tuple[Meta, Meta, Meta, Meta]:
    place = 0 if axis is None else axis_in(axis, x.ndim)
    shape = (-1,) if axis is None else (*x.shape[:place], -1, *x.shape[place + 1 :])
    each = x.shape if axis is None else x.shape[place : place + 1]
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


def _bins(x: Any, weights: Any, **attrs: Any) -> Meta:
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
    return found.astype(_bins(x, weights).dtype)


def bincount(x: Value, weights: Value | None = None, minlength: int = 0, name: str | None = None) -> Value:
    """Return how often each number from 0 up is in the vector `x`, or the sums of the `weights` of each.

    Args:
        x: vector of integers, none negative.
        weights: vector of the same length; the result is float32, or float64 if they are not float32.
    """
    if numpy_dtype(x).kind not in "iu":
        raise TypeError("Elements in Input(x) should all be integers")
    return bincount_op(x, weights, integer(minlength))
