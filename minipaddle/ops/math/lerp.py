"""Between two tensors: lerp."""

from __future__ import annotations

from typing import Any

from minipaddle.ops.creation.convert import number_beside
from minipaddle.ops.definition import Array, Meta, Value, failure, listed, operator
from minipaddle.ops.definition.infer_meta import broadcast_shapes
from minipaddle.ops.reduction.sum import unbroadcast


def _lerp_shape(x: Meta, y: Meta, weight: Meta) -> Meta:
    """Shape rule of :func:`lerp`."""
    if not x.dtype == y.dtype == weight.dtype:
        types = f"{x.dtype}, {y.dtype} and {weight.dtype}"
        raise failure(ValueError, f"lerp needs tensors of one type, but received {types}.")
    return Meta(broadcast_shapes(broadcast_shapes(x.shape, y.shape), weight.shape), x.dtype)


@listed(grad_keeps="Out")
@operator("lerp", kinds="biuf", name="lerp", infer=_lerp_shape)
def lerp_op(x: Array, y: Array, weight: Array) -> Any:
    """Walk from `x` towards `y` by the fraction `weight`."""
    if not x.dtype == y.dtype == weight.dtype:
        raise ValueError  # worded by the shape rule
    return x + weight * (y - x)


lerp_op.gradient("x", unbroadcast=unbroadcast)(lambda dy, weight: dy - dy * weight)
lerp_op.gradient("y", unbroadcast=unbroadcast)(lambda dy, weight: dy * weight)
lerp_op.gradient("weight", unbroadcast=unbroadcast)(lambda dy, x, y: dy * (y - x))


def lerp(x: Value, y: Value, weight: Any, name: str | None = None) -> Any:
    """Return ``x + weight * (y - x)``; `weight` is a tensor or a number."""
    if isinstance(weight, (int, float)):
        weight = number_beside(x, weight)
    return lerp_op(x, y, weight, name=name)
