"""``paddle.compat.nn``: layers with PyTorch's arguments."""

from minipaddle.engine.core.later import front
from minipaddle.paddle.compat.nn import functional
from minipaddle.paddle.compat.nn.layers import AvgPool1D, AvgPool2D, AvgPool3D, Linear, Softmax, Unfold
from minipaddle.paddle.compat.nn.transformer import MultiheadAttention

AvgPool1d, AvgPool2d, AvgPool3d = AvgPool1D, AvgPool2D, AvgPool3D

__all__ = [
    "AvgPool1D", "AvgPool1d", "AvgPool2D", "AvgPool2d", "AvgPool3D", "AvgPool3d", "Linear", "MultiheadAttention",
    "Softmax", "Unfold", "functional",
]  # fmt: skip
__getattr__ = front(globals())
