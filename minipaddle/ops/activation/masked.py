"""softmax of what a mask lets through: one operator for both, as attention has them."""

from __future__ import annotations

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Meta
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.activation.softmax import softmax_op
from minipaddle.ops.common.infer_meta import broadcast_shapes
from minipaddle.ops.reduction.sum import reduce_sum


def _slope(dy: Value, out: Value) -> Value:
    """Return the gradient of a softmax along the last axis."""
    weighted = dy * out
    return weighted - out * reduce_sum(weighted, -1, True)


def _masked_infer(x: Meta, mask: Meta) -> Meta:
    if broadcast_shapes(x.shape, mask.shape) != x.shape:
        raise failure(
            ValueError,
            f"The mask of shape {list(mask.shape)} does not broadcast to that of x, {list(x.shape)}.",
        )
    return x


@operator(
    "fused_softmax_mask",
    "X, Mask -> Out",
    infer=_masked_infer,
    kinds="f",
    latex=r"\mathrm{softmax}(x + m)",
    page="incubate/softmax_mask_fuse",
)
def softmax_mask(x: Array, mask: Array) -> Array:
    """Return the softmax of ``x + mask`` along the last axis."""
    return softmax_op.run(x + mask, -1)


softmax_mask.gradient("x")(_slope)


@operator(
    "fused_softmax_mask_upper_triangle",
    "X -> Out",
    kinds="f",
    latex=r"\mathrm{softmax}_{j \le i}(x)",
    example=lambda rng: ([rng.uniform(0.2, 0.9, (2, 3, 3))], {}),
    page="incubate/softmax_mask_fuse_upper_triangle",
)
def softmax_mask_upper_triangle(x: Array) -> Array:
    """Return the softmax along the last axis of what is not above the diagonal; above stands 0."""
    seen = np.tri(x.shape[-2], x.shape[-1], dtype=bool)
    return softmax_op.run(np.where(seen, x, x.dtype.type(-np.inf)), -1)


softmax_mask_upper_triangle.gradient("x")(_slope)
