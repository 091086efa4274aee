"""Data types: Paddle's names for NumPy's types.

``paddle.float32`` is a :class:`DType`; every array inside the engine carries the plain NumPy dtype, so a
conversion happens only where a user names or reads a type.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.core.dtype.bfloat16 import BFLOAT16


class DType:
    """One Paddle data type, such as ``paddle.float32``.

    Prints as ``paddle.float32`` and compares equal to itself only: there is one object for each type
    (https://www.paddlepaddle.org.cn/documentation/docs/en/guides/beginner/tensor_en.html).
    """

    __slots__ = ("name", "numpy")

    def __init__(self, name: str) -> None:
        self.name = name
        self.numpy: np.dtype[Any] = BFLOAT16 if name == BFLOAT16.name else np.dtype(name)

    def __repr__(self) -> str:
        return f"paddle.{self.name}"

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return self.numpy.itemsize


_NAMES = (
    "bool", "uint8", "int8", "int16", "int32", "int64",
    "float16", "float32", "float64", "complex64", "complex128", "bfloat16",
)  # fmt: skip
DTYPES = {name: DType(name) for name in _NAMES}
_BY_NUMPY = {dtype.numpy: dtype for dtype in DTYPES.values()}
_PYTHON = {bool: "bool", int: "int64", float: "float32", complex: "complex64"}

_BFLOAT16 = ("bfloat16", "uint16")  # Paddle's name, and what NumPy gets its bits in

_default_float = np.dtype("float32")


def as_numpy(dtype: Any) -> np.dtype[Any]:
    """Return the NumPy dtype meant by `dtype`: a DType, a NumPy type, a name or a Python type.

    Raises:
        TypeError: if it names no type that Paddle knows.
    """
    if isinstance(dtype, np.dtype):
        return dtype
    if isinstance(dtype, DType):
        dtype = dtype.numpy
    if dtype is BFLOAT16:
        return _with_bfloat16()
    if isinstance(dtype, np.dtype):
        return dtype
    if isinstance(dtype, type) and dtype in _PYTHON:
        dtype = _PYTHON[dtype]
    text = str(dtype).removeprefix("paddle.").lower() if isinstance(dtype, str) else dtype
    if isinstance(text, str) and text in _BFLOAT16:
        return _with_bfloat16()
    try:
        found = np.dtype(text)
    except (TypeError, ValueError):  # the latter for what has a dtype of its own, a Tensor
        found = None
    if found is None or found not in _BY_NUMPY:
        raise TypeError(f"dtype {dtype!r} is not a Paddle data type; it must be one of {', '.join(_NAMES)}.")
    return found


def _with_bfloat16() -> np.dtype[Any]:
    """Return bfloat16, which operators know from now on."""
    from minipaddle.engine.core.dtype.widening import begin  # above this file, and seldom needed

    begin()
    found: np.dtype[Any] = BFLOAT16
    return found


def promoted(*dtypes: Any) -> np.dtype[Any]:
    """Return the dtype that values of `dtypes` (or arrays) meet in, as ``np.result_type`` does; bfloat16 may be one.

    Beside integers it stays, beside floats of another kind it becomes float32 or what is wider.
    """
    found = [one.dtype if isinstance(one, (np.ndarray, np.generic)) else one for one in dtypes]
    if BFLOAT16 not in found:
        return np.result_type(*dtypes)
    others = [np.dtype(one) for one in found if one is not BFLOAT16 and np.dtype(one).kind in "fc"]
    return np.result_type(*others, np.float32) if others else BFLOAT16


KNOWN = "dtype if dtype is None else _known(dtype)"
"""What a public function makes of its attribute ``dtype``, by :func:`known`."""


def known(dtype: Any) -> Any:
    """Return what an attribute says of a dtype; bfloat16, which no kernel finds by its name, as itself."""
    return dtype if is_dtype(dtype) else found if (found := as_numpy(dtype)) is BFLOAT16 else dtype


def dtype_named(name: Any) -> np.dtype[Any]:
    """Return the dtype of this name, bfloat16 or one of NumPy's; a dtype is its own."""
    return _with_bfloat16() if name in (BFLOAT16, BFLOAT16.name) else np.dtype(name)


def is_dtype(value: Any) -> bool:
    """Return whether `value` is what an array may say of itself: a dtype of NumPy's, or bfloat16."""
    return isinstance(value, np.dtype) or value is BFLOAT16


def limits_of(dtype: Any) -> Any:
    """Return what ``np.finfo`` says of a type of floats or complex numbers."""
    return BFLOAT16.limits if dtype is BFLOAT16 else np.finfo(dtype)


def real_of(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the type of the parts of complex numbers; any other type is its own."""
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
            f"set_default_dtype only supports [float16, float32, float64, bfloat16], but received {dtype!r}."
        )
    _default_float = chosen
