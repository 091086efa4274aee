"""Tensors of the type of another one (`new_zeros`), indices of triangles, and rows of powers."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.core.dtype import as_numpy, default_float
from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.value import Value
from minipaddle.ops.creation.assign import constant
from minipaddle.ops.creation.cast import numpy_dtype
from minipaddle.ops.creation.full import full


def _like(x: Any, size: Any, value: Any, dtype: Any) -> Any:
    return full(size, value, numpy_dtype(x) if dtype is None else dtype)


def new_full(x: Value, size: Any, fill_value: Any, dtype: Any = None) -> Value:
    """Return a tensor of this size filled with one number, of the type of `x` unless `dtype` is given.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/Tensor_en.html
    """
    return _like(x, size, fill_value, dtype)


def _several(size: tuple[Any, ...]) -> Any:
    return size[0] if len(size) == 1 and not isinstance(size[0], int) else size


def new_zeros(x: Value, *size: Any, dtype: Any = None) -> Value:
    """Return a tensor of zeros of this size, of the type of `x` unless `dtype` is given.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/Tensor_en.html
    """
    return _like(x, _several(size), 0, dtype)


def new_ones(x: Value, *size: Any, dtype: Any = None) -> Value:
    """Return a tensor of ones of this size, of the type of `x` unless `dtype` is given.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/Tensor_en.html
    """
    return _like(x, _several(size), 1, dtype)


def new_empty(x: Any, *size: Any, dtype: Any = None) -> Any:
    """Return a tensor of this size whose content does not matter (it is zero), of the type of `x`.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/Tensor_en.html
    """
    return _like(x, _several(size), 0, dtype)


# -- indices --------------------------------------------------------------------------------------------------


def tril_indices(row: int, col: int | None = None, offset: int = 0, dtype: Any = "int64") -> Value:
    """Return the rows and columns of the lower triangle of a matrix [row, col], as [2, N].

    Raises:
        TypeError: for a size or an offset that is no integer.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/tril_indices_en.html
    """
    return _triangle(np.tril_indices, row, col, offset, dtype)


def triu_indices(row: int, col: int | None = None, offset: int = 0, dtype: Any = "int64") -> Value:
    """Return the rows and columns of the upper triangle of a matrix [row, col], as [2, N].

    Raises:
        TypeError: for a size or an offset that is no integer.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/triu_indices_en.html
    """
    return _triangle(np.triu_indices, row, col, offset, dtype)


def _triangle(function: Any, row: int, col: int | None, offset: int, dtype: Any) -> Value:
    col = row if col is None else col
    if not all(type(size) is int and size >= 0 for size in (row, col)):
        raise TypeError("row and col should be a non-negative int")
    if type(offset) is not int:
        raise TypeError("offset should be a  int")
    return constant(np.stack(function(row, offset, col)).astype(as_numpy(dtype)))


# -- rows of powers -------------------------------------------------------------------------------------------


def logspace(
    start: Any, stop: Any, num: Any, base: Any = 10.0, dtype: Any = None, name: str | None = None
) -> Value:
    """Return `num` powers of `base`, whose exponents run evenly from `start` to `stop`.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/logspace_en.html
    """
    start, stop, num, base = (one.item() if hasattr(one, "item") else one for one in (start, stop, num, base))
    kind = default_float() if dtype is None else as_numpy(dtype)
    return constant(np.asarray(np.logspace(start, stop, int(num), base=base), kind))


def range(
    start: Any = 0, end: Any = None, step: Any = 1, dtype: Any = None, name: str | None = None
) -> Value:
    """Return the numbers from `start` to `end`, both included, in steps of `step`, as floats unless asked otherwise.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/arange_en.html
    """
    if end is None:
        start, end = 0, start
    kind = default_float() if dtype is None else as_numpy(dtype)
    count = int((end - start) / step) + 1
    if step == 0:
        raise failure(ValueError, "The step of range must not be 0.")
    return constant(np.asarray(start + step * np.arange(count), kind))


def vander(x: Any, n: int | None = None, increasing: bool = False, name: str | None = None) -> Any:
    """Return a matrix whose columns are powers of the vector `x`: from ``n - 1`` down to 0, or, `increasing`, up.

    Raises:
        ValueError: if `x` is no vector, or `n` is negative.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/vander_en.html
    """
    if x.ndim != 1:
        raise ValueError(
            f"The input of x is expected to be a 1-D Tensor.But now the dims of Input(X) is {x.ndim}."
        )
    n = x.shape[0] if n is None else n
    if n < 0:
        raise ValueError("N must be non-negative.")
    powers = np.arange(n) if increasing else np.arange(n)[::-1]
    kind = numpy_dtype(x)
    return x.reshape([-1, 1]) ** constant(np.asarray(powers, kind).reshape(1, -1))
