"""The rules by which Python data becomes an array."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.ops.creation.cast import numpy_dtype
from minipaddle.ops.creation.fill_constant import fill_constant
from minipaddle.ops.definition import Array, TensorSize, Value, as_numpy, current, default_float, invalid


def array_from(data: Any, dtype: Any = None) -> Array:
    """Return a fresh array of `data`: a number, nested lists, an array, a Tensor, or lists of Tensors.

    Arrays and Tensors keep their type. Python floats become the default float type, integers int64.

    Raises:
        TypeError: for anything else.
        ValueError: for an array of another type (**Input object type error**), such as objects or text.
    """
    if hasattr(data, "array"):
        found = data.array
    elif isinstance(data, (np.ndarray, np.generic)):
        found = np.asarray(data)
    elif isinstance(data, (bool, int, float, complex, list, tuple)):
        found = np.array(_without_tensors(data)) if dtype is not None else _from_python(data)
    else:
        raise TypeError(
            f"Can't constructs a 'paddle.Tensor' with data type {type(data)}, data type must be "
            "scalar|list|tuple|np.ndarray|paddle.Tensor"
        )
    return np.array(found, dtype=as_numpy(_numbers(found).dtype.name if dtype is None else dtype))


def _numbers(found: Array) -> Array:
    """Return an array that a Tensor can hold; ValueError for objects, text and times."""
    if found.dtype.kind in "biufc":
        return found
    raise invalid(
        f"Input object type error or incompatible array data type: a Tensor holds no array of dtype {found.dtype}.",
        "a Tensor holds numbers: .astype('float32') converts, and words are numbered first",
    )


def _from_python(data: Any) -> Array:
    """Return numbers and lists as an array. Python's floats become the default float type."""
    found = np.array(_without_tensors(data))
    if found.dtype == np.float64:
        return np.asarray(found, default_float())
    if found.dtype == np.complex128:
        return found.astype(np.result_type(default_float(), np.complex64))
    return found


def _without_tensors(data: Any) -> Any:
    if isinstance(data, (list, tuple)):
        return [_without_tensors(item) for item in data]
    return getattr(data, "array", data)


def number_beside(x: Any, number: Any) -> Any:
    """Return a Python number as a 0-D tensor, with its type in arithmetic with the tensor `x`."""
    attrs = {"shape": (), "value": number, "dtype": number_dtype(numpy_dtype(x), number)}
    return current.get().apply(fill_constant, (), attrs)


def number_dtype(dtype: np.dtype[Any], number: Any) -> np.dtype[Any]:
    """Return the type of a Python number in arithmetic with a tensor of type `dtype`.

    It never widens the tensor; a float beside integers is float32, an int beside bools int64.
    """
    if isinstance(number, complex):
        return np.result_type(dtype if dtype.kind in "fc" else np.float32, np.complex64)
    if isinstance(number, float):
        return dtype if dtype.kind in "fc" else np.dtype("float32")
    if isinstance(number, bool) or dtype.kind != "b":
        return dtype
    return np.dtype("int64")


def content(given: Any, place: Any, data: Any) -> Array:
    """Return the array for the arguments of ``paddle.Tensor(...)``: lists as floats, sizes as zeros, a Tensor's memory.

    The content is `data`, if given by name; two sizes arrive as `given` and `place`.
    """
    given = given if data is None else data
    if isinstance(given, Value):
        tensor: Any = given
        shared: Array = tensor.detach().array
        return shared
    if isinstance(given, (list, tuple)):
        return np.array(given, default_float())
    if type(given) in (int, TensorSize):
        return np.zeros((given, place) if isinstance(place, int) else given, default_float())
    return _numbers(np.asarray(given))
