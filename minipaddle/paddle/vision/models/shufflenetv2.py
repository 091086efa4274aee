"""ShuffleNetV2: half of the channels at a time, then mixed (Ma, Zhang, Zheng and Sun, 2018)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.ops.manipulation.concat import concat
from minipaddle.ops.manipulation.split import split
from minipaddle.paddle.nn import Layer, Linear, MaxPool2D, ReLU, Swish
from minipaddle.paddle.nn.layer.adaptive_pooling import AdaptiveAvgPool2D
from minipaddle.paddle.vision.models.weights import network
from minipaddle.paddle.vision.ops.blocks import ConvNormActivation

_CHANNELS = {
    0.25: (24, 24, 48, 96, 512),
    0.33: (24, 32, 64, 128, 512),
    0.5: (24, 48, 96, 192, 1024),
    1.0: (24, 116, 232, 464, 1024),
    1.5: (24, 176, 352, 704, 1024),
    2.0: (24, 224, 488, 976, 2048),
}
"""Channels after the first convolution, each row of blocks and the last convolution, by scale."""
_REPEATS = (4, 8, 4)
_ACTIVATIONS = {"swish": Swish, "relu": ReLU, None: None}


def channel_shuffle(x: Any, groups: int) -> Any:
    """Mix the channels of `groups`: one of each in turn; [N, C, H, W] keeps its shape."""
    batch, channels, height, width = x.shape
    x = x.reshape([batch, groups, channels // groups, height, width])
    return x.transpose([0, 2, 1, 3, 4]).reshape([batch, channels, height, width])


class InvertedResidual(Layer):
    """Convolutions of the second half of the channels; the first stays."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        stride: int,
        activation_layer: Callable[..., Layer] | None = ReLU,
    ) -> None:
        super().__init__()
        half, act = out_channels // 2, activation_layer
        self._conv_pw = ConvNormActivation(in_channels // 2, half, 1, 1, 0, activation_layer=act)
        self._conv_dw = ConvNormActivation(half, half, 3, stride, 1, half, activation_layer=None)
        self._conv_linear = ConvNormActivation(half, half, 1, 1, 0, activation_layer=act)

    def forward(self, inputs: Any) -> Any:
        """[N, C, H, W] keeps its shape."""
        kept, other = split(inputs, [inputs.shape[1] // 2] * 2, axis=1)
        other = self._conv_linear(self._conv_dw(self._conv_pw(other)))
        return channel_shuffle(concat([kept, other], axis=1), 2)


class InvertedResidualDS(Layer):
    """Convolutions of all channels on two ways, which make the image smaller."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        stride: int,
        activation_layer: Callable[..., Layer] | None = ReLU,
    ) -> None:
        super().__init__()
        half, act = out_channels // 2, activation_layer
        self._conv_dw_1 = ConvNormActivation(
            in_channels, in_channels, 3, stride, 1, in_channels, activation_layer=None
        )
        self._conv_linear_1 = ConvNormActivation(in_channels, half, 1, 1, 0, activation_layer=act)
        self._conv_pw_2 = ConvNormActivation(in_channels, half, 1, 1, 0, activation_layer=act)
        self._conv_dw_2 = ConvNormActivation(half, half, 3, stride, 1, half, activation_layer=None)
        self._conv_linear_2 = ConvNormActivation(half, half, 1, 1, 0, activation_layer=act)

    def forward(self, inputs: Any) -> Any:
        """[N, in, H, W] becomes [N, out, H / stride, W / stride]."""
        first = self._conv_linear_1(self._conv_dw_1(inputs))
        second = self._conv_linear_2(self._conv_dw_2(self._conv_pw_2(inputs)))
        return channel_shuffle(concat([first, second], axis=1), 2)


class ShuffleNetV2(Layer):
    """A convolution, sixteen blocks, a convolution and a matrix; [N, 3, 224, 224] becomes [N, num_classes].

    Args:
        scale: 0.25, 0.33, 0.5, 1.0, 1.5 or 2.0: how many channels.
        act: "relu", "swish" or None.
        num_classes: how many; 0 leaves out the matrix.
        with_pool: whether the average over the image is taken before it.

    Raises:
        NotImplementedError: **is not implemented**, for another scale.
        RuntimeError: **is not supported**, for another activation.
    """

    def __init__(
        self, scale: float = 1.0, act: str | None = "relu", num_classes: int = 1000, with_pool: bool = True
    ) -> None:
        super().__init__()
        self.scale = scale
        self.num_classes = num_classes
        self.with_pool = with_pool
        if act not in _ACTIVATIONS:
            raise RuntimeError(f"The activation function is not supported: {act}")
        if scale not in _CHANNELS:
            raise NotImplementedError(f"This scale size:[{scale}] is not implemented!")
        activation = _ACTIVATIONS[act]
        channels, *rows, last = _CHANNELS[scale]
        self._conv1 = ConvNormActivation(3, channels, 3, 2, 1, activation_layer=activation)
        self._max_pool = MaxPool2D(kernel_size=3, stride=2, padding=1)
        self._block_list = []
        for row, (out, repeat) in enumerate(zip(rows, _REPEATS, strict=True), 2):
            for number in range(1, repeat + 1):
                first = number == 1
                block = (InvertedResidualDS if first else InvertedResidual)(
                    channels, out, 2 if first else 1, activation
                )
                self._block_list.append(self.add_sublayer(f"{row}_{number}", block))
                channels = out
        self._last_conv = ConvNormActivation(channels, last, 1, 1, 0, activation_layer=activation)
        if with_pool:
            self._pool2d_avg = AdaptiveAvgPool2D(1)
        if num_classes > 0:
            self._out_c = last
            self._fc = Linear(last, num_classes)

    def forward(self, inputs: Any) -> Any:
        """Return the scores of each class, or what the last convolution gives."""
        x = self._max_pool(self._conv1(inputs))
        for block in self._block_list:
            x = block(x)
        x = self._last_conv(x)
        if self.with_pool:
            x = self._pool2d_avg(x)
        return self._fc(x.flatten(1)) if self.num_classes > 0 else x


shufflenet_v2_x0_25 = network("shufflenet_v2_x0_25", ShuffleNetV2, "a ShuffleNetV2 of scale 0.25", 0.25)
shufflenet_v2_x0_33 = network("shufflenet_v2_x0_33", ShuffleNetV2, "a ShuffleNetV2 of scale 0.33", 0.33)
shufflenet_v2_x0_5 = network("shufflenet_v2_x0_5", ShuffleNetV2, "a ShuffleNetV2 of scale 0.5", 0.5)
shufflenet_v2_x1_0 = network("shufflenet_v2_x1_0", ShuffleNetV2, "a ShuffleNetV2 of scale 1.0", 1.0)
shufflenet_v2_x1_5 = network("shufflenet_v2_x1_5", ShuffleNetV2, "a ShuffleNetV2 of scale 1.5", 1.5)
shufflenet_v2_x2_0 = network("shufflenet_v2_x2_0", ShuffleNetV2, "a ShuffleNetV2 of scale 2.0", 2.0)
shufflenet_v2_swish = network(
    "shufflenet_v2_swish", ShuffleNetV2, "a ShuffleNetV2 of scale 1.0 with Swish for ReLU", 1.0, act="swish"
)
