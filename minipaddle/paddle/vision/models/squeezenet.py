"""SqueezeNet: few channels before many (Iandola and others, 2016)."""

from __future__ import annotations

from typing import Any

from minipaddle.ops.manipulation.concat import concat
from minipaddle.paddle.nn import Conv2D, Dropout, Layer, MaxPool2D
from minipaddle.paddle.nn import functional as F
from minipaddle.paddle.nn.layer.adaptive_pooling import AdaptiveAvgPool2D
from minipaddle.paddle.vision.models.weights import network

_POOLS = {"1.0": (3, 7), "1.1": (2, 4)}
"""After which fires the image is made smaller."""
_FIRES = (64, 64, 128, 128, 192, 192, 256, 256)
"""Channels that each fire gives on each of its two ways."""


class MakeFireConv(Layer):
    """A convolution and a ReLU."""

    def __init__(self, input_channels: int, output_channels: int, filter_size: int, padding: int = 0) -> None:
        super().__init__()
        self._conv = Conv2D(input_channels, output_channels, filter_size, padding=padding)

    def forward(self, x: Any) -> Any:
        """[N, in, H, W] becomes [N, out, H, W]."""
        return F.relu(self._conv(x))


class MakeFire(Layer):
    """Few channels, and from these many on two ways: through 1 x 1 and through 3 x 3."""

    def __init__(
        self, input_channels: int, squeeze_channels: int, expand1x1_channels: int, expand3x3_channels: int
    ) -> None:
        super().__init__()
        self._conv = MakeFireConv(input_channels, squeeze_channels, 1)
        self._conv_path1 = MakeFireConv(squeeze_channels, expand1x1_channels, 1)
        self._conv_path2 = MakeFireConv(squeeze_channels, expand3x3_channels, 3, padding=1)

    def forward(self, inputs: Any) -> Any:
        """Return the channels of both ways."""
        x = self._conv(inputs)
        return concat([self._conv_path1(x), self._conv_path2(x)], axis=1)


class SqueezeNet(Layer):
    """A convolution, eight fires and a convolution; images [N, 3, 224, 224] become scores [N, num_classes].

    Args:
        version: "1.0" or "1.1", which is quicker.
        num_classes: how many; 0 leaves out the last convolution.
        with_pool: whether the scores are averaged over the image.

    Raises:
        AssertionError: **supported versions**.
    """

    def __init__(self, version: str, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.version = version
        self.num_classes = num_classes
        self.with_pool = with_pool
        assert version in _POOLS, f"supported versions are {list(_POOLS)} but input version is {version}"
        self._conv = Conv2D(3, 96, 7, stride=2) if version == "1.0" else Conv2D(3, 64, 3, stride=2, padding=1)
        self._pool = MaxPool2D(kernel_size=3, stride=2, padding=0)
        channels = 96 if version == "1.0" else 64
        for number, half in enumerate(_FIRES, 1):
            self.add_sublayer(f"_conv{number}", MakeFire(channels, half // 4, half, half))
            channels = 2 * half
        self._drop = Dropout(p=0.5, mode="downscale_in_infer")
        self._conv9 = Conv2D(512, num_classes, 1)
        self._avg_pool = AdaptiveAvgPool2D(1)

    def forward(self, inputs: Any) -> Any:
        """Return the scores of each class, or what the fires give."""
        x = self._pool(F.relu(self._conv(inputs)))
        for number in range(1, len(_FIRES) + 1):
            x = getattr(self, f"_conv{number}")(x)
            if number in _POOLS[self.version]:
                x = self._pool(x)
        if self.num_classes > 0:
            x = self._conv9(self._drop(x))
        if self.with_pool:
            x = self._avg_pool(F.relu(x)).squeeze([2, 3])
        return x


squeezenet1_0 = network("squeezenet1_0", SqueezeNet, "a SqueezeNet 1.0", "1.0")
squeezenet1_1 = network("squeezenet1_1", SqueezeNet, "a SqueezeNet 1.1", "1.1")
