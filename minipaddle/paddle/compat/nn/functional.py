"""``paddle.compat.nn.functional``: functions of networks with PyTorch's arguments."""

from __future__ import annotations

from typing import Any

from minipaddle import ops
from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.later import front
from minipaddle.ops.storage import softmax as _softmax
from minipaddle.paddle.compat.arguments import check_out, not_paddles, put
from minipaddle.paddle.nn import functional as F

__all__ = ["linear", "pad", "scaled_dot_product_attention", "softmax", "unfold"]


@not_paddles("x name", "nn.functional.linear")
def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    """Return ``input @ weight.T + bias``: the weight is [outputs, inputs]."""
    product = ops.matmul(input, weight, transpose_y=True)
    return product if bias is None else product + bias


@not_paddles("x name data_format pad_from_left_axis", "nn.functional.pad")
def pad(input: Any, pad: Any, mode: str = "constant", value: float = 0.0) -> Any:
    """Return `input` with a border: two numbers for an axis, the last axis first."""
    return F.pad(input, pad, mode, value, pad_from_left_axis=False)


def scaled_dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    attn_mask: Any = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Any:
    """Return ``softmax(q k^T scale) v`` of tensors [batch, heads, length, d].

    Raises:
        RuntimeError: **attn_mask should not be set** beside `is_causal`.
    """
    if is_causal and attn_mask is not None:
        raise failure(RuntimeError, "Explicit attn_mask should not be set when is_causal=True")
    q, k, v = (ops.swapaxes(one, -3, -2) for one in (query, key, value))
    mixed = F.scaled_dot_product_attention(
        q, k, v, attn_mask, dropout_p, is_causal, scale=scale, enable_gqa=enable_gqa
    )
    return ops.swapaxes(mixed, -3, -2)


@not_paddles("x axis name", "nn.functional.softmax")
def softmax(input: Any, dim: int | None = None, dtype: Any = None, *, out: Any = None) -> Any:
    """Return shares that add up to 1 along `dim`; without it along the first axis of 0, 1 or 3, else the second."""
    check_out(out, two=False)
    return put(_softmax(input, dim, dtype), out)


@not_paddles("x kernel_sizes dilations paddings strides name", "nn.functional.unfold")
def unfold(input: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Any:
    """Return the windows of images as columns."""
    kernel, strides, paddings, dilations = (
        one.tolist() if hasattr(one, "tolist") else one for one in (kernel_size, stride, padding, dilation)
    )
    return F.unfold(input, kernel, strides, paddings, dilations)


__getattr__ = front(globals())
