"""Where the elements are that are not zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.core.errors import failure
from minipaddle.core.meta import Array, Meta
from minipaddle.core.operator import operator

__all__ = ["nonzero", "where_index"]


@operator(
    "where_index",
    "Condition -> Out",
    name="nonzero",
    infer=lambda x: Meta((-1, x.ndim), np.dtype("int64")),
    latex=r"\{i : x_i \ne 0\}",
)
def where_index(x: Array) -> Any:
    """List the indices of the elements that are not zero, one row each."""
    if not x.ndim:
        raise failure(ValueError, "Input(Condition) should have number of dimension at least 1.")
    return np.argwhere(x)


def nonzero(x: Any, as_tuple: bool = False) -> Any:
    """Return the indices of the elements of `x` that are not zero, as rows, or as one tensor for each axis.

    Raises:
        ValueError: for a 0-D tensor.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nonzero_en.html
    """
    rows = where_index(x)
    return tuple([rows[:, axis] for axis in range(x.ndim)]) if as_tuple else rows
