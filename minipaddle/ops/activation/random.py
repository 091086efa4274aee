"""Random activations: the Gumbel softmax, and the leaky ReLU with random slopes."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.ops.activation.softmax import softmax_op
from minipaddle.ops.definition import Array, Listing, Meta, Value, invalid, listed, operator, tried_with
from minipaddle.ops.definition.traits import draws_numbers
from minipaddle.ops.random import draws
from minipaddle.ops.random.generator import engine
from minipaddle.ops.reduction.sum import reduce_sum

_LEAST = float(np.float32(1e-5))
"""Keeps both logarithms of the Gumbel noise finite."""


def _gumbel_shape(x: Meta, temperature: float, axis: int) -> Meta:
    """Shape rule of :func:`gumbel_softmax`."""
    if x.ndim and not -x.ndim <= axis < x.ndim:
        raise invalid(
            f"Attr(axis) value should be in range [-R, R-1], R is the rank of Input(X): {x.ndim}, but got {axis}."
        )
    if not temperature > 0:
        raise invalid(f"The temperature must be greater than 0. But received temperature = {temperature}")
    return x


@listed(Listing(hard=False))
@draws_numbers()
@tried_with((2, 3), within=(-1, 1), temperature=0.7)
@operator("gumbel_softmax", kinds="f", infer=_gumbel_shape)
def gumbel_softmax(x: Array, *, temperature: float = 1.0, axis: int = -1) -> Array:
    """Draw from the categories that `x` are the logarithms of: the softmax of `x` plus Gumbel noise."""
    _gumbel_shape(Meta(x.shape, x.dtype), temperature, axis)
    parts = draws.uniform(engine(), x.shape, x.dtype)
    noise = -np.log(-np.log(parts + _LEAST) + _LEAST)
    return np.asarray(softmax_op.run((x + noise) / temperature, axis=axis)).astype(x.dtype)


def _soft_slope(dy: Any, soft: Any, temperature: float, axis: int) -> Any:
    """Return the gradient of `x`, given the soft result's."""
    weighted = dy * soft
    return (weighted - soft * reduce_sum(weighted, axis, True)) * (1 / temperature)


gumbel_softmax.gradient("x")(lambda dy, out, temperature, axis: _soft_slope(dy, out, temperature, axis))


@listed(Listing(hard=True), type="gumbel_softmax", kind="gumbel_softmax", grad_takes="Out")
@draws_numbers()
@tried_with((2, 3), within=(-1, 1), temperature=0.7)
@operator(
    "gumbel_softmax_hard",
    kinds="f",
    infer=lambda x, temperature, axis: (_gumbel_shape(x, temperature, axis),) * 2,
    outputs=("out", "soft"),
)
def gumbel_softmax_hard(x: Array, *, temperature: float = 1.0, axis: int = -1) -> tuple[Array, ...]:
    """Draw one category, one-hot; return it, and the soft result, whose gradient both have."""
    soft = gumbel_softmax.kernel(x, temperature=temperature, axis=axis)
    out = np.zeros_like(soft)
    np.put_along_axis(out, np.expand_dims(soft.argmax(axis), axis), 1, axis)
    return out, soft


@gumbel_softmax_hard.gradient("x")
def _(dy: Value, dsoft: Value, soft: Value, temperature: float, axis: int) -> Value:
    return _soft_slope(dy + dsoft, soft, temperature, axis)
