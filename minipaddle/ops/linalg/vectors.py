"""The product of vectors that stands at right angles to both."""

from __future__ import annotations

import numpy as np

from minipaddle.engine.errors import failure
from minipaddle.engine.operator.operator import operator
from minipaddle.engine.value.meta import Array, Meta, Shape
from minipaddle.engine.value.value import Value
from minipaddle.ops.creation.promotion import promote
from minipaddle.ops.definition.infer_meta import broadcast_shapes
from minipaddle.ops.definition.program_printing import Listing, listed, of
from minipaddle.ops.reduction.sum import unbroadcast

FIRST = 9
"""What stands for "the first axis of size 3", as in Paddle."""


def _axis_of_three(shape: Shape, axis: int) -> int:
    """Return the axis along which vectors stand."""
    if axis == FIRST:
        if 3 in shape:
            return shape.index(3)
        raise failure(
            ValueError,
            "There must be at least one dimension 'd' so that Input(X/Y).dims()[d] is equal to 3. But received: "
            f"Input(X/Y).dims() == {list(shape)}.",
        )
    if not -len(shape) <= axis < len(shape):
        raise failure(
            IndexError,
            f"Attr(dim) is out of range, It's expected to be in range of [-{len(shape)}, {len(shape) - 1}]. But "
            f"received Attr(dim) = {axis}.",
        )
    if shape[axis] not in (3, -1):
        raise failure(
            ValueError,
            f"Input(X/Y).dims[dim] should be equal to 3. But received Input(X/Y).dims[dim] = {shape[axis]}.",
        )
    return axis % len(shape)


def _cross_infer(x: Meta, y: Meta, *, axis: int = FIRST) -> Meta:
    shape = broadcast_shapes(x.shape, y.shape)
    if axis != FIRST or -1 not in shape:
        _axis_of_three(shape, axis)
    return Meta(shape, np.result_type(x.dtype, y.dtype))


@listed(Listing(dim=of("axis")))
@operator("cross", "X, Y -> Out", infer=_cross_infer, prepare=promote, latex=r"x \times y", kinds="iufc")
def cross(x: Array, y: Array, axis: int = FIRST) -> Array:
    """Return the vectors at right angles to those of `x` and `y`, as long as the area between them.

    Args:
        x: vectors of three numbers along an axis.
        axis: where they stand; the default is the first axis of size 3.
    """
    place = _axis_of_three(np.broadcast_shapes(x.shape, y.shape), axis)
    x, y = np.broadcast_arrays(x, y)
    return np.cross(x, y, axis=place)


@cross.gradient("x")
def _(dy: Value, x_shape: Shape, y: Value, axis: int) -> Value:
    return unbroadcast(cross(y, dy, _axis_of_three(tuple(dy.shape), axis)), x_shape)


@cross.gradient("y")
def _(dy: Value, x: Value, y_shape: Shape, axis: int) -> Value:
    return unbroadcast(cross(dy, x, _axis_of_three(tuple(dy.shape), axis)), y_shape)
