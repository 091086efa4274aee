"""Filling a tensor with one number: what is overwritten has a gradient of zero, not none."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.core.meta import Array
from minipaddle.core.operator import operator
from minipaddle.ops.creation.convert import zeros_like


@operator("fill", "X -> Out", latex="c")
def fill(x: Array, value: Any = 0.0) -> Any:
    """Set every element to `value`."""
    return np.full_like(x, value)


@fill.gradient("x")
def _(dy: Any) -> Any:
    return zeros_like(dy)
