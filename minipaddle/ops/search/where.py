"""Selection by a condition: where, nonzero, masked_select, masked_fill, nan_to_num."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.ops.creation.assign import constant
from minipaddle.ops.creation.cast import numpy_dtype
from minipaddle.ops.creation.convert import number_beside
from minipaddle.ops.creation.full import full, full_like, zeros_like
from minipaddle.ops.creation.promotion import alike, promote, promote_floats
from minipaddle.ops.definition import Array, Meta, Value, current, failure, invalid, listed, mark, operator
from minipaddle.ops.definition.example import tried_with
from minipaddle.ops.definition.infer_meta import broadcast_shapes
from minipaddle.ops.indexing.index import scatter_at
from minipaddle.ops.logic.compare import isnan
from minipaddle.ops.reduction.sum import expand_v2, stretching


@listed(inputs="Condition")
@operator("where_index", name="nonzero", infer=lambda x: Meta((-1, x.ndim), np.dtype("int64")))
def where_index(x: Array) -> Array:
    """List the indices of the elements that are not zero, one row each."""
    if not x.ndim:
        raise invalid("Input(Condition) should have number of dimension at least 1.")
    return np.argwhere(x)


def nonzero(x: Value, as_tuple: bool = False) -> Any:
    """Return the indices of the elements of `x` that are not zero, as rows, or as one tensor for each axis."""
    rows = where_index(x)
    return tuple([rows[:, axis] for axis in range(x.ndim)]) if as_tuple else rows


@tried_with((2, 3), [[True, False, True], [False, True, True]])
@operator("masked_select", infer=lambda x, mask: Meta((-1,), x.dtype), outputs=("y",))
def masked_select_op(x: Array, mask: Array) -> Array:
    """Return the elements where a mask of the same shape is True, in a row."""
    return x[mask]


mark("selects", masked_select_op)
masked_select_op.gradient("x")(lambda dy, mask, x_shape: scatter_at(dy, [mask], f"@{len(x_shape)}", x_shape))


def masked_select(x: Any, mask: Any, name: str | None = None) -> Any:
    """Return the elements of `x` where `mask` is True, as a 1-D tensor."""
    if np.dtype(getattr(mask.dtype, "numpy", mask.dtype)).kind != "b":
        raise invalid(f"The mask of masked_select must be bool, but received {mask.dtype}.")
    shape = broadcast_shapes(tuple(x.shape), tuple(mask.shape))
    if tuple(x.shape) != shape:
        x = expand_v2(x, shape)
    if tuple(mask.shape) != shape:
        mask = expand_v2(mask, shape)
    return masked_select_op(x, mask)


def masked_fill(x: Value, mask: Value, value: Any, name: str | None = None) -> Value:
    """Return `x` with `value`, a number or a 0-D tensor, where `mask` is True."""
    tensor = hasattr(value, "dtype") and hasattr(value, "ndim")
    value = value if tensor else full((), value, numpy_dtype(x))
    alike(where_op, x, value)
    return where(mask, value, x)


@stretching
def _chosen(condition: Meta, x: Meta, y: Meta) -> Meta:
    """Shape rule of :func:`where`."""
    if condition.dtype.kind != "b":
        raise TypeError(
            f"The data type of 'condition' in where must be bool, but received {condition.dtype}."
        )
    return Meta(broadcast_shapes(condition.shape, broadcast_shapes(x.shape, y.shape)), x.dtype)


@tried_with(
    lambda rng: ([rng.uniform(size=(2, 3)) > 0.5, rng.uniform(size=(2, 3)), rng.uniform(size=(3,))], {})
)
@operator("where", infer=_chosen, prepare=promote_floats)
def where_op(condition: Array, x: Array, y: Array) -> Array:
    """Take each element from `x` where `condition` holds, else from `y`."""
    if condition.dtype != bool:
        raise failure(TypeError, f"The condition of where() must be bool, but received {condition.dtype}.")
    return np.where(condition, x, y)


mark("masks", where_op, where_index)
where_op.gradient("x")(lambda dy, condition: where_op(condition, dy, zeros_like(dy)))
where_op.gradient("y")(lambda dy, condition: where_op(condition, zeros_like(dy), dy))


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    """Take each element from `x` where `condition` holds, else from `y`; they broadcast.

    Args:
        x: a tensor or a number; without `x` and `y` the result is ``nonzero(condition, as_tuple=True)``, the
            places where `condition` holds.

    Raises:
        ValueError: if only one of `x` and `y` is given, or `condition` is not a **boolean** tensor.
        TypeError: for the latter while a Program is built.
    """
    if x is None and y is None:
        return nonzero(condition, as_tuple=True)
    if x is None or y is None:
        raise ValueError("either both or neither of x and y should be given")
    if current.get().dynamic and numpy_dtype(condition).kind != "b":  # while building a Program: TypeError
        message = f"The `condition` is expected to be a boolean Tensor, but got a Tensor with dtype {condition.dtype}."
        raise invalid(message)
    if isinstance(x, NUMBERS) or isinstance(y, NUMBERS):
        x, y = promote(where_op, _tensor(x, y), _tensor(y, x))
    return where_op(condition, x, y, name=name)


NUMBERS = (bool, int, float)
"""Types of scalars: beside a tensor they take its dtype, as in arithmetic."""


def _tensor(value: Any, other: Any) -> Any:
    """Return `value` as a tensor, for arithmetic with `other`."""
    if not isinstance(value, NUMBERS):
        return value
    return constant(value) if isinstance(other, NUMBERS) else number_beside(other, value)


def nan_to_num(
    x: Value,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
    name: str | None = None,
) -> Value:
    """Return `x` with numbers in place of nan and infinities (None: the largest or smallest number)."""
    dtype = numpy_dtype(x)
    assert dtype.kind == "f", f"nan_to_num takes floats, but received {dtype}."
    limits = np.finfo(dtype)
    high = float(limits.max) if posinf is None else posinf
    low = float(limits.min) if neginf is None else neginf
    found = where(isnan(x), full_like(x, nan), x)
    found = where(found == math.inf, full_like(x, high), found)
    return where(found == -math.inf, full_like(x, low), found)
