"""Layers that pool into bins or by other norms, and undo pooling: functions with their arguments kept."""

from __future__ import annotations

from minipaddle.paddle.nn.functional import adaptive_pooling as F
from minipaddle.paddle.nn.layer.function_layers import Kept


class AdaptiveAvgPool1D(Kept, function=F.adaptive_avg_pool1d, shown="output_size"):
    """Averages sequences [N, C, L] into `output_size` bins."""


class AdaptiveAvgPool2D(Kept, function=F.adaptive_avg_pool2d, shown="output_size"):
    """Averages images [N, C, H, W] into `output_size` bins; see ``nn.functional.adaptive_avg_pool2d``."""


class AdaptiveAvgPool3D(Kept, function=F.adaptive_avg_pool3d, shown="output_size"):
    """Averages volumes [N, C, D, H, W] into `output_size` bins."""


class AdaptiveMaxPool1D(Kept, function=F.adaptive_max_pool1d, shown="output_size return_mask"):
    """Reduces sequences [N, C, L] to the maximum of each of `output_size` bins."""


class AdaptiveMaxPool2D(Kept, function=F.adaptive_max_pool2d, shown="output_size return_mask"):
    """Reduces images [N, C, H, W] to the maximum of each of `output_size` bins."""


class AdaptiveMaxPool3D(Kept, function=F.adaptive_max_pool3d, shown="output_size return_mask"):
    """Reduces volumes [N, C, D, H, W] to the maximum of each of `output_size` bins."""
