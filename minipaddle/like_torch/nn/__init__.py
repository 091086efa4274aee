"""``paddle.compat.nn``: layers with PyTorch's arguments."""

from minipaddle.core.later import front
from minipaddle.like_torch.nn import functional
from minipaddle.like_torch.nn.layers import AvgPool1D, AvgPool2D, AvgPool3D, Linear, Softmax, Unfold
from minipaddle.like_torch.nn.transformer import MultiheadAttention

AvgPool1d, AvgPool2d, AvgPool3d = AvgPool1D, AvgPool2D, AvgPool3D

__all__ = [
    "AvgPool1D", "AvgPool1d", "AvgPool2D", "AvgPool2d", "AvgPool3D", "AvgPool3d", "Linear", "MultiheadAttention",
    "Softmax", "Unfold", "functional",
]  # fmt: skip
__getattr__ = front(globals())
