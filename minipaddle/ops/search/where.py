"""Where the elements are that are not zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.core.errors import failure
from minipaddle.core.meta import Array, Meta
from minipaddle.core.operator import operator
from minipaddle.ops.common.infer_meta import broadcast_shapes
from minipaddle.ops.creation.convert import constant
from minipaddle.ops.indexing.index import pick
from minipaddle.ops.logic.compare import where
from minipaddle.ops.reduction.broadcast import expand2


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


def masked_select(x: Any, mask: Any, name: str | None = None) -> Any:
    """Return the elements of `x` where `mask` is True, as a 1-D tensor.

    Raises:
        ValueError: if `mask` is not of type bool, or does not broadcast with `x`.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/masked_select_en.html
    """
    if np.dtype(getattr(mask.dtype, "numpy", mask.dtype)).kind != "b":
        raise failure(ValueError, f"The mask of masked_select must be bool, but received {mask.dtype}.")
    shape = broadcast_shapes(tuple(x.shape), tuple(mask.shape))
    if tuple(x.shape) != shape:
        x = expand2(x, shape)
    if tuple(mask.shape) != shape:
        mask = expand2(mask, shape)
    return pick(x, [mask], f"@{len(shape)}")


def masked_fill(x: Any, mask: Any, value: Any, name: str | None = None) -> Any:
    """Return `x` with `value`, a number or a 0-D tensor, where `mask` is True.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/masked_fill_en.html
    """
    number = value if hasattr(value, "dtype") and hasattr(value, "ndim") else constant(value)
    return where(mask, number, x)
