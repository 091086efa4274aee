"""Attention, and encoders made of it."""

from __future__ import annotations

from copy import copy
from typing import Any

from minipaddle.engine.names.missing import missing
from minipaddle.engine.value.value import Value
from minipaddle.ops.linalg.matmul import matmul
from minipaddle.ops.math.arithmetic import add
from minipaddle.ops.views.reshape import reshape
from minipaddle.ops.views.transpose import transpose
from minipaddle.paddle.nn import functional as F
from minipaddle.paddle.nn.functional.attention import hidden, masked
from minipaddle.paddle.nn.layer.common import Dropout, Linear
from minipaddle.paddle.nn.layer.container import LayerList
from minipaddle.paddle.nn.layer.layers import Layer
from minipaddle.paddle.nn.layer.norm import LayerNorm
from minipaddle.paddle.nn.parameter.create import as_param_attr


class MultiHeadAttention(Layer):
    """Attention with `num_heads` heads, each on its part of the width.

    Args:
        embed_dim: width of the queries and of the output.
        num_heads: divides `embed_dim`.
        dropout: probability that a weight is dropped while training.
        kdim: width of the keys, if different.
        vdim: width of the values, if different.
        need_weights: also return the weights [batch, heads, length, other length].
        weight_attr: a ParamAttr, or a value that converts to one, for the four weights.
        bias_attr: the same for the four biases.

    Raises:
        AssertionError: **embed_dim must be divisible by num_heads**, or one of them is **not greater than 0**.
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
        check_positive(embed_dim=embed_dim, num_heads=num_heads)
        assert embed_dim % num_heads == 0, (
            f"embed_dim must be divisible by num_heads, but received {embed_dim} and {num_heads}"
        )
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.kdim, self.vdim = embed_dim if kdim is None else kdim, embed_dim if vdim is None else vdim
        self.dropout, self.need_weights = dropout, need_weights
        self.q_proj = Linear(embed_dim, embed_dim, weight_attr, bias_attr)
        self.k_proj = Linear(self.kdim, embed_dim, weight_attr, bias_attr)
        self.v_proj = Linear(self.vdim, embed_dim, weight_attr, bias_attr)
        self.out_proj = Linear(embed_dim, embed_dim, weight_attr, bias_attr)

    def _heads(self, x: Value) -> Any:
        """[batch, length, width] becomes [batch, heads, length, head_dim]."""
        return transpose(reshape(x, [0, 0, self.num_heads, self.head_dim]), [0, 2, 1, 3])

    def compute_kv(self, key: Value, value: Value) -> tuple[Any, Any]:
        """Return the keys and values of the heads, [batch, heads, length, head_dim]."""
        keys, values = self.k_proj(key), self.v_proj(value)
        return self._heads(keys), self._heads(values)

    def forward(
        self,
        query: Value,
        key: Value | None = None,
        value: Value | None = None,
        attn_mask: Value | None = None,
    ) -> Any:
        """Average the values [batch, other length, width] for each query [batch, length, width].

        Args:
            query: the positions that attend.
            key: the positions attended to; None: the queries.
            value: the values to average; None: the queries.
            attn_mask: added to the scores [batch, heads, length, other length]; in bools or integers, a true
                number keeps a score.

        Returns:
            The output [batch, length, width]; with it the weights, if they were asked for.
        """
        q = self._heads(self.q_proj(query))
        k, v = self.compute_kv(query if key is None else key, query if value is None else value)
        weights: Any = F.softmax(masked(matmul(q * self.head_dim**-0.5, k, transpose_y=True), attn_mask))
        if self.dropout:
            weights = F.dropout(weights, self.dropout, training=self.training)
        out = transpose(matmul(weights, v), [0, 2, 1, 3])
        out = self.out_proj(reshape(out, [0, 0, self.embed_dim]))
        return (out, weights) if self.need_weights else out


def check_positive(**sizes: int) -> None:
    """Raise for sizes of 0 and less.

    Raises:
        AssertionError: **Expected** the size **to be greater than 0**.
    """
    for name, size in sizes.items():
        assert size > 0, f"Expected {name} to be greater than 0, but received {size}"


def attrs_for(attr: Any, count: int) -> list[Any]:
    """Return a ParamAttr for each of `count` parts of a layer: from a list, or one with numbered names.

    Raises:
        AssertionError: **length of param_attr should be** `count`.
    """
    if isinstance(attr, (list, tuple)):
        assert len(attr) == count, f"length of param_attr should be {count} when it is a list/tuple"
        return [None if one is True else one for one in attr]
    if isinstance(attr, bool):
        return [None if attr else False] * count
    wanted = as_param_attr(attr)
    if wanted is None or wanted.name is None:
        return [attr] * count
    each = [copy(wanted) for _ in range(count)]
    for place, one in enumerate(each):
        one.name = f"{wanted.name}_{place}"
    return each


class TransformerEncoderLayer(Layer):
    """Self-attention and a small network, each with a residual connection and a LayerNorm after (or before) it.

    Args:
        d_model: width.
        nhead: number of heads.
        dim_feedforward: width of the small network.
        dropout: probability of a drop after each of these parts.
        activation: a function of ``nn.functional``.
        attn_dropout: probability for the attention weights; by default `dropout`.
        act_dropout: probability inside the small network; by default `dropout`.
        normalize_before: whether the LayerNorms come before the parts.
        weight_attr: a ParamAttr, or a value that converts to one, for all weights, or one for attention and network.
        bias_attr: the same for the biases.
        layer_norm_eps: epsilon of the LayerNorms.

    Raises:
        AssertionError: **Expected** a size **to be greater than 0**; **length of param_attr should be** 2.
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
        self._config = {key: value for key, value in locals().items() if key not in ("self", "__class__")}
        super().__init__()
        check_positive(d_model=d_model, nhead=nhead, dim_feedforward=dim_feedforward)
        weights, biases = attrs_for(weight_attr, 2), attrs_for(bias_attr, 2)
        attn_dropout = dropout if attn_dropout is None else attn_dropout
        self.normalize_before = normalize_before
        self.self_attn = MultiHeadAttention(
            d_model, nhead, attn_dropout, weight_attr=weights[0], bias_attr=biases[0]
        )
        self.linear1 = Linear(d_model, dim_feedforward, weights[1], biases[1])
        self.dropout = Dropout(dropout if act_dropout is None else act_dropout)
        self.linear2 = Linear(dim_feedforward, d_model, weights[1], biases[1])
        self.norm1, self.norm2 = LayerNorm(d_model, layer_norm_eps), LayerNorm(d_model, layer_norm_eps)
        self.dropout1, self.dropout2 = Dropout(dropout), Dropout(dropout)
        self.activation = getattr(F, activation)

    def forward(self, src: Value, src_mask: Value | None = None) -> Any:
        """Return [batch, length, d_model], the shape of `src`."""
        x = self.norm1(src) if self.normalize_before else src
        src = add(src, self.dropout1(self.self_attn(x, x, x, hidden(src_mask, src.dtype))))
        src = src if self.normalize_before else self.norm1(src)
        x = self.norm2(src) if self.normalize_before else src
        src = add(src, self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x))))))
        return src if self.normalize_before else self.norm2(src)


class TransformerEncoder(Layer):
    """`num_layers` layers like `encoder_layer` in sequence (the first is `encoder_layer` itself), then `norm`."""

    def __init__(
        self, encoder_layer: TransformerEncoderLayer, num_layers: int, norm: Layer | None = None
    ) -> None:
        super().__init__()
        copies = [type(encoder_layer)(**encoder_layer._config) for _ in range(num_layers - 1)]
        self.layers = LayerList([encoder_layer, *copies])
        self.num_layers = num_layers
        self.norm = norm

    def forward(self, src: Value, src_mask: Any = None) -> Any:
        """Return [batch, length, d_model], the shape of `src`."""
        src_mask = hidden(src_mask, src.dtype)
        for layer in self.layers:
            src = layer(src, src_mask=src_mask)
        return src if self.norm is None else self.norm(src)


__getattr__ = missing(__name__, globals())
