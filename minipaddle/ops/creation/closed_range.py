"""``paddle.range``: numbers in steps, up to an end that is included; ``paddle.arange`` leaves it out."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.errors import failure
from minipaddle.engine.value.dtype import as_numpy, default_float
from minipaddle.engine.value.value import Value
from minipaddle.ops.creation.assign import constant


def range(
    start: Any = 0, end: Any = None, step: Any = 1, dtype: Any = None, name: str | None = None
) -> Value:
    """Return the numbers from `start` to `end`, both included, in steps of `step`, as floats unless asked otherwise."""
    if end is None:
        start, end = 0, start
    kind = default_float() if dtype is None else as_numpy(dtype)
    count = int((end - start) / step) + 1
    if step == 0:
        raise failure(ValueError, "The step of range must not be 0.")
    return constant((start + step * np.arange(count)).astype(kind))
