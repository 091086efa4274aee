"""MobileNet: convolutions of each channel for itself, then of the channels at each pixel (Howard and others, 2017)."""

from __future__ import annotations

from typing import Any

from minipaddle.paddle.nn import Layer, Linear
from minipaddle.paddle.nn.layer.adaptive_pooling import AdaptiveAvgPool2D
from minipaddle.paddle.vision.models.weights import with_weights
from minipaddle.paddle.vision.ops.blocks import ConvNormActivation

_BLOCKS = (
    ("conv2_1", 32, 64, 1),
    ("conv2_2", 64, 128, 2),
    ("conv3_1", 128, 128, 1),
    ("conv3_2", 128, 256, 2),
    ("conv4_1", 256, 256, 1),
    ("conv4_2", 256, 512, 2),
    *((f"conv5_{number}", 512, 512, 1) for number in range(1, 6)),
    ("conv5_6", 512, 1024, 2),
    ("conv6", 1024, 1024, 1),
)
"""Name, channels that come in and go out, and stride of each block."""


class DepthwiseSeparable(Layer):
    """A 3 x 3 convolution of each channel for itself, and a 1 x 1 convolution of all."""

    def __init__(
        self,
        in_channels: int,
        out_channels1: int,
        out_channels2: int,
        num_groups: int,
        stride: int,
        scale: float,
    ) -> None:
        super().__init__()
        middle, groups = int(out_channels1 * scale), int(num_groups * scale)
        self._depthwise_conv = ConvNormActivation(in_channels, middle, 3, stride, 1, groups)
        self._pointwise_conv = ConvNormActivation(middle, int(out_channels2 * scale), 1, 1, 0)

    def forward(self, x: Any) -> Any:
        """[N, in, H, W] becomes [N, out, H / stride, W / stride]."""
        return self._pointwise_conv(self._depthwise_conv(x))


class MobileNetV1(Layer):
    """A convolution, thirteen blocks and a matrix; images [N, 3, 224, 224] become scores [N, num_classes].

    Args:
        scale: of all numbers of channels.
        num_classes: how many; 0 leaves out the matrix.
        with_pool: whether the average over the image is taken before it.
    """

    def __init__(self, scale: float = 1.0, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.scale = scale
        self.num_classes = num_classes
        self.with_pool = with_pool
        self.conv1 = ConvNormActivation(3, int(32 * scale), 3, 2, 1)
        self.dwsl = [
            self.add_sublayer(name, DepthwiseSeparable(int(wide * scale), wide, out, wide, stride, scale))
            for name, wide, out, stride in _BLOCKS
        ]
        if with_pool:
            self.pool2d_avg = AdaptiveAvgPool2D(1)
        if num_classes > 0:
            self.fc = Linear(int(1024 * scale), num_classes)

    def forward(self, x: Any) -> Any:
        """Return the scores of each class, or what the blocks give."""
        x = self.conv1(x)
        for block in self.dwsl:
            x = block(x)
        if self.with_pool:
            x = self.pool2d_avg(x)
        return self.fc(x.flatten(1)) if self.num_classes > 0 else x


def mobilenet_v1(pretrained: bool = False, scale: float = 1.0, **kwargs: Any) -> MobileNetV1:
    """Return a MobileNet; the options are those of :class:`MobileNetV1`."""
    return with_weights(MobileNetV1(scale=scale, **kwargs), f"mobilenetv1_{scale}", pretrained)
