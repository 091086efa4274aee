"""Activations as functions: those of ``ops.activation``, one made of others, and the in-place twins."""

from __future__ import annotations

from typing import Any

from minipaddle.nn.front import of_front
from minipaddle.ops.activation.piecewise import (
    hardshrink,
    hardsigmoid,
    hardswish,
    hardtanh,
    softshrink,
    thresholded_relu,
)
from minipaddle.ops.activation.rectifiers import celu, elu, leaky_relu, prelu, relu, relu6, selu
from minipaddle.ops.activation.sigmoids import (
    gelu,
    log_sigmoid,
    mish,
    sigmoid,
    silu,
    softplus,
    softsign,
    swish,
    tanhshrink,
)  # fmt: skip
from minipaddle.ops.activation.softmax import log_softmax, softmax
from minipaddle.ops.inplace import inplace_variant
from minipaddle.ops.manipulation.split import chunk
from minipaddle.ops.math.arithmetic import multiply
from minipaddle.ops.math.trigonometry import stanh, tanh

__all__ = [
    "celu", "elu", "elu_", "gelu", "glu", "hardshrink", "hardsigmoid", "hardswish", "hardtanh", "hardtanh_",
    "leaky_relu", "leaky_relu_", "log_sigmoid", "log_softmax", "logsigmoid", "mish", "prelu", "relu", "relu6", "relu_",
    "selu", "sigmoid", "sigmoid_", "silu", "softmax", "softmax_", "softplus", "softshrink", "softsign",
    "stanh", "swish", "tanh", "tanh_", "tanhshrink", "thresholded_relu", "thresholded_relu_",
]  # fmt: skip

elu_ = inplace_variant(elu)
hardtanh_ = inplace_variant(hardtanh)
leaky_relu_ = inplace_variant(leaky_relu)
logsigmoid = log_sigmoid
relu_ = inplace_variant(relu)
sigmoid_ = inplace_variant(sigmoid)
softmax_ = inplace_variant(softmax)
tanh_ = inplace_variant(tanh)
thresholded_relu_ = inplace_variant(thresholded_relu)


def glu(x: Any, axis: int = -1, name: str | None = None) -> Any:
    """Return one half of `x` along `axis`, times the sigmoid of the other.

    Args:
        x: any float tensor, of even size along `axis`.
        axis: which is half as long in the result.
        name: not used.

    Raises:
        ValueError: **divisible**, for an odd size.
    """
    signal, gate = chunk(x, 2, axis)
    return multiply(signal, sigmoid(gate))


__getattr__ = of_front(globals(), "minipaddle.nn.functional")
