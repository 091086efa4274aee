"""Powers: of a number (`pow`), and of a tensor (`elementwise_pow`)."""

from __future__ import annotations

from typing import Any

from minipaddle.core.meta import Array, Shape
from minipaddle.core.operator import operator
from minipaddle.core.value import Value
from minipaddle.ops.common.infer_meta import broadcast
from minipaddle.ops.common.listed import Listing, listed, of
from minipaddle.ops.common.listing import ALIGNED
from minipaddle.ops.creation.full import ones_like, zeros_like
from minipaddle.ops.creation.promotion import promote
from minipaddle.ops.math.exponential import log
from minipaddle.ops.reduction.sum import unbroadcast
from minipaddle.ops.search.where import where


@listed(Listing(factor=of("factor", float)))
@operator("pow", "X -> Out", name="pow", latex="x^n")
def pow_op(x: Array, factor: Any = 1.0) -> Any:
    """Raise every element to the power of one number; for an integer tensor the number is truncated."""
    return x**factor if x.dtype.kind in "fc" else x ** int(factor)


@pow_op.gradient("x")
def _(dy: Value, x: Value, factor: Any) -> Value:
    if factor == 0:
        return zeros_like(dy)  # the general formula would be nan at 0
    if factor == 1:
        return dy
    return dy * (2 * x) if factor == 2 else dy * (factor * x ** (factor - 1))


@listed(ALIGNED)
@operator("elementwise_pow", "X, Y -> Out", infer=broadcast, prepare=promote, latex="x^y", page="pow")
def elementwise_pow(x: Array, y: Array) -> Any:
    """Raise every element of one tensor to the power given by the other."""
    return x**y


@elementwise_pow.gradient("x")
def _(dy: Value, x: Value, y: Value, x_shape: Shape) -> Value:
    less = where(y == 0, ones_like(y), y - 1)  # x^0 has slope 0 at 0 too, where 0 * 0^-1 would be nan
    return unbroadcast(dy * (y * x**less), x_shape)


@elementwise_pow.gradient("y")
def _(dy: Value, x: Value, y: Value, y_shape: Shape) -> Value:
    base = where(x == 0, ones_like(x), x)  # 0^y has slope 0, where 0 * log 0 would be nan
    return unbroadcast(dy * (x**y * log(base)), y_shape)


def pow(x: Any, y: Any, name: str | None = None) -> Any:
    """Raise `x` to the power `y`, a number or a tensor.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/pow_en.html)

    Raises:
        TypeError: if `y` is neither.
    """
    if isinstance(y, (int, float)):
        return pow_op(x, y if type(y) is int else float(y), name=name)
    if not hasattr(y, "dtype"):
        raise TypeError(f"y must be scalar or tensor type, but received: {type(y).__name__}")
    return elementwise_pow(x, y, name=name)
