"""Data types: Paddle's names for NumPy's (:mod:`.types`), and bfloat16, which NumPy has not (:mod:`.bfloat16`)."""

from minipaddle.engine.core.dtype.types import (
    DTYPES,
    DType,
    as_numpy,
    default_float,
    dtype_named,
    dtype_of,
    is_dtype,
    limits_of,
    promoted,
    real_of,
    set_default_float,
)

__all__ = [
    "DTYPES", "DType", "as_numpy", "default_float", "dtype_named", "dtype_of", "is_dtype", "limits_of", "promoted",
    "real_of", "set_default_float",
]  # fmt: skip
