"""The two halves of a Transformer's layer, and positions as angles."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle import ops
from minipaddle.engine.autograd.creation import to_tensor
from minipaddle.paddle.incubate.nn.functional.linear import activated
from minipaddle.paddle.nn import functional as F


def fused_feedforward(
    x: Any,
    linear1_weight: Any,
    linear2_weight: Any,
    linear1_bias: Any = None,
    linear2_bias: Any = None,
    ln1_scale: Any = None,
    ln1_bias: Any = None,
    ln2_scale: Any = None,
    ln2_bias: Any = None,
    dropout1_rate: float = 0.5,
    dropout2_rate: float = 0.5,
    activation: str = "relu",
    ln1_epsilon: float = 1e-5,
    ln2_epsilon: float = 1e-5,
    pre_layer_norm: bool = False,
    training: bool = True,
    mode: str = "upscale_in_train",
    ring_id: int = -1,
    add_residual: bool = True,
    name: str | None = None,
) -> Any:
    """Return two linear layers of `x`, an activation between them, added to `x`; a layer norm before or behind.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/nn/functional/fused_feedforward_en.html)

    The arguments:
        x: [batch, length, width].
        linear1_weight, linear2_weight: [width, inner] and [inner, width].
        linear1_bias, linear2_bias: [inner] and [width].
        ln1_scale, ln1_bias, ln1_epsilon: of the norm before, with `pre_layer_norm`.
        ln2_scale, ln2_bias, ln2_epsilon: of the norm behind, without.
        dropout1_rate, dropout2_rate: behind the activation, and at the end.
        activation: "relu" or "gelu".
        pre_layer_norm: where the norm stands.
        training: whether anything is dropped.
        mode: of the dropouts.
        ring_id: accepted.
        add_residual: whether `x` is added.
        name: ignored.
    """
    width = x.shape[-1:]
    out = F.layer_norm(x, width, ln1_scale, ln1_bias, ln1_epsilon) if pre_layer_norm else x
    out = activated(F.linear(out, linear1_weight, linear1_bias), activation)
    out = F.dropout(out, dropout1_rate, training=training, mode=mode)
    out = F.dropout(F.linear(out, linear2_weight, linear2_bias), dropout2_rate, training=training, mode=mode)
    out = x + out if add_residual else out
    return out if pre_layer_norm else F.layer_norm(out, width, ln2_scale, ln2_bias, ln2_epsilon)


def fused_multi_head_attention(
    x: Any,
    qkv_weight: Any,
    linear_weight: Any,
    pre_layer_norm: bool = False,
    pre_ln_scale: Any = None,
    pre_ln_bias: Any = None,
    ln_scale: Any = None,
    ln_bias: Any = None,
    pre_ln_epsilon: float = 1e-5,
    qkv_bias: Any = None,
    linear_bias: Any = None,
    cache_kv: Any = None,
    attn_mask: Any = None,
    dropout_rate: float = 0.5,
    attn_dropout_rate: float = 0.5,
    ln_epsilon: float = 1e-5,
    training: bool = True,
    mode: str = "upscale_in_train",
    ring_id: int = -1,
    add_residual: bool = True,
    num_heads: int = -1,
    transpose_qkv_wb: bool = False,
    name: str | None = None,
) -> Any:
    """Return what `x` attends to in itself, added to `x`; a layer norm before or behind.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/nn/functional/
    fused_multi_head_attention_en.html)

    The arguments:
        x: [batch, length, width].
        qkv_weight: [3, heads, width of a head, width]; with `transpose_qkv_wb`, [width, 3 * width].
        linear_weight: [width, width], with `linear_bias` [width].
        pre_layer_norm: where the norm stands.
        pre_ln_scale, pre_ln_bias, pre_ln_epsilon: of the norm before.
        ln_scale, ln_bias, ln_epsilon: of the norm behind.
        qkv_bias: [3, heads, width of a head]; with `transpose_qkv_wb`, [3 * width].
        linear_bias: [width].
        cache_kv: keys and values from before, [2, batch, heads, length, width of a head]: returned, grown.
        attn_mask: added to the products, [batch, heads, length, other length].
        dropout_rate, attn_dropout_rate: at the end, and of the weights.
        training: whether anything is dropped.
        mode: of the dropouts.
        ring_id: accepted.
        add_residual: whether `x` is added.
        num_heads: for `transpose_qkv_wb`.
        transpose_qkv_wb: whether weights are those of one linear layer.
        name: ignored.
    """
    width = x.shape[-1]
    rows = F.layer_norm(x, [width], pre_ln_scale, pre_ln_bias, pre_ln_epsilon) if pre_layer_norm else x
    heads = num_heads if transpose_qkv_wb else qkv_weight.shape[1]
    flat = qkv_weight if transpose_qkv_wb else ops.transpose(ops.reshape(qkv_weight, [-1, width]), [1, 0])
    qkv = F.linear(rows, flat, None if qkv_bias is None else ops.reshape(qkv_bias, [-1]))
    split = ops.reshape(qkv, [*x.shape[:2], 3, heads, width // heads])
    q, k, v = ops.unbind(ops.transpose(split, [2, 0, 3, 1, 4]), 0)
    if cache_kv is not None:
        k, v = ops.concat([cache_kv[0], k], 2), ops.concat([cache_kv[1], v], 2)
    products = ops.matmul(q * (width // heads) ** -0.5, k, transpose_y=True)
    weights = F.softmax(products if attn_mask is None else products + attn_mask)
    weights = F.dropout(weights, attn_dropout_rate, training=training, mode=mode)
    seen = ops.reshape(ops.transpose(ops.matmul(weights, v), [0, 2, 1, 3]), x.shape)
    out = F.dropout(F.linear(seen, linear_weight, linear_bias), dropout_rate, training=training, mode=mode)
    out = x + out if add_residual else out
    out = out if pre_layer_norm else F.layer_norm(out, [width], ln_scale, ln_bias, ln_epsilon)
    return out if cache_kv is None else (out, ops.stack([k, v]))


def fused_rotary_position_embedding(
    q: Any,
    k: Any = None,
    v: Any = None,
    sin: Any = None,
    cos: Any = None,
    position_ids: Any = None,
    use_neox_rotary_style: bool = True,
    time_major: bool = False,
    rotary_emb_base: float = 10000.0,
) -> tuple[Any, Any, Any]:
    """Return queries, keys and values whose pairs of numbers are turned by angles that grow with their places.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/nn/functional/
    fused_rotary_position_embedding_en.html)

    Args:
        q: [batch, length, heads, width], or [length, batch, ...] with `time_major`; so are `k` and `v`.
        k: the same, or None.
        v: the same, or None.
        sin: of the angles, [1, length, 1, width]; None: computed.
        cos: of the angles, [1, length, 1, width]; None: computed.
        position_ids: the place of each, [batch, length]; None: 0, 1, 2 ...
        use_neox_rotary_style: whether a pair are neighbours; else they are a half apart.
        time_major: whether the first axis is that of places.
        rotary_emb_base: the slowest pair turns by about 1 / this from place to place.

    Raises:
        ValueError: for an odd width.
    """
    batch_first = [
        None if one is None or not time_major else ops.transpose(one, [1, 0, 2, 3]) for one in (q, k, v)
    ]
    given: list[Any] = batch_first if time_major else [q, k, v]
    length, width = given[0].shape[1], given[0].shape[3]
    if width % 2:
        raise ValueError(f"the width should be even: pairs are turned, but it is {width}")
    if sin is None or cos is None:
        sin, cos = _angles(length, width, rotary_emb_base, use_neox_rotary_style, q.dtype)
    sin, cos = (_at(one, position_ids, width) for one in (sin, cos))
    turned = [None if one is None else one * cos + _across(one, use_neox_rotary_style) * sin for one in given]
    if time_major:
        turned = [None if one is None else ops.transpose(one, [1, 0, 2, 3]) for one in turned]
    return turned[0], turned[1], turned[2]


def _angles(length: int, width: int, base: float, neighbours: bool, dtype: Any) -> tuple[Any, Any]:
    speeds = base ** (-np.arange(0, width, 2) / width)
    angles = np.outer(np.arange(length), speeds)
    both = np.repeat(angles, 2, axis=1) if neighbours else np.concatenate([angles, angles], axis=1)
    return to_tensor(np.sin(both), dtype), to_tensor(np.cos(both), dtype)


def _at(angles: Any, position_ids: Any, width: int) -> Any:
    """Return what belongs to each place, [batch or 1, length, 1, width]."""
    rows = ops.reshape(angles, [-1, width])
    if position_ids is None:
        return ops.reshape(rows, [1, -1, 1, width])
    return ops.reshape(ops.gather(rows, ops.reshape(position_ids, [-1])), [*position_ids.shape, 1, width])


def _across(x: Any, neighbours: bool) -> Any:
    """Return each pair (a, b) as (-b, a)."""
    if neighbours:
        pairs = ops.reshape(x, [*x.shape[:-1], -1, 2])
        return ops.reshape(ops.stack([-pairs[..., 1], pairs[..., 0]], -1), x.shape)
    first, second = ops.chunk(x, 2, -1)
    return ops.concat([-second, first], -1)
