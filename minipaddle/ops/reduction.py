"""Reductions: many elements become one."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.core.meta import Array, Meta
from minipaddle.core.operator import operator
from minipaddle.ops.families import axes_of, reduced_shape
from minipaddle.ops.shaping import expand, reshape

__all__ = ["sum"]


def _reduce(x: Meta, *, axis: Any = None, keepdim: bool = False, **attrs: Any) -> Meta:
    """Shape rule of reductions that keep the type."""
    return Meta(reduced_shape(x.shape, axes_of(axis, x.ndim), keepdim), x.dtype)


@operator("reduce_sum", "X -> Out", infer=_reduce, latex=r"\sum x")
def reduce_sum(x: Array, axis: Any = None, keepdim: bool = False) -> Any:
    """Add the elements along `axis` (all of them: None)."""
    return np.add.reduce(x, axis=axes_of(axis, x.ndim), keepdims=keepdim)


@reduce_sum.gradient("x")
def _(dy: Any, x_shape: Any, axis: Any, keepdim: bool) -> Any:
    return expand_back(dy, x_shape, axis, keepdim)


def expand_back(dy: Any, x_shape: tuple[int, ...], axis: Any, keepdim: bool) -> Any:
    """Undo the shape of a reduction: repeat `dy` over the axes that were reduced away."""
    if not keepdim and dy.ndim != len(x_shape):
        dy = reshape(dy, reduced_shape(x_shape, axes_of(axis, len(x_shape)), True))
    return expand(dy, x_shape)


def sum(x: Any, axis: Any = None, dtype: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    return reduce_sum(x, axis=axis, keepdim=keepdim)
