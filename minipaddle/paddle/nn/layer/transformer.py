"""Attention and encoders; decoders, and the whole Transformer, are in ``paddle/nn/layer/transformer_decoder.py``."""

from __future__ import annotations

from copy import copy
from typing import Any, NamedTuple

from minipaddle.engine.names.missing import missing
from minipaddle.engine.value.value import Value
from minipaddle.ops.creation.full import full
from minipaddle.ops.definition.arguments import sizes
from minipaddle.ops.linalg.matmul import matmul
from minipaddle.ops.manipulation.concat import concat
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


class Cache(NamedTuple):
    """Keys and values [batch, heads, length, head_dim] of the positions so far; each call appends to them."""

    k: Any
    v: Any


class StaticCache(NamedTuple):
    """Keys and values [batch, heads, length, head_dim] of the encoder's output, computed once."""

    k: Any
    v: Any


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

    Cache = Cache
    StaticCache = StaticCache

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

    def gen_cache(self, key: Value, value: Any = None, type: Any = Cache) -> Any:
        """Return a cache for :meth:`forward`.

        Args:
            key: a StaticCache is computed from it; a Cache is empty, with its batch size, or has `key` and `value`.
            value: see `key`.
            type: ``MultiHeadAttention.Cache`` or ``MultiHeadAttention.StaticCache``.
        """
        if type is StaticCache:
            return StaticCache(*self.compute_kv(key, value))
        if value is not None:
            return Cache(key, value)
        empty = [sizes(key)[0], self.num_heads, 0, self.head_dim]
        return Cache(full(empty, 0, key.dtype), full(empty, 0, key.dtype))

    def forward(
        self,
        query: Value,
        key: Value | None = None,
        value: Value | None = None,
        attn_mask: Value | None = None,
        cache: Any = None,
    ) -> Any:
        """Average the values [batch, other length, width] for each query [batch, length, width].

        Args:
            query: the positions that attend.
            key: the positions attended to; None: the queries.
            value: the values to average; None: the queries.
            attn_mask: added to the scores [batch, heads, length, other length]; in bools or integers, a true
                number keeps a score.
            cache: the result of :meth:`gen_cache`: a Cache grows, a StaticCache replaces `key` and `value`.

        Returns:
            The output [batch, length, width]; with it the weights, and the new cache, if they were asked for.
        """
        q = self._heads(self.q_proj(query))
        if isinstance(cache, StaticCache):
            k, v = cache
        else:
            k, v = self.compute_kv(query if key is None else key, query if value is None else value)
        if isinstance(cache, Cache):
            cache = Cache(concat([cache.k, k], axis=2), concat([cache.v, v], axis=2))
            k, v = cache
        weights: Any = F.softmax(masked(matmul(q * self.head_dim**-0.5, k, transpose_y=True), attn_mask))
        if self.dropout:
            weights = F.dropout(weights, self.dropout, training=self.training)
        out = transpose(matmul(weights, v), [0, 2, 1, 3])
        out = self.out_proj(reshape(out, [0, 0, self.embed_dim]))
        extra = [weights] * self.need_weights + [cache] * (cache is not None)
        return (out, *extra) if extra else out


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


class TransformerBlock(Layer):
    """One or two attentions and a small network, each with a residual connection and a LayerNorm after (or before) it.

    Args:
        d_model: width.
        nhead: number of heads.
        dim_feedforward: width of the small network.
        dropout: probability of a drop after each of these parts.
        activation: a function of ``nn.functional``.
        attn_dropout: probability for the attention weights; by default `dropout`.
        act_dropout: probability inside the small network; by default `dropout`.
        normalize_before: whether the LayerNorms come before the parts.
        weight_attr: a ParamAttr, or a value that converts to one, for all weights, or one per attention and network.
        bias_attr: the same for the biases.
        layer_norm_eps: epsilon of the LayerNorms.

    Raises:
        AssertionError: **Expected** a size **to be greater than 0**; **length of param_attr should be** 2, or 3.
    """

    attentions: tuple[str, ...] = ("self_attn",)

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
        parts = len(self.attentions) + 1
        weights, biases = attrs_for(weight_attr, parts), attrs_for(bias_attr, parts)
        attn_dropout = dropout if attn_dropout is None else attn_dropout
        self.normalize_before = normalize_before
        for name, weight, bias in zip(self.attentions, weights, biases):
            attention = MultiHeadAttention(d_model, nhead, attn_dropout, weight_attr=weight, bias_attr=bias)
            setattr(self, name, attention)
        self.linear1 = Linear(d_model, dim_feedforward, weights[-1], biases[-1])
        self.dropout = Dropout(dropout if act_dropout is None else act_dropout)
        self.linear2 = Linear(dim_feedforward, d_model, weights[-1], biases[-1])
        for part in range(1, parts + 1):
            setattr(self, f"norm{part}", LayerNorm(d_model, layer_norm_eps))
        for part in range(1, parts + 1):
            setattr(self, f"dropout{part}", Dropout(dropout))
        self.activation = getattr(F, activation)


class TransformerEncoderLayer(TransformerBlock):
    """Self-attention and a small network; its arguments are those of :class:`TransformerBlock`."""

    def forward(self, src: Value, src_mask: Value | None = None, cache: Any = None) -> Any:
        """Return [batch, length, d_model], the shape of `src`; with a `cache`, also the new one."""
        src_mask = hidden(src_mask, src.dtype)
        x = self.norm1(src) if self.normalize_before else src
        seen = (
            self.self_attn(x, x, x, src_mask) if cache is None else self.self_attn(x, x, x, src_mask, cache)
        )
        x, cache = (seen, None) if cache is None else seen
        src = add(src, self.dropout1(x))
        src = src if self.normalize_before else self.norm1(src)
        x = self.norm2(src) if self.normalize_before else src
        src = add(src, self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x))))))
        src = src if self.normalize_before else self.norm2(src)
        return src if cache is None else (src, cache)

    def gen_cache(self, src: Value) -> Cache:
        """Return an empty cache for the batch size of `src`."""
        found: Cache = self.self_attn.gen_cache(src)
        return found


class TransformerEncoder(Layer):
    """`num_layers` layers like `encoder_layer` in sequence (the first is `encoder_layer` itself), then `norm`."""

    def __init__(
        self, encoder_layer: TransformerEncoderLayer, num_layers: int, norm: Layer | None = None
    ) -> None:
        super().__init__()
        self.layers = LayerList([encoder_layer, *copies_of(encoder_layer, num_layers - 1)])
        self.num_layers = num_layers
        self.norm = norm

    def forward(self, src: Value, src_mask: Any = None, cache: Any = None) -> Any:
        """Return [batch, length, d_model], the shape of `src`; with a list as `cache`, also the new ones."""
        src_mask = hidden(src_mask, src.dtype)
        caches = []
        for place, layer in enumerate(self.layers):
            if cache is None:
                src = layer(src, src_mask=src_mask)
            else:
                src, new = layer(src, src_mask=src_mask, cache=cache[place])
                caches.append(new)
        src = src if self.norm is None else self.norm(src)
        return src if cache is None else (src, caches)

    def gen_cache(self, src: Any) -> list[Cache]:
        """Return the empty caches of all layers."""
        return [layer.gen_cache(src) for layer in self.layers]


def copies_of(layer: Any, count: int) -> list[Any]:
    """Return new layers of the same kind as `layer`, with their own parameters."""
    return [type(layer)(**layer._config) for _ in range(count)]


__getattr__ = missing(__name__, globals())
