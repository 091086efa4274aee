"""The integers that stand for data types in a Program."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.value.dtype import DTYPES

_CODES = (0, 20, 21, 1, 2, 3, 4, 5, 6, 23, 24)
"""What Paddle writes for them in a Program, in the order of the names (``VarType.Type`` in its framework.proto)."""
_CODE_OF = {dtype.numpy: code for dtype, code in zip(DTYPES.values(), _CODES, strict=True)}
_BY_CODE = {code: dtype for dtype, code in _CODE_OF.items()}


def code_of(dtype: np.dtype[Any]) -> int:
    """Return the integer that stands for `dtype` in a Program: 5 for float32."""
    return _CODE_OF[dtype]


def dtype_of_code(code: int) -> np.dtype[Any]:
    """Return the type that the integer `code` stands for in a Program."""
    if code not in _BY_CODE:
        raise TypeError(
            f"{code!r} is not the code of a data type; float32 has {_CODE_OF[np.dtype('float32')]}."
        )
    return _BY_CODE[code]
