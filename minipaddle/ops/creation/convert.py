"""Making tensors out of nothing, and the rules by which Python data becomes an array."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.core.dtype import as_numpy, code_of, default_float, dtype_of_code
from minipaddle.core.listing import Listing, Metas, as_code, derived, from_code, of
from minipaddle.core.meta import Array, Attrs, Meta, Shape
from minipaddle.core.mode import current
from minipaddle.core.operator import operator
from minipaddle.ops.common.arguments import integers
from minipaddle.ops.creation.cast import numpy_dtype

DType = np.dtype[Any]


# -- from Python data ----------------------------------------------------------------------------------------


def array_from(data: Any, dtype: Any = None) -> Array:
    """Return a fresh array of `data`: a number, nested lists, an array, a Tensor, or lists of Tensors.

    Arrays and Tensors keep their type. Python floats become the default float type, integers int64.

    Raises:
        TypeError: if `data` is something else, or of a type that Paddle does not know.
        ValueError: if the lists are ragged.
    """
    if hasattr(data, "array"):
        found = data.array
    elif isinstance(data, (np.ndarray, np.generic)):
        found = np.asarray(data)
    elif isinstance(data, (bool, int, float, complex, list, tuple)):
        found = np.array(_without_tensors(data)) if dtype is not None else _from_python(data)
    else:
        raise _cannot_hold(data)
    if dtype is None and found.dtype.kind not in "biufc":
        raise _cannot_hold(data)
    return np.array(found, dtype=as_numpy(found.dtype.name if dtype is None else dtype))


def _from_python(data: Any) -> Array:
    """Read numbers and lists. What is double only because Python has no other float becomes the default."""
    found = np.array(_without_tensors(data))
    if found.dtype == np.float64:
        return found.astype(default_float())
    if found.dtype == np.complex128:
        return found.astype(np.result_type(default_float(), np.complex64))
    return found


def _without_tensors(data: Any) -> Any:
    if isinstance(data, (list, tuple)):
        return [_without_tensors(item) for item in data]
    return getattr(data, "array", data)


def _cannot_hold(data: Any) -> TypeError:
    return TypeError(
        f"Can't constructs a 'paddle.Tensor' with data type {type(data)}, data type must be "
        "scalar|list|tuple|np.ndarray|paddle.Tensor"
    )


_LISTED_AS = {
    "b": "bool_values",
    "i": "int32_values",
    "u": "int32_values",
    "f": "fp32_values",
    "c": "fp32_values",
}


class Values(Listing):
    """An array, printed as its shape, its type, and its numbers in one of five lists."""

    def __init__(self) -> None:
        empty: Attrs = {
            name: [] for name in ("bool_values", "fp32_values", "fp64_values", "int32_values", "int64_values")
        }
        super().__init__("values", shape=derived(_shape_of_values), dtype=derived(_type_of_values), **empty)

    def write(self, attrs: Attrs, metas: Metas = ()) -> Attrs:
        """Put the numbers into the list of their type."""
        values = attrs["values"]
        return {**super().write(attrs, metas), _list_of(values.dtype): values.reshape(-1).tolist()}

    def read(self, listed: Attrs) -> Attrs:
        """Make an array of the list that belongs to ``dtype``."""
        dtype = dtype_of_code(listed["dtype"])
        return {"values": np.array(listed.get(_list_of(dtype), []), dtype).reshape(listed["shape"])}


def _list_of(dtype: DType) -> str:
    names = {"float64": "fp64_values", "int64": "int64_values"}
    return names.get(dtype.name) or _LISTED_AS[dtype.kind]


def _shape_of_values(attrs: Attrs, metas: Metas) -> list[int]:
    return list(attrs["values"].shape)


def _type_of_values(attrs: Attrs, metas: Metas) -> int:
    return code_of(attrs["values"].dtype)


def _like_values(*, values: Array) -> Meta:
    """Shape rule of :func:`assign_value`."""
    return Meta(values.shape, values.dtype)


def _some_values(rng: np.random.Generator) -> tuple[Sequence[Any], Attrs]:
    return [], {"values": rng.uniform(size=(2, 3))}


@operator("assign_value", "-> Out", infer=_like_values, example=_some_values, listing=Values(), kind="assign")
def assign_value(values: Array) -> Any:
    """Make a tensor of given numbers."""
    return values.copy()


def constant(data: Any) -> Any:
    """Return `data`, an array, a list or a number, as a tensor of the current mode."""
    return assign_value(values=array_from(data))


# -- filled with one number ----------------------------------------------------------------------------------


def _as_float(value: Any) -> Any:
    """Return a number as Paddle keeps it in a Program, unless it would be another one then."""
    return value if isinstance(value, complex) or float(value) != value else float(value)


def _filled(*, shape: Shape, dtype: DType, **attrs: Any) -> Meta:
    """Shape rule of operators that are told shape and type."""
    return Meta(tuple(shape), np.dtype(dtype))


def _two_by_three(**attrs: Any) -> Any:
    """Example for :func:`_filled`."""
    return lambda rng: ([], {"shape": (2, 3), "dtype": np.dtype("float64"), **attrs})


@operator(
    "fill_constant",
    "-> Out",
    name="full",
    infer=_filled,
    example=_two_by_three(value=1.5),
    latex="c",
    listing=Listing(value=of("value", _as_float), str_value=derived(lambda attrs, metas: "")),
)
def fill_constant(shape: Shape, value: Any, dtype: DType) -> Any:
    """Fill a shape with one number."""
    return np.full(shape, value, dtype) if shape else np.array(value, dtype)  # a tenth of the time


def _batch_size_like(x: Meta, *, shape: Shape, dtype: DType, **attrs: Any) -> Meta:
    """Shape rule of :func:`fill_constant_batch_size_like`."""
    sizes = list(shape)
    sizes[attrs.get("output_dim_idx", 0)] = x.shape[attrs.get("input_dim_idx", 0)]
    return Meta(tuple(sizes), np.dtype(dtype))


@operator(
    "fill_constant_batch_size_like",
    "Input -> Out",
    infer=_batch_size_like,
    example=lambda rng: ([rng.uniform(size=(2, 3))], {"shape": (-1, 4), "value": 1.5, "dtype": np.dtype("float64")}),
    latex="c", listing=Listing(value=of("value", _as_float), str_value=""))  # fmt: skip
def fill_constant_batch_size_like(
    x: Array, shape: Shape, value: Any, dtype: DType, input_dim_idx: int = 0, output_dim_idx: int = 0
) -> Any:
    """Fill a shape with one number, one axis being as long as one of the input."""
    sizes = list(shape)
    sizes[output_dim_idx] = x.shape[input_dim_idx]
    return np.full(sizes, value, dtype)


def full(shape: Any, fill_value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Make a tensor of `shape` filled with `fill_value`.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/full_en.html)

    Args:
        shape: an int, a list, or a tensor of ints; [] makes a 0-D tensor.
        fill_value: a number or a tensor with one element.
        dtype: bool for a bool, complex for a complex number, else the default float type, integers included.
        name: ignored.
    """
    value = fill_value if isinstance(fill_value, (bool, int, float, complex)) else fill_value.item()
    return fill_constant(
        shape=integers(shape), value=value, dtype=_type_of_fill(value) if dtype is None else as_numpy(dtype)
    )


