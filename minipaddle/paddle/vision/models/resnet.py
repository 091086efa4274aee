"""ResNet: blocks that are added to their input (He, Zhang, Ren and Sun, 2015)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.paddle.nn import BatchNorm2D, Conv2D, Layer, Linear, MaxPool2D, ReLU, Sequential
from minipaddle.paddle.nn.layer.pooling import AdaptiveAvgPool2D
from minipaddle.paddle.vision.models.weights import with_weights

_BLOCKS = {18: (2, 2, 2, 2), 34: (3, 4, 6, 3), 50: (3, 4, 6, 3), 101: (3, 4, 23, 3), 152: (3, 8, 36, 3)}


class BasicBlock(Layer):
    """Two convolutions, added to their input; [N, inplanes, H, W] becomes [N, planes, H / stride, W / stride].

    Args:
        inplanes, planes: channels of input and output.
        stride: of the first convolution.
        downsample: a layer that fits the input to the output; None if not needed.
        groups, base_width: for a bottleneck only.
        dilation: 1.
        norm_layer: the layer after each convolution, by default BatchNorm2D.

    Raises:
        NotImplementedError: **Dilation > 1**.
    """

    expansion = 1

    def __init__(
        self,
        inplanes: int,
        planes: int,
        stride: Any = 1,
        downsample: Layer | None = None,
        groups: int = 1,
        base_width: int = 64,
        dilation: int = 1,
        norm_layer: Callable[..., Layer] | None = None,
    ) -> None:
        super().__init__()
        self._norm = norm_layer or BatchNorm2D
        self._build(inplanes, planes, stride, dilation, groups, base_width)
        self.downsample = downsample
        self.stride = stride

    def _build(
        self, inplanes: int, planes: int, stride: Any, dilation: int, groups: int, base_width: int
    ) -> None:
        if dilation > 1:
            raise NotImplementedError("Dilation > 1 not supported in BasicBlock")
        self.conv1 = Conv2D(inplanes, planes, 3, padding=1, stride=stride, bias_attr=False)
        self.bn1 = self._norm(planes)
        self.relu = ReLU()
        self.conv2 = Conv2D(planes, planes, 3, padding=1, bias_attr=False)
        self.bn2 = self._norm(planes)

    def forward(self, x: Any) -> Any:
        """Return the output of the convolutions plus the shortcut."""
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out += x if self.downsample is None else self.downsample(x)
        return self.relu(out)


class BottleneckBlock(BasicBlock):
    """Three convolutions with few channels in the middle, added to their input.

    The arguments are those of :class:`BasicBlock`; it has four times `planes` output channels. The middle convolution
    has ``planes * base_width / 64`` channels for each of its `groups`.
    """

    expansion = 4

    def _build(
        self, inplanes: int, planes: int, stride: Any, dilation: int, groups: int, base_width: int
    ) -> None:
        width = int(planes * (base_width / 64.0)) * groups
        self.conv1 = Conv2D(inplanes, width, 1, bias_attr=False)
        self.bn1 = self._norm(width)
        self.conv2 = Conv2D(width, width, 3, stride, dilation, dilation, groups, bias_attr=False)
        self.bn2 = self._norm(width)
        self.conv3 = Conv2D(width, planes * self.expansion, 1, bias_attr=False)
        self.bn3 = self._norm(planes * self.expansion)
        self.relu = ReLU()

    def forward(self, x: Any) -> Any:
        """Return the output of the convolutions plus the shortcut."""
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        out += x if self.downsample is None else self.downsample(x)
        return self.relu(out)


class ResNet(Layer):
    """A convolution, four rows of blocks and a matrix; images [N, 3, 224, 224] become scores [N, num_classes].

    Args:
        block: :class:`BasicBlock` or :class:`BottleneckBlock`.
        depth: 18, 34, 50, 101 or 152.
        width: channels of each group in the first row's bottlenecks.
        num_classes: the number of classes; 0 leaves out the matrix.
        with_pool: whether the image is averaged before it.
        groups: of the convolutions in the middle of bottlenecks.

    Raises:
        KeyError: for another depth.
    """

    def __init__(
        self,
        block: type[BasicBlock],
        depth: int = 50,
        width: int = 64,
        num_classes: int = 1000,
        with_pool: bool = True,
        groups: int = 1,
    ) -> None:
        super().__init__()
        if depth not in _BLOCKS:
            raise KeyError(f"a ResNet has depth {', '.join(map(str, _BLOCKS))}, not {depth}")
        blocks = _BLOCKS[depth]
        self.groups, self.base_width, self.dilation, self.inplanes = groups, width, 1, 64
        self.num_classes, self.with_pool = num_classes, with_pool
        self._norm_layer = BatchNorm2D
        self.conv1 = Conv2D(3, self.inplanes, kernel_size=7, stride=2, padding=3, bias_attr=False)
        self.bn1 = self._norm_layer(self.inplanes)
        self.relu = ReLU()
        self.maxpool = MaxPool2D(kernel_size=3, stride=2, padding=1)
        self.layer1 = self._make_layer(block, 64, blocks[0])
        self.layer2 = self._make_layer(block, 128, blocks[1], stride=2)
        self.layer3 = self._make_layer(block, 256, blocks[2], stride=2)
        self.layer4 = self._make_layer(block, 512, blocks[3], stride=2)
        if with_pool:
            self.avgpool = AdaptiveAvgPool2D((1, 1))
        if num_classes > 0:
            self.fc = Linear(512 * block.expansion, num_classes)

    def _make_layer(self, block: type[BasicBlock], planes: int, blocks: int, stride: int = 1) -> Sequential:
        """Return a sequence of blocks; the first makes images smaller."""
        channels = planes * block.expansion
        downsample = None
        if stride != 1 or self.inplanes != channels:
            downsample = Sequential(
                Conv2D(self.inplanes, channels, 1, stride=stride, bias_attr=False), self._norm_layer(channels)
            )
        common = (self.groups, self.base_width, self.dilation, self._norm_layer)
        row = [block(self.inplanes, planes, stride, downsample, *common)]
        self.inplanes = channels
        row += [block(channels, planes, 1, None, *common) for _ in range(1, blocks)]
        return Sequential(*row)

    def forward(self, x: Any) -> Any:
        """Return the scores of each class; without classes the output of the blocks."""
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        if self.with_pool:
            x = self.avgpool(x)
        return self.fc(x.flatten(1)) if self.num_classes > 0 else x


def _resnet(block: type[BasicBlock], depth: int) -> Callable[..., ResNet]:
    """Return the function that makes a ResNet of this depth."""

    def made(pretrained: bool = False, **kwargs: Any) -> ResNet:
        return with_weights(ResNet(block, depth, **kwargs), made.__name__, pretrained)

    made.__name__ = made.__qualname__ = f"resnet{depth}"
    made.__doc__ = f"Return a ResNet of depth {depth}; the options are those of :class:`ResNet`."
    return made


resnet18 = _resnet(BasicBlock, 18)
resnet34 = _resnet(BasicBlock, 34)
resnet50 = _resnet(BottleneckBlock, 50)
resnet101 = _resnet(BottleneckBlock, 101)
resnet152 = _resnet(BottleneckBlock, 152)
