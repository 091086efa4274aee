"""Networks: layers, containers, losses, initializers (``paddle.nn``).

Every class takes the arguments of Paddle's class of that name, which is described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nn/NAME_en.html.
"""

from __future__ import annotations

from minipaddle.core.errors import guard_all
from minipaddle.names.missing import missing
from minipaddle.nn import functional, initializer, utils
from minipaddle.nn.clip import ClipGradBase, ClipGradByGlobalNorm, ClipGradByNorm, ClipGradByValue
from minipaddle.nn.layer.activation import (
    CELU,
    ELU,
    GELU,
    GLU,
    SELU,
    Hardshrink,
    Hardsigmoid,
    Hardswish,
    Hardtanh,
    LeakyReLU,
    LogSigmoid,
    LogSoftmax,
    Mish,
    PReLU,
    ReLU,
    ReLU6,
    Sigmoid,
    Silu,
    Softmax,
    Softplus,
    Softshrink,
    Softsign,
    Swish,
    Tanh,
    Tanhshrink,
    ThresholdedReLU,
)
from minipaddle.nn.layer.common import (
    AlphaDropout,
    CosineSimilarity,
    Dropout,
    Dropout2D,
    Embedding,
    Flatten,
    Identity,
    Linear,
    Pad1D,
    Pad2D,
    ZeroPad2D,
)
from minipaddle.nn.layer.container import LayerDict, LayerList, ParameterList, Sequential
from minipaddle.nn.layer.conv import Conv1D, Conv2D, Conv2DTranspose
from minipaddle.nn.layer.layers import Layer
from minipaddle.nn.layer.loss import (
    BCELoss,
    BCEWithLogitsLoss,
    CrossEntropyLoss,
    HingeEmbeddingLoss,
    KLDivLoss,
    L1Loss,
    MarginRankingLoss,
    MSELoss,
    NLLLoss,
    SmoothL1Loss,
)
from minipaddle.nn.layer.norm import (
    BatchNorm,
    BatchNorm1D,
    BatchNorm2D,
    BatchNorm3D,
    GroupNorm,
    InstanceNorm1D,
    InstanceNorm2D,
    LayerNorm,
)
from minipaddle.nn.layer.pooling import (
    AdaptiveAvgPool1D,
    AdaptiveAvgPool2D,
    AdaptiveMaxPool2D,
    AvgPool1D,
    AvgPool2D,
    MaxPool1D,
    MaxPool2D,
)
from minipaddle.nn.layer.transformer import MultiHeadAttention, TransformerEncoder, TransformerEncoderLayer
from minipaddle.nn.parameter.param_attr import ParamAttr
from minipaddle.nn.parameter.parameter import Parameter

__all__ = [
    "CELU", "ELU", "GELU", "GLU", "SELU", "AdaptiveAvgPool1D", "AdaptiveAvgPool2D", "AdaptiveMaxPool2D",
    "AlphaDropout", "AvgPool1D", "AvgPool2D", "BCELoss", "BCEWithLogitsLoss", "BatchNorm", "BatchNorm1D",
    "BatchNorm2D", "BatchNorm3D", "ClipGradBase", "ClipGradByGlobalNorm", "ClipGradByNorm", "ClipGradByValue",
    "Conv1D", "Conv2D", "Conv2DTranspose", "CosineSimilarity", "CrossEntropyLoss", "Dropout", "Dropout2D",
    "Embedding", "Flatten", "GroupNorm", "Hardshrink", "Hardsigmoid", "Hardswish", "Hardtanh",
    "HingeEmbeddingLoss", "Identity", "InstanceNorm1D", "InstanceNorm2D", "KLDivLoss", "L1Loss", "Layer",
    "LayerDict", "LayerList", "LayerNorm", "LeakyReLU", "Linear", "LogSigmoid", "LogSoftmax", "MSELoss",
    "MarginRankingLoss", "MaxPool1D", "MaxPool2D", "Mish", "MultiHeadAttention", "NLLLoss", "PReLU", "Pad1D",
    "Pad2D", "ParamAttr", "Parameter", "ParameterList", "ReLU", "ReLU6", "Sequential", "Sigmoid", "Silu",
    "SmoothL1Loss", "Softmax", "Softplus", "Softshrink", "Softsign", "Swish", "Tanh", "Tanhshrink",
    "ThresholdedReLU", "TransformerEncoder", "TransformerEncoderLayer", "ZeroPad2D", "functional",
    "initializer", "utils",
]  # fmt: skip

guard_all(globals())
__getattr__ = missing(__name__, __all__)
