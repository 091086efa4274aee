"""MobileNetV3: blocks that weigh their channels, in a row found by search (Howard and others, 2019)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from minipaddle.paddle.nn import (
    BatchNorm2D,
    Conv2D,
    Dropout,
    Hardsigmoid,
    Hardswish,
    Layer,
    Linear,
    ReLU,
    Sequential,
    Sigmoid,
)
from minipaddle.paddle.nn.layer.adaptive_pooling import AdaptiveAvgPool2D
from minipaddle.paddle.vision.models._utils import _make_divisible
from minipaddle.paddle.vision.models.weights import with_weights
from minipaddle.paddle.vision.ops.blocks import ConvNormActivation

_ACTIVATIONS = {"relu": ReLU, "hardswish": Hardswish, None: None}
_SMALL = (
    (16, 3, 16, 16, True, "relu", 2),
    (16, 3, 72, 24, False, "relu", 2),
    (24, 3, 88, 24, False, "relu", 1),
    (24, 5, 96, 40, True, "hardswish", 2),
    *((40, 5, 240, 40, True, "hardswish", 1),) * 2,
    (40, 5, 120, 48, True, "hardswish", 1),
    (48, 5, 144, 48, True, "hardswish", 1),
    (48, 5, 288, 96, True, "hardswish", 2),
    *((96, 5, 576, 96, True, "hardswish", 1),) * 2,
)
"""Channels in, size of the kernel, channels inside and out, whether they are weighed, activation, stride."""
_LARGE = (
    (16, 3, 16, 16, False, "relu", 1),
    (16, 3, 64, 24, False, "relu", 2),
    (24, 3, 72, 24, False, "relu", 1),
    (24, 5, 72, 40, True, "relu", 2),
    *((40, 5, 120, 40, True, "relu", 1),) * 2,
    (40, 3, 240, 80, False, "hardswish", 2),
    (80, 3, 200, 80, False, "hardswish", 1),
    *((80, 3, 184, 80, False, "hardswish", 1),) * 2,
    (80, 3, 480, 112, True, "hardswish", 1),
    (112, 3, 672, 112, True, "hardswish", 1),
    (112, 5, 672, 160, True, "hardswish", 2),
    *((160, 5, 960, 160, True, "hardswish", 1),) * 2,
)


class SqueezeExcitation(Layer):
    """Weigh each channel by what all of them are on average.

    Args:
        input_channels: how many.
        squeeze_channels: between the two 1 x 1 convolutions that give the weights.
        activation: made between them.
        scale_activation: made after them.
    """

    def __init__(
        self,
        input_channels: int,
        squeeze_channels: int,
        activation: Callable[..., Layer] = ReLU,
        scale_activation: Callable[..., Layer] = Sigmoid,
    ) -> None:
        super().__init__()
        self.avgpool = AdaptiveAvgPool2D(1)
        self.fc1 = Conv2D(input_channels, squeeze_channels, 1)
        self.fc2 = Conv2D(squeeze_channels, input_channels, 1)
        self.activation = activation()
        self.scale_activation = scale_activation()

    def forward(self, input: Any) -> Any:
        """[N, C, H, W] keeps its shape."""
        scale = self.fc2(self.activation(self.fc1(self.avgpool(input))))
        return self.scale_activation(scale) * input


class InvertedResidualConfig:
    """What one block is like; the numbers of channels are scaled, and multiples of 8.

    Raises:
        RuntimeError: **is not supported**, for another activation than relu and hardswish.
    """

    def __init__(
        self,
        in_channels: int,
        kernel: int,
        expanded_channels: int,
        out_channels: int,
        use_se: bool,
        activation: str | None,
        stride: int,
        scale: float = 1.0,
    ) -> None:
        self.in_channels = self.adjust_channels(in_channels, scale)
        self.kernel = kernel
        self.expanded_channels = self.adjust_channels(expanded_channels, scale)
        self.out_channels = self.adjust_channels(out_channels, scale)
        self.use_se = use_se
        if activation not in _ACTIVATIONS:
            raise RuntimeError(f"The activation function is not supported: {activation}")
        self.activation_layer = _ACTIVATIONS[activation]
        self.stride = stride

    @staticmethod
    def adjust_channels(channels: int, scale: float = 1.0) -> int:
        """Return the multiple of 8 near ``channels * scale``."""
        return _make_divisible(channels * scale, 8)


class InvertedResidual(Layer):
    """More channels, a convolution of each for itself, weights, and fewer; what came in is added where it fits."""

    def __init__(
        self,
        in_channels: int,
        expanded_channels: int,
        out_channels: int,
        filter_size: int,
        stride: int,
        use_se: bool,
        activation_layer: Callable[..., Layer] | None,
        norm_layer: Callable[..., Layer],
    ) -> None:
        super().__init__()
        self.use_res_connect = stride == 1 and in_channels == out_channels
        self.use_se = use_se
        self.expand = in_channels != expanded_channels
        block = partial(ConvNormActivation, norm_layer=norm_layer, activation_layer=activation_layer)
        wide, padding = expanded_channels, (filter_size - 1) // 2
        if self.expand:
            self.expand_conv = block(in_channels, wide, 1, 1, 0)
        self.bottleneck_conv = block(wide, wide, filter_size, stride, padding, wide)
        if use_se:
            self.mid_se = SqueezeExcitation(wide, _make_divisible(wide // 4), scale_activation=Hardsigmoid)
        self.linear_conv = block(wide, out_channels, 1, 1, 0, activation_layer=None)

    def forward(self, x: Any) -> Any:
        """[N, in, H, W] becomes [N, out, H / stride, W / stride]."""
        y = self.bottleneck_conv(self.expand_conv(x) if self.expand else x)
        y = self.linear_conv(self.mid_se(y) if self.use_se else y)
        return x + y if self.use_res_connect else y


class MobileNetV3(Layer):
    """A convolution, blocks, a convolution and two matrices; images [N, 3, 224, 224] become scores [N, num_classes].

    Args:
        config: what each block is like.
        last_channel: between the two matrices.
        scale: of the numbers of channels, for information.
        num_classes: how many; 0 leaves out the matrices.
        with_pool: whether the average over the image is taken before them.
    """

    def __init__(
        self,
        config: list[InvertedResidualConfig],
        last_channel: int,
        scale: float = 1.0,
        num_classes: int = 1000,
        with_pool: bool = True,
    ) -> None:
        super().__init__()
        self.config = config
        self.scale = scale
        self.last_channel = last_channel
        self.num_classes = num_classes
        self.with_pool = with_pool
        self.firstconv_in_channels = config[0].in_channels
        self.lastconv_in_channels = config[-1].in_channels
        self.lastconv_out_channels = 6 * self.lastconv_in_channels
        norm = partial(BatchNorm2D, epsilon=0.001, momentum=0.99)
        block = partial(ConvNormActivation, norm_layer=norm, activation_layer=Hardswish)
        self.conv = block(3, self.firstconv_in_channels, 3, 2, 1)
        self.blocks = Sequential(
            *(
                InvertedResidual(
                    one.in_channels, one.expanded_channels, one.out_channels, one.kernel, one.stride, one.use_se,
                    one.activation_layer, norm,
                )
                for one in config
            )
        )  # fmt: skip
        self.lastconv = block(self.lastconv_in_channels, self.lastconv_out_channels, 1, 1, 0)
        if with_pool:
            self.avgpool = AdaptiveAvgPool2D(1)
        if num_classes > 0:
            self.classifier = Sequential(
                Linear(self.lastconv_out_channels, last_channel),
                Hardswish(),
                Dropout(p=0.2),
                Linear(last_channel, num_classes),
            )

    def forward(self, x: Any) -> Any:
        """Return the scores of each class, or what the blocks give."""
        x = self.lastconv(self.blocks(self.conv(x)))
        if self.with_pool:
            x = self.avgpool(x)
        return self.classifier(x.flatten(1)) if self.num_classes > 0 else x


class MobileNetV3Small(MobileNetV3):
    """The one with eleven blocks. The arguments are those of :class:`MobileNetV3`."""

    def __init__(self, scale: float = 1.0, num_classes: int = 1000, with_pool: bool = True) -> None:
        config = [InvertedResidualConfig(*row, scale) for row in _SMALL]
        super().__init__(config, _make_divisible(1024 * scale, 8), scale, num_classes, with_pool)


class MobileNetV3Large(MobileNetV3):
    """The one with fifteen blocks. The arguments are those of :class:`MobileNetV3`."""

    def __init__(self, scale: float = 1.0, num_classes: int = 1000, with_pool: bool = True) -> None:
        config = [InvertedResidualConfig(*row, scale) for row in _LARGE]
        super().__init__(config, _make_divisible(1280 * scale, 8), scale, num_classes, with_pool)


def mobilenet_v3_small(pretrained: bool = False, scale: float = 1.0, **kwargs: Any) -> MobileNetV3Small:
    """Return a small MobileNetV3; the options are those of :class:`MobileNetV3Small`."""
    return with_weights(MobileNetV3Small(scale, **kwargs), f"mobilenet_v3_small_x{scale}", pretrained)


def mobilenet_v3_large(pretrained: bool = False, scale: float = 1.0, **kwargs: Any) -> MobileNetV3Large:
    """Return a large MobileNetV3; the options are those of :class:`MobileNetV3Large`."""
    return with_weights(MobileNetV3Large(scale, **kwargs), f"mobilenet_v3_large_x{scale}", pretrained)
