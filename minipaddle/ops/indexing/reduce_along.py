"""Writing by index where several meet: scatter_reduce, index_fill, index_put, masked_scatter, take."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Meta
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.arguments import axis_in
from minipaddle.ops.creation.assign import constant
from minipaddle.ops.creation.cast import cast, numpy_dtype
from minipaddle.ops.indexing.index import getitem, setitem
from minipaddle.ops.indexing.scatter import scatter_nd_add
from minipaddle.ops.indexing.take_along_axis import (
    add_along,
    places_along,
    put_along_axis_op,
    reduced_into,
    take_along_axis_op,
)
from minipaddle.ops.reduction.broadcast import expand_v2
from minipaddle.ops.reduction.sum import cast_to
from minipaddle.ops.views.reshape import reshape2

# -- several to one place -------------------------------------------------------------------------------------


@operator(
    "reduce_along_axis", "Input, Index, Value -> Result", infer=lambda x, index, value, **attrs: x,
    latex=r"x_{i_j} \leftarrow f(x_{i_j}, v_j)",
    example=lambda rng: (
        [rng.uniform(0.2, 0.9, (3, 4)), np.array([[1, 1], [3, 0], [2, 0]]), rng.uniform(0.2, 0.9, (3, 2))],
        {"axis": 1, "reduce": "mul", "include_self": True},
    ),
)  # fmt: skip
def reduce_along(x: Array, index: Array, value: Array, axis: int, reduce: str, include_self: bool) -> Array:
    """Multiply, average, or take the least or greatest of what is at a place and all that an index leads there."""
    out, places = x.copy(), places_along(index, axis)
    if reduce == "mean":
        np.add.at(out, places, value)
        return (out / _counted(x.shape, index, axis, include_self)).astype(x.dtype)
    {"mul": np.multiply, "amin": np.minimum, "amax": np.maximum}[reduce].at(out, places, value)
    return out


def _counted(shape: Any, index: Array, axis: int, include_self: bool) -> Array:
    """Return how many numbers meet at each place, at least 1."""
    count = np.full(shape, int(include_self), np.int64)
    np.add.at(count, places_along(index, axis), 1)
    return np.maximum(count, 1)


@operator(
    "meeting_along_axis", "X, Index -> Out", infer=lambda x, index, axis, include_self: Meta(x.shape, x.dtype),
    example=lambda rng: (
        [rng.uniform(0.2, 0.9, (3, 4)), np.array([[1, 1], [3, 0], [2, 0]])], {"axis": 1, "include_self": True}
    ),
)  # fmt: skip
def meeting(x: Array, index: Array, axis: int, include_self: bool) -> Array:
    """Return how many numbers meet at each place of `x`: for the gradient of their mean."""
    return _counted(x.shape, index, axis, include_self).astype(x.dtype)


def _share(x: Any, index: Any, value: Any, out: Any, axis: int, dy: Any) -> Any:
    """Return `dy` divided by how many of those that meet are as great as the result."""
    equal = cast(x == out, dy.dtype)
    hits = cast(value == take_along_axis_op(out, index, axis), dy.dtype)
    ties = equal + add_along(hits, index, axis, tuple(x.shape))
    return dy / ties


@reduce_along.gradient("x")
def _(
    dy: Value, x: Value, index: Value, value: Value, result: Value, axis: int, reduce: str, include_self: bool
) -> Value:
    if reduce == "mul":
        return dy * result / x
    if reduce == "mean":
        return dy / meeting(dy, index, axis, include_self)
    return _share(x, index, value, result, axis, dy) * cast(x == result, dy.dtype)


@reduce_along.gradient("value")
def _(
    dy: Value, x: Value, index: Value, value: Value, result: Value, axis: int, reduce: str, include_self: bool
) -> Value:
    if reduce == "mul":
        return take_along_axis_op(dy * result, index, axis) / value
    if reduce == "mean":
        return take_along_axis_op(dy / meeting(dy, index, axis, include_self), index, axis)
    hits = cast(value == take_along_axis_op(result, index, axis), dy.dtype)
    return take_along_axis_op(_share(x, index, value, result, axis, dy), index, axis) * hits


_NAMES = {"sum": "add", "prod": "mul", "mean": "mean", "amin": "amin", "amax": "amax"}


def scatter_reduce(
    input: Value, dim: int, index: Value, src: Value, reduce: str, *, include_self: bool = True
) -> Value:
    """Return `input` with one number at each place along `dim`, of what is there and what `index` leads there.

    Args:
        input: tensor.
        dim: axis.
        index: integer tensor with as many axes.
        src: tensor of the shape of `index`.
        reduce: "sum", "prod", "mean", "amin" or "amax".
        include_self: whether what is there counts.

    Raises:
        ValueError: for another `reduce`.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/scatter_reduce_en.html
    """
    if reduce not in _NAMES:
        raise failure(ValueError, f"reduce must be one of {list(_NAMES)}, but received {reduce!r}.")
    place = axis_in(dim, input.ndim)
    if reduce == "sum" and include_self:
        return put_along_axis_op(input, index, src, place, "add")
    return reduced_into(input, index, src, place, _NAMES[reduce], include_self)


def scatter_add(input: Value, dim: int, index: Value, src: Value) -> Value:
    """Return `input` with `src` added at the places along `dim` that `index` names.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/scatter_add_en.html
    """
    return scatter_reduce(input, dim, index, src, "sum")


# -- slices and cells -----------------------------------------------------------------------------------------


def index_fill(x: Value, index: Value, axis: int, value: Any, name: str | None = None) -> Value:
    """Return `x` with `value`, a number or a 0-D tensor, in the slices along `axis` that `index` names.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/index_fill_en.html
    """
    place = axis_in(axis, x.ndim)
    if hasattr(value, "stop_gradient"):
        value = cast_to(value, numpy_dtype(x))
    return setitem(x, (builtins.slice(None),) * place + (index,), value)


def index_put(
    x: Value, indices: Any, value: Value, accumulate: bool = False, name: str | None = None
) -> Value:
    """Return `x` with `value` at the cells that a tuple of index tensors names; or, `accumulate`, added to them.

    Raises:
        ValueError: **The data type of tensor value must be same**.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/index_put_en.html
    """
    if numpy_dtype(value) != numpy_dtype(x):
        raise failure(ValueError, "The data type of tensor value must be same to the data type of tensor x.")
    if not accumulate:
        return setitem(x, tuple(indices), value)
    places = np.arange(int(np.prod(x.shape))).reshape(x.shape)[tuple(np.asarray(one) for one in indices)]
    flat = _flat_sum(reshape2(x, (-1,)), places, value)
    return reshape2(flat, tuple(x.shape))


def _flat_sum(flat: Value, places: Array, value: Value) -> Value:
    updates = reshape2(expand_v2(value, places.shape), (-1,))
    return scatter_nd_add(flat, constant(places.reshape(-1, 1)), updates)


def masked_scatter(x: Value, mask: Value, value: Value, name: str | None = None) -> Value:
    """Return `x` with the first elements of `value`, in order, where `mask`, which broadcasts, is True.

    Raises:
        AssertionError: if `mask` is not bool, or `value` has too few elements.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/masked_scatter_en.html
    """
    assert numpy_dtype(mask).kind == "b", f"The mask must be bool, but received {mask.dtype}."
    mask = expand_v2(mask, tuple(x.shape))
    count = int(np.asarray(mask).sum())
    row = reshape2(value, (-1,))
    assert row.shape[0] >= count, f"mask true nums must be <= value size, but got mask true nums is {count}"
    return setitem(x, mask, row[:count])


def take(x: Any, index: Any, mode: str = "raise", name: str | None = None) -> Any:
    """Return the elements of `x`, read as a row, at the places of `index`, in its shape.

    Args:
        x: tensor.
        index: tensor of int32 or int64; negative places count from the end.
        mode: what is beyond the ends: "raise" an error, "wrap" around, or "clip" to the ends.
        name: ignored.

    Raises:
        ValueError: for another mode, or, ``mode="raise"``, a place that is not there.
        TypeError: if `index` does not hold integers.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/take_en.html
    """
    if mode not in ("raise", "wrap", "clip"):
        raise ValueError(f"'mode' in 'take' should be 'raise', 'wrap', 'clip', but received {mode}.")
    if numpy_dtype(index).name not in ("int32", "int64"):
        raise TypeError(f"The data type of 'index' must be one of ['int32', 'int64'], but got {index.dtype}")
    size = int(np.prod(x.shape))
    if mode == "wrap":
        index = index % size
    elif mode == "clip":
        index = index.clip(0, size - 1)
    else:
        places = np.asarray(index)
        if places.size and (places.min() < -size or places.max() >= size):
            raise failure(
                ValueError, f"Variable value (index) of OP(index_select) expected >= -{size} and < {size}."
            )
    return getitem(reshape2(x, (-1,)), index)
