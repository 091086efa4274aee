"""Sequences and the identity: arange, linspace, eye, and range, whose end is included."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.value.dtype import as_numpy, default_float
from minipaddle.ops.creation.assign import constant
from minipaddle.ops.definition import Array, Meta, Value, invalid, operator, tried_with

DType = np.dtype[Any]


@tried_with(start=0, end=3, step=1, dtype=np.dtype("int64"))
@operator(
    "range",
    name="arange",
    infer=lambda dtype, **attrs: Meta(np.arange(attrs["start"], attrs["end"], attrs["step"]).shape, dtype),
)
def range_op(*, start: Any, end: Any, step: Any, dtype: DType) -> Array:
    """Count from `start` to before `end` in steps."""
    return np.arange(start, end, step).astype(dtype)


def arange(start: Any = 0, end: Any = None, step: Any = 1, dtype: Any = None, name: str | None = None) -> Any:
    """Count from `start` (0) to before `end`; ``arange(3)`` is ``[0, 1, 2]``.

    The type is int64 if all three are integers, else the default float type.
    """
    start, end = (0, start) if end is None else (start, end)
    start, end, step = _number(start), _number(end), _number(step)
    if step == 0:
        raise ValueError("(InvalidArgument) The step of arange() must not be 0.")
    whole = all(isinstance(value, int) for value in (start, end, step))
    chosen = as_numpy(dtype) if dtype is not None else np.dtype("int64") if whole else default_float()
    return range_op(start=start, end=end, step=step, dtype=chosen)


def _number(value: Any) -> Any:
    """Return a Python number for a number or a tensor with one element."""
    return value if isinstance(value, (int, float)) else value.item()


@tried_with(start=0.0, stop=1.0, num=5, dtype=np.dtype("float64"))
@operator("linspace", infer=lambda num, dtype, **attrs: Meta((num,), dtype))
def linspace_op(*, start: Any, stop: Any, num: int, dtype: DType) -> Array:
    """Spread `num` numbers evenly from `start` to `stop`, both included."""
    return np.linspace(start, stop, num).astype(dtype)


def linspace(start: Any, stop: Any, num: Any, dtype: Any = None, name: str | None = None) -> Value:
    """Spread `num` numbers evenly from `start` to `stop`, both included; of the default float type."""
    chosen = default_float() if dtype is None else as_numpy(dtype)
    return linspace_op(start=_number(start), stop=_number(stop), num=int(_number(num)), dtype=chosen)


@tried_with(num_rows=2, num_columns=3, dtype=np.dtype("float64"))
@operator("eye", infer=lambda num_rows, num_columns, dtype: Meta((num_rows, num_columns), dtype))
def eye_op(*, num_rows: int, num_columns: int, dtype: DType) -> Array:
    """Ones on the diagonal, zeros elsewhere."""
    return np.eye(num_rows, num_columns, dtype=dtype)


def eye(num_rows: int, num_columns: int | None = None, dtype: Any = None, name: str | None = None) -> Any:
    """Make a matrix with ones on the diagonal; square unless `num_columns` is given."""
    chosen = default_float() if dtype is None else as_numpy(dtype)
    columns = num_rows if num_columns is None else num_columns
    return eye_op(num_rows=int(num_rows), num_columns=int(columns), dtype=chosen)


def range(
    start: Any = 0, end: Any = None, step: Any = 1, dtype: Any = None, name: str | None = None
) -> Value:
    """Return the numbers from `start` to `end`, both included, in steps of `step`, as floats unless asked otherwise."""
    if end is None:
        start, end = 0, start
    kind = default_float() if dtype is None else as_numpy(dtype)
    count = int((end - start) / step) + 1
    if step == 0:
        raise invalid("The step of range must not be 0.")
    return constant((start + step * np.arange(count)).astype(kind))
