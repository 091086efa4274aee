"""Inception V3: long convolutions, across and down, instead of large ones (Szegedy and others, 2015)."""

from __future__ import annotations

import math
from typing import Any

from minipaddle.ops.manipulation.concat import concat
from minipaddle.paddle.nn import AvgPool2D, Dropout, Layer, LayerList, Linear, MaxPool2D, ParamAttr
from minipaddle.paddle.nn.initializer import Uniform
from minipaddle.paddle.nn.layer.adaptive_pooling import AdaptiveAvgPool2D
from minipaddle.paddle.vision.models.weights import network
from minipaddle.paddle.vision.ops.blocks import ConvNormActivation

_ACROSS = ((1, 7), 1, (0, 3))
_DOWN = ((7, 1), 1, (3, 0))


def _conv(channels: int, out: int, kernel: Any = 1, stride: int = 1, padding: Any = 0) -> ConvNormActivation:
    """Return a convolution with all that follows it."""
    return ConvNormActivation(channels, out, kernel, stride, padding)


class InceptionStem(Layer):
    """Five convolutions and two pools: [N, 3, 299, 299] becomes [N, 192, 35, 35]."""

    def __init__(self) -> None:
        super().__init__()
        self.conv_1a_3x3 = _conv(3, 32, 3, 2)
        self.conv_2a_3x3 = _conv(32, 32, 3)
        self.conv_2b_3x3 = _conv(32, 64, 3, 1, 1)
        self.max_pool = MaxPool2D(kernel_size=3, stride=2, padding=0)
        self.conv_3b_1x1 = _conv(64, 80)
        self.conv_4a_3x3 = _conv(80, 192, 3)

    def forward(self, x: Any) -> Any:
        """Return what the last pool gives."""
        x = self.conv_2b_3x3(self.conv_2a_3x3(self.conv_1a_3x3(x)))
        x = self.conv_3b_1x1(self.max_pool(x))
        return self.max_pool(self.conv_4a_3x3(x))


class InceptionA(Layer):
    """Convolutions of 1, 5 and twice 3 pixels, and a pool."""

    def __init__(self, num_channels: int, pool_features: int) -> None:
        super().__init__()
        self.branch1x1 = _conv(num_channels, 64)
        self.branch5x5_1 = _conv(num_channels, 48)
        self.branch5x5_2 = _conv(48, 64, 5, 1, 2)
        self.branch3x3dbl_1 = _conv(num_channels, 64)
        self.branch3x3dbl_2 = _conv(64, 96, 3, 1, 1)
        self.branch3x3dbl_3 = _conv(96, 96, 3, 1, 1)
        self.branch_pool = AvgPool2D(kernel_size=3, stride=1, padding=1, exclusive=False)
        self.branch_pool_conv = _conv(num_channels, pool_features)

    def forward(self, x: Any) -> Any:
        """[N, in, H, W] becomes [N, 224 + pool_features, H, W]."""
        five = self.branch5x5_2(self.branch5x5_1(x))
        three = self.branch3x3dbl_3(self.branch3x3dbl_2(self.branch3x3dbl_1(x)))
        pooled = self.branch_pool_conv(self.branch_pool(x))
        return concat([self.branch1x1(x), five, three, pooled], axis=1)


class InceptionB(Layer):
    """Convolutions of 3 and twice 3 pixels and a pool, each with stride 2."""

    def __init__(self, num_channels: int) -> None:
        super().__init__()
        self.branch3x3 = _conv(num_channels, 384, 3, 2)
        self.branch3x3dbl_1 = _conv(num_channels, 64)
        self.branch3x3dbl_2 = _conv(64, 96, 3, 1, 1)
        self.branch3x3dbl_3 = _conv(96, 96, 3, 2)
        self.branch_pool = MaxPool2D(kernel_size=3, stride=2)

    def forward(self, x: Any) -> Any:
        """[N, in, H, W] becomes [N, in + 480, H / 2, W / 2]."""
        twice = self.branch3x3dbl_3(self.branch3x3dbl_2(self.branch3x3dbl_1(x)))
        return concat([self.branch3x3(x), twice, self.branch_pool(x)], axis=1)


class InceptionC(Layer):
    """Convolutions of 1, 7 and twice 7 pixels, each across and down, and a pool."""

    def __init__(self, num_channels: int, channels_7x7: int) -> None:
        super().__init__()
        inside = channels_7x7
        self.branch1x1 = _conv(num_channels, 192)
        self.branch7x7_1 = _conv(num_channels, inside)
        self.branch7x7_2 = _conv(inside, inside, *_ACROSS)
        self.branch7x7_3 = _conv(inside, 192, *_DOWN)
        self.branch7x7dbl_1 = _conv(num_channels, inside)
        self.branch7x7dbl_2 = _conv(inside, inside, *_DOWN)
        self.branch7x7dbl_3 = _conv(inside, inside, *_ACROSS)
        self.branch7x7dbl_4 = _conv(inside, inside, *_DOWN)
        self.branch7x7dbl_5 = _conv(inside, 192, *_ACROSS)
        self.branch_pool = AvgPool2D(kernel_size=3, stride=1, padding=1, exclusive=False)
        self.branch_pool_conv = _conv(num_channels, 192)

    def forward(self, x: Any) -> Any:
        """[N, in, H, W] becomes [N, 768, H, W]."""
        once = self.branch7x7_3(self.branch7x7_2(self.branch7x7_1(x)))
        twice = self.branch7x7dbl_3(self.branch7x7dbl_2(self.branch7x7dbl_1(x)))
        twice = self.branch7x7dbl_5(self.branch7x7dbl_4(twice))
        pooled = self.branch_pool_conv(self.branch_pool(x))
        return concat([self.branch1x1(x), once, twice, pooled], axis=1)


