"""All activation functions, for ``paddle.nn.functional``."""

from minipaddle.ops.piecewise import hardshrink, hardsigmoid, hardswish, hardtanh, softshrink
from minipaddle.ops.rectifiers import celu, elu, leaky_relu, prelu, relu, relu6, selu
from minipaddle.ops.sigmoids import (
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
from minipaddle.ops.softmax import log_softmax, softmax
from minipaddle.ops.trigonometry import stanh, tanh

__all__ = [
    "celu", "elu", "gelu", "hardshrink", "hardsigmoid", "hardswish", "hardtanh", "leaky_relu", "log_sigmoid",
    "log_softmax", "mish", "prelu", "relu", "relu6", "selu", "sigmoid", "silu", "softmax", "softplus",
    "softshrink", "softsign", "stanh", "swish", "tanh", "tanhshrink",
]  # fmt: skip
