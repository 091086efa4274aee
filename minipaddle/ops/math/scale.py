"""Arithmetic of a tensor with a number: ``x * 2 + 1``, ``-x``, and a loop's counter."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.mode.eager import current, run_inside
from minipaddle.ops.creation.assign import assign_op
from minipaddle.ops.creation.cast import numpy_dtype
from minipaddle.ops.creation.fill_constant import in_range
from minipaddle.ops.definition import TABLE, Array, Listing, Value, invalid, listed, mark, of, operator


@listed(Listing(scale=of("scale", float), bias=of("bias", float)))
@operator("scale", name="scale")
def scale_op(x: Array, *, scale: Any = 1.0, bias: Any = 0.0, bias_after_scale: bool = True) -> Any:
    """Multiply by one number and add another; what ``x * 2``, ``x + 3``, ``2 - x`` and ``-x`` become.

    With ``bias_after_scale=False`` it is ``scale * (x + bias)``. For integer tensors both numbers are
    truncated, and those outside of the range of the type wrap around.
    """
    if x.dtype.kind not in "fc":
        scale, bias = whole(scale, x.dtype), whole(bias, x.dtype)
        return (x + bias) * scale if not bias_after_scale else x * scale + bias
    if not bias_after_scale:
        return (x + bias) * scale
    if bias == 0:
        return -x if scale == -1 else x * scale
    if scale == -1:
        return bias - x
    return x + bias if scale == 1 else x * scale + bias


mark("elementwise", scale_op)


def whole(number: Any, dtype: np.dtype[Any]) -> Any:
    """Return a number converted for a tensor of integers or bools: truncated, wrapped into its range."""
    return in_range(int(number), dtype)


@scale_op.gradient("x", program=lambda dy, scale: _scaled(dy, scale))
def _(dy: Value, scale: Any) -> Value:
    return dy if scale == 1 else dy * scale


def _scaled(x: Value, factor: float) -> Value:
    return scale(x, scale=factor)


def scale(
    x: Value,
    scale: Any = 1.0,
    bias: Any = 0.0,
    bias_after_scale: bool = True,
    act: str | None = None,
    name: str | None = None,
) -> Any:
    """Return ``scale * x + bias`` or ``scale * (x + bias)``, then `act` of it; integers truncate both numbers."""
    if hasattr(scale, "item"):
        scale = scale.item()
    if numpy_dtype(x).kind not in "fc":
        scale, bias = whole(scale, numpy_dtype(x)), whole(bias, numpy_dtype(x))
    out = scale_op(x, scale, bias, bias_after_scale, name=name)
    if act is not None and act not in TABLE:
        raise AttributeError(f"There is no operator {act!r}.")
    return out if act is None else TABLE[act](out)


def neg(x: Value, name: str | None = None) -> Value:
    """Return `-x`, as a `scale` by -1."""
    return scale(x, scale=-1.0, name=name)


@listed(Listing(step=of("step", float)))
@operator("increment", kinds="biuf")
def increment_op(x: Array, *, step: float = 1.0) -> Any:
    """Add one number to the only element, in the type of the tensor."""
    return x + x.dtype.type(step)


increment_op.gradient("x", program=lambda dy: assign_op(dy))(lambda dy: dy)


def increment(x: Any, value: float = 1.0, name: str | None = None) -> Any:
    """Add `value` to a tensor of one element, in place, and return it: the counter of a loop."""
    if any(size not in (1, -1) for size in x.shape):
        raise invalid(
            f"The number of elements in Input(X) should be 1, but the shape of x is {list(x.shape)}.",
            "x.add_(value) adds to every element",
        )
    mode = current.get()
    if mode.dynamic and x.is_leaf:  # it stays a leaf: the slope is 1
        return run_inside(mode.with_grad(False), lambda: increment_op.bind_inplace(x, step=value))
    return increment_op.bind_inplace(x, step=value)
