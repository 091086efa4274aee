"""Pooling layers: functions with their arguments kept. Bins and unpooling: ``adaptive_pooling.py``."""

from __future__ import annotations

from minipaddle.engine.operator.lazy_loading import of_front
from minipaddle.paddle.nn import functional as F
from minipaddle.paddle.nn.layer.function_layers import Kept


class MaxPool1D(Kept, function=F.max_pool1d, shown="kernel_size stride padding"):
    """Reduces windows of sequences to their maximum; see :func:`minipaddle.paddle.nn.functional.max_pool1d`."""


class MaxPool2D(Kept, function=F.max_pool2d, shown="kernel_size stride padding"):
    """Reduces windows of images to their maximum; see :func:`minipaddle.paddle.nn.functional.max_pool2d`."""


class MaxPool3D(Kept, function=F.max_pool3d, shown="kernel_size stride padding"):
    """Reduces windows of volumes to their maximum; see :func:`minipaddle.paddle.nn.functional.max_pool3d`."""


class AvgPool1D(Kept, function=F.avg_pool1d, shown="kernel_size stride padding"):
    """Reduces windows of sequences to their mean; see :func:`minipaddle.paddle.nn.functional.avg_pool1d`."""


class AvgPool2D(Kept, function=F.avg_pool2d, shown="kernel_size stride padding"):
    """Reduces windows of images to their mean; see :func:`minipaddle.paddle.nn.functional.avg_pool2d`."""


class AvgPool3D(Kept, function=F.avg_pool3d, shown="kernel_size stride padding"):
    """Reduces windows of volumes to their mean; see :func:`minipaddle.paddle.nn.functional.avg_pool3d`."""


__getattr__ = of_front(globals(), "minipaddle.paddle.nn")
