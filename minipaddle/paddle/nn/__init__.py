"""Networks: layers, containers, losses, initializers (``paddle.nn``).

Every class takes the arguments of Paddle's class of that name, which is described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nn/NAME_en.html.
"""

from __future__ import annotations

from minipaddle.engine.operator.lazy_loading import front
from minipaddle.paddle.nn import functional, initializer, utils
from minipaddle.paddle.nn.layer.layers import Layer

Module = Layer
__all__ = ["Layer", "Module", "functional", "initializer", "utils"]
__getattr__ = front(
    globals(),
    {
        "clip": "ClipGradBase ClipGradByGlobalNorm ClipGradByNorm ClipGradByValue",
        "layer.activation": "ELU GELU GLU SELU Hardsigmoid Hardswish LeakyReLU LogSigmoid LogSoftmax Mish PReLU "
        "ReLU ReLU6 Sigmoid Silu Softmax Softplus Softshrink Softsign Swish Tanh",
        "layer.common": "CosineSimilarity Dropout Dropout2D Embedding Flatten Identity Linear Pad1D Pad2D",
        "layer.container": "LayerDict LayerList ParameterList Sequential",
        "layer.conv": "Conv1D Conv1DTranspose Conv2D Conv2DTranspose Conv3D Conv3DTranspose",
        "layer.rearranging": "Fold PixelShuffle PixelUnshuffle Unfold Upsample UpsamplingNearest2D",
        "layer.loss": "BCELoss BCEWithLogitsLoss CrossEntropyLoss CTCLoss KLDivLoss L1Loss MarginRankingLoss MSELoss "
        "NLLLoss SmoothL1Loss",
        "layer.norm": "BatchNorm BatchNorm1D BatchNorm2D BatchNorm3D GroupNorm InstanceNorm1D InstanceNorm2D "
        "LayerNorm SyncBatchNorm",
        "layer.pooling": "AdaptiveAvgPool1D AdaptiveAvgPool2D AdaptiveAvgPool3D AdaptiveMaxPool2D "
        "AdaptiveMaxPool3D AvgPool1D AvgPool2D AvgPool3D MaxPool1D MaxPool2D MaxPool3D",
        "layer.rnn": "GRU GRUCell LSTM LSTMCell RNNCellBase SimpleRNN SimpleRNNCell",
        "layer.transformer": "MultiHeadAttention TransformerEncoder TransformerEncoderLayer",
        "parameter.create": "ParamAttr",
        "parameter.parameter": "Parameter",
    },
)
