"""Transformer layers."""

from __future__ import annotations

from typing import Any

from minipaddle.nn import functional as F
from minipaddle.nn.functional.attention import masked
from minipaddle.nn.layer.common import Dropout, Linear
from minipaddle.nn.layer.container import LayerList
from minipaddle.nn.layer.layers import Layer
from minipaddle.nn.layer.norm import LayerNorm
from minipaddle.ops.linalg.matmul import matmul
from minipaddle.ops.math.arithmetic import add
from minipaddle.ops.views.reshape import reshape
from minipaddle.ops.views.transpose import transpose


class MultiHeadAttention(Layer):
    """Attention in `num_heads` ways at once, each on its share of the width.

    Args:
        embed_dim: width of the queries and of the output.
        num_heads: divides `embed_dim`.
        dropout: probability that a weight is dropped while training.
        kdim: width of the keys, if another.
        vdim: width of the values, if another.
        need_weights: also return the weights [batch, heads, length, other length].
        weight_attr: a ParamAttr, or what becomes one, for the four weights.
        bias_attr: the same for the four biases.
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        kdim: int | None = None,
        vdim: int | None = None,
        need_weights: bool = False,
        weight_attr: Any = None,
        bias_attr: Any = None,
    ) -> None:
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError(
                f"embed_dim must be divisible by num_heads, but received {embed_dim} and {num_heads}"
            )
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.dropout, self.need_weights = dropout, need_weights
        self.q_proj = Linear(embed_dim, embed_dim, weight_attr, bias_attr)
        self.k_proj = Linear(kdim or embed_dim, embed_dim, weight_attr, bias_attr)
        self.v_proj = Linear(vdim or embed_dim, embed_dim, weight_attr, bias_attr)
        self.out_proj = Linear(embed_dim, embed_dim, weight_attr, bias_attr)

    def _heads(self, x: Any) -> Any:
        """[batch, length, width] becomes [batch, heads, length, head_dim]."""
        return transpose(reshape(x, [0, 0, self.num_heads, self.head_dim]), [0, 2, 1, 3])

    def forward(self, query: Any, key: Any = None, value: Any = None, attn_mask: Any = None) -> Any:
        """Mix the values [batch, other length, width] for each query [batch, length, width]."""
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (
            self._heads(self.q_proj(query)),
            self._heads(self.k_proj(key)),
            self._heads(self.v_proj(value)),
        )
        weights: Any = F.softmax(masked(matmul(q, k, transpose_y=True) * self.head_dim**-0.5, attn_mask))
        if self.dropout:
            weights = F.dropout(weights, self.dropout, training=self.training)
        out = transpose(matmul(weights, v), [0, 2, 1, 3])
        out = self.out_proj(reshape(out, [0, 0, self.embed_dim]))
        return (out, weights) if self.need_weights else out


class TransformerEncoderLayer(Layer):
    """Attention and a small network, each with a shortcut around it and a LayerNorm after (or before) it.

    Args:
        d_model: width.
        nhead: number of heads.
        dim_feedforward: width of the small network.
        dropout: probability of a drop after each of the two.
        activation: a function of ``nn.functional``.
        attn_dropout: of the attention weights; by default `dropout`.
        act_dropout: inside the small network; by default `dropout`.
        normalize_before: where the LayerNorms stand.
        weight_attr: a ParamAttr, or what becomes one, for all weights.
        bias_attr: the same for all biases.
        layer_norm_eps: epsilon of the LayerNorms.
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int,
        dropout: float = 0.1,
        activation: str = "relu",
        attn_dropout: float | None = None,
        act_dropout: float | None = None,
        normalize_before: bool = False,
        weight_attr: Any = None,
        bias_attr: Any = None,
        layer_norm_eps: float = 1e-5,
    ) -> None:
        self._arguments = {key: value for key, value in locals().items() if key not in ("self", "__class__")}
        super().__init__()
        attn_dropout = dropout if attn_dropout is None else attn_dropout
        act_dropout = dropout if act_dropout is None else act_dropout
        self.normalize_before = normalize_before
        self.self_attn = MultiHeadAttention(
            d_model, nhead, attn_dropout, weight_attr=weight_attr, bias_attr=bias_attr
        )
        self.linear1 = Linear(d_model, dim_feedforward, weight_attr, bias_attr)
        self.dropout = Dropout(act_dropout)
        self.linear2 = Linear(dim_feedforward, d_model, weight_attr, bias_attr)
        self.norm1, self.norm2 = LayerNorm(d_model, layer_norm_eps), LayerNorm(d_model, layer_norm_eps)
        self.dropout1, self.dropout2 = Dropout(dropout), Dropout(dropout)
        self.activation = getattr(F, activation)

    def forward(self, src: Any, src_mask: Any = None) -> Any:
        """[batch, length, d_model] stays so."""
        x = self.norm1(src) if self.normalize_before else src
        src = add(src, self.dropout1(self.self_attn(x, x, x, src_mask)))
        src = src if self.normalize_before else self.norm1(src)
        x = self.norm2(src) if self.normalize_before else src
        src = add(src, self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x))))))
        return src if self.normalize_before else self.norm2(src)


class TransformerEncoder(Layer):
    """`num_layers` layers like `encoder_layer` in a row (the first is that very layer), then `norm`."""

    def __init__(
        self, encoder_layer: TransformerEncoderLayer, num_layers: int, norm: Layer | None = None
    ) -> None:
        super().__init__()
        twins = [type(encoder_layer)(**encoder_layer._arguments) for _ in range(num_layers - 1)]
        self.layers = LayerList([encoder_layer, *twins])
        self.num_layers = num_layers
        self.norm = norm

    def forward(self, src: Any, src_mask: Any = None) -> Any:
        """[batch, length, d_model] stays so."""
        for layer in self.layers:
            src = layer(src, src_mask)
        return src if self.norm is None else self.norm(src)
