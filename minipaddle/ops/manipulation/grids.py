"""Grids of coordinates, and the shape that two shapes broadcast to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.ops.definition import Array, Meta, Shape, Value, invalid, operator, require, tried_with
from minipaddle.ops.definition.infer_meta import broadcast_shapes
from minipaddle.ops.reduction.sum import fold
from minipaddle.ops.views.reshape import reshape2


def broadcast_shape(x_shape: Any, y_shape: Any) -> list[int]:
    """Return the shape that two shapes broadcast to."""
    return list(broadcast_shapes(tuple(x_shape), tuple(y_shape)))


def _length(shape: Shape) -> int:
    """Return the size of a vector or a number."""
    if len(shape) > 1:
        raise invalid(
            f"Expected scalar or 1D tensor in the tensor list but got a tensor of shape {list(shape)}."
        )
    return shape[0] if shape else 1


def _grid_infer(x: list[Meta]) -> list[Meta]:
    sizes = tuple(_length(one.shape) for one in x)
    return [Meta(sizes, one.dtype) for one in x]


@tried_with((2,), (3,))
@operator("meshgrid", infer=_grid_infer, gives_list=True)
def meshgrid_op(*x: Array) -> list[Array]:
    """Return each vector repeated along the others' axes."""
    require(all(one.ndim < 2 for one in x))
    return [grid.copy() for grid in np.meshgrid(*x, indexing="ij", copy=False)]


@meshgrid_op.gradient("x")
def _(dys: Sequence[Value], x_shape: Sequence[Shape]) -> Sequence[Value]:
    count = len(x_shape)
    others = [tuple(axis for axis in range(count) if axis != at) for at in range(count)]
    sums = [fold(dy, axes) if axes else dy for dy, axes in zip(dys, others)]
    return [one if shape else reshape2(one, ()) for one, shape in zip(sums, x_shape)]


def meshgrid(*args: Any, name: str | None = None, indexing: str = "ij") -> list[Any]:
    """Return the grids of coordinates that vectors span: a tensor for each, with one axis per vector.

    Args:
        args: vectors, or one list of them.
        indexing: "ij": the first vector runs along the first axis; "xy": the first two are exchanged.
    """
    vectors = list(args[0]) if len(args) == 1 and isinstance(args[0], (list, tuple)) else list(args)
    if indexing == "xy" and len(vectors) > 1:
        grids = meshgrid(vectors[1], vectors[0], *vectors[2:])
        return [grids[1], grids[0], *grids[2:]]
    return list(meshgrid_op(vectors))
