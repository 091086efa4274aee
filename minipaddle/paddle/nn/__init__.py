"""Networks: layers, containers, losses, initializers (``paddle.nn``).

Every class takes the arguments of Paddle's class of that name, which is described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nn/NAME_en.html.
"""

from __future__ import annotations

from minipaddle.engine.operator.later import front
from minipaddle.paddle.nn import functional, initializer, utils
from minipaddle.paddle.nn.clip import ClipGradBase, ClipGradByGlobalNorm, ClipGradByNorm, ClipGradByValue
from minipaddle.paddle.nn.layer.activation import (
    ELU,
    GELU,
    GLU,
    SELU,
    Hardsigmoid,
    Hardswish,
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
)
from minipaddle.paddle.nn.layer.common import (
    CosineSimilarity,
    Dropout,
    Dropout2D,
    Embedding,
    Flatten,
    Identity,
    Linear,
    Pad1D,
    Pad2D,
    Pad3D,
)
from minipaddle.paddle.nn.layer.container import (
    LayerDict,
    LayerList,
    ParameterDict,
    ParameterList,
    Sequential,
)
from minipaddle.paddle.nn.layer.conv import (
    Conv1D,
    Conv1DTranspose,
    Conv2D,
    Conv2DTranspose,
    Conv3D,
    Conv3DTranspose,
)
from minipaddle.paddle.nn.layer.layers import Layer
from minipaddle.paddle.nn.layer.loss import (
    BCELoss,
    BCEWithLogitsLoss,
    CrossEntropyLoss,
    CTCLoss,
    KLDivLoss,
    L1Loss,
    MarginRankingLoss,
    MSELoss,
    NLLLoss,
    SmoothL1Loss,
)
from minipaddle.paddle.nn.layer.norm import (
    BatchNorm,
    BatchNorm1D,
    BatchNorm2D,
    BatchNorm3D,
    GroupNorm,
    InstanceNorm1D,
    InstanceNorm2D,
    InstanceNorm3D,
    LayerNorm,
    SyncBatchNorm,
)
from minipaddle.paddle.nn.layer.pooling import (
    AvgPool1D,
    AvgPool2D,
    AvgPool3D,
    MaxPool1D,
    MaxPool2D,
    MaxPool3D,
)
from minipaddle.paddle.nn.layer.transformer import (
    MultiHeadAttention,
    TransformerEncoder,
    TransformerEncoderLayer,
)
from minipaddle.paddle.nn.parameter.param_attr import ParamAttr
from minipaddle.paddle.nn.parameter.parameter import Parameter

Module = Layer

__all__ = [
    "ELU", "GELU", "GLU", "SELU", "AvgPool1D", "AvgPool2D", "AvgPool3D", "BCELoss", "BCEWithLogitsLoss",
    "BatchNorm", "BatchNorm1D", "BatchNorm2D", "BatchNorm3D", "CTCLoss", "ClipGradBase", "ClipGradByGlobalNorm",
    "ClipGradByNorm", "ClipGradByValue", "Conv1D", "Conv1DTranspose", "Conv2D", "Conv2DTranspose", "Conv3D",
    "Conv3DTranspose", "CosineSimilarity", "CrossEntropyLoss", "Dropout", "Dropout2D", "Embedding",
    "Flatten", "GroupNorm", "Hardsigmoid", "Hardswish", "Identity", "InstanceNorm1D", "InstanceNorm2D",
    "InstanceNorm3D", "KLDivLoss", "L1Loss", "Layer", "LayerDict", "LayerList", "LayerNorm", "LeakyReLU",
    "Linear", "LogSigmoid", "LogSoftmax", "MSELoss", "MarginRankingLoss", "MaxPool1D", "MaxPool2D",
    "MaxPool3D", "Mish", "Module", "MultiHeadAttention", "NLLLoss", "PReLU", "Pad1D", "Pad2D", "Pad3D",
    "ParamAttr", "Parameter", "ParameterDict", "ParameterList", "ReLU", "ReLU6", "Sequential", "Sigmoid",
    "Silu", "SmoothL1Loss", "Softmax", "Softplus", "Softshrink", "Softsign", "Swish", "SyncBatchNorm",
    "Tanh", "TransformerEncoder", "TransformerEncoderLayer", "functional", "initializer", "utils",
]  # fmt: skip
__getattr__ = front(
    globals(),
    {
        "layer.adaptive_pooling": "AdaptiveAvgPool1D AdaptiveAvgPool2D AdaptiveAvgPool3D AdaptiveMaxPool1D "
        "AdaptiveMaxPool2D AdaptiveMaxPool3D",
        "layer.rnn": "BiRNN GRU GRUCell LSTM LSTMCell RNN RNNCellBase SimpleRNN SimpleRNNCell",
        "layer.transformer_decoder": "Transformer TransformerDecoder TransformerDecoderLayer",
        "layer.extension": "Fold PixelShuffle PixelUnshuffle Unfold Upsample UpsamplingBilinear2D UpsamplingNearest2D",
    },
)
