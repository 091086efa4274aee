"""Layers that pool into bins or by other norms, and undo pooling: functions with their arguments kept."""

from __future__ import annotations

from typing import Any

from minipaddle.paddle.nn.functional import adaptive_pooling as F
from minipaddle.paddle.nn.layer.kept import Kept


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


class FractionalMaxPool2D(Kept, function=F.fractional_max_pool2d, shown="output_size return_mask"):
    """Reduces images to the maxima of bins with random borders; see ``nn.functional.fractional_max_pool2d``."""


class FractionalMaxPool3D(Kept, function=F.fractional_max_pool3d, shown="output_size return_mask"):
    """Reduces volumes to the maxima of bins with random borders."""


class LPPool1D(Kept, function=F.lp_pool1d, shown="norm_type kernel_size stride padding"):
    """Reduces windows of sequences to their p-norm; see ``nn.functional.lp_pool1d``."""

    def __init__(self, norm_type: float, *args: Any, **kwargs: Any) -> None:
        super().__init__(float(norm_type), *args, **kwargs)


class LPPool2D(Kept, function=F.lp_pool2d, shown="norm_type kernel_size stride padding"):
    """Reduces windows of images to their p-norm; see ``nn.functional.lp_pool2d``."""

    def __init__(self, norm_type: float, *args: Any, **kwargs: Any) -> None:
        super().__init__(float(norm_type), *args, **kwargs)


class MaxUnPool1D(Kept, function=F.max_unpool1d, inputs=2, shown="output_size"):
    """Puts the maxima of sequences back to their places; called with them and their mask."""


class MaxUnPool2D(Kept, function=F.max_unpool2d, inputs=2, shown="output_size"):
    """Puts the maxima of images back to their places; see ``nn.functional.max_unpool2d``."""


class MaxUnPool3D(Kept, function=F.max_unpool3d, inputs=2, shown="output_size"):
    """Puts the maxima of volumes back to their places; called with them and their mask."""


AdaptiveAvgPool1d, AdaptiveAvgPool2d, AdaptiveAvgPool3d = (
    AdaptiveAvgPool1D,
    AdaptiveAvgPool2D,
    AdaptiveAvgPool3D,
)
AdaptiveMaxPool1d, AdaptiveMaxPool2d, AdaptiveMaxPool3d = (
    AdaptiveMaxPool1D,
    AdaptiveMaxPool2D,
    AdaptiveMaxPool3D,
)
MaxUnpool1d, MaxUnpool2d, MaxUnpool3d = MaxUnPool1D, MaxUnPool2D, MaxUnPool3D
LPPool1d, LPPool2d = LPPool1D, LPPool2D
