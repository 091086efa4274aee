"""Attention: every position looks at every other one."""

from __future__ import annotations

from typing import Any

from minipaddle.core.errors import failure
from minipaddle.nn.functional.activation import softmax
from minipaddle.nn.functional.common import dropout
from minipaddle.ops.creation.cast import cast, numpy_dtype
from minipaddle.ops.creation.full import full
from minipaddle.ops.linalg.matmul import matmul
from minipaddle.ops.manipulation.tile import repeat_interleave
from minipaddle.ops.manipulation.triangle import triu
from minipaddle.ops.math.arithmetic import add
from minipaddle.ops.views.transpose import transpose

__all__ = ["hidden", "masked", "scaled_dot_product_attention"]


def scaled_dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    training: bool = True,
    backend: str | None = None,
    scale: float | None = None,
    enable_gqa: bool = True,
    name: str | None = None,
) -> Any:
    """Mix the values by how well their keys fit each query: ``softmax(q k^T / sqrt(d)) v``.

    Args:
        query: [batch, length, heads, d].
        key: [batch, other length, heads, d].
        value: [batch, other length, heads, d].
        attn_mask: added to the scores [batch, heads, length, other length]; a bool mask says where to look.
            Optional.
        dropout_p: probability that a weight is dropped.
        is_causal: whether a position may look back only.
        training: whether weights are dropped.
        backend: not used.
        scale: what the scores are multiplied by; None: one over the root of d.
        enable_gqa: whether keys and values may have fewer heads, each for several of the queries'.
        name: not used.

    Returns:
        [batch, length, heads, d].

    Raises:
        ValueError: if the inputs do not have 4 axes.
    """
    if len(query.shape) != 4:
        raise failure(
            ValueError,
            "scaled_dot_product_attention expects [batch, length, heads, d], but received query "
            f"{list(query.shape)}.",
        )
    q, k, v = (transpose(x, [0, 2, 1, 3]) for x in (query, key, value))
    if enable_gqa and q.shape[1] != k.shape[1]:
        k, v = (repeat_interleave(x, q.shape[1] // k.shape[1], 1) for x in (k, v))
    scores = matmul(q, k, transpose_y=True) * (query.shape[-1] ** -0.5 if scale is None else scale)
    if is_causal:
        attn_mask = triu(full([q.shape[2], k.shape[2]], -1e9, query.dtype), 1)
    weights = dropout(softmax(masked(scores, attn_mask), -1), dropout_p, training=training)
    return transpose(matmul(weights, v), [0, 2, 1, 3])


def masked(scores: Any, mask: Any) -> Any:
    """Add `mask` to the scores; None: nothing is hidden. See :func:`hidden`."""
    return scores if mask is None else add(scores, hidden(mask, scores.dtype))


def hidden(mask: Any, dtype: Any) -> Any:
    """Return a mask as what is added to scores of this dtype: of bools and integers, 0 says where not to look."""
    if mask is None or mask.dtype == dtype:
        return mask
    as_floats = cast(mask, dtype)
    return (as_floats - 1.0) * 1e9 if numpy_dtype(mask).kind in "biu" else as_floats
