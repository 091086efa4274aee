"""Tensors of one value: full, zeros, ones, empty, and their `_like` variants."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.value.dtype import as_numpy, default_float
from minipaddle.ops.creation.fill_constant import as_float, fill_constant, in_range
from minipaddle.ops.definition import Array, Attrs, Meta, Shape, Value, failure, invalid, mark, operator
from minipaddle.ops.definition.arguments import sizes_one_by_one, wanted_shape
from minipaddle.ops.definition.example import tried_with
from minipaddle.ops.definition.program_printing import Listing, Metas, as_code, derived, from_code, listed, of


@operator("fill")
def fill(x: Array, *, value: Any = 0.0) -> Array:
    """Set every element to `value`."""
    return np.full_like(x, in_range(value, x.dtype))


fill.gradient("x")(lambda dy: zeros_like(dy))


# -- filled with one number ----------------------------------------------------------------------------------


def _batch_size_like(x: Meta, shape: Shape, dtype: np.dtype[Any], **attrs: Any) -> Meta:
    """Shape rule of :func:`fill_constant_batch_size_like`."""
    sizes = list(shape)
    sizes[attrs.get("output_dim_idx", 0)] = x.shape[attrs.get("input_dim_idx", 0)]
    return Meta(tuple(sizes), as_numpy(dtype))


@listed(Listing(value=of("value", as_float), str_value=""), inputs="Input")
@tried_with((2, 3), within=(0, 1), shape=(-1, 4), value=1.5, dtype=np.dtype("float64"))
@operator("fill_constant_batch_size_like", infer=_batch_size_like)
def fill_constant_batch_size_like(
    x: Array,
    *,
    shape: Shape,
    value: Any,
    dtype: np.dtype[Any],
    input_dim_idx: int = 0,
    output_dim_idx: int = 0,
) -> Array:
    """Fill a shape with one number, one axis being as long as one of the input."""
    sizes = list(shape)
    sizes[output_dim_idx] = x.shape[input_dim_idx]
    return np.full(sizes, value, dtype)


def full(shape: Any, fill_value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Make a tensor of `shape` filled with `fill_value`.

    Args:
        shape: an int, a list, or a tensor of ints; [] makes a 0-D tensor.
        fill_value: a number, also as a text, or a tensor with one element.
        dtype: bool for a bool, complex for a complex number, else the default float type, integers included.

    Raises:
        TypeError: **fill_value**, for a text that is no number.
    """
    value = _number(fill_value) if not isinstance(fill_value, (bool, int, float, complex)) else fill_value
    chosen = _type_of_fill(value) if dtype is None else as_numpy(dtype)
    return fill_constant(wanted_shape(shape), value, chosen)


def _number(value: Any) -> Any:
    """Return the number in a text, or in a one-element tensor."""
    if not isinstance(value, str):
        return value.item()
    try:
        return float(value)
    except ValueError:
        raise failure(TypeError, f"fill_value should be a number, but received {value!r}.") from None


def _type_of_fill(value: Any) -> np.dtype[Any]:
    if isinstance(value, bool):
        return np.dtype(bool)
    return np.result_type(default_float(), np.complex64) if isinstance(value, complex) else default_float()


@sizes_one_by_one
def zeros(shape: Any, dtype: Any = None, name: str | None = None) -> Value:
    """Make a tensor of zeros, of the default float type unless `dtype` is given."""
    return full(shape, 0.0, dtype)


@sizes_one_by_one
def ones(shape: Any, dtype: Any = None, name: str | None = None) -> Value:
    """Make a tensor of ones, of the default float type unless `dtype` is given."""
    return full(shape, 1.0, dtype)


@sizes_one_by_one
def empty(shape: Any, dtype: Any = None, name: str | None = None) -> Value:
    """Make a tensor of arbitrary content: zeros, so that runs do not differ."""
    return full(shape, 0.0, dtype)


# -- like another tensor -------------------------------------------------------------------------------------


def _type_of_like(attrs: Attrs, metas: Metas) -> int:
    """Return the code of the type: the input's unless another was given."""
    x = metas[0] if metas else None
    return as_code(x.dtype if attrs["dtype"] is None and x else attrs["dtype"])


def _like(x: Meta, value: Any, dtype: np.dtype[Any] | None) -> Meta:
    """Shape rule of :func:`fill_any_like`."""
    found = x.dtype if dtype is None else dtype
    if found.kind in "iu" and in_range(value, found) != value:
        raise invalid(f"The filled value {value} is outside of the range of {found}.")
    return Meta(x.shape, found)


@listed(
    Listing(value=of("value", as_float), dtype=derived(_type_of_like, "dtype", from_code)), kind="full_like"
)
@tried_with((2, 3), within=(0, 1), value=7.0)
@operator("fill_any_like", name="full_like", infer=_like)
def fill_any_like(x: Array, *, value: Any = 0.0, dtype: np.dtype[Any] | None = None) -> Array:
    """Fill the shape of `x` with one number."""
    out = np.empty(x.shape, x.dtype if dtype is None else dtype)
    np.copyto(out, value, casting="unsafe")  # np.full in half the time
    return out


mark("no slope", fill_constant_batch_size_like, fill_any_like)


def full_like(x: Any, fill_value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Make a tensor like `x` (of `dtype`, if given), filled with `fill_value`; it stops gradients."""
    value = fill_value.item() if hasattr(fill_value, "item") else fill_value
    return fill_any_like(x, value, None if dtype is None else as_numpy(dtype))


def zeros_like(x: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Make a tensor of zeros of the shape and type of `x`."""
    return full_like(x, 0, dtype)


def ones_like(x: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Make a tensor of ones of the shape and type of `x`."""
    return full_like(x, 1, dtype)


def empty_like(x: Value, dtype: Any = None, name: str | None = None) -> Value:
    """Make a tensor like `x` whose content does not matter (it is zero)."""
    return full_like(x, 0, dtype)
