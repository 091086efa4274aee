"""The operator that fills a shape with one number; Paddle's functions are in ops/creation/full.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.value.dtype import as_numpy
from minipaddle.ops.definition import Array, Meta, Shape, operator
from minipaddle.ops.definition.example import tried_with
from minipaddle.ops.definition.program_printing import Listing, derived, listed, of


def in_range(number: Any, dtype: np.dtype[Any]) -> Any:
    """Return a Python number converted to a bool or integer type: a number that is too large wraps around, as in C."""
    if dtype.kind == "b":
        return bool(number)
    if dtype.kind not in "iu" or not isinstance(number, int):
        return number
    limits = np.iinfo(dtype)
    return (int(number) - int(limits.min)) % (1 << 8 * dtype.itemsize) + int(limits.min)


def as_float(value: Any) -> Any:
    """Return a number as the float32 that Paddle keeps in a Program, unless it would change."""
    return value if isinstance(value, complex) or float(value) != value else float(value)


def as_told(shape: Shape, dtype: np.dtype[Any], **attrs: Any) -> Meta:
    """Shape rule of operators with shape and dtype attributes."""
    return Meta(tuple(shape), as_numpy(dtype))


@listed(Listing(value=of("value", as_float), str_value=derived(lambda attrs, metas: "")))
@tried_with(shape=(2, 3), value=1.5, dtype=np.dtype("float64"))
@operator("fill_constant", name="full", infer=as_told)
def fill_constant(*, shape: Shape, value: Any, dtype: np.dtype[Any]) -> Array:
    """Fill a shape with one number."""
    value = in_range(value, np.dtype(dtype))
    return np.full(shape, value, dtype) if shape else np.array(value, dtype)  # in a tenth of the time
