"""Numbers for nan and the infinities."""

from __future__ import annotations

import math

import numpy as np

from minipaddle.engine.value.value import Value
from minipaddle.ops.creation.cast import numpy_dtype
from minipaddle.ops.creation.full import full_like
from minipaddle.ops.logic.compare import isnan
from minipaddle.ops.search.where import where


def nan_to_num(
    x: Value,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
    name: str | None = None,
) -> Value:
    """Return `x` with numbers for what is none.

    Args:
        nan: what stands for nan.
        posinf: what stands for infinity; the largest number of the type, if None.
        neginf: what stands for negative infinity; the smallest one, if None.
    """
    dtype = numpy_dtype(x)
    assert dtype.kind == "f", f"nan_to_num takes floats, but received {dtype}."
    limits = np.finfo(dtype)
    high = float(limits.max) if posinf is None else posinf
    low = float(limits.min) if neginf is None else neginf
    found = where(isnan(x), full_like(x, nan), x)
    found = where(found == math.inf, full_like(x, high), found)
    return where(found == -math.inf, full_like(x, low), found)
