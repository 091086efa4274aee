"""Norms over the last axes, of sums that go on beside them."""

from __future__ import annotations

from typing import Any

from minipaddle import ops
from minipaddle.paddle.incubate.nn.functional.linear import fused_dropout_add
from minipaddle.paddle.nn import functional as F


def _with_residual(x: Any, bias: Any, residual: Any, alpha: float = 1.0) -> Any:
    """Return ``x + bias + alpha * residual``; without a residual `x` alone, as Paddle."""
    if residual is None:
        return x
    return (x if bias is None else x + bias) + alpha * residual


def _refuse_8_bits(quant_scale: float) -> None:
    if quant_scale > 0:
        raise ValueError("norms do not round to 8 bits here")


def fused_layer_norm(
    x: Any,
    norm_weight: Any,
    norm_bias: Any,
    epsilon: float,
    residual_alpha: float = 1.0,
    begin_norm_axis: int = 1,
    bias: Any = None,
    residual: Any = None,
    quant_scale: float = -1,
    quant_round_type: int = 0,
    quant_max_bound: float = 0,
    quant_min_bound: float = 0,
) -> tuple[Any, Any, Any, Any]:
    """Return the layer norm of ``x + bias + residual_alpha * residual``, that sum, rows' means and 1 / deviations.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/nn/functional/fused_layer_norm_en.html)

    Args:
        x: any shape.
        norm_weight: factors, [elements of a row].
        norm_bias: what is added behind, [elements of a row].
        epsilon: what is added to a variance.
        residual_alpha: a factor.
        begin_norm_axis: the first of the axes that a row lies along.
        bias: added to `x`, if there is a residual.
        residual: what goes on beside the norm.
        quant_scale: accepted as -1.
        quant_round_type: accepted.
        quant_max_bound: accepted.
        quant_min_bound: accepted.

    Raises:
        ValueError: for a `quant_scale`: there are no numbers of 8 bits here.
    """
    _refuse_8_bits(quant_scale)
    total = _with_residual(x, bias, residual, residual_alpha)
    shape = list(total.shape[begin_norm_axis:])
    weight, bias = (None if one is None else ops.reshape(one, shape) for one in (norm_weight, norm_bias))
    rows = (
        ops.flatten(ops.flatten(total, begin_norm_axis), 0, begin_norm_axis - 1) if begin_norm_axis else total
    )
    mean = ops.mean(rows, -1)
    spread = ops.mean(ops.square(rows - ops.unsqueeze(mean, -1)), -1)
    return F.layer_norm(total, shape, weight, bias, epsilon), total, mean, ops.rsqrt(spread + epsilon)


def fused_rms_norm(
    x: Any,
    norm_weight: Any,
    norm_bias: Any,
    epsilon: float,
    begin_norm_axis: int = 1,
    bias: Any = None,
    residual: Any = None,
    quant_scale: float = -1,
    quant_round_type: int = 0,
    quant_max_bound: float = 0,
    quant_min_bound: float = 0,
) -> tuple[Any, Any]:
    """Return ``x + bias + residual`` over the root of its mean square, times a weight; and that sum.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/nn/functional/fused_rms_norm_en.html)

    The arguments are those of :func:`fused_layer_norm`.

    Raises:
        ValueError: for a `quant_scale`: there are no numbers of 8 bits here.
    """
    _refuse_8_bits(quant_scale)
    total = _with_residual(x, bias, residual)
    axes = list(range(begin_norm_axis, total.ndim))
    size = ops.rsqrt(ops.mean(ops.square(total), axes, True) + epsilon)
    out = total * size * ops.reshape(norm_weight, list(total.shape[begin_norm_axis:]))
    return (out if norm_bias is None else out + ops.reshape(norm_bias, out.shape[begin_norm_axis:])), total


def fused_bias_dropout_residual_layer_norm(
    x: Any,
    residual: Any,
    bias: Any = None,
    ln_scale: Any = None,
    ln_bias: Any = None,
    dropout_rate: float = 0.5,
    ln_epsilon: float = 1e-5,
    training: bool = True,
    mode: str = "upscale_in_train",
    name: str | None = None,
) -> Any:
    """Return ``layer_norm(residual + dropout(x + bias))``, over the last axis."""
    out = fused_dropout_add(x if bias is None else x + bias, residual, dropout_rate, training, mode)
    return F.layer_norm(out, out.shape[-1:], ln_scale, ln_bias, ln_epsilon)
