"""VGG: rows of small convolutions (Simonyan and Zisserman, 2014)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from minipaddle.paddle.nn import BatchNorm2D, Conv2D, Dropout, Layer, Linear, MaxPool2D, ReLU, Sequential
from minipaddle.paddle.nn.layer.pooling import AdaptiveAvgPool2D
from minipaddle.paddle.vision.models.weights import with_weights

_CHANNELS = (64, 128, 256, 512, 512)
_REPEATS = {11: (1, 1, 2, 2, 2), 13: (2, 2, 2, 2, 2), 16: (2, 2, 3, 3, 3), 19: (2, 2, 4, 4, 4)}
"""The number of convolutions for each number of channels; a 2 x 2 maximum pool follows each row."""


class VGG(Layer):
    """Convolutions and three matrices; images [N, 3, 224, 224] become scores [N, num_classes].

    Args:
        features: the convolutions, with 512 output channels.
        num_classes: the number of classes; 0 leaves out the matrices.
        with_pool: whether images of other sizes are averaged into 7 x 7.
    """

    def __init__(self, features: Layer, num_classes: int = 1000, with_pool: bool = True) -> None:
        super().__init__()
        self.features = features
        self.num_classes = num_classes
        self.with_pool = with_pool
        if with_pool:
            self.avgpool = AdaptiveAvgPool2D((7, 7))
        if num_classes > 0:
            self.classifier = Sequential(
                Linear(512 * 7 * 7, 4096),
                ReLU(),
                Dropout(),
                Linear(4096, 4096),
                ReLU(),
                Dropout(),
                Linear(4096, num_classes),
            )

    def forward(self, x: Any) -> Any:
        """Return the scores of each class; without classes the output of the convolutions."""
        x = self.features(x)
        if self.with_pool:
            x = self.avgpool(x)
        return self.classifier(x.flatten(1)) if self.num_classes > 0 else x


def make_layers(cfg: Iterable[int | str], batch_norm: bool = False) -> Sequential:
    """Return a convolution for each number of channels in `cfg`, and a pool for each "M"."""
    layers: list[Layer] = []
    channels = 3
    for step in cfg:
        if isinstance(step, str):
            layers.append(MaxPool2D(kernel_size=2, stride=2))
            continue
        layers.append(Conv2D(channels, step, kernel_size=3, padding=1))
        if batch_norm:
            layers.append(BatchNorm2D(step))
        layers.append(ReLU())
        channels = step
    return Sequential(*layers)


def _vgg(depth: int) -> Callable[..., VGG]:
    """Return the function that makes a VGG with this number of layers, the last three of them matrices."""
    cfg: list[int | str] = []
    for repeat, channels in zip(_REPEATS[depth], _CHANNELS, strict=True):
        cfg += [*[channels] * repeat, "M"]

    def made(pretrained: bool = False, batch_norm: bool = False, **kwargs: Any) -> VGG:
        arch = f"vgg{depth}_bn" if batch_norm else f"vgg{depth}"
        return with_weights(VGG(make_layers(cfg, batch_norm), **kwargs), arch, pretrained)

    made.__name__ = made.__qualname__ = f"vgg{depth}"
    made.__doc__ = f"Return a VGG with {depth - 3} convolutions; the options are those of :class:`VGG`."
    return made


vgg11 = _vgg(11)
vgg13 = _vgg(13)
vgg16 = _vgg(16)
vgg19 = _vgg(19)
