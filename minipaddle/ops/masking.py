"""Masks: masked_select, masked_fill."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.core.errors import failure
from minipaddle.ops.creation import constant
from minipaddle.ops.expanding import expand2
from minipaddle.ops.families import broadcast_shapes
from minipaddle.ops.indexing import pick
from minipaddle.ops.logic import where

__all__ = ["masked_fill", "masked_select"]


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
