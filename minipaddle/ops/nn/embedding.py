"""Embedding: rows of a table, selected by number; and one-hot, its special case for the identity matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.value.dtype import default_float
from minipaddle.ops.definition import Array, Meta, Shape, Value, failure, invalid, mark, operator, tried_with
from minipaddle.ops.definition.program_printing import Listing, code_of, derived, listed


def _check_ids(ids: Array, rows: int) -> None:
    """Raise for numbers that are no row of the table; NumPy would take -1 for the last one."""
    if ids.size and (ids.min() < 0 or ids.max() >= rows):
        wrong = ids[(ids < 0) | (ids >= rows)].flat[0]
        raise invalid(
            f"Variable value (input) of OP(embedding) expected >= 0 and < {rows}, but got {wrong}. "
            "Please check input value.",
            f"the table has {rows} rows, numbered from 0",
        )


def _infer_embedding(weight: Meta, ids: Meta, **attrs: Any) -> Meta:
    """Shape rule: one row for each number."""
    if ids.dtype.kind not in "iu":
        raise failure(
            NotImplementedError,
            f"embedding input only support int32 and int64, but get {ids.dtype}",
            "row numbers are integers: cast them with .astype('int64')",
        )
    return Meta((*ids.shape, *weight.shape[1:]), weight.dtype)


@listed(kind="embedding", inputs="W, Ids")
@tried_with((4, 3), [[0, 2], [2, 1]], within=(-1, 1), padding_idx=1)
@operator("lookup_table_v2", infer=_infer_embedding)
def embedding(weight: Array, ids: Array, *, padding_idx: int = -1) -> Array:
    """Take row ``ids[i]`` of `weight` for every i; row `padding_idx` (none: -1) reads as zeros."""
    _check_ids(ids, len(weight))
    out = weight[ids]
    if padding_idx >= 0:
        out[ids == padding_idx] = 0
    return out


@embedding.gradient("weight")
def _(dy: Value, ids: Value, weight_shape: Shape, padding_idx: int) -> Value:
    return embedding_grad(dy, ids, weight_shape[0], padding_idx)


@listed(inputs="DOut, Ids", outputs="DW")
@tried_with((2, 2, 3), [[0, 2], [2, 1]], within=(-1, 1), rows=4, padding_idx=1)
@operator(
    "lookup_table_v2_grad_rows",
    infer=lambda dy, ids, rows, **attrs: Meta((rows, *dy.shape[ids.ndim :]), dy.dtype),
    outputs=("dw",),
)
def embedding_grad(dy: Array, ids: Array, *, rows: int = 1, padding_idx: int = -1) -> Array:
    """Return the sum of gradients for every row; a row picked twice gets both."""
    out = np.zeros((rows, *dy.shape[ids.ndim :]), dy.dtype)
    np.add.at(out, ids, dy)
    if padding_idx >= 0:
        out[padding_idx] = 0
    return out


embedding_grad.gradient("dy")(lambda dw, ids, padding_idx: embedding(dw, ids, padding_idx))


@listed(Listing(allow_out_of_range=False, dtype=derived(lambda attrs, metas: code_of(default_float()))))
@tried_with([0, 2, 1], depth=3)
@operator("one_hot_v2", infer=lambda x, depth: Meta((*x.shape, depth), default_float()))
def one_hot(x: Array, *, depth: int = 2) -> Array:
    """Write each number as a row of zeros with a one at that place."""
    if x.size and (x.min() < 0 or x.max() >= depth):
        wrong = x[(x < 0) | (x >= depth)].flat[0]
        words = f"be at least 0, but received input ({wrong}) less than 0"
        if wrong >= 0:
            words = f"be less than Input(depth), but received input ({wrong}) not less than depth ({depth})"
        raise invalid(f"Illegal index value, Input(input) value should {words}")
    return (x[..., None] == np.arange(depth)).astype(default_float())


mark("no slope", one_hot)
