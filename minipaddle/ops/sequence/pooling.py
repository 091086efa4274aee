"""One row for each sequence, and the softmax within each."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Meta
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.listed import Listing, listed
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.full import zeros_like
from minipaddle.ops.indexing.gather import gather_op
from minipaddle.ops.indexing.take_along_axis import add_along
from minipaddle.ops.logic.compare import greater_equal
from minipaddle.ops.math.minimum import maximum
from minipaddle.ops.sequence.offsets import SOME, check_rows, example, owners, rows_of


def _pool_infer(x: Meta, lod: Meta, **attrs: Any) -> tuple[Meta, Meta]:
    """Shape rule of both kinds of pooling: a row for each sequence."""
    count = lod.shape[0] - 1 if lod.shape[0] > 0 else -1
    found = Meta((count, *x.shape[1:]), x.dtype)
    return found, Meta(found.shape, np.dtype("int32"))


# -- what is linear: sum, average, first, last ---------------------------------------------------------------


def _weights(lod: Array, pooltype: str) -> Array:
    """Return by what each row is multiplied on the way into the one of its sequence."""
    lengths, owner = np.diff(lod), owners(lod)
    rows = np.arange(len(owner))
    every: dict[str, Any] = {
        "SUM": lambda: np.ones(len(owner)),
        "AVERAGE": lambda: 1.0 / lengths[owner],
        "SQRT": lambda: 1.0 / np.sqrt(lengths[owner]),
        "FIRST": lambda: rows == lod[owner],
        "LAST": lambda: rows == lod[owner + 1] - 1,
    }
    if pooltype not in every:
        raise failure(
            RuntimeError,
            f"(NotFound) Value {pooltype} is not in enum container [MAX ,FIRST ,LAST ,SQRT ,SUM ,AVERAGE].",
        )
    found: Array = every[pooltype]().astype(float)
    return found


@listed(kind="sequence_pool", type="sequence_pool", grad_type="sequence_pool_grad", grad_keeps="X")
@operator(
    "sequence_pool_linear", "X, LoD -> Out^, MaxIndex~", kinds="f", name="sequence_pool", infer=_pool_infer,
    sequences="outer", example=example(), latex=r"\sum_{i \in s} w_i x_i", page="static/nn/sequence_pool",
)  # fmt: skip
def sequence_pool_linear(
    x: Array, lod: Array, pooltype: str = "AVERAGE", is_test: bool = False, pad_value: float = 0.0
) -> tuple[Array, ...]:
    """Return the sum, average, sum over the root of the length, first or last row of each sequence.

    A sequence without rows gives `pad_value`.
    """
    check_rows(x, lod, "X")
    weights = _weights(lod, pooltype)
    out = np.full((len(lod) - 1, *x.shape[1:]), pad_value, x.dtype)
    out[np.diff(lod) > 0] = 0
    used = weights != 0
    np.add.at(out, owners(lod)[used], _times(x, weights)[used])
    return out, np.zeros(out.shape, np.int32)


def _times(x: Array, weights: Array) -> Array:
    return x * weights.astype(x.dtype).reshape(-1, *[1] * (x.ndim - 1))


@sequence_pool_linear.gradient("x")
def _(dy: Value, lod: Value, pooltype: str) -> Value:
    return sequence_spread(dy, lod, pooltype)


@operator(
    "sequence_spread", "X, LoD -> Out", infer=lambda x, lod, **attrs: rows_of(x), kinds="f",
    example=lambda rng: ([rng.uniform(0.2, 0.9, (2, 2)), np.array([0, 2, 5])], {}), latex="w_i x_s",
    page="static/nn/sequence_pool",
)  # fmt: skip
def sequence_spread(x: Array, lod: Array, pooltype: str = "AVERAGE") -> Array:
    """Return for each row of a sequence the sequence's row, times what that row counts."""
    return _times(x[owners(lod)], _weights(lod, pooltype))


@sequence_spread.gradient("x")
def _(dy: Value, lod: Value, pooltype: str) -> Value:
    return sequence_pool_linear(dy, lod, pooltype)[0]


# -- the greatest --------------------------------------------------------------------------------------------


@listed(Listing(pooltype="MAX"), grad_keeps="X")
@operator(
    "sequence_pool", "X, LoD -> Out^, MaxIndex~", kinds="f", name="sequence_pool", infer=_pool_infer, example=example(),
    sequences="outer", latex=r"\max_{i \in s} x_i", page="static/nn/sequence_pool",
)  # fmt: skip
def sequence_pool_max(
    x: Array, lod: Array, is_test: bool = False, pad_value: float = 0.0
) -> tuple[Array, ...]:
    """Return the greatest of each column of each sequence, and in which row it stood (-1: there is no row)."""
    check_rows(x, lod, "X")
    shape = (len(lod) - 1, *x.shape[1:])
    out, places = np.full(shape, pad_value, x.dtype), np.full(shape, -1, np.int32)
    for number, (start, end) in enumerate(pairwise(lod)):
        if end > start:
            out[number], places[number] = x[start:end].max(0), start + x[start:end].argmax(0)
    return out, places


@sequence_pool_max.gradient("x")
def _(dy: Value, maxindex: Value, x_shape: Any) -> Value:
    there = cast(greater_equal(maxindex, zeros_like(maxindex)), dy.dtype)
    return add_along(dy * there, maximum(maxindex, zeros_like(maxindex)), 0, x_shape)


# -- softmax -------------------------------------------------------------------------------------------------


@listed(grad_keeps="X")
@operator(
    "sequence_softmax", "X, LoD -> Out^, LoDRows~", kinds="f", infer=lambda x, lod: (x, SOME),
    example=lambda rng: ([rng.uniform(0.2, 0.9, (5, 1)), np.array([0, 2, 5])], {}),
    latex=r"\frac{e^{x_i}}{\sum_{j \in s} e^{x_j}}",
)  # fmt: skip
def sequence_softmax(x: Array, lod: Array) -> tuple[Array, ...]:
    """Return positive numbers that add up to 1 in each sequence; there is one column.

    Raises:
        ValueError: **the number of elements**, for more columns.
    """
    if x.size != len(x):
        raise failure(
            ValueError,
            "The first dimension of Input(X) of SequenceSoftmax operator should be the number of elements, the others "
            f"1. But the first dimension of Input(X) is {len(x)}, the number of elements is {x.size}.",
        )
    check_rows(x, lod, "X")
    owner = owners(lod)
    top = np.full((len(lod) - 1, *x.shape[1:]), -np.inf, x.dtype)
    np.maximum.at(top, owner, x)
    out = np.exp(x - top[owner])
    total = np.zeros_like(top)
    np.add.at(total, owner, out)
    return out / total[owner], owner


@sequence_softmax.gradient("x")
def _(dy: Value, lod: Value, out: Value, lodrows: Value) -> Value:
    total = sequence_pool_linear(dy * out, lod, "SUM")[0]
    return out * (dy - gather_op(total, lodrows))
