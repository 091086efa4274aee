"""Decoders, which attend to an encoder's output too, and the whole Transformer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.engine.value.dtype import default_float
from minipaddle.ops.creation.full import full
from minipaddle.ops.manipulation.diagonal import triu
from minipaddle.ops.math.arithmetic import add
from minipaddle.paddle.nn.functional.attention import hidden
from minipaddle.paddle.nn.layer.container import LayerList
from minipaddle.paddle.nn.layer.layers import Layer
from minipaddle.paddle.nn.layer.norm import LayerNorm
from minipaddle.paddle.nn.layer.transformer import (
    StaticCache,
    TransformerBlock,
    TransformerEncoder,
    TransformerEncoderLayer,
    check_positive,
    copies_of,
)


class TransformerDecoderLayer(TransformerBlock):
    """Self-attention, attention to the memory, a network; its arguments are those of :class:`TransformerBlock`."""

    attentions = ("self_attn", "cross_attn")

    def forward(
        self, tgt: Any, memory: Any, tgt_mask: Any = None, memory_mask: Any = None, cache: Any = None
    ) -> Any:
        """Return [batch, length, d_model], the shape of `tgt`; with a pair as `cache`, also the new one.

        Args:
            tgt: the sequence to decode.
            memory: the encoder's output, [batch, other length, d_model].
            tgt_mask: the positions of `tgt` that its own may attend to; see :class:`MultiHeadAttention`.
            memory_mask: the positions of `memory` that they may attend to.
            cache: the result of :meth:`gen_cache`.
        """
        tgt_mask, memory_mask = hidden(tgt_mask, tgt.dtype), hidden(memory_mask, memory.dtype)
        own, static = (None, None) if cache is None else cache
        before = self.normalize_before

        x = self.norm1(tgt) if before else tgt
        x, own = _parted(self.self_attn(x, x, x, tgt_mask, own), own)
        tgt = add(tgt, self.dropout1(x))
        tgt = tgt if before else self.norm1(tgt)

        x = self.norm2(tgt) if before else tgt
        x, static = _parted(self.cross_attn(x, memory, memory, memory_mask, static), static)
        tgt = add(tgt, self.dropout2(x))
        tgt = tgt if before else self.norm2(tgt)

        x = self.norm3(tgt) if before else tgt
        x = self.linear2(self.dropout(self.activation(self.linear1(x))))
        tgt = add(tgt, self.dropout3(x))
        tgt = tgt if before else self.norm3(tgt)
        return tgt if cache is None else (tgt, (own, static))

    def gen_cache(self, memory: Any) -> tuple[Any, StaticCache]:
        """Return an empty cache for self-attention, and one with the keys and values of `memory`."""
        static: StaticCache = self.cross_attn.gen_cache(memory, memory, StaticCache)
        return self.self_attn.gen_cache(memory), static


def _parted(found: Any, cache: Any) -> Any:
    """Return the output of an attention, and its new cache, if any."""
    return (found, None) if cache is None else found


class TransformerDecoder(Layer):
    """`num_layers` layers like `decoder_layer` in sequence (the first is `decoder_layer` itself), then `norm`."""

    def __init__(
        self, decoder_layer: TransformerDecoderLayer, num_layers: int, norm: Layer | None = None
    ) -> None:
        super().__init__()
        self.layers = LayerList([decoder_layer, *copies_of(decoder_layer, num_layers - 1)])
        self.num_layers = num_layers
        self.norm = norm

    def forward(
        self, tgt: Any, memory: Any, tgt_mask: Any = None, memory_mask: Any = None, cache: Any = None
    ) -> Any:
        """Return [batch, length, d_model], the shape of `tgt`; with a list as `cache`, also the new ones."""
        tgt_mask, memory_mask = hidden(tgt_mask, tgt.dtype), hidden(memory_mask, memory.dtype)
        caches = []
        for place, layer in enumerate(self.layers):
            given = None if cache is None else cache[place]
            tgt, new = _parted(layer(tgt, memory, tgt_mask, memory_mask, given), given)
            caches.append(new)
        tgt = tgt if self.norm is None else self.norm(tgt)
        return tgt if cache is None else (tgt, caches)

    def gen_cache(self, memory: Any, do_zip: bool = False) -> list[Any]:
        """Return the caches of all layers, pairs; with `do_zip` all growing ones, and all static ones."""
        caches = [layer.gen_cache(memory) for layer in self.layers]
        return list(zip(*caches, strict=True)) if do_zip else caches


class Transformer(Layer):
    """An encoder, and a decoder that attends to its output (arXiv 1706.03762).

    Args:
        d_model: width.
        nhead: number of heads.
        num_encoder_layers: the number of encoder layers.
        num_decoder_layers: the number of decoder layers.
        dim_feedforward: width of the small networks.
        dropout: probability of a drop.
        activation: a function of ``nn.functional``.
        attn_dropout: probability for the attention weights; by default `dropout`.
        act_dropout: probability inside the small networks; by default `dropout`.
        normalize_before: whether the LayerNorms come before the parts.
        weight_attr: a ParamAttr, or a value that converts to one, for all weights; or one to three: for self-attention,
            for attention to the memory (as the first if there are two), and for the small network.
        bias_attr: the same for the biases.
        custom_encoder: replaces the encoder.
        custom_decoder: replaces the decoder.

    Raises:
        AssertionError: **Expected** a size **to be greater than 0**; **length of** attrs **should be 1 or 2 or 3**.
    """

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str = "relu",
        attn_dropout: float | None = None,
        act_dropout: float | None = None,
        normalize_before: bool = False,
        weight_attr: Any = None,
        bias_attr: Any = None,
        custom_encoder: Layer | None = None,
        custom_decoder: Layer | None = None,
    ) -> None:
        super().__init__()
        check_positive(d_model=d_model, nhead=nhead, dim_feedforward=dim_feedforward)
        shared = (dim_feedforward, dropout, activation, attn_dropout, act_dropout, normalize_before)
        weights, biases = _for_both("weight_attr", weight_attr), _for_both("bias_attr", bias_attr)
        if custom_encoder is None:
            layer = TransformerEncoderLayer(d_model, nhead, *shared, weights[0], biases[0])
            custom_encoder = TransformerEncoder(layer, num_encoder_layers, LayerNorm(d_model))
        if custom_decoder is None:
            last = TransformerDecoderLayer(d_model, nhead, *shared, weights[1], biases[1])
            custom_decoder = TransformerDecoder(last, num_decoder_layers, LayerNorm(d_model))
        self.encoder, self.decoder = custom_encoder, custom_decoder
        self.d_model, self.nhead = d_model, nhead

    def forward(
        self, src: Any, tgt: Any, src_mask: Any = None, tgt_mask: Any = None, memory_mask: Any = None
    ) -> Any:
        """Decode `tgt` [batch, length, d_model], attending to `src` [batch, other length, d_model]; its shape stays.

        Args:
            src: the sequence to read.
            tgt: the sequence written so far.
            src_mask: the positions of `src` that its own may attend to; see :class:`MultiHeadAttention`.
            tgt_mask: the positions of `tgt` that its own may attend to.
            memory_mask: the positions of the encoder's output that `tgt` may attend to.
        """
        memory = self.encoder(src, src_mask=hidden(src_mask, src.dtype))
        masks = hidden(tgt_mask, tgt.dtype), hidden(memory_mask, memory.dtype)
        return self.decoder(tgt, memory, tgt_mask=masks[0], memory_mask=masks[1])

    def generate_square_subsequent_mask(self, length: Any) -> Any:
        """Return [length, length], with -inf wherever a position would look ahead."""
        return triu(full([length, length], -np.inf, default_float()), 1)


def _for_both(name: str, attr: Any) -> tuple[Any, Any]:
    """Return the attrs of an encoder layer (two) and a decoder layer (three), from one to three."""
    if not isinstance(attr, (list, tuple)):
        return attr, attr
    assert 1 <= len(attr) <= 3, f"length of {name} should be 1 or 2 or 3 when it is a list/tuple"
    first, last = attr[0], attr[-1]
    three: Sequence[Any] = attr if len(attr) == 3 else [first, first, last]
    return [first, last], three
