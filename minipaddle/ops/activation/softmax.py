"""softmax and its logarithm."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.promotion import floating
from minipaddle.ops.definition import Array, Meta, Value, formula, mark, operator
from minipaddle.ops.definition.arguments import axis_in, axis_of_0d
from minipaddle.ops.math.exponential import exp
from minipaddle.ops.reduction.sum import reduce_sum


def _along_axis(x: Meta, axis: int) -> Meta:
    """Shape rule: nothing changes, but the axis must exist (a 0-D tensor counts as having one)."""
    axis_in(axis, max(len(x.shape), 1))
    return x


def _shifted(x: Array, axis: int) -> Any:
    """Subtract the largest element along `axis`, so that no exponential overflows."""
    if x.ndim == 0:
        axis_of_0d(axis)
    if x.ndim == 0 or x.size == 0:
        return x - x
    return x - np.maximum.reduce(x, axis=axis, keepdims=True)


def _total(x: Array, axis: int) -> Any:
    return np.add.reduce(x, axis=axis, keepdims=True) if x.ndim else x


@operator("softmax", kinds="biuf", infer=_along_axis, prepare=floating)
def softmax_op(x: Array, *, axis: int = -1) -> Any:
    """Turn numbers into probabilities that sum to 1 along `axis`."""
    out = np.exp(_shifted(x, axis))
    out /= _total(out, axis)
    return out


formula(softmax_op, lambda x, axis: np.exp(x) / np.sum(np.exp(x), axis, keepdims=True))
mark("gives probabilities", softmax_op)


@softmax_op.gradient("x")
def _(dy: Value, out: Value, axis: int) -> Value:
    weighted = dy * out
    return weighted - out * reduce_sum(weighted, axis, True)


formula(softmax_op, lambda dy, out, axis: out * (dy - np.sum(dy * out, axis, keepdims=True)), of="x")


@operator("log_softmax", kinds="biuf", infer=_along_axis, prepare=floating)
def log_softmax_op(x: Array, *, axis: int = -1) -> Any:
    """Logarithm of `softmax` along `axis`, exact where that has long become 0."""
    out = _shifted(x, axis)
    out -= np.log(_total(np.exp(out), axis))
    return out


formula(log_softmax_op, lambda x, axis: x - np.log(np.sum(np.exp(x), axis, keepdims=True)))
mark("levels out", softmax_op, log_softmax_op)
mark("normalises", softmax_op, log_softmax_op)
log_softmax_op.gradient("x")(lambda dy, out, axis: dy - exp(out) * reduce_sum(dy, axis, True))


def softmax(x: Value, axis: int = -1, dtype: Any = None, name: str | None = None) -> Value:
    """Turn numbers into probabilities that sum to 1 along `axis`."""
    return softmax_op(x if dtype is None else cast(x, dtype), axis, name=name)


def log_softmax(x: Any, axis: int = -1, dtype: Any = None, name: str | None = None) -> Any:
    """Return the logarithm of :func:`softmax`, computed so that it is exact for tiny probabilities too."""
    return log_softmax_op(x if dtype is None else cast(x, dtype), axis, name=name)
