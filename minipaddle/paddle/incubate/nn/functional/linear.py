"""Products with a bias, an activation, a dropout or a sum behind them."""

from __future__ import annotations

from typing import Any

from minipaddle import ops
from minipaddle.paddle.nn import functional as F

ACTIVATIONS: dict[str | None, Any] = {
    "gelu": F.gelu,
    "relu": F.relu,
    "geglu": lambda x: _gated(F.gelu, x),
    "swiglu": lambda x: _gated(F.silu, x),
    "none": ops.assign,
    None: ops.assign,
}


def _gated(activation: Any, x: Any) -> Any:
    signal, gate = ops.chunk(x, 2, -1)
    return activation(signal) * gate


def fused_matmul_bias(
    x: Any,
    y: Any,
    bias: Any = None,
    transpose_x: bool = False,
    transpose_y: bool = False,
    name: str | None = None,
) -> Any:
    """Return ``x @ y + bias``, each transposed if asked.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/nn/functional/fused_matmul_bias_en.html)
    """
    out = ops.matmul(x, y, transpose_x, transpose_y)
    return out if bias is None else out + bias


def fused_linear(
    x: Any, weight: Any, bias: Any = None, transpose_weight: bool = False, name: str | None = None
) -> Any:
    """Return ``x @ weight + bias``.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/nn/functional/fused_linear_en.html)
    """
    return fused_matmul_bias(x, weight, bias, False, transpose_weight)


def fused_linear_activation(
    x: Any, y: Any, bias: Any, trans_x: bool = False, trans_y: bool = False, activation: str | None = None
) -> Any:
    """Return "gelu", "relu" or no function of ``x @ y + bias``.

    Raises:
        ValueError: for another activation.
    """
    return activated(fused_matmul_bias(x, y, bias, trans_x, trans_y), activation)


def activated(x: Any, activation: str | None) -> Any:
    """Return an activation, by its name, of `x`.

    Raises:
        ValueError: there is none of this name.
    """
    if activation not in ACTIVATIONS:
        raise ValueError(f"the activation should be one of {list(ACTIVATIONS)}, but received {activation!r}")
    return ACTIVATIONS[activation](x)


def fused_bias_act(
    x: Any,
    bias: Any = None,
    dequant_scales: Any = None,
    shift: Any = None,
    smooth: Any = None,
    act_method: str = "gelu",
    compute_dtype: str = "default",
    quant_scale: float = -1,
    quant_round_type: int = 0,
    quant_max_bound: float = 0,
    quant_min_bound: float = 0,
) -> Any:
    """Return "gelu", "relu", "geglu" or "swiglu" of ``x + bias``; `compute_dtype` and what rounds are accepted unset.

    Raises:
        ValueError: for another activation, or numbers of 8 bits, which are not here.
    """
    if quant_scale > 0 or dequant_scales is not None:
        raise ValueError("fused_bias_act does not compute with 8 bits here")
    out = activated(x if bias is None else x + bias, act_method)
    out = out if shift is None else out + shift
    return out if smooth is None else out * smooth


def fused_dropout_add(
    x: Any,
    y: Any,
    p: float = 0.5,
    training: bool = True,
    mode: str = "upscale_in_train",
    name: str | None = None,
) -> Any:
    """Return ``dropout(x) + y``.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/incubate/nn/functional/fused_dropout_add_en.html)
    """
    return F.dropout(x, p, training=training, mode=mode) + y
