"""The halves of a Transformer's layer as layers, and the layer."""

from __future__ import annotations

from typing import Any

from minipaddle.paddle.incubate.nn import functional as F
from minipaddle.paddle.nn import Layer
from minipaddle.paddle.nn.initializer import Constant


class _Halves(Layer):
    """What both halves have: a norm before or behind."""

    def _norm(self, prefix: str, width: int, scale_attr: Any, bias_attr: Any) -> None:
        ones = Constant(1.0)
        scale = self.create_parameter([width], attr=scale_attr, default_initializer=ones)
        setattr(self, f"{prefix}_scale", scale)
        setattr(self, f"{prefix}_bias", self.create_parameter([width], attr=bias_attr, is_bias=True))


class FusedMultiHeadAttention(_Halves):
    """Attention of a text to itself, with what is added to it and a layer norm.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/nn/FusedMultiHeadAttention_en.html)

    Args:
        embed_dim: the width.
        num_heads: divides it.
        dropout_rate, attn_dropout_rate: at the end, and of the weights.
        kdim, vdim: accepted: there is one text.
        normalize_before: where the norm stands.
        need_weights: False.
        qkv_weight_attr, qkv_bias_attr, linear_weight_attr, linear_bias_attr, pre_ln_scale_attr, pre_ln_bias_attr,
            ln_scale_attr, ln_bias_attr: ParamAttrs, or what becomes one.
        epsilon: what is added to a variance.
        nranks, ring_id: accepted.
        transpose_qkv_wb: whether the weights are those of one linear layer.
        name: ignored.

    Raises:
        AssertionError: for a width or heads below 1, or `need_weights`.
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout_rate: float = 0.5,
        attn_dropout_rate: float = 0.5,
        kdim: int | None = None,
        vdim: int | None = None,
        normalize_before: bool = False,
        need_weights: bool = False,
        qkv_weight_attr: Any = None,
        qkv_bias_attr: Any = None,
        linear_weight_attr: Any = None,
        linear_bias_attr: Any = None,
        pre_ln_scale_attr: Any = None,
        pre_ln_bias_attr: Any = None,
        ln_scale_attr: Any = None,
        ln_bias_attr: Any = None,
        epsilon: float = 1e-5,
        nranks: int = 1,
        ring_id: int = -1,
        transpose_qkv_wb: bool = False,
        name: str | None = None,
    ) -> None:
        super().__init__()
        assert embed_dim > 0, f"Expected embed_dim to be greater than 0, but received {embed_dim}"
        assert num_heads > 0, f"Expected nhead to be greater than 0, but received {num_heads}"
        assert embed_dim % num_heads == 0, "embed_dim must be divisible by num_heads"
        assert not need_weights, "Only support need_weight is False now."
        head = embed_dim // num_heads
        shape = [embed_dim, 3 * embed_dim] if transpose_qkv_wb else [3, num_heads, head, embed_dim]
        biases = [3 * embed_dim] if transpose_qkv_wb else [3, num_heads, head]
        self.qkv_weight = self.create_parameter(shape, attr=qkv_weight_attr)
        self.qkv_bias = self.create_parameter(biases, attr=qkv_bias_attr, is_bias=True)
        self.linear_weight = self.create_parameter([embed_dim, embed_dim], attr=linear_weight_attr)
        self.linear_bias = self.create_parameter([embed_dim], attr=linear_bias_attr, is_bias=True)
        if normalize_before:
            self._norm("pre_ln", embed_dim, pre_ln_scale_attr, pre_ln_bias_attr)
        else:
            self._norm("ln", embed_dim, ln_scale_attr, ln_bias_attr)
        self.embed_dim, self.num_heads, self.kdim, self.vdim = embed_dim, num_heads, kdim, vdim
        self.dropout_rate, self.attn_dropout_rate, self.epsilon = dropout_rate, attn_dropout_rate, epsilon
        self.normalize_before, self.transpose_qkv_wb = normalize_before, transpose_qkv_wb

    def forward(
        self, query: Any, key: Any = None, value: Any = None, attn_mask: Any = None, cache: Any = None
    ) -> Any:
        """Return what `query` attends to in itself, [batch, length, width]; `key` and `value` are accepted as None."""
        prefix = "pre_ln" if self.normalize_before else "ln"
        norm = {f"{prefix}_{part}": getattr(self, f"{prefix}_{part}") for part in ("scale", "bias")}
        options: dict[str, Any] = {**norm, "pre_layer_norm": self.normalize_before, "training": self.training}
        options |= {"pre_ln_epsilon": self.epsilon, "ln_epsilon": self.epsilon, "num_heads": self.num_heads}
        options |= {"dropout_rate": self.dropout_rate, "attn_dropout_rate": self.attn_dropout_rate}
        options |= {"qkv_bias": self.qkv_bias, "linear_bias": self.linear_bias, "cache_kv": cache}
        options |= {"attn_mask": attn_mask, "transpose_qkv_wb": self.transpose_qkv_wb}
        return F.fused_multi_head_attention(query, self.qkv_weight, self.linear_weight, **options)

    def extra_repr(self) -> str:
        """Return the options, for the listing."""
        return (
            f"embed_dim={self.embed_dim}, num_heads={self.num_heads}, dropout_rate={self.dropout_rate}, "
            f"attn_dropout_rate={self.attn_dropout_rate}, epsilon={self.epsilon}, kdim={self.kdim}, vdim={self.vdim}, "
            f"normalize_before={self.normalize_before}, need_weights=False, dtype={self._dtype}"
        )


class FusedFeedForward(_Halves):
    """Two linear layers with an activation between them, added to the input, and a layer norm.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/nn/FusedFeedForward_en.html)

    Args:
        d_model: the width.
        dim_feedforward: the width between the two.
        dropout_rate, act_dropout_rate: at the end, and behind the activation (None: the same).
        epsilon: what is added to a variance.
        activation: "relu" or "gelu".
        normalize_before: where the norm stands.
        linear1_weight_attr, linear1_bias_attr, linear2_weight_attr, linear2_bias_attr, ln1_scale_attr, ln1_bias_attr,
            ln2_scale_attr, ln2_bias_attr: ParamAttrs, or what becomes one.
        nranks, ring_id: accepted.
        name: ignored.

    Raises:
        AssertionError: for a width below 1.
    """

    def __init__(
        self,
        d_model: int,
        dim_feedforward: int,
        dropout_rate: float = 0.1,
        epsilon: float = 1e-5,
        activation: str = "relu",
        act_dropout_rate: float | None = None,
        normalize_before: bool = False,
        linear1_weight_attr: Any = None,
        linear1_bias_attr: Any = None,
        linear2_weight_attr: Any = None,
        linear2_bias_attr: Any = None,
        ln1_scale_attr: Any = None,
        ln1_bias_attr: Any = None,
        ln2_scale_attr: Any = None,
        ln2_bias_attr: Any = None,
        nranks: int = 1,
        ring_id: int = -1,
        name: str | None = None,
    ) -> None:
        super().__init__()
        assert d_model > 0, f"Expected d_model to be greater than 0, but received {d_model}"
        assert dim_feedforward > 0, (
            f"Expected dim_feedforward to be greater than 0, but received {dim_feedforward}"
        )
        self._linear1_weight = self.create_parameter([d_model, dim_feedforward], attr=linear1_weight_attr)
        self._linear1_bias = self.create_parameter([dim_feedforward], attr=linear1_bias_attr, is_bias=True)
        self._linear2_weight = self.create_parameter([dim_feedforward, d_model], attr=linear2_weight_attr)
        self._linear2_bias = self.create_parameter([d_model], attr=linear2_bias_attr, is_bias=True)
        if normalize_before:
            self._norm("_ln1", d_model, ln1_scale_attr, ln1_bias_attr)
        else:
            self._norm("_ln2", d_model, ln2_scale_attr, ln2_bias_attr)
        self._shape = (d_model, dim_feedforward)
        self._rates = (dropout_rate if act_dropout_rate is None else act_dropout_rate, dropout_rate)
        self._activation, self._epsilon, self._normalize_before = activation, epsilon, normalize_before

    def forward(self, src: Any, cache: Any = None) -> Any:
        """Return the layers of `src`, [batch, length, width]."""
        prefix = "ln1" if self._normalize_before else "ln2"
        options = {f"{prefix}_{part}": getattr(self, f"_{prefix}_{part}") for part in ("scale", "bias")}
        options |= {"linear1_bias": self._linear1_bias, "linear2_bias": self._linear2_bias}
        options |= {"dropout1_rate": self._rates[0], "dropout2_rate": self._rates[1]}
        options |= {"ln1_epsilon": self._epsilon, "ln2_epsilon": self._epsilon}
        options |= {"activation": self._activation}
        options |= {"pre_layer_norm": self._normalize_before, "training": self.training}
        return F.fused_feedforward(src, self._linear1_weight, self._linear2_weight, **options)

    def extra_repr(self) -> str:
        """Return the options, for the listing."""
        return (
            f"d_model={self._shape[0]}, dim_feedforward={self._shape[1]}, dropout_rate={self._rates[1]}, "
            f"epsilon={self._epsilon}, activation={self._activation}, act_dropout_rate={self._rates[0]}, "
            f"normalize_before={self._normalize_before}, dtype={self._dtype}"
        )


class FusedBiasDropoutResidualLayerNorm(_Halves):
    """``layer_norm(residual + dropout(x + bias))``.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/nn/
    FusedBiasDropoutResidualLayerNorm_en.html)

    Args:
        embed_dim: the width.
        dropout_rate: how likely an element is dropped.
        weight_attr: a ParamAttr, or what becomes one, of the norm's factors.
        bias_attr: the same, of the bias.
        epsilon: what is added to a variance.
        name: ignored.

    Raises:
        AssertionError: for a width below 1.
    """

    def __init__(
        self,
        embed_dim: int,
        dropout_rate: float = 0.5,
        weight_attr: Any = None,
        bias_attr: Any = None,
        epsilon: float = 1e-5,
        name: str | None = None,
    ) -> None:
        super().__init__()
        assert embed_dim > 0, f"Expected embed_dim to be greater than 0, but received {embed_dim}"
        self.linear_bias = self.create_parameter([embed_dim], attr=bias_attr, is_bias=True)
        self._norm("ln", embed_dim, weight_attr, None)
        self.embed_dim, self.dropout_rate, self._epsilon = embed_dim, dropout_rate, epsilon

    def forward(self, x: Any, residual: Any) -> Any:
        """Return the norm, of the shape of both."""
        return F.fused_bias_dropout_residual_layer_norm(
            x,
            residual,
            self.linear_bias,
            self.ln_scale,
            self.ln_bias,
            self.dropout_rate,
            self._epsilon,
            self.training,
        )

    def extra_repr(self) -> str:
        """Return the options, for the listing."""
        return f"embed_dim={self.embed_dim}, dropout_rate={self.dropout_rate}, epsilon={self._epsilon}"


class FusedTransformerEncoderLayer(Layer):
    """Attention, then two linear layers: one layer of an encoder.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/nn/FusedTransformerEncoderLayer_en.html)

    Args:
        d_model: the width.
        nhead: how many heads.
        dim_feedforward: the width inside the second half.
        dropout_rate, attn_dropout_rate, act_dropout_rate: at the ends, of the weights, behind the activation.
        activation: "relu" or "gelu".
        normalize_before: where the norms stand.
        weight_attr: a ParamAttr, or one for each half.
        bias_attr: the same.
    """

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int,
        dropout_rate: float = 0.1,
        activation: str = "relu",
        attn_dropout_rate: float | None = None,
        act_dropout_rate: float | None = None,
        normalize_before: bool = False,
        weight_attr: Any = None,
        bias_attr: Any = None,
    ) -> None:
        super().__init__()
        weights, biases = (
            one if isinstance(one, list | tuple) else (one, one) for one in (weight_attr, bias_attr)
        )
        self.fused_attn = FusedMultiHeadAttention(
            d_model, nhead, dropout_rate, dropout_rate if attn_dropout_rate is None else attn_dropout_rate,
            normalize_before=normalize_before, qkv_weight_attr=weights[0], qkv_bias_attr=biases[0],
            linear_weight_attr=weights[0], linear_bias_attr=biases[0],
        )  # fmt: skip
        self.ffn = FusedFeedForward(
            d_model, dim_feedforward, dropout_rate, activation=activation, act_dropout_rate=act_dropout_rate,
            normalize_before=normalize_before, linear1_weight_attr=weights[1], linear1_bias_attr=biases[1],
            linear2_weight_attr=weights[1], linear2_bias_attr=biases[1],
        )  # fmt: skip

    def forward(self, src: Any, src_mask: Any = None, cache: Any = None) -> Any:
        """Return the layer of `src`, [batch, length, width]; with a `cache`, also what it became."""
        seen = self.fused_attn(src, attn_mask=src_mask, cache=cache)
        if cache is None:
            return self.ffn(seen)
        return self.ffn(seen[0]), seen[1]
