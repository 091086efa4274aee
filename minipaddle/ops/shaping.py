"""Shape changers."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.core.meta import Array
from minipaddle.core.operator import operator

__all__ = ["expand", "reshape"]


@operator("reshape2", "X -> Out", view=True)
def reshape(x: Array, shape: Any) -> Any:
    """Same elements, new shape."""
    return x.reshape(shape)


@reshape.gradient("x")
def _(dy: Any, x_shape: Any) -> Any:
    return reshape(dy, x_shape)


@operator("expand_v2", "X -> Out")
def expand(x: Array, shape: Any) -> Any:
    """Repeat size-1 axes."""
    return np.broadcast_to(x, shape)


@expand.gradient("x")
def _(dy: Any, x_shape: Any) -> Any:
    from minipaddle.ops.elementwise import unbroadcast

    return unbroadcast(dy, x_shape)