def _type_of_fill(value: Any) -> DType:
    if isinstance(value, bool):
        return np.dtype(bool)
    return np.result_type(default_float(), np.complex64) if isinstance(value, complex) else default_float()


def zeros(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Make a tensor of zeros, of the default float type unless `dtype` is given."""
    return full(shape, 0.0, dtype)


def ones(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Make a tensor of ones, of the default float type unless `dtype` is given."""
    return full(shape, 1.0, dtype)


def empty(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Make a tensor whose content does not matter. It is zero: chance would make runs differ."""
    return full(shape, 0.0, dtype)


def number_beside(x: Any, number: Any) -> Any:
    """Return a Python number as a 0-D tensor, of the type that it takes beside the tensor `x`."""
    attrs = {"shape": (), "value": number, "dtype": number_dtype(numpy_dtype(x), number)}
    return current.get().apply(fill_constant, (), attrs)


def number_dtype(dtype: DType, number: Any) -> DType:
    """Return the type that a Python number takes beside a tensor of type `dtype`.

    It never widens the tensor; a float beside integers is float32, an int beside bools int64.
    """
    if isinstance(number, complex):
        return np.result_type(dtype if dtype.kind in "fc" else np.float32, np.complex64)
    if isinstance(number, float):
        return dtype if dtype.kind in "fc" else np.dtype("float32")
    if isinstance(number, bool) or dtype.kind != "b":
        return dtype
    return np.dtype("int64")


# -- like another tensor -------------------------------------------------------------------------------------


def _type_of_like(attrs: Attrs, metas: Metas) -> int:
    """Return the code of the type, which is that of the input unless another was asked for."""
    x = metas[0] if metas else None
    return as_code(x.dtype if attrs["dtype"] is None and x else attrs["dtype"])


def _like(x: Meta, value: Any, dtype: DType | None) -> Meta:
    """Shape rule of :func:`fill_any_like`."""
    return Meta(x.shape, x.dtype if dtype is None else dtype)


def _filled_alike(rng: np.random.Generator) -> tuple[Sequence[Any], Attrs]:
    return [rng.uniform(size=(2, 3))], {"value": 7.0}


@operator(
    "fill_any_like",
    "X -> Out",
    name="full_like",
    infer=_like,
    example=_filled_alike,
    latex="c",
    listing=Listing(value=of("value", _as_float), dtype=derived(_type_of_like, "dtype", from_code)),
    kind="full_like",
)
def fill_any_like(x: Array, value: Any = 0.0, dtype: DType | None = None) -> Any:
    """Fill the shape of `x` with one number."""
    out = np.empty(x.shape, x.dtype if dtype is None else dtype)
    np.copyto(out, value, casting="unsafe")  # all that np.full does, in half the time
    return out


def full_like(x: Any, fill_value: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Make a tensor of the shape and type of `x` (unless `dtype` is given), filled with `fill_value`.

    The result stops gradients
    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/full_like_en.html).
    """
    return fill_any_like(x, fill_value, None if dtype is None else as_numpy(dtype))


def zeros_like(x: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Make a tensor of zeros of the shape and type of `x`."""
    return full_like(x, 0, dtype)


def ones_like(x: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Make a tensor of ones of the shape and type of `x`."""
    return full_like(x, 1, dtype)


def empty_like(x: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Make a tensor like `x` whose content does not matter (it is zero)."""
    return full_like(x, 0, dtype)
