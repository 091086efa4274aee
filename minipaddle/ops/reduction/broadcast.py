"""Repeating axes of size 1: what a broadcast does, made visible."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.ops.definition import Array, Meta, Shape, Value, failure, listed, operator, tried_with
from minipaddle.ops.definition.arguments import wanted_shape


def _expanded(x_shape: Shape, shape: Shape) -> Shape:
    """Return `shape` with its -1 replaced by the sizes of the input."""
    new = len(shape) - len(x_shape)
    if new < 0:
        raise failure(
            ValueError,
            f"The rank of the target shape {list(shape)} must not be less than that of the input "
            f"{list(x_shape)}.",
        )
    found = list(shape)
    for axis, size in enumerate(x_shape, new):
        if found[axis] == -1:
            found[axis] = size
        elif size not in (1, -1, found[axis]):
            raise failure(
                ValueError,
                f"The value ({size}) of the non-singleton dimension does not match the corresponding value "
                f"({found[axis]}) in shape for expand_v2 op: {list(x_shape)} to {list(shape)}.",
                "only axes of size 1 can be repeated; paddle.tile repeats longer ones",
            )
    return tuple(found)


def _expand_infer(x: Meta, *, shape: Shape) -> Meta:
    return Meta(_expanded(x.shape, shape), x.dtype)


def _expand_example(rng: np.random.Generator) -> Any:
    return [rng.uniform(0.2, 0.9, (2, 1))], {"shape": (2, 2, 3)}


@listed(kind="expand")
@tried_with(_expand_example)
@operator("expand_v2", name="expand", infer=_expand_infer)
def expand_v2(x: Array, *, shape: Any) -> Array:
    """Repeat axes of size 1, in fresh memory."""
    out = np.empty(_expanded(x.shape, shape) if -1 in shape or x.ndim > len(shape) else shape, x.dtype)
    out[...] = x
    return out


@tried_with(_expand_example)
@operator("expand_view", infer=_expand_infer)
def expand_view(x: Array, *, shape: Any) -> Array:
    """Repeat axes of size 1, for gradient rules: a large result is a read-only view on the small input."""
    if math.prod(shape) > _SMALL:
        return np.broadcast_to(x, shape)
    out = np.empty(shape, x.dtype)
    out[...] = x
    return out


_SMALL = 8192  # elements up to which filling memory is faster than setting up a broadcast


def _fold(dy: Value, x_shape: Shape) -> Value:
    """Sum over what was repeated."""
    from minipaddle.ops.reduction.sum import unbroadcast  # it imports this file

    return unbroadcast(dy, x_shape)


expand_v2.gradient("x")(_fold)
expand_view.gradient("x")(_fold)


def expand(x: Value, shape: Any, name: str | None = None) -> Value:
    """Return a copy of `x` with axes of size 1 repeated to fit `shape`; -1 keeps the size of an axis."""
    return expand_v2(x, wanted_shape(shape))


def broadcast_to(x: Any, shape: Any, name: str | None = None) -> Any:
    """Return a copy of `x` with axes of size 1 repeated to fit `shape`, like :func:`expand`."""
    return expand_v2(x, wanted_shape(shape))


@listed(kind="expand_as")
@tried_with(
    lambda rng: (
        [rng.uniform(0.2, 0.9, (2, 1)), rng.uniform(0.2, 0.9, (2, 2, 3))],
        {"target_shape": (2, 2, 3)},
    )
)
@operator(
    "expand_as_v2",
    name="expand_as",
    infer=lambda x, y, *, target_shape: Meta(
        _expanded(x.shape, target_shape if y is None else y.shape), x.dtype
    ),
)
def expand_as_op(x: Array, y: Array | None = None, *, target_shape: Any) -> Array:
    """Repeat axes of size 1 to the shape of `y`, in fresh memory."""
    return expand_v2.run(x, shape=target_shape if y is None else y.shape)


expand_as_op.gradient("x")(_fold)


def expand_as(x: Value, y: Value, name: str | None = None) -> Value:
    """Return a copy of `x` with axes of size 1 repeated to the shape of `y`."""
    return expand_as_op(x, y, tuple(y.shape))
