"""Pooling layers: each calls a function of ``nn.functional`` with fixed arguments."""

from __future__ import annotations

from functools import partial

from minipaddle.engine.names.missing import missing
from minipaddle.paddle.nn import functional as F
from minipaddle.paddle.nn.layer.function_layers import function_layer

_windows = partial(function_layer, __name__, shown="kernel_size stride padding")
MaxPool1D = _windows("MaxPool1D", F.max_pool1d)
MaxPool2D = _windows("MaxPool2D", F.max_pool2d)
MaxPool3D = _windows("MaxPool3D", F.max_pool3d)
AvgPool1D = _windows("AvgPool1D", F.avg_pool1d)
AvgPool2D = _windows("AvgPool2D", F.avg_pool2d)
AvgPool3D = _windows("AvgPool3D", F.avg_pool3d)

_bins = partial(function_layer, __name__)
AdaptiveAvgPool1D = _bins("AdaptiveAvgPool1D", F.adaptive_avg_pool1d, "output_size")
AdaptiveAvgPool2D = _bins("AdaptiveAvgPool2D", F.adaptive_avg_pool2d, "output_size")
AdaptiveAvgPool3D = _bins("AdaptiveAvgPool3D", F.adaptive_avg_pool3d, "output_size")
AdaptiveMaxPool2D = _bins("AdaptiveMaxPool2D", F.adaptive_max_pool2d)
AdaptiveMaxPool3D = _bins("AdaptiveMaxPool3D", F.adaptive_max_pool3d)

__getattr__ = missing(__name__, globals())
