"""GoogLeNet: several convolutions side by side (Szegedy and others, 2014)."""

from __future__ import annotations

from typing import Any

from minipaddle.ops.manipulation.concat import concat
from minipaddle.paddle.nn import AvgPool2D, Conv2D, Dropout, Layer, Linear, MaxPool2D, ParamAttr
from minipaddle.paddle.nn import functional as F
from minipaddle.paddle.nn.initializer import Uniform
from minipaddle.paddle.nn.layer.adaptive_pooling import AdaptiveAvgPool2D
from minipaddle.paddle.vision.models.weights import network


def xavier(channels: int, filter_size: int) -> ParamAttr:
    """Return how the weights of a matrix begin that takes `channels` of that size."""
    bound = (3.0 / (filter_size**2 * channels)) ** 0.5
    return ParamAttr(initializer=Uniform(-bound, bound))


class ConvLayer(Layer):
    """A convolution without bias, which keeps the size of the image if the stride is 1."""

    def __init__(
        self, num_channels: int, num_filters: int, filter_size: int, stride: int = 1, groups: int = 1
    ) -> None:
        super().__init__()
        padding = (filter_size - 1) // 2
        self._conv = Conv2D(
            num_channels, num_filters, filter_size, stride, padding, groups=groups, bias_attr=False
        )

    def forward(self, inputs: Any) -> Any:
        """[N, in, H, W] becomes [N, out, OH, OW]."""
        return self._conv(inputs)


class Inception(Layer):
    """Convolutions of 1, 3 and 5 pixels and a pool, side by side.

    Args:
        input_channels, output_channels: the second is not used.
        filter1, filter3, filter5, proj: channels that each way gives.
        filter3R, filter5R: channels before the larger convolutions.
    """

    def __init__(
        self,
        input_channels: int,
        output_channels: int,
        filter1: int,
        filter3R: int,
        filter3: int,
        filter5R: int,
        filter5: int,
        proj: int,
    ) -> None:
        super().__init__()
        self._conv1 = ConvLayer(input_channels, filter1, 1)
        self._conv3r = ConvLayer(input_channels, filter3R, 1)
        self._conv3 = ConvLayer(filter3R, filter3, 3)
        self._conv5r = ConvLayer(input_channels, filter5R, 1)
        self._conv5 = ConvLayer(filter5R, filter5, 5)
        self._pool = MaxPool2D(kernel_size=3, stride=1, padding=1)
        self._convprj = ConvLayer(input_channels, proj, 1)

    def forward(self, inputs: Any) -> Any:
        """[N, in, H, W] becomes [N, filter1 + filter3 + filter5 + proj, H, W]."""
        three = self._conv3(self._conv3r(inputs))
        five = self._conv5(self._conv5r(inputs))
        pooled = self._convprj(self._pool(inputs))
        return F.relu(concat([self._conv1(inputs), three, five, pooled], axis=1))


class GoogLeNet(Layer):
    """Three convolutions, nine inceptions and a matrix; it gives scores in three places.

    Args:
        num_classes: how many; 0 leaves out the matrices.
        with_pool: whether averages over the image are taken before them.
    """

    def __init__(self, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.num_classes = num_classes
        self.with_pool = with_pool
        self._conv = ConvLayer(3, 64, 7, 2)
        self._pool = MaxPool2D(kernel_size=3, stride=2)
        self._conv_1 = ConvLayer(64, 64, 1)
        self._conv_2 = ConvLayer(64, 192, 3)
        self._ince3a = Inception(192, 192, 64, 96, 128, 16, 32, 32)
        self._ince3b = Inception(256, 256, 128, 128, 192, 32, 96, 64)
        self._ince4a = Inception(480, 480, 192, 96, 208, 16, 48, 64)
        self._ince4b = Inception(512, 512, 160, 112, 224, 24, 64, 64)
        self._ince4c = Inception(512, 512, 128, 128, 256, 24, 64, 64)
        self._ince4d = Inception(512, 512, 112, 144, 288, 32, 64, 64)
        self._ince4e = Inception(528, 528, 256, 160, 320, 32, 128, 128)
        self._ince5a = Inception(832, 832, 256, 160, 320, 32, 128, 128)
        self._ince5b = Inception(832, 832, 384, 192, 384, 48, 128, 128)
        if with_pool:
            self._pool_5 = AdaptiveAvgPool2D(1)
            self._pool_o1 = AvgPool2D(kernel_size=5, stride=3)
            self._pool_o2 = AvgPool2D(kernel_size=5, stride=3)
        if num_classes > 0:
            self._drop = Dropout(p=0.4, mode="downscale_in_infer")
            self._fc_out = Linear(1024, num_classes, weight_attr=xavier(1024, 1))
            self._conv_o1 = ConvLayer(512, 128, 1)
            self._fc_o1 = Linear(1152, 1024, weight_attr=xavier(2048, 1))
            self._drop_o1 = Dropout(p=0.7, mode="downscale_in_infer")
            self._out1 = Linear(1024, num_classes, weight_attr=xavier(1024, 1))
            self._conv_o2 = ConvLayer(528, 128, 1)
            self._fc_o2 = Linear(1152, 1024, weight_attr=xavier(2048, 1))
            self._drop_o2 = Dropout(p=0.7, mode="downscale_in_infer")
            self._out2 = Linear(1024, num_classes, weight_attr=xavier(1024, 1))

    def forward(self, inputs: Any) -> tuple[Any, Any, Any]:
        """Return the scores of each class at the end, and after the fourth and the seventh inception."""
        x = self._pool(self._conv_2(self._conv_1(self._pool(self._conv(inputs)))))
        x = self._pool(self._ince3b(self._ince3a(x)))
        out1 = self._ince4a(x)
        out2 = self._ince4d(self._ince4c(self._ince4b(out1)))
        x = self._pool(self._ince4e(out2))
        out = self._ince5b(self._ince5a(x))
        if self.with_pool:
            out, out1, out2 = self._pool_5(out), self._pool_o1(out1), self._pool_o2(out2)
        if self.num_classes > 0:
            out = self._fc_out(self._drop(out).squeeze([2, 3]))
            out1 = self._fc_o1(self._conv_o1(out1).flatten(1))
            out1 = self._out1(self._drop_o1(F.relu(out1)))
            out2 = self._fc_o2(self._conv_o2(out2).flatten(1))
            out2 = self._out2(self._drop_o2(out2))
        return out, out1, out2


googlenet = network("googlenet", GoogLeNet, "a GoogLeNet")
