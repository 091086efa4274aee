"""Attention: every position takes a weighted mean over all positions."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.errors import invalid
from minipaddle.engine.value.value import Value
from minipaddle.ops.activation.softmax import softmax
from minipaddle.ops.creation.cast import cast, numpy_dtype
from minipaddle.ops.creation.full import full
from minipaddle.ops.linalg.matmul import matmul
from minipaddle.ops.manipulation.diagonal import triu
from minipaddle.ops.math.arithmetic import add
from minipaddle.ops.views.reshape import squeeze2, unsqueeze2
from minipaddle.ops.views.transpose import transpose
from minipaddle.paddle.nn.functional import common


def scaled_dot_product_attention(
    query: Value,
    key: Value,
    value: Value,
    attn_mask: Value | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    training: bool = True,
    name: str | None = None,
) -> Any:
    """Average the values, weighted by the similarity of their keys to each query: ``softmax(q k^T / sqrt(d)) v``.

    Args:
        query: [batch, length, heads, d]; without the first axis, a batch of one.
        key: [batch, other length, heads, d], or without the first axis.
        value: [batch, other length, heads, d], or without the first axis.
        attn_mask: added to the scores [batch, heads, length, other length]; in a bool mask, True keeps a score.
            Optional.
        dropout_p: probability that a weight is dropped.
        is_causal: whether a position attends only to earlier ones and itself.
        training: whether weights are dropped.

    Returns:
        As `query`.

    Raises:
        ValueError: if the inputs have neither 3 nor 4 axes.
    """
    alone = len(query.shape) == len(key.shape) == len(value.shape) == 3
    if alone:
        query, key, value = (unsqueeze2(x, (0,)) for x in (query, key, value))
    if len(query.shape) != 4:
        raise invalid(
            "scaled_dot_product_attention expects [batch, length, heads, d], but received query "
            f"{list(query.shape)}."
        )
    q, k, v = (transpose(x, [0, 2, 1, 3]) for x in (query, key, value))
    scores = matmul(q * q.shape[-1] ** -0.5, k, transpose_y=True)
    if is_causal:
        attn_mask = triu(full([q.shape[2], k.shape[2]], -1e9, q.dtype), 1)
    weights = common.dropout(softmax(masked(scores, attn_mask), -1), dropout_p if training else 0.0)
    mixed = transpose(matmul(weights, v), [0, 2, 1, 3])
    return squeeze2(mixed, (0,)) if alone else mixed


def masked(scores: Value, mask: Value | None) -> Value:
    """Return the scores plus `mask`; without a mask the scores themselves. See :func:`hidden`."""
    return scores if mask is None else add(scores, hidden(mask, scores.dtype))


def hidden(mask: Value | None, dtype: Any) -> Any:
    """Return a mask to add to scores of this dtype: in bools or integers, 0 becomes a large negative number."""
    if mask is None or mask.dtype == dtype:
        return mask
    as_floats = cast(mask, dtype)
    return (as_floats - 1.0) * 1e9 if numpy_dtype(mask).kind in "biu" else as_floats
