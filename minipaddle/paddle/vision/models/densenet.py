"""DenseNet: each layer is given what all before it have found (Huang, Liu, van der Maaten and Weinberger, 2016)."""

from __future__ import annotations

import math
from typing import Any

from minipaddle.ops.manipulation.concat import concat
from minipaddle.paddle.nn import AvgPool2D, BatchNorm, Conv2D, Dropout, Layer, Linear, MaxPool2D, ParamAttr
from minipaddle.paddle.nn.initializer import Uniform
from minipaddle.paddle.nn.layer.adaptive_pooling import AdaptiveAvgPool2D
from minipaddle.paddle.vision.models.weights import network

_SPECS = {
    121: (64, 32, (6, 12, 24, 16)),
    161: (96, 48, (6, 12, 36, 24)),
    169: (64, 32, (6, 12, 32, 32)),
    201: (64, 32, (6, 12, 48, 32)),
    264: (64, 32, (6, 12, 64, 48)),
}
"""Channels of the first convolution, channels that a layer adds, and layers of each block."""


class BNACConvLayer(Layer):
    """A normalization with activation, and a convolution."""

    def __init__(
        self,
        num_channels: int,
        num_filters: int,
        filter_size: int,
        stride: int = 1,
        pad: int = 0,
        groups: int = 1,
        act: str = "relu",
    ) -> None:
        super().__init__()
        self._batch_norm = BatchNorm(num_channels, act=act)
        self._conv = Conv2D(
            num_channels, num_filters, filter_size, stride, pad, groups=groups, bias_attr=False
        )

    def forward(self, input: Any) -> Any:
        """[N, in, H, W] becomes [N, out, OH, OW]."""
        return self._conv(self._batch_norm(input))


class DenseLayer(Layer):
    """A 1 x 1 and a 3 x 3 convolution, whose channels are put behind those that came in."""

    def __init__(self, num_channels: int, growth_rate: int, bn_size: int, dropout: float) -> None:
        super().__init__()
        self.dropout = dropout
        self.bn_ac_func1 = BNACConvLayer(num_channels, bn_size * growth_rate, 1)
        self.bn_ac_func2 = BNACConvLayer(bn_size * growth_rate, growth_rate, 3, pad=1)
        if dropout:
            self.dropout_func = Dropout(p=dropout, mode="downscale_in_infer")

    def forward(self, input: Any) -> Any:
        """[N, C, H, W] becomes [N, C + growth, H, W]."""
        found = self.bn_ac_func2(self.bn_ac_func1(input))
        return concat([input, self.dropout_func(found) if self.dropout else found], axis=1)


class DenseBlock(Layer):
    """Dense layers, one after the other."""

    def __init__(
        self,
        num_channels: int,
        num_layers: int,
        bn_size: int,
        growth_rate: int,
        dropout: float,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.dropout = dropout
        self.dense_layer_func = [
            self.add_sublayer(
                f"{name}_{number + 1}",
                DenseLayer(num_channels + number * growth_rate, growth_rate, bn_size, dropout),
            )
            for number in range(num_layers)
        ]

    def forward(self, input: Any) -> Any:
        """[N, C, H, W] becomes [N, C + layers * growth, H, W]."""
        for layer in self.dense_layer_func:
            input = layer(input)
        return input


class TransitionLayer(Layer):
    """A 1 x 1 convolution, and the average of 2 x 2."""

    def __init__(self, num_channels: int, num_output_features: int) -> None:
        super().__init__()
        self.conv_ac_func = BNACConvLayer(num_channels, num_output_features, 1)
        self.pool2d_avg = AvgPool2D(kernel_size=2, stride=2, padding=0)

    def forward(self, input: Any) -> Any:
        """[N, in, H, W] becomes [N, out, H / 2, W / 2]."""
        return self.pool2d_avg(self.conv_ac_func(input))


class ConvBNLayer(Layer):
    """A convolution, and a normalization with activation."""

    def __init__(
        self,
        num_channels: int,
        num_filters: int,
        filter_size: int,
        stride: int = 1,
        pad: int = 0,
        groups: int = 1,
        act: str = "relu",
    ) -> None:
        super().__init__()
        self._conv = Conv2D(
            num_channels, num_filters, filter_size, stride, pad, groups=groups, bias_attr=False
        )
        self._batch_norm = BatchNorm(num_filters, act=act)

    def forward(self, input: Any) -> Any:
        """[N, in, H, W] becomes [N, out, OH, OW]."""
        return self._batch_norm(self._conv(input))


class DenseNet(Layer):
    """A convolution, four blocks and a matrix; images [N, 3, 224, 224] become scores [N, num_classes].

    Args:
        layers: 121, 161, 169, 201 or 264.
        bn_size: how many times more channels there are between the two convolutions of a layer than it adds.
        dropout: probability that a number which a layer adds is left out.
        num_classes: how many; 0 leaves out the matrix.
        with_pool: whether the average over the image is taken before it.

    Raises:
        AssertionError: **supported layers**.
    """

    def __init__(
        self,
        layers: int = 121,
        bn_size: int = 4,
        dropout: float = 0.0,
        num_classes: int = 1000,
        with_pool: bool = True,
    ) -> None:
        super().__init__()
        self.num_classes = num_classes
        self.with_pool = with_pool
        assert layers in _SPECS, f"supported layers are {list(_SPECS)} but input layer is {layers}"
        channels, growth, self.block_config = _SPECS[layers]
        self.conv1_func = ConvBNLayer(3, channels, 7, stride=2, pad=3)
        self.pool2d_max = MaxPool2D(kernel_size=3, stride=2, padding=1)
        self._row: list[Layer] = []
        for number, size in enumerate(self.block_config, 2):
            block = DenseBlock(channels, size, bn_size, growth, dropout, f"conv{number}")
            self._row.append(self.add_sublayer(f"db_conv_{number}", block))
            channels += size * growth
            if number <= len(self.block_config):
                halved = TransitionLayer(channels, channels // 2)
                self._row.append(self.add_sublayer(f"tr_conv{number}_blk", halved))
                channels //= 2
        self.batch_norm = BatchNorm(channels, act="relu")
        if with_pool:
            self.pool2d_avg = AdaptiveAvgPool2D(1)
        if num_classes > 0:
            bound = 1.0 / math.sqrt(channels)
            self.out = Linear(channels, num_classes, ParamAttr(initializer=Uniform(-bound, bound)))

    def forward(self, input: Any) -> Any:
        """Return the scores of each class, or what the blocks give."""
        x = self.pool2d_max(self.conv1_func(input))
        for layer in self._row:
            x = layer(x)
        x = self.batch_norm(x)
        if self.with_pool:
            x = self.pool2d_avg(x)
        return self.out(x.flatten(1)) if self.num_classes > 0 else x


densenet121 = network("densenet121", DenseNet, "a DenseNet of depth 121", 121)
densenet161 = network("densenet161", DenseNet, "a DenseNet of depth 161", 161)
densenet169 = network("densenet169", DenseNet, "a DenseNet of depth 169", 169)
densenet201 = network("densenet201", DenseNet, "a DenseNet of depth 201", 201)
densenet264 = network("densenet264", DenseNet, "a DenseNet of depth 264", 264)
