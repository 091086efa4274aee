"""Reading and writing parts of a tensor: the operators of ``x[...]`` and ``x[...] = v``.

Four operators: ``slice`` reads a view, ``getitem`` copies the elements that arrays and masks select, ``scatter_at`` is
the gradient of both (repeated places add up), ``set_value`` writes. The gradient of each consists of the others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.engine.mode.eager import current
from minipaddle.ops.creation.assign import assign_value
from minipaddle.ops.creation.fill_constant import in_range
from minipaddle.ops.definition import Array, Meta, Shape, Value, invalid, locate, mark, operator, tried_with
from minipaddle.ops.definition.program_printing import listed
from minipaddle.ops.indexing.text import Assigned, Reading, Sliced, arrays_shape, read, view_shape, write
from minipaddle.ops.reduction.sum import cast_to, unbroadcast
from minipaddle.ops.views.reshape import reshape2

_FEW = 256  # elements up to which NumPy's own adding is faster than a search for repeats


def _read_infer(x: Meta, index_arrays: list[Meta] | None = None, *, index: str) -> Meta:
    reading = read(index)
    shape = view_shape(x.shape, reading.view)
    return Meta(arrays_shape(shape, reading, index_arrays or []) if reading.arrays else shape, x.dtype)


# -- reading -------------------------------------------------------------------------------------------------


@listed(Sliced("", "decrease_axis", "infer_flags"), inputs="Input")
@tried_with((3, 4), index="1::, 2")
@operator("slice", infer=_read_infer, view=True)
def slice_op(x: Array, *, index: str) -> Array:
    """Read numbers, slices, None and Ellipsis: a view on the memory of the input."""
    return x[read(index).view]


@listed(Sliced("strides", "decrease_axis", "infer_flags"), inputs="Input")
@tried_with((3, 4), index="::-1, 1::2")
@operator("strided_slice", infer=_read_infer, view=True)
def strided_slice(x: Array, *, index: str) -> Array:
    """Return a slice with steps: a Program has a separate operator for them."""
    return x[read(index).view]


@listed(inputs="X, Index")
@tried_with((3, 4), [2, 0, 2], index="@, 1:")
@operator("getitem", name="index_elementwise_get", infer=_read_infer)
def getitem_op(x: Array, *index_arrays: Array, index: str) -> Array:
    """Copy what integer arrays and masks pick."""
    reading = read(index)
    return x[reading.view][reading.fill(index_arrays)]


@getitem_op.gradient("x")
def _(dy: Value, index_arrays: Sequence[Value], index: str, x_shape: Shape) -> Value:
    return scatter_at(dy, index_arrays, index, x_shape)


# -- the gradient of reading ---------------------------------------------------------------------------------


@listed(inputs="X, Index")
@tried_with((3, 3), [2, 0, 2], index="@, 1:", shape=(3, 4))
@operator("scatter_at", infer=lambda x, index_arrays, shape, **attrs: Meta(tuple(shape), x.dtype))
def scatter_at(x: Array, *index_arrays: Array, index: str, shape: Any) -> Array:
    """Start from zeros of `shape` and add `x` at the places of `index`; repeated places add up."""
    out = np.zeros(shape, x.dtype)
    reading = read(index)
    if reading.arrays is None:
        out[reading.view] = x
        return out
    where, target = reading.fill(index_arrays), out[reading.view]
    if _no_repeats(index_arrays, where, target.shape):
        target[where] = x
    elif x.size <= _FEW:
        np.add.at(target, where, x)
    else:
        _add_flat(out, x, reading, where)
    return out


strided_slice.gradient("x")(lambda dy, index, x_shape: scatter_at(dy, [], index, x_shape))
slice_op.gradient("x")(lambda dy, index, x_shape: scatter_at(dy, [], index, x_shape))


def _no_repeats(arrays: Sequence[Array], where: tuple[Any, ...], shape: Shape) -> bool:
    """Return whether a cheap test shows that no element is picked twice: one mask, or one list of different rows."""
    if len(arrays) != 1:
        return False
    (array,) = arrays
    if array.dtype.kind == "b":
        return True
    if where[0] is not array or array.size * math.prod(shape[1:]) <= _FEW:
        return False
    return bool(np.bincount(array.reshape(-1) % shape[0]).max() <= 1)


def _add_flat(out: Array, x: Array, reading: Reading, where: tuple[Any, ...]) -> None:
    """Add at positions counted along memory: ten times faster than adding at n-D places."""
    if len(where) == 1 and len(reading.view) == 2:  # whole rows
        width = math.prod(out.shape[1:])
        positions = where[0].reshape(-1, 1) % out.shape[0] * width + np.arange(width)
    else:
        positions = np.arange(out.size).reshape(out.shape)[reading.view][where]
    np.add.at(out.reshape(-1), positions.reshape(-1), x.reshape(-1))


scatter_at.gradient("x")(lambda dy, index_arrays, index: _get(dy, index_arrays, index))


def _get(x: Any, arrays: Sequence[Any], index: str) -> Any:
    return getitem_op(x, arrays, index) if arrays else slice_op(x, index)


# -- writing -------------------------------------------------------------------------------------------------


def _set_infer(x: Meta, value: Meta | None, index_arrays: list[Meta], index: str, **attrs: Any) -> Meta:
    target = _read_infer(x, index_arrays, index=index).shape
    if value is not None and not _fits(value.shape, target):
        raise invalid(
            f"The shape of tensor assigned value must match the shape of target shape: {list(value.shape)}, "
            f"but now shape is {list(target)}.",
            "the value is broadcast to the place it is written to",
        )
    return x


def _fits(value: Shape, target: Shape) -> bool:
    rest = len(value) - len(target)
    if any(size != 1 for size in value[: max(rest, 0)]):
        return False
    pairs = zip(reversed(value), reversed(target), strict=False)
    return all(a in (1, b) or -1 in (a, b) for a, b in pairs)


@listed(Assigned(), inputs="Input, ValueTensor, Index")
@tried_with((3, 4), (2, 1), [2, 0], index="@, 1:")
@operator("set_value", infer=_set_infer)
def set_value(
    x: Array, value: Array | None = None, *index_arrays: Array, index: str, number: Any = 0
) -> Array:
    """Return `x` with `value`, broadcast (or without one `number`), written at the places of `index`."""
    out = x.copy()
    reading = read(index)
    target = out[reading.view]
    if reading.arrays is None:
        target[...] = in_range(number, x.dtype) if value is None else value
        return out
    where = reading.fill(index_arrays)
    target[where] = in_range(number, x.dtype) if value is None else _without_front(value, target, where)
    return out


def _without_front(value: Array, target: Array, where: tuple[Any, ...]) -> Array:
    """Drop axes of size 1 that `value` has in excess: NumPy does so itself, except under a single mask."""
    if len(where) > 1 or where[0].dtype.kind != "b":
        return value
    room = target.ndim - where[0].ndim + 1
    return value.reshape(value.shape[-room:]) if value.ndim > room else value


set_value.gradient("x")(lambda dy, index_arrays, index: set_value(dy, None, index_arrays, index))


@set_value.gradient("value")
def _(
    dy: Value, index_arrays: Sequence[Value], index: str, x_shape: Shape, value_shape: Shape, value_dtype: Any
) -> Value:
    taken = cast_to(_get(dy, index_arrays, index), value_dtype)
    if "@" in (read(index).arrays or ()):  # numbers may repeat, a mask cannot
        taken = taken * cast_to(last_at(index_arrays, index, x_shape), value_dtype)
    missing = len(value_shape) - taken.ndim
    if missing > 0:  # the value had more axes, of size 1, than its place
        taken = reshape2(taken, (1,) * missing + tuple(taken.shape))
    return unbroadcast(taken, value_shape)


@listed(inputs="Index")
@tried_with([2, 0, 2], index="@, 1:", shape=(3, 4))
@operator(
    "last_at",
    infer=lambda index_arrays, index, shape: Meta(
        _read_infer(Meta(tuple(shape), np.dtype(bool)), index_arrays, index=index).shape, np.dtype(bool)
    ),
)
def last_at(*index_arrays: Array, index: str, shape: Any) -> Array:
    """Return the elements that are the last to be written to their place: their values remain."""
    reading = read(index)
    places = np.arange(math.prod(shape)).reshape(shape)[reading.view][reading.fill(index_arrays)]
    turns = np.arange(places.size).reshape(places.shape)
    last = np.zeros(math.prod(shape), np.int64)
    last[places.reshape(-1)] = turns.reshape(-1)
    return last[places] == turns


mark("selects", slice_op, strided_slice, getitem_op, last_at)


# -- functions that Tensor calls -----------------------------------------------------------------------------


def getitem(x: Value, index: Any) -> Value:
    """Return ``x[index]``: a view, or a copy if `index` has an array.

    Args:
        index: int, slice, Ellipsis, None, bool, list, array or tensor of ints or bools; or a tuple of these.

    Raises:
        IndexError: **out of bounds**, or too many indices.
        ValueError: for any other kind of index, naming its type.
    """
    if type(index) is int:
        return slice_op(x, str(index))
    text, arrays = written_index(index)
    return getitem_op(x, arrays, text) if arrays else slice_op(x, text)


def setitem(x: Value, index: Any, value: Any) -> Value:
    """Return a copy of `x` with `value` written at `index`; both receive gradients."""
    text, arrays = written_index(index)
    tensor, number = _value(value)
    return set_value(x, tensor, arrays, text, number)


def setitem_inplace(x: Value, index: Any, value: Any) -> Value:
    """Write `value` into `x` at `index`: ``x[index] = value``.

    Raises:
        IndexError: **out of bounds**, or too many indices.
        ValueError: for a value that does not fit or is no number, array or Tensor.
    """
    text, arrays = written_index(index)
    tensor, number = _value(value)
    inputs = (x, tensor, *arrays)
    return current.get().apply_inplace(set_value, inputs, {"index": text, "number": number})


def written_index(index: Any) -> tuple[str, list[Any]]:
    """Return `index` as a text, and its arrays as values of the current mode."""
    try:
        text, arrays = write(index)
    except Exception as error:
        raise locate(error, "getitem") from None
    return text, [_tensor(array) for array in arrays]


def _tensor(array: Any) -> Value:
    """Return an index as a value of the current mode."""
    return assign_value(values=array) if isinstance(array, np.ndarray) else array


def _value(value: Any) -> tuple[Any, Any]:
    """Split the value to write into a tensor (or None) and a number."""
    if isinstance(value, (bool, int, float)):
        return None, value
    if isinstance(value, np.generic):
        return None, value.item()
    if isinstance(value, np.ndarray):
        return _tensor(value), 0
    if hasattr(value, "dtype") and hasattr(value, "ndim"):
        return value, 0
    raise locate(
        invalid(
            "Value type error. The assign value allows Tensor, numpy.ndarray, integer, float or bool, "
            f"but received {type(value).__name__}.",
            "paddle.to_tensor makes a Tensor of a list",
        ),
        "set_value",
    )
