"""Networks: layers, containers, losses, initializers (``paddle.nn``).

Every class takes the arguments of Paddle's class of that name, which is described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nn/NAME_en.html.
"""

from __future__ import annotations

from minipaddle.engine.core.later import front
from minipaddle.paddle.nn import functional, init, initializer, utils
from minipaddle.paddle.nn.clip import ClipGradBase, ClipGradByGlobalNorm, ClipGradByNorm, ClipGradByValue
from minipaddle.paddle.nn.layer.activation import (
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
from minipaddle.paddle.nn.layer.common import (
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
    HingeEmbeddingLoss,
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

Conv1d, Conv2d, Conv3d, HuberLoss, SiLU, ZeroPad2d = Conv1D, Conv2D, Conv3D, SmoothL1Loss, Silu, ZeroPad2D
Module, ModuleDict, ModuleList = Layer, LayerDict, LayerList


__all__ = [
    "CELU",
    "ELU",
    "GELU",
    "GLU",
    "SELU",
    "AlphaDropout",
    "AvgPool1D",
    "AvgPool2D",
    "AvgPool3D",
    "BCELoss",
    "BCEWithLogitsLoss",
    "BatchNorm",
    "BatchNorm1D",
    "BatchNorm2D",
    "BatchNorm3D",
    "ClipGradBase",
    "ClipGradByGlobalNorm",
    "ClipGradByNorm",
    "ClipGradByValue",
    "Conv1D",
    "Conv1DTranspose",
    "Conv1d",
    "Conv2D",
    "Conv2DTranspose",
    "Conv2d",
    "Conv3D",
    "Conv3DTranspose",
    "Conv3d",
    "CosineSimilarity",
    "CrossEntropyLoss",
    "Dropout",
    "Dropout2D",
    "Embedding",
    "Flatten",
    "GroupNorm",
    "Hardshrink",
    "Hardsigmoid",
    "Hardswish",
    "Hardtanh",
    "HingeEmbeddingLoss",
    "HuberLoss",
    "Identity",
    "InstanceNorm1D",
    "InstanceNorm2D",
    "InstanceNorm3D",
    "KLDivLoss",
    "L1Loss",
    "Layer",
    "LayerDict",
    "LayerList",
    "LayerNorm",
    "LeakyReLU",
    "Linear",
    "LogSigmoid",
    "LogSoftmax",
    "MSELoss",
    "MarginRankingLoss",
    "MaxPool1D",
    "MaxPool2D",
    "MaxPool3D",
    "Mish",
    "Module",
    "ModuleDict",
    "ModuleList",
    "MultiHeadAttention",
    "NLLLoss",
    "PReLU",
    "Pad1D",
    "Pad2D",
    "ParamAttr",
    "Parameter",
    "ParameterDict",
    "ParameterList",
    "ReLU",
    "ReLU6",
    "Sequential",
    "SiLU",
    "Sigmoid",
    "Silu",
    "SmoothL1Loss",
    "Softmax",
    "Softplus",
    "Softshrink",
    "Softsign",
    "Swish",
    "SyncBatchNorm",
    "Tanh",
    "Tanhshrink",
    "ThresholdedReLU",
    "TransformerEncoder",
    "TransformerEncoderLayer",
    "ZeroPad2D",
    "ZeroPad2d",
    "functional",
    "init",
    "initializer",
    "utils",
]  # fmt: skip
__getattr__ = front(
    globals(),
    {
        "layer.adaptive_pooling": "AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d "
        "AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d "
        "MaxUnpool1d MaxUnpool2d MaxUnpool3d LPPool1d LPPool2d "
        "AdaptiveAvgPool1D AdaptiveAvgPool2D AdaptiveAvgPool3D AdaptiveMaxPool1D AdaptiveMaxPool2D "
        "AdaptiveMaxPool3D FractionalMaxPool2D FractionalMaxPool3D LPPool1D LPPool2D MaxUnPool1D MaxUnPool2D "
        "MaxUnPool3D",
        "layer.random": "Dropout3D FeatureAlphaDropout RReLU",
        "layer.rnn": "BiRNN GRU GRUCell LSTM LSTMCell RNN RNNCellBase SimpleRNN SimpleRNNCell",
        "layer.transformer_decoder": "Transformer TransformerDecoder TransformerDecoderLayer",
        "layer.margins": "AdaptiveLogSoftmaxWithLoss CTCLoss CosineEmbeddingLoss GaussianNLLLoss HSigmoidLoss "
        "MultiLabelMarginLoss MultiLabelSoftMarginLoss MultiMarginLoss PairwiseDistance PoissonNLLLoss "
        "SoftMarginLoss TripletMarginLoss TripletMarginWithDistanceLoss",
        "layer.extension": "Upsample UpsamplingBilinear2D UpsamplingBilinear2d UpsamplingNearest2D UpsamplingNearest2d "
        "Bilinear ChannelShuffle Fold LocalResponseNorm Maxout PixelShuffle PixelUnshuffle "
        "Softmax2D SpectralNorm Unflatten Unfold",
        "layer.borders": "Pad3D ZeroPad1D ZeroPad3D ZeroPad1d ZeroPad3d ConstantPad1D ConstantPad1d ConstantPad2D "
        "ConstantPad2d ConstantPad3D ConstantPad3d ReflectionPad1D ReflectionPad1d ReflectionPad2D "
        "ReflectionPad2d ReflectionPad3D ReflectionPad3d ReplicationPad1D ReplicationPad1d "
        "ReplicationPad2D ReplicationPad2d ReplicationPad3D ReplicationPad3d CircularPad1D CircularPad1d "
        "CircularPad2D CircularPad2d CircularPad3D CircularPad3d",
    },
)
