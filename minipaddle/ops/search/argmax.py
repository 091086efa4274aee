"""Where the largest and the smallest stand."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.ops.definition import Array, Meta, Value, as_numpy, failure, listed, of, operator
from minipaddle.ops.definition.arguments import axis_of_0d, integer
from minipaddle.ops.definition.axis_printing import OneAxis
from minipaddle.ops.definition.infer_meta import reduced_shape


def _arg_infer(x: Meta, *, axis: int | None = None, keepdim: bool = False, dtype: str = "int64") -> Meta:
    if axis is not None and not x.ndim:
        axis_of_0d(axis)
    if axis is None or not x.ndim:
        return Meta((1,) * x.ndim if keepdim else (), as_numpy(dtype))
    if not -x.ndim <= axis < x.ndim:
        raise failure(ValueError, f"'axis'({axis}) must be in the range [{-x.ndim}, Rank(X)({x.ndim})).")
    return Meta(reduced_shape(x.shape, (axis % x.ndim,), keepdim), as_numpy(dtype))


def _axis(x: Array, axis: int | None) -> int | None:
    """The axis for NumPy, to which a 0-D array has no axis 0."""
    return None if not x.ndim and axis in (0, -1) else axis


@listed(OneAxis("flatten", 0, keepdims=of("keepdim")), kind="argmax")
@operator("arg_max", kinds="biuf", name="argmax", infer=_arg_infer)
def arg_max(x: Array, *, axis: int | None = None, keepdim: bool = False, dtype: str = "int64") -> Any:
    """Return the index of the greatest element, the first of equal ones."""
    return np.argmax(x, axis=_axis(x, axis), keepdims=keepdim).astype(dtype)


@listed(OneAxis("flatten", 0, keepdims=of("keepdim")), kind="argmin")
@operator("arg_min", kinds="biuf", name="argmin", infer=_arg_infer)
def arg_min(x: Array, *, axis: int | None = None, keepdim: bool = False, dtype: str = "int64") -> Any:
    """Return the index of the smallest element, the first of equal ones."""
    return np.argmin(x, axis=_axis(x, axis), keepdims=keepdim).astype(dtype)


def _index_type(dtype: Any) -> str:
    """Return the name of an integer type."""
    if dtype is None:
        raise failure(
            ValueError, "the value of 'dtype' in argmax and argmin could not be None, but received None."
        )
    name = as_numpy(dtype).name
    if name not in ("int32", "int64"):
        raise failure(
            ValueError,
            f"The attribute of dtype in argmin/argmax must be [int32] or [int64], but received [{name}].",
        )
    return name


def argmax(
    x: Value, axis: Any = None, keepdim: bool = False, dtype: Any = "int64", name: str | None = None
) -> Value:
    """Return the index of the greatest element of `x` along `axis` (None: in the flattened tensor)."""
    return arg_max(x, None if axis is None else integer(axis), keepdim, _index_type(dtype))


def argmin(
    x: Value, axis: Any = None, keepdim: bool = False, dtype: Any = "int64", name: str | None = None
) -> Value:
    """Return the index of the smallest element of `x` along `axis`, as :func:`argmax` does."""
    return arg_min(x, None if axis is None else integer(axis), keepdim, _index_type(dtype))