class InceptionD(Layer):
    """Convolutions of 3 and of 7 and 3 pixels and a pool, each with stride 2."""

    def __init__(self, num_channels: int) -> None:
        super().__init__()
        self.branch3x3_1 = _conv(num_channels, 192)
        self.branch3x3_2 = _conv(192, 320, 3, 2)
        self.branch7x7x3_1 = _conv(num_channels, 192)
        self.branch7x7x3_2 = _conv(192, 192, *_ACROSS)
        self.branch7x7x3_3 = _conv(192, 192, *_DOWN)
        self.branch7x7x3_4 = _conv(192, 192, 3, 2)
        self.branch_pool = MaxPool2D(kernel_size=3, stride=2)

    def forward(self, x: Any) -> Any:
        """[N, in, H, W] becomes [N, in + 512, H / 2, W / 2]."""
        three = self.branch3x3_2(self.branch3x3_1(x))
        seven = self.branch7x7x3_3(self.branch7x7x3_2(self.branch7x7x3_1(x)))
        return concat([three, self.branch7x7x3_4(seven), self.branch_pool(x)], axis=1)


class InceptionE(Layer):
    """Convolutions of 1, 3 and twice 3 pixels, the last across and down side by side, and a pool."""

    def __init__(self, num_channels: int) -> None:
        super().__init__()
        across, down = ((1, 3), 1, (0, 1)), ((3, 1), 1, (1, 0))
        self.branch1x1 = _conv(num_channels, 320)
        self.branch3x3_1 = _conv(num_channels, 384)
        self.branch3x3_2a = _conv(384, 384, *across)
        self.branch3x3_2b = _conv(384, 384, *down)
        self.branch3x3dbl_1 = _conv(num_channels, 448)
        self.branch3x3dbl_2 = _conv(448, 384, 3, 1, 1)
        self.branch3x3dbl_3a = _conv(384, 384, *across)
        self.branch3x3dbl_3b = _conv(384, 384, *down)
        self.branch_pool = AvgPool2D(kernel_size=3, stride=1, padding=1, exclusive=False)
        self.branch_pool_conv = _conv(num_channels, 192)

    def forward(self, x: Any) -> Any:
        """[N, in, H, W] becomes [N, 2048, H, W]."""
        once = self.branch3x3_1(x)
        once = concat([self.branch3x3_2a(once), self.branch3x3_2b(once)], axis=1)
        twice = self.branch3x3dbl_2(self.branch3x3dbl_1(x))
        twice = concat([self.branch3x3dbl_3a(twice), self.branch3x3dbl_3b(twice)], axis=1)
        pooled = self.branch_pool_conv(self.branch_pool(x))
        return concat([self.branch1x1(x), once, twice, pooled], axis=1)


class InceptionV3(Layer):
    """Convolutions, eleven inceptions and a matrix; images [N, 3, 299, 299] become scores [N, num_classes].

    Args:
        num_classes: how many; 0 leaves out the matrix.
        with_pool: whether the average over the image is taken before it.
    """

    def __init__(self, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.num_classes = num_classes
        self.with_pool = with_pool
        self.inception_stem = InceptionStem()
        self.inception_block_list = LayerList(
            [
                *(InceptionA(*sizes) for sizes in ((192, 32), (256, 64), (288, 64))),
                InceptionB(288),
                *(InceptionC(768, inside) for inside in (128, 160, 160, 192)),
                InceptionD(768),
                InceptionE(1280),
                InceptionE(2048),
            ]
        )
        if with_pool:
            self.avg_pool = AdaptiveAvgPool2D(1)
        if num_classes > 0:
            self.dropout = Dropout(p=0.2, mode="downscale_in_infer")
            bound = 1.0 / math.sqrt(2048)
            self.fc = Linear(2048, num_classes, ParamAttr(initializer=Uniform(-bound, bound)))

    def forward(self, x: Any) -> Any:
        """Return the scores of each class, or what the inceptions give."""
        x = self.inception_stem(x)
        for block in self.inception_block_list:
            x = block(x)
        if self.with_pool:
            x = self.avg_pool(x)
        return self.fc(self.dropout(x.reshape([-1, 2048]))) if self.num_classes > 0 else x


inception_v3 = network("inception_v3", InceptionV3, "an Inception V3")
