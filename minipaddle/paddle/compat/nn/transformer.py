"""Attention in several ways at once, with PyTorch's arguments and parameters."""

from __future__ import annotations

from typing import Any

from minipaddle import ops
from minipaddle.paddle.compat.nn.layers import Linear
from minipaddle.paddle.nn import functional as F
from minipaddle.paddle.nn.initializer import XavierNormal, XavierUniform
from minipaddle.paddle.nn.layer.layers import Layer


class MultiheadAttention(Layer):
    """Mixes values by how well their keys fit each query, in `num_heads` ways.

    Args:
        embed_dim: width of the queries and of the output.
        num_heads: divides `embed_dim`.
        dropout: probability that a weight is dropped while training.
        bias: of the projections.
        add_bias_kv: a learned key and value are added to each sequence.
        add_zero_attn: a key and value of zeros are added to each sequence.
        kdim: width of the keys, if another.
        vdim: width of the values, if another.
        batch_first: [batch, length, width] instead of [length, batch, width].
        device: not used.
        dtype: of the parameters.
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.embed_dim, self.num_heads, self.dropout = embed_dim, num_heads, dropout
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self.batch_first, self.add_bias_kv, self.add_zero_attn = batch_first, add_bias_kv, add_zero_attn
        self.head_dim = embed_dim // num_heads
        assert self.head_dim * num_heads == embed_dim
        self._make_projections(bias, dtype)
        self.out_proj = Linear(embed_dim, embed_dim, bias, dtype=dtype)
        self.bias_k = self.bias_v = None
        if add_bias_kv:
            self.bias_k, self.bias_v = (
                self.create_parameter([1, 1, embed_dim], None, dtype, True, XavierNormal()) for _ in "kv"
            )

    def _make_projections(self, bias: bool, dtype: Any) -> None:
        """Make one weight for all three, if they have one width; else one for each."""
        width = self.embed_dim
        self.in_proj_weight = self.in_proj_bias = None
        one = self.kdim == width and self.vdim == width
        if one:
            self.in_proj_weight = self.create_parameter(
                [3 * width, width], dtype=dtype, default_initializer=XavierUniform()
            )
            self.in_proj_bias = self.create_parameter([3 * width], None, dtype, True) if bias else None
        for name, inputs in {"q": width, "k": self.kdim, "v": self.vdim}.items():
            weight = None
            if not one:
                weight = self.create_parameter(
                    [width, inputs], dtype=dtype, default_initializer=XavierUniform()
                )
            setattr(self, f"{name}_proj_weight", weight)
        for name in "qkv":
            added = self.create_parameter([width], None, dtype, True) if bias and not one else None
            setattr(self, f"{name}_proj_bias", added)

    def forward(
        self,
        query: Any,
        key: Any,
        value: Any,
        key_padding_mask: Any = None,
        need_weights: bool = True,
        attn_mask: Any = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Any, Any]:
        """Return the mixed values, and the weights [batch, (heads,) length, other length] or None.

        Args:
            query: [length, batch, embed_dim], or by `batch_first`; a single sequence has no batch.
            key: likewise, with `kdim`.
            value: likewise, with `vdim`.
            key_padding_mask: [batch, other length]: True, or what is added, for keys that do not count.
            need_weights: also return the weights.
            attn_mask: [length, other length], or one for each batch and head: True, or what is added.
            average_attn_weights: return the mean of the heads' weights.
            is_causal: without an `attn_mask`, no query looks at later keys.
        """
        batched, axis = query.ndim == 3, 0 if self.batch_first else 1
        if not batched:
            query, key, value = (ops.unsqueeze(one, axis) for one in (query, key, value))
        if not batched and key_padding_mask is not None and key_padding_mask.ndim != 2:
            key_padding_mask = ops.unsqueeze(key_padding_mask, 0)
        if not self.batch_first:
            query, key, value = (ops.transpose(one, [1, 0, 2]) for one in (query, key, value))
        mask = self._mask(attn_mask, key_padding_mask, query, key, is_causal)
        q, k, v = self._heads(query, key, value)
        mixed, weights = self._attend(q, k, v, mask)
        mixed = self.out_proj(mixed)
        if not self.batch_first:
            mixed = ops.transpose(mixed, [1, 0, 2])
        if average_attn_weights:
            weights = ops.mean(weights, axis=1)
        if not batched:
            mixed, weights = ops.squeeze(mixed, axis), ops.squeeze(weights, 0)
        return mixed, weights if need_weights else None

    def _heads(self, query: Any, key: Any, value: Any) -> list[Any]:
        """Return the three, projected, as [batch, heads, length, head_dim]."""
        weights = [self.q_proj_weight, self.k_proj_weight, self.v_proj_weight]
        biases = [self.q_proj_bias, self.k_proj_bias, self.v_proj_bias]
        if self.in_proj_weight is not None:
            weights = ops.split(self.in_proj_weight, 3, 0)
            biases = ops.split(self.in_proj_bias, 3, 0) if self.in_proj_bias is not None else biases
        inputs = zip((query, key, value), weights, biases, (None, self.bias_k, self.bias_v), strict=True)
        made = []
        for place, (x, weight, bias, learned) in enumerate(inputs):
            projected = F.linear(x, ops.transpose(weight, [1, 0]), bias)
            if learned is not None:
                row = ops.expand(learned, [projected.shape[0], -1, -1])
                projected = ops.concat([projected, row], axis=1)
            batch, length, _ = projected.shape
            heads = ops.reshape(projected, [batch, length, self.num_heads, self.head_dim])
            heads = ops.transpose(heads, [0, 2, 1, 3])
            if place and self.add_zero_attn:
                zeros = ops.zeros([batch, self.num_heads, 1, self.head_dim], heads.dtype)
                heads = ops.concat([heads, zeros], axis=2)
            made.append(heads)
        return made

    def _mask(self, mask: Any, padding: Any, query: Any, key: Any, is_causal: bool) -> Any:
        """Return what is added to the scores [batch, heads, length, other length], or None."""
        (batch, length, _), others = query.shape, key.shape[1]
        if mask is None and is_causal:
            mask = ops.triu(ops.ones([length, others], "bool"), 1)
        added = None
        for one, shape in ((mask, [-1, self.num_heads, length]), (padding, [batch, 1, 1])):
            if one is None:
                continue
            for _ in range(self.add_bias_kv + self.add_zero_attn):
                one = ops.concat([one, ops.zeros([*one.shape[:-1], 1], one.dtype)], axis=-1)
            full = [1, 1, length] if one.ndim == 2 and one is not padding and shape[0] == -1 else shape
            one = _added(ops.reshape(one, [*full, one.shape[-1]]), query.dtype)
            added = one if added is None else added + one
        return added

    def _attend(self, q: Any, k: Any, v: Any, mask: Any) -> tuple[Any, Any]:
        """Return the values [batch, length, embed_dim] mixed by the weights, and the weights of each head."""
        scores = ops.matmul(q, k, transpose_y=True) / self.head_dim**0.5
        weights = F.softmax(scores if mask is None else scores + mask, axis=-1)
        weights = F.dropout(weights, self.dropout, training=self.training)
        mixed = ops.transpose(ops.matmul(weights, v), [0, 2, 1, 3])
        return ops.reshape(mixed, [*mixed.shape[:2], self.embed_dim]), weights


def _added(mask: Any, dtype: Any) -> Any:
    """Return the least number of float32 where a mask is True and 0 elsewhere; a mask of numbers as it is."""
    if mask.dtype.name != "bool":
        return mask.astype(dtype)
    return mask.astype(dtype) * -3.4028234663852886e38
