"""Several tensors brought to one shape: broadcast_tensors, meshgrid and what is made with them; multiplex."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Meta, Shape
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.infer_meta import broadcast_shapes as _fit
from minipaddle.ops.creation.assign import constant
from minipaddle.ops.indexing.gather import gather
from minipaddle.ops.logic.compare import equal
from minipaddle.ops.manipulation.concat import stack
from minipaddle.ops.reduction.sum import cast_to, fold, unbroadcast
from minipaddle.ops.views.reshape import reshape2

# -- one shape ------------------------------------------------------------------------------------------------


def broadcast_shapes(*shapes: Any) -> list[int]:
    """Return the shape that several shapes broadcast to.

    Raises:
        ValueError: **Broadcast dimension mismatch**.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/broadcast_shapes_en.html
    """
    found: tuple[int, ...] = ()
    for shape in shapes:
        found = _fit(found, tuple(shape))
    return list(found)


def broadcast_shape(x_shape: Any, y_shape: Any) -> list[int]:
    """Return the shape that two shapes broadcast to.

    Raises:
        ValueError: **Broadcast dimension mismatch**.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/broadcast_shape_en.html
    """
    return broadcast_shapes(x_shape, y_shape)


def _broadcast_infer(x: list[Meta]) -> list[Meta]:
    shape = tuple(broadcast_shapes(*(one.shape for one in x)))
    return [Meta(shape, one.dtype) for one in x]


@operator(
    "broadcast_tensors",
    "X* -> Out*",
    infer=_broadcast_infer,
    latex=r"x_1, x_2, \dots",
    example=lambda rng: ([rng.uniform(0.2, 0.9, (2, 1)), rng.uniform(0.2, 0.9, (3,))], {}),
)
def broadcast_tensors_op(x: list[Array]) -> list[Array]:
    """Repeat each tensor to the shape that they all broadcast to."""
    return [one.copy() for one in np.broadcast_arrays(*x)]


@broadcast_tensors_op.gradient("x")
def _(dys: Sequence[Value], x_shape: Sequence[Shape]) -> Sequence[Value]:
    return [unbroadcast(dy, shape) for dy, shape in zip(dys, x_shape)]


def broadcast_tensors(input: Any, name: str | None = None) -> list[Any]:
    """Return a list of tensors, each repeated to the shape that they all broadcast to.

    Raises:
        ValueError: if none is given, or **Broadcast dimension mismatch**.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/broadcast_tensors_en.html
    """
    if len(input) < 1:
        raise failure(
            ValueError, "broadcast_tensors(): argument 'input' must be list of Tensors, but got empty list"
        )
    return list(broadcast_tensors_op(list(input)))


# -- grids ----------------------------------------------------------------------------------------------------


def _length(shape: Shape) -> int:
    """Return how many elements a vector or a number has.

    Raises:
        ValueError: for a matrix.
    """
    if len(shape) > 1:
        raise failure(
            ValueError,
            f"Expected scalar or 1D tensor in the tensor list but got a tensor of shape {list(shape)}.",
        )
    return shape[0] if shape else 1


def _grid_infer(x: list[Meta]) -> list[Meta]:
    sizes = tuple(_length(one.shape) for one in x)
    return [Meta(sizes, one.dtype) for one in x]


@operator(
    "meshgrid",
    "X* -> Out*",
    infer=_grid_infer,
    latex=r"x_1, x_2, \dots",
    example=lambda rng: ([rng.uniform(0.2, 0.9, (2,)), rng.uniform(0.2, 0.9, (3,))], {}),
)
def meshgrid_op(x: list[Array]) -> list[Array]:
    """Repeat each vector along the axes of the others."""
    if any(one.ndim > 1 for one in x):
        raise ValueError  # worded by the shape rule
    return [grid.copy() for grid in np.meshgrid(*x, indexing="ij", copy=False)]


@meshgrid_op.gradient("x")
def _(dys: Sequence[Value], x_shape: Sequence[Shape]) -> Sequence[Value]:
    count = len(x_shape)
    others = [tuple(axis for axis in range(count) if axis != at) for at in range(count)]
    sums = [fold(dy, axes) if axes else dy for dy, axes in zip(dys, others)]
    return [one if shape else reshape2(one, ()) for one, shape in zip(sums, x_shape)]


def meshgrid(*args: Any, name: str | None = None, indexing: str = "ij") -> list[Any]:
    """Return the grids of coordinates that vectors span: one tensor for each, of as many axes as there are vectors.

    Args:
        args: vectors, or one list of them.
        name: ignored.
        indexing: "ij": the first vector runs along the first axis; "xy": the first two are exchanged.

    Raises:
        ValueError: for a tensor of two axes or more.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/meshgrid_en.html
    """
    vectors = list(args[0]) if len(args) == 1 and isinstance(args[0], (list, tuple)) else list(args)
    if indexing == "xy" and len(vectors) > 1:
        grids = meshgrid(vectors[1], vectors[0], *vectors[2:])
        return [grids[1], grids[0], *grids[2:]]
    return list(meshgrid_op(vectors))


def cartesian_prod(x: Any, name: str | None = None) -> Value:
    """Return all tuples with one element of each vector of a list, as rows; of one vector that itself.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/cartesian_prod_en.html
    """
    if len(x) == 1:
        return x[0]
    return stack([reshape2(one, (-1,)) for one in meshgrid(*x)], 1)


def combinations(x: Value, r: int = 2, with_replacement: bool = False, name: str | None = None) -> Value:
    """Return all choices of `r` elements of a vector, as rows.

    Raises:
        TypeError: if `x` is no vector, or `r` no number of elements.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/combinations_en.html
    """
    if x.ndim != 1:
        raise TypeError(f"Expect a 1-D vector, but got x shape {list(x.shape)}")
    if r < 0:
        raise ValueError(f"Expect a non-negative int, but got r={r}")
    if r == 0:
        return x[:0]
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    rows = np.array(list(choose(range(x.shape[0]), r)), np.int64).reshape(-1, r)
    return reshape2(gather(x, constant(rows.reshape(-1))), rows.shape)


# -- one of several -------------------------------------------------------------------------------------------


def _multiplex_infer(ids: Meta, x: list[Meta]) -> Meta:
    if len(x) < 2 or x[0].ndim < 2:
        raise failure(
            ValueError,
            "multiplex operator should have more than one candidate input tensors, of two axes or more.",
        )
    return Meta((ids.shape[0], *x[0].shape[1:]), x[0].dtype)


@operator(
    "multiplex",
    "Ids, X* -> Out",
    infer=_multiplex_infer,
    latex=r"x_{i}",
    example=lambda rng: ([np.array([[1], [0]]), *rng.uniform(0.2, 0.9, (2, 2, 3))], {}),
)
def multiplex_op(ids: Array, x: list[Array]) -> Array:
    """Take each row from the tensor that its number names."""
    if len(x) < 2 or x[0].ndim < 2:
        raise ValueError  # worded by the shape rule
    return np.stack(x)[ids.reshape(-1), np.arange(ids.size)]


@multiplex_op.gradient("x")
def _(dy: Value, ids: Value, x_shape: Sequence[Shape]) -> Sequence[Value]:
    chosen = reshape2(ids, (-1, *[1] * (dy.ndim - 1)))
    return [dy * cast_to(equal(chosen, number), dy.dtype) for number in range(len(x_shape))]


def multiplex(inputs: Any, index: Value, name: str | None = None) -> Value:
    """Return a tensor whose row number i is that row of the tensor that ``index[i]`` chooses from a list.

    Raises:
        ValueError: for less than two tensors, or tensors of fewer than two axes.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/multiplex_en.html
    """
    return multiplex_op(index, list(inputs))
