"""MobileNetV2: blocks that are wide inside and narrow outside (Sandler and others, 2018)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from minipaddle.paddle.nn import BatchNorm2D, Conv2D, Dropout, Layer, Linear, ReLU6, Sequential
from minipaddle.paddle.nn.layer.adaptive_pooling import AdaptiveAvgPool2D
from minipaddle.paddle.vision.models._utils import _make_divisible
from minipaddle.paddle.vision.models.weights import with_weights
from minipaddle.paddle.vision.ops.blocks import ConvNormActivation

_ROWS = (
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
)
"""How much wider inside, channels, number of blocks, and stride of the first."""


class InvertedResidual(Layer):
    """More channels, a convolution of each for itself, and fewer again; what came in is added where it fits.

    Args:
        inp, oup: channels that come in and go out.
        stride: 1 or 2.
        expand_ratio: how many times more channels there are inside.
        norm_layer: makes what follows each convolution.
    """

    def __init__(
        self,
        inp: int,
        oup: int,
        stride: int,
        expand_ratio: float,
        norm_layer: Callable[..., Layer] = BatchNorm2D,
    ) -> None:
        super().__init__()
        self.stride = stride
        assert stride in (1, 2)
        hidden = round(inp * expand_ratio)
        self.use_res_connect = stride == 1 and inp == oup
        block = partial(ConvNormActivation, norm_layer=norm_layer, activation_layer=ReLU6)
        layers: list[Layer] = [] if expand_ratio == 1 else [block(inp, hidden, kernel_size=1)]
        layers.append(block(hidden, hidden, stride=stride, groups=hidden))
        layers.append(Conv2D(hidden, oup, 1, 1, 0, bias_attr=False))
        self.conv = Sequential(*layers, norm_layer(oup))

    def forward(self, x: Any) -> Any:
        """[N, inp, H, W] becomes [N, oup, H / stride, W / stride]."""
        return x + self.conv(x) if self.use_res_connect else self.conv(x)


class MobileNetV2(Layer):
    """A convolution, seventeen blocks, a convolution and a matrix; [N, 3, 224, 224] becomes [N, num_classes].

    Args:
        scale: of all numbers of channels, which stay multiples of 8.
        num_classes: how many; 0 leaves out the matrix.
        with_pool: whether the average over the image is taken before it.
    """

    def __init__(self, scale: float = 1.0, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.num_classes = num_classes
        self.with_pool = with_pool
        channels = _make_divisible(32 * scale)
        self.last_channel = _make_divisible(1280 * max(1.0, scale))
        features: list[Layer] = [ConvNormActivation(3, channels, stride=2, activation_layer=ReLU6)]
        for ratio, wide, repeat, stride in _ROWS:
            out = _make_divisible(wide * scale)
            for number in range(repeat):
                features.append(InvertedResidual(channels, out, 1 if number else stride, ratio))
                channels = out
        features.append(
            ConvNormActivation(channels, self.last_channel, kernel_size=1, activation_layer=ReLU6)
        )
        self.features = Sequential(*features)
        if with_pool:
            self.pool2d_avg = AdaptiveAvgPool2D(1)
        if num_classes > 0:
            self.classifier = Sequential(Dropout(0.2), Linear(self.last_channel, num_classes))

    def forward(self, x: Any) -> Any:
        """Return the scores of each class, or what the blocks give."""
        x = self.features(x)
        if self.with_pool:
            x = self.pool2d_avg(x)
        return self.classifier(x.flatten(1)) if self.num_classes > 0 else x


def mobilenet_v2(pretrained: bool = False, scale: float = 1.0, **kwargs: Any) -> MobileNetV2:
    """Return a MobileNetV2; the options are those of :class:`MobileNetV2`."""
    return with_weights(MobileNetV2(scale=scale, **kwargs), f"mobilenetv2_{scale}", pretrained)
