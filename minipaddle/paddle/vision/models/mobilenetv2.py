"""MobileNetV2: blocks that are wide inside and narrow outside (Sandler and others, 2018)."""

from __future__ import annotations

from typing import Any

from minipaddle.paddle.nn import BatchNorm2D, Conv2D, Dropout, Layer, Linear, ReLU6, Sequential
from minipaddle.paddle.nn.layer.pooling import AdaptiveAvgPool2D
from minipaddle.paddle.vision.models.weights import with_weights

_ROWS = (
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
)
"""Expansion factor, channels, number of blocks, and stride of the first block."""


def _make_divisible(v: float, divisor: int = 8) -> int:
    """Return the multiple of `divisor` nearest to `v`, and at most a tenth below it.

    >>> _make_divisible(18), _make_divisible(4), _make_divisible(90)
    (24, 8, 88)
    """
    rounded = max(divisor, int(v + divisor / 2) // divisor * divisor)
    return rounded + divisor if rounded < 0.9 * v else rounded


def _block(inp: int, oup: int, size: int = 3, stride: int = 1, groups: int = 1) -> Sequential:
    """Return a convolution, a batch norm and ReLU6 in a row."""
    convolution = Conv2D(inp, oup, size, stride, (size - 1) // 2, groups=groups, bias_attr=False)
    return Sequential(convolution, BatchNorm2D(oup), ReLU6())


class InvertedResidual(Layer):
    """A block: more channels, a convolution of each channel, fewer channels; adds the input if its shape fits.

    Args:
        inp, oup: channels of input and output.
        stride: 1 or 2.
        expand_ratio: the factor of channels inside.
    """

    def __init__(self, inp: int, oup: int, stride: int, expand_ratio: float) -> None:
        super().__init__()
        self.stride = stride
        assert stride in (1, 2)
        hidden = round(inp * expand_ratio)
        self.use_res_connect = stride == 1 and inp == oup
        wider = [] if expand_ratio == 1 else [_block(inp, hidden, 1)]
        each_for_itself = _block(hidden, hidden, stride=stride, groups=hidden)
        narrower = Conv2D(hidden, oup, 1, bias_attr=False)
        self.conv = Sequential(*wider, each_for_itself, narrower, BatchNorm2D(oup))

    def forward(self, x: Any) -> Any:
        """[N, inp, H, W] becomes [N, oup, H / stride, W / stride]."""
        return x + self.conv(x) if self.use_res_connect else self.conv(x)


class MobileNetV2(Layer):
    """A convolution, seventeen blocks, a convolution and a matrix; [N, 3, 224, 224] becomes [N, num_classes].

    Args:
        scale: a factor of all numbers of channels, which stay multiples of 8.
        num_classes: the number of classes; 0 leaves out the matrix.
        with_pool: whether the image is averaged before it.
    """

    def __init__(self, scale: float = 1.0, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.num_classes = num_classes
        self.with_pool = with_pool
        channels = _make_divisible(32 * scale)
        self.last_channel = _make_divisible(1280 * max(1.0, scale))
        features: list[Layer] = [_block(3, channels, stride=2)]
        for ratio, wide, repeat, stride in _ROWS:
            out = _make_divisible(wide * scale)
            for number in range(repeat):
                features.append(InvertedResidual(channels, out, 1 if number else stride, ratio))
                channels = out
        self.features = Sequential(*features, _block(channels, self.last_channel, 1))
        if with_pool:
            self.pool2d_avg = AdaptiveAvgPool2D(1)
        if num_classes > 0:
            self.classifier = Sequential(Dropout(0.2), Linear(self.last_channel, num_classes))

    def forward(self, x: Any) -> Any:
        """Return the scores of each class; without classes the output of the blocks."""
        x = self.features(x)
        if self.with_pool:
            x = self.pool2d_avg(x)
        return self.classifier(x.flatten(1)) if self.num_classes > 0 else x


def mobilenet_v2(pretrained: bool = False, scale: float = 1.0, **kwargs: Any) -> MobileNetV2:
    """Return a MobileNetV2; the options are those of :class:`MobileNetV2`."""
    return with_weights(MobileNetV2(scale=scale, **kwargs), f"mobilenetv2_{scale}", pretrained)
