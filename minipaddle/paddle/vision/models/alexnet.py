"""AlexNet (Krizhevsky, Sutskever and Hinton, 2012)."""

from __future__ import annotations

import math
from typing import Any

from minipaddle.paddle.nn import Conv2D, Dropout, Layer, Linear, MaxPool2D, ParamAttr, ReLU
from minipaddle.paddle.nn import functional as F
from minipaddle.paddle.nn.initializer import Uniform
from minipaddle.paddle.vision.models.weights import network


def _uniform(bound: float) -> dict[str, Any]:
    """Return how weights and biases begin: anywhere up to `bound` from zero."""
    return {
        "weight_attr": ParamAttr(initializer=Uniform(-bound, bound)),
        "bias_attr": ParamAttr(initializer=Uniform(-bound, bound)),
    }


def _bound(size: int) -> float:
    """Return how large weights may be that `size` numbers are multiplied by."""
    return 1.0 / math.sqrt(size)


class ConvPoolLayer(Layer):
    """A convolution, a ReLU if `act` says so, and the largest of each 3 x 3."""

    def __init__(
        self,
        input_channels: int,
        output_channels: int,
        filter_size: int,
        stride: int,
        padding: int,
        stdv: float,
        groups: int = 1,
        act: str | None = None,
    ) -> None:
        super().__init__()
        self.relu = ReLU() if act == "relu" else None
        self._conv = Conv2D(
            input_channels, output_channels, filter_size, stride, padding, groups=groups, **_uniform(stdv)
        )
        self._pool = MaxPool2D(kernel_size=3, stride=2, padding=0)

    def forward(self, inputs: Any) -> Any:
        """[N, in, H, W] becomes [N, out, OH, OW]."""
        x = self._conv(inputs)
        return self._pool(x if self.relu is None else self.relu(x))


class AlexNet(Layer):
    """Five convolutions and three matrices; images [N, 3, 224, 224] become scores [N, num_classes].

    Args:
        num_classes: how many; 0 leaves out the matrices.
    """

    def __init__(self, num_classes: int = 1000) -> None:
        super().__init__()
        self.num_classes = num_classes
        self._conv1 = ConvPoolLayer(3, 64, 11, 4, 2, _bound(3 * 11 * 11), act="relu")
        self._conv2 = ConvPoolLayer(64, 192, 5, 1, 2, _bound(64 * 5 * 5), act="relu")
        self._conv3 = Conv2D(192, 384, 3, stride=1, padding=1, **_uniform(_bound(192 * 3 * 3)))
        self._conv4 = Conv2D(384, 256, 3, stride=1, padding=1, **_uniform(_bound(384 * 3 * 3)))
        self._conv5 = ConvPoolLayer(256, 256, 3, 1, 1, _bound(256 * 3 * 3), act="relu")
        if num_classes > 0:
            size = 256 * 6 * 6
            begin = _uniform(_bound(size))
            self._drop1 = Dropout(p=0.5, mode="downscale_in_infer")
            self._fc6 = Linear(size, 4096, **begin)
            self._drop2 = Dropout(p=0.5, mode="downscale_in_infer")
            self._fc7 = Linear(4096, 4096, **begin)
            self._fc8 = Linear(4096, num_classes, **begin)

    def forward(self, inputs: Any) -> Any:
        """Return the scores of each class, or what the convolutions give."""
        x = self._conv2(self._conv1(inputs))
        x = F.relu(self._conv3(x))
        x = F.relu(self._conv4(x))
        x = self._conv5(x)
        if self.num_classes <= 0:
            return x
        x = F.relu(self._fc6(self._drop1(x.flatten(1))))
        x = F.relu(self._fc7(self._drop2(x)))
        return self._fc8(x)


alexnet = network("alexnet", AlexNet, "an AlexNet")
