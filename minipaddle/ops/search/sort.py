"""Order: sort, argsort, topk, argmax, argmin, unique."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.core.dtype import as_numpy
from minipaddle.core.errors import failure
from minipaddle.core.listing import Listing, derived, of
from minipaddle.core.meta import Array, Meta
from minipaddle.core.operator import operator
from minipaddle.ops.common.arguments import integer
from minipaddle.ops.common.infer_meta import OneAxis, axes_as_list, reduced_shape
from minipaddle.ops.indexing.take_along_axis import add_along

_INT64 = np.dtype("int64")


# -- sort and argsort ------------------------------------------------------------------------


def _places_in_order(x: Array, axis: int, descending: bool) -> Any:
    """Return the indices that sort `x`; equal elements keep their order either way."""
    if not descending:
        return np.argsort(x, axis, kind="stable")
    backwards = np.flip(np.argsort(np.flip(x, axis), axis, kind="stable"), axis)
    return x.shape[axis] - 1 - backwards


def _sort_infer(x: Meta, *, axis: int = -1, descending: bool = False) -> tuple[Meta, Meta]:
    if x.ndim and not -x.ndim <= axis < x.ndim:
        raise failure(ValueError, f"'axis'({axis}) must be in the range [{-x.ndim}, num_dims({x.ndim})).")
    return x, Meta(x.shape, _INT64)


@operator(
    "argsort",
    "X -> Out, Indices",
    name="argsort",
    infer=_sort_infer,
    latex=r"\mathrm{sort}(x)",
    grad_takes="Out",
)
def in_order(x: Array, axis: int = -1, descending: bool = False) -> Any:
    """Sort along an axis; also return the index that each element came from."""
    if not x.ndim:
        return x.copy(), np.zeros((), np.int64)
    indices = _places_in_order(x, axis, descending)
    return np.take_along_axis(x, indices, axis), indices


@in_order.gradient("x")
def _(dy: Any, dindices: Any, indices: Any, axis: int, x_shape: Any) -> Any:
    return add_along(dy, indices, axis, x_shape, True) if x_shape else dy


def sort(
    x: Any, axis: int = -1, descending: bool = False, stable: bool = False, name: str | None = None
) -> Any:
    """Return the elements of `x` in order along `axis`; equal ones always keep their order.

    Raises:
        ValueError: if there is no such axis.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/sort_en.html
    """
    return in_order(x, axis, descending)[0]


def argsort(
    x: Any, axis: int = -1, descending: bool = False, stable: bool = False, name: str | None = None
) -> Any:
    """Return the indices that put `x` in order along `axis`; equal elements always keep their order.

    Raises:
        ValueError: if there is no such axis.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/argsort_en.html
    """
    return in_order(x, axis, descending)[1]


# -- topk ------------------------------------------------------------------------


def _topk_infer(
    x: Meta, *, k: int, axis: int = -1, largest: bool = True, sorted: bool = True
) -> tuple[Meta, Meta]:
    if k < 1:
        raise failure(
            ValueError, f"the attribute of k in the topk must >= 1 or be a Tensor, but received {k}."
        )
    if x.ndim and not -x.ndim <= axis < x.ndim:
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


@operator(
    "top_k_v2",
    "X -> Out, Indices",
    name="topk",
    infer=_topk_infer,
    latex=r"\mathrm{top}_k(x)",
    example=lambda rng: ([rng.permutation(12).reshape(3, 4) / 12.0], {"k": 2}),
    grad_takes="Out",
)
def largest_k(x: Array, k: int, axis: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """Return the `k` largest (or smallest) elements along an axis, in order, and where they were."""
    if k < 1 or k > (x.shape[axis] if x.ndim else 1):
        raise ValueError  # worded by the shape rule
    if not x.ndim:
        return x.copy(), np.zeros((), np.int64)
    indices = np.take(_places_in_order(x, axis, largest), range(k), axis)
    return np.take_along_axis(x, indices, axis), indices


@largest_k.gradient("x")
def _(dy: Any, dindices: Any, indices: Any, axis: int, x_shape: Any) -> Any:
    return add_along(dy, indices, axis, x_shape, True) if x_shape else dy


def topk(
    x: Any, k: Any, axis: int | None = -1, largest: bool = True, sorted: bool = True, name: str | None = None
) -> Any:
    """Return the `k` largest elements of `x` along `axis`, and their indices.

    Args:
        x: tensor.
        k: how many; an int, or a tensor with one.
        axis: where; None is the last.
        largest: False: the smallest.
        sorted: they always come in order.
        name: ignored.

    Raises:
        ValueError: if there are fewer than `k`, or no such axis.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/topk_en.html
    """
    return largest_k(x, integer(k), -1 if axis is None else axis, largest, sorted)


# -- argmax and argmin ------------------------------------------------------------------------


def _arg_infer(x: Meta, *, axis: int | None = None, keepdim: bool = False, dtype: str = "int64") -> Meta:
    if axis is None or not x.ndim:
        return Meta((1,) * x.ndim if keepdim else (), np.dtype(dtype))
    if not -x.ndim <= axis < x.ndim:
        raise failure(ValueError, f"'axis'({axis}) must be in the range [{-x.ndim}, Rank(X)({x.ndim})).")
    return Meta(reduced_shape(x.shape, (axis % x.ndim,), keepdim), np.dtype(dtype))


@operator(
    "arg_max",
    "X -> Out",
    name="argmax",
    infer=_arg_infer,
    latex=r"\mathrm{argmax}\,x",
    listing=OneAxis("flatten", 0, keepdims=of("keepdim")),
    kind="argmax",
)
def arg_max(x: Array, axis: int | None = None, keepdim: bool = False, dtype: str = "int64") -> Any:
    """Return the index of the greatest element, the first of equal ones."""
    return np.argmax(x, axis=axis if x.ndim else None, keepdims=keepdim).astype(dtype)


@operator(
    "arg_min",
    "X -> Out",
    name="argmin",
    infer=_arg_infer,
    latex=r"\mathrm{argmin}\,x",
    listing=OneAxis("flatten", 0, keepdims=of("keepdim")),
    kind="argmin",
)
def arg_min(x: Array, axis: int | None = None, keepdim: bool = False, dtype: str = "int64") -> Any:
    """Return the index of the smallest element, the first of equal ones."""
    return np.argmin(x, axis=axis if x.ndim else None, keepdims=keepdim).astype(dtype)


def _index_type(dtype: Any) -> str:
    """Return the name of an integer type.

    Raises:
        ValueError: for any other type.
    """
    if dtype is None:
        raise failure(
            ValueError, "the value of 'dtype' in argmax and argmin could not be None, but received None."
        )
    name = as_numpy(dtype).name
    if name not in ("int32", "int64"):
        raise failure(
            ValueError,
            f"The attribute of dtype in argmin/argmax must be [int32] or [int64], but received [{name}].",
        )
    return name


def argmax(
    x: Any, axis: Any = None, keepdim: bool = False, dtype: Any = "int64", name: str | None = None
) -> Any:
    """Return the index of the greatest element of `x` along `axis` (None: in the flattened tensor).

    Args:
        x: tensor.
        axis: int or None.
        keepdim: whether the axis stays, with size 1.
        dtype: "int64" or "int32".
        name: ignored.

    Raises:
        ValueError: if there is no such axis, or for another `dtype`.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/argmax_en.html
    """
    return arg_max(x, None if axis is None else integer(axis), keepdim, _index_type(dtype))


def argmin(
    x: Any, axis: Any = None, keepdim: bool = False, dtype: Any = "int64", name: str | None = None
) -> Any:
    """Return the index of the smallest element of `x` along `axis`, as :func:`argmax` does.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/argmin_en.html
    """
    return arg_min(x, None if axis is None else integer(axis), keepdim, _index_type(dtype))


# -- unique ------------------------------------------------------------------------


def _unique_infer(x: Meta, *, axis: int | None = None, dtype: str = "int64") -> tuple[Meta, Meta, Meta, Meta]:
    shape = (-1,) if axis is None else (*x.shape[:axis], -1, *x.shape[axis + 1 :])
    count = Meta((-1,), np.dtype(dtype))
    return Meta(shape, x.dtype), count, count, count


_ALWAYS = derived(lambda attrs, metas: True)


def _one_axis(axes: list[int]) -> int | None:
    return axes[0] if axes else None


@operator(
    "unique",
    "X -> Out~, Indices~, Index~, Counts~",
    name="unique",
    infer=_unique_infer,
    latex=r"\{x\}",
    listing=Listing(
        axis=of("axis", axes_as_list, _one_axis),
        is_sorted=True,
        return_index=_ALWAYS,
        return_inverse=_ALWAYS,
        return_counts=_ALWAYS,
    ),
)
def distinct(x: Array, axis: int | None = None, dtype: str = "int64") -> Any:
    """Return the different elements in order, where each is first, which one each is, and how often."""
    out, first, inverse, counts = np.unique(
        x, return_index=True, return_inverse=True, return_counts=True, axis=axis
    )
    return out, first.astype(dtype), inverse.reshape(-1).astype(dtype), counts.astype(dtype)


def unique(
    x: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    dtype: Any = "int64",
    name: str | None = None,
) -> Any:
    """Return the different elements of `x` in order; if asked, also indices, inverse and counts.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/unique_en.html
    """
    out, *others = distinct(x, axis, as_numpy(dtype).name)
    asked = (return_index, return_inverse, return_counts)
    chosen = [other for other, wanted in zip(others, asked, strict=True) if wanted]
    return (out, *chosen) if chosen else out
