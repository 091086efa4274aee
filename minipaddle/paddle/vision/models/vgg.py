"""VGG: rows of small convolutions (Simonyan and Zisserman, 2014)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from minipaddle.paddle.nn import BatchNorm2D, Conv2D, Dropout, Layer, Linear, MaxPool2D, ReLU, Sequential
from minipaddle.paddle.nn.layer.adaptive_pooling import AdaptiveAvgPool2D
from minipaddle.paddle.vision.models.weights import with_weights

_CHANNELS = (64, 128, 256, 512, 512)
_REPEATS = {11: (1, 1, 2, 2, 2), 13: (2, 2, 2, 2, 2), 16: (2, 2, 3, 3, 3), 19: (2, 2, 4, 4, 4)}
"""How many convolutions of each number of channels; each row ends with the largest of 2 x 2."""


class VGG(Layer):
    """Convolutions and three matrices; images [N, 3, 224, 224] become scores [N, num_classes].

    Args:
        features: the convolutions, which give 512 channels.
        num_classes: how many; 0 leaves out the matrices.
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
        """Return the scores of each class, or what the convolutions give."""
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


def _vgg(depth: int, pretrained: bool, batch_norm: bool, options: dict[str, Any]) -> VGG:
    cfg: list[int | str] = []
    for repeat, channels in zip(_REPEATS[depth], _CHANNELS, strict=True):
        cfg += [*[channels] * repeat, "M"]
    arch = f"vgg{depth}_bn" if batch_norm else f"vgg{depth}"
    return with_weights(VGG(make_layers(cfg, batch_norm), **options), arch, pretrained)


def vgg11(pretrained: bool = False, batch_norm: bool = False, **kwargs: Any) -> VGG:
    """Return a VGG with 8 convolutions; the options are those of :class:`VGG`."""
    return _vgg(11, pretrained, batch_norm, kwargs)


def vgg13(pretrained: bool = False, batch_norm: bool = False, **kwargs: Any) -> VGG:
    """Return a VGG with 10 convolutions; the options are those of :class:`VGG`."""
    return _vgg(13, pretrained, batch_norm, kwargs)


def vgg16(pretrained: bool = False, batch_norm: bool = False, **kwargs: Any) -> VGG:
    """Return a VGG with 13 convolutions; the options are those of :class:`VGG`."""
    return _vgg(16, pretrained, batch_norm, kwargs)


def vgg19(pretrained: bool = False, batch_norm: bool = False, **kwargs: Any) -> VGG:
    """Return a VGG with 16 convolutions; the options are those of :class:`VGG`."""
    return _vgg(19, pretrained, batch_norm, kwargs)
