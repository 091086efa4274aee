"""Where something is found: searchsorted, bucketize, mode, kthvalue, counts, runs of equal elements."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.core.dtype import as_numpy
from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Meta, Shape
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.arguments import integer
from minipaddle.ops.common.listed import listed
from minipaddle.ops.creation.promotion import to_common
from minipaddle.ops.indexing.take_along_axis import add_along
from minipaddle.ops.logic.compare import equal
from minipaddle.ops.logic.logical import any, logical_not
from minipaddle.ops.search.sort import sort
from minipaddle.ops.search.where import nonzero
from minipaddle.ops.views.reshape import reshape2, unsqueeze2

_INT64 = np.dtype("int64")

# -- in what is sorted ----------------------------------------------------------------------------------------


def _sorted_infer(sequence: Meta, values: Meta, *, out_int32: bool = False, right: bool = False) -> Meta:
    if (
        sequence.ndim != 1
        and sequence.shape[:-1] != values.shape[:-1]
        and -1 not in sequence.shape + values.shape
    ):
        raise failure(
            ValueError,
            "The dimensions except the last dimension of Input(SortedSequence) and Input(Values) must be the same, "
            f"but received {list(sequence.shape)} and {list(values.shape)}.",
        )
    return Meta(values.shape, np.dtype("int32" if out_int32 else "int64"))


@operator(
    "searchsorted", "SortedSequence, Values -> Out", kinds="iuf", infer=_sorted_infer, latex=r"|\{j : s_j < v\}|",
    example=lambda rng: ([np.sort(rng.uniform(0, 1, 5)), rng.uniform(0, 1, (2, 3))], {}),
)  # fmt: skip
def searchsorted(
    sorted_sequence: Array, values: Array, out_int32: bool = False, right: bool = False
) -> Array:
    """Return how many elements of a sorted sequence come before each of `values`.

    Args:
        sorted_sequence: vector, or one row for each row of `values`.
        values: tensor.
        out_int32: whether the result is int32 instead of int64.
        right: whether equal ones come before, too.

    Raises:
        ValueError: if the rows do not match.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/searchsorted_en.html
    """
    side: Any = "right" if right else "left"
    if sorted_sequence.ndim == 1:
        found = np.searchsorted(sorted_sequence, values, side)
        return np.asarray(found).astype("int32" if out_int32 else "int64")
    if sorted_sequence.shape[:-1] != values.shape[:-1]:
        raise ValueError  # worded by the shape rule
    out = np.empty(values.shape, "int32" if out_int32 else "int64")
    for row in np.ndindex(values.shape[:-1]):
        out[row] = np.searchsorted(sorted_sequence[row], values[row], side)
    return out


def bucketize(
    x: Value, sorted_sequence: Value, out_int32: bool = False, right: bool = False, name: str | None = None
) -> Value:
    """Return in which bucket between the elements of a sorted vector each element of `x` falls.

    Raises:
        ValueError: if the sequence is no vector.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/bucketize_en.html
    """
    if sorted_sequence.ndim != 1:
        raise ValueError(f"sorted_sequence tensor must be 1 dimension, but got dim {sorted_sequence.ndim}")
    return searchsorted(sorted_sequence, x, out_int32, right)


def isin(
    x: Value, test_x: Any, assume_unique: bool = False, invert: bool = False, name: str | None = None
) -> Value:
    """Tell which elements of `x` are among those of `test_x` (or, `invert`, are not).

    Args:
        x: tensor.
        test_x: tensor.
        assume_unique: accepted: whether no element is there twice.
        invert: tell which are not.
        name: ignored.

    Raises:
        TypeError: **must be tensor type**.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/isin_en.html
    """
    for value in (x, test_x):
        if not hasattr(value, "stop_gradient"):
            raise TypeError(f"x must be tensor type, but got {type(value)}")
    x, test_x = to_common(equal, x, test_x)
    among = any(equal(unsqueeze2(x, (-1,)), reshape2(test_x, (-1,))), -1)
    return logical_not(among) if invert else among


# -- one element of each row ----------------------------------------------------------------------------------


def _one_each(x: Meta, axis: int, keepdim: bool) -> tuple[Meta, Meta]:
    """Shape rule of what takes one element along an axis, and says where.

    Raises:
        ValueError: if there is no such axis.
    """
    if x.ndim and not -x.ndim <= axis < x.ndim:
        raise failure(ValueError, f"the axis must be [{-x.ndim}, {x.ndim}), but received {axis}.")
    place = axis % x.ndim if x.ndim else 0
    shape = tuple(1 if one == place else n for one, n in enumerate(x.shape) if keepdim or one != place)
    return Meta(shape, x.dtype), Meta(shape, _INT64)


def _kth_infer(x: Meta, *, k: int, axis: int = -1, keepdim: bool = False) -> tuple[Meta, Meta]:
    metas = _one_each(x, axis, keepdim)
    size = x.shape[axis] if x.ndim else 1
    if k < 1 or k > size != -1:
        raise failure(
            ValueError, f"input of kthvalue must have >= {k} columns in axis of {axis}, and k >= 1."
        )
    return metas


def _taken(x: Array, places: Array, axis: int, keepdim: bool) -> tuple[Array, ...]:
    """Return the elements at `places`, which have an axis of size 1, and these."""
    if not x.ndim:
        return x.copy(), np.zeros((), np.int64)
    values = np.take_along_axis(x, places, axis)
    return (values, places) if keepdim else (values.squeeze(axis), places.squeeze(axis))


def _put_back(dy: Any, indices: Any, axis: int, keepdim: bool, x_shape: Shape) -> Any:
    """Return the gradient of what took one element along an axis."""
    if not x_shape:
        return dy
    if not keepdim:
        dy, indices = unsqueeze2(dy, (axis % len(x_shape),)), unsqueeze2(indices, (axis % len(x_shape),))
    return add_along(dy, indices, axis % len(x_shape), x_shape, True)


@listed(grad_takes="Out")
@operator(
    "kthvalue", "X -> Out, Indices", kinds="biuf", infer=_kth_infer, latex="x_{(k)}",
    example=lambda rng: ([rng.permutation(12).reshape(3, 4) / 12.0], {"k": 2}),
)  # fmt: skip
def kthvalue_op(x: Array, k: int, axis: int = -1, keepdim: bool = False) -> tuple[Array, ...]:
    """Return the `k`-th smallest element along an axis, and where it stands."""
    if k < 1 or k > (x.shape[axis] if x.ndim else 1):
        raise ValueError  # worded by the shape rule
    order = np.argsort(x, axis, kind="stable") if x.ndim else np.zeros(1, np.int64)
    return _taken(x, np.take(order, [k - 1], axis if x.ndim else 0), axis, keepdim)


@kthvalue_op.gradient("x")
def _(dy: Value, dindices: Value, indices: Value, axis: int, keepdim: bool, x_shape: Shape) -> Value:
    return _put_back(dy, indices, axis, keepdim, x_shape)


def kthvalue(
    x: Value, k: int, axis: int | None = None, keepdim: bool = False, name: str | None = None
) -> tuple[Value, ...]:
    """Return the `k`-th smallest elements of `x` along `axis` (the last, if None), and where they stand.

    Raises:
        ValueError: if there are fewer than `k`, or no such axis.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/kthvalue_en.html
    """
    return tuple(kthvalue_op(x, integer(k), -1 if axis is None else axis, keepdim))


@listed(grad_takes="Out")
@operator(
    "mode", "X -> Out, Indices", kinds="biuf",
    infer=lambda x, axis=-1, keepdim=False: _one_each(x, axis, keepdim), latex=r"\mathrm{mode}\,x",
    example=lambda rng: ([rng.permutation(6).reshape(2, 3) / 6.0], {}),
)  # fmt: skip
def mode(x: Array, axis: int = -1, keepdim: bool = False) -> tuple[Array, ...]:
    """Return the commonest element along `axis`, of several the smallest, and where it stands last.

    Args:
        x: tensor.
        axis: where.
        keepdim: whether the axis stays, with size 1.

    Raises:
        ValueError: if there is no such axis.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/mode_en.html
    """
    if not x.ndim:
        return x.copy(), np.zeros((), np.int64)
    rows = np.moveaxis(x, axis, -1)
    places = np.empty((*rows.shape[:-1], 1), np.int64)
    for row in np.ndindex(rows.shape[:-1]):
        values, counts = np.unique(rows[row], return_counts=True)
        best = values[counts == counts.max()][0]
        places[row] = np.flatnonzero(rows[row] == best)[-1]
    return _taken(x, np.moveaxis(places, -1, axis), axis, keepdim)


@mode.gradient("x")
def _(dy: Value, dindices: Value, indices: Value, axis: int, keepdim: bool, x_shape: Shape) -> Value:
    return _put_back(dy, indices, axis, keepdim, x_shape)


# -- runs of equal elements -----------------------------------------------------------------------------------


@operator(
    "unique_consecutive", "X -> Out, Index~, Counts~", kinds="biuf",
    infer=lambda x, axis=None, dtype=_INT64: (
        Meta(_runs(x.shape, axis), x.dtype), Meta((-1,), as_numpy(dtype)), Meta((-1,), as_numpy(dtype))
    ),
    example=lambda rng: ([np.array([1.0, 1.0, 2.0])], {}),
)  # fmt: skip
def unique_consecutive_op(x: Array, axis: int | None = None, dtype: Any = _INT64) -> tuple[Array, ...]:
    """Return one element of each run of equal ones, the run of each element, and the lengths of the runs."""
    if axis is None:
        x, axis = x.reshape(-1), 0
    rows = np.moveaxis(x, axis, 0)
    differs = (rows[1:] != rows[:-1]).any(axis=tuple(range(1, rows.ndim)))
    first = np.concatenate([np.ones(len(rows[:1]), bool), differs])
    starts = np.flatnonzero(first)
    counts = np.diff([*starts, len(rows)])
    inverse = np.cumsum(first).astype(dtype) - as_numpy(dtype).type(1)
    return np.take(x, starts, axis), inverse, counts.astype(dtype)


def _runs(shape: Shape, axis: int | None) -> Shape:
    if axis is None:
        return (-1,)
    return tuple(-1 if one == axis % len(shape) else size for one, size in enumerate(shape))


def unique_consecutive(
    x: Value,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: Any = None,
    dtype: Any = "int64",
    name: str | None = None,
) -> Any:
    """Return one element of each run of equal neighbours in `x`; perhaps the run of each element, and their lengths.

    Args:
        x: tensor.
        return_inverse: whether to return the run of each element.
        return_counts: whether to return the lengths of the runs.
        axis: along which slices are compared; None: of all elements in a row.
        dtype: int32 or int64, of the two.
        name: ignored.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/unique_consecutive_en.html
    """
    out, index, counts = unique_consecutive_op(x, None if axis is None else integer(axis), as_numpy(dtype))
    found = [out, *([index] if return_inverse else []), *([counts] if return_counts else [])]
    return tuple(found) if len(found) > 1 else out


# -- small ones -----------------------------------------------------------------------------------------------


def argwhere(input: Value) -> Value:
    """Return the indices of the elements of `input` that are not zero, one row each.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/argwhere_en.html
    """
    return nonzero(input)


def msort(input: Value) -> Value:
    """Return `input` sorted along its first axis.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/msort_en.html
    """
    return sort(input, axis=0)
