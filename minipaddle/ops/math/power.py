"""Powers: of a number (`pow`), and of a tensor (`elementwise_pow`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.ops.creation.full import ones_like, zeros_like
from minipaddle.ops.creation.promotion import promote
from minipaddle.ops.definition import Array, Listing, Value, listed, mark, of, operator
from minipaddle.ops.definition.axis_printing import ALIGNED
from minipaddle.ops.math.exponential import log
from minipaddle.ops.reduction.sum import broadcast, cast_to
from minipaddle.ops.search.where import where


@listed(Listing(factor=of("factor", float)))
@operator("pow", name="pow")
def pow_op(x: Array, *, factor: Any = 1.0) -> Any:
    """Raise every element to the power of one number; for an integer tensor the number is truncated."""
    if x.dtype.kind in "fc":
        return x**factor
    return x ** int(factor) if factor >= 0 else _integer_power(x, np.asarray(int(factor)))


@pow_op.gradient("x")
def _(dy: Value, x: Value, factor: Any) -> Value:
    if factor == 0:
        return zeros_like(dy)  # the general formula would be nan at 0
    if factor == 1:
        return dy
    return dy * (2 * x) if factor == 2 else dy * (factor * pow_op(x, factor - 1))


@listed(ALIGNED)
@operator("elementwise_pow", infer=broadcast, prepare=promote)
def elementwise_pow(x: Array, y: Array) -> Any:
    """Raise every element of one tensor to the power given by the other."""
    return x**y if x.dtype.kind in "fc" else _integer_power(x, y)


mark("elementwise", pow_op, elementwise_pow)


def _integer_power(x: Array, y: Array) -> Any:
    """Return a power of integers; one over a number is truncated to 0, and one over 0 is 0, too."""
    if y.dtype.kind != "i" or not (y < 0).any():
        return x**y
    inverse = np.where(np.abs(x) == 1, x ** (y & 1), 0)  # 1 and -1 are their own inverses
    return np.where(y < 0, inverse, x ** np.maximum(y, 0)).astype(x.dtype)


@elementwise_pow.gradient("x")
def _(dy: Value, x: Value, y: Value) -> Value:
    less = where(y == 0, ones_like(y), y - 1)  # x^0 has slope 0 at 0 too, where 0 * 0^-1 would be nan
    return dy * (y * elementwise_pow(x, less))


@elementwise_pow.gradient("y")
def _(dy: Value, x: Value, y: Value) -> Value:
    # 0^y has slope 0 for y >= 0, where 0 * log 0 would be nan; and -inf below
    base = where(x == 0, where(y < 0, x, ones_like(x)), x)
    return cast_to(dy * (elementwise_pow(x, y) * log(base)), dy.dtype)


def pow(x: Value, y: Any, name: str | None = None) -> Value:
    """Raise `x` to the power `y`, a number or a tensor."""
    if isinstance(y, (int, float)):
        return pow_op(x, y if type(y) is int else float(y), name=name)
    if not hasattr(y, "dtype"):
        raise TypeError(f"y must be scalar or tensor type, but received: {type(y).__name__}")
    return elementwise_pow(x, y, name=name)
