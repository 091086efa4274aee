"""Data types: Paddle's names for NumPy's types.

``paddle.float32`` is a :class:`DType`; every array inside the engine has the plain NumPy dtype, so a
conversion happens only where a user names or reads a type.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np


class DType:
    """One Paddle data type, such as ``paddle.float32``.

    Prints as ``paddle.float32`` and equals only itself: there is one object for each type.
    """

    __slots__ = ("name", "numpy")

    def __init__(self, name: str) -> None:
        self.name = name
        self.numpy: np.dtype[Any] = np.dtype(name)

    def __repr__(self) -> str:
        return f"paddle.{self.name}"

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self.numpy.itemsize


_NAMES = (
    "bool", "uint8", "int8", "int16", "int32", "int64",
    "float16", "float32", "float64", "complex64", "complex128",
)  # fmt: skip
DTYPES = {name: DType(name) for name in _NAMES}
_BY_NUMPY = {dtype.numpy: dtype for dtype in DTYPES.values()}
_PYTHON = {bool: "bool", int: "int64", float: "float32", complex: "complex64"}

_BFLOAT16 = ("bfloat16", "uint16")
"""Paddle's name of a type that is refused, and the NumPy type of its bits."""
_default_float = np.dtype("float32")


def as_numpy(dtype: Any) -> np.dtype[Any]:
    """Return the NumPy dtype for `dtype`: a DType, a NumPy type, a name or a Python type.

    Raises:
        TypeError: if it names no type that Paddle knows.
    """
    if isinstance(dtype, np.dtype):
        return dtype
    if isinstance(dtype, DType):
        return dtype.numpy
    if isinstance(dtype, type) and dtype in _PYTHON:
        dtype = _PYTHON[dtype]
    text = str(dtype).removeprefix("paddle.").lower() if isinstance(dtype, str) else dtype
    if isinstance(text, str) and text in _BFLOAT16:
        raise TypeError(no_bfloat16())
    with suppress(TypeError, ValueError):  # ValueError: for an object with a dtype, a Tensor
        if (found := np.dtype(text)) in _BY_NUMPY:
            return found
    raise TypeError(f"dtype {dtype!r} is not a Paddle data type; it must be one of {', '.join(_NAMES)}.")


def no_bfloat16() -> str:
    """Return why bfloat16 is refused."""
    from minipaddle.engine.names.missing import refusal  # a table that is read when needed

    return f"minipaddle has no paddle.bfloat16: {refusal('paddle.bfloat16')}"


def real_of(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype of the parts of a complex dtype; another dtype unchanged."""
    return np.empty(0, dtype).real.dtype if dtype.kind == "c" else dtype


def dtype_of(array: Any) -> DType:
    """Return the Paddle data type of anything that has a NumPy ``dtype``."""
    return _BY_NUMPY[array.dtype]


def default_float() -> np.dtype[Any]:
    """Return the type that Python floats become (float32 unless ``paddle.set_default_dtype`` changed it)."""
    return _default_float


def set_default_float(dtype: Any) -> None:
    """Make `dtype` (a float type) the default of ``to_tensor``, ``ones``, ``Linear`` and their like.

    Raises:
        TypeError: if `dtype` is not a float type.
    """
    global _default_float
    chosen = as_numpy(dtype)
    if chosen.kind != "f":
        raise TypeError(
            f"set_default_dtype only supports [float16, float32, float64], but received {dtype!r}."
        )
    _default_float = chosen
