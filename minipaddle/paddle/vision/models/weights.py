"""Trained weights, from a file on this machine; nothing is downloaded."""

from __future__ import annotations

from typing import TypeVar

from minipaddle.paddle.framework.downloads import fetched, home
from minipaddle.paddle.framework.io import load
from minipaddle.paddle.nn import Layer

L = TypeVar("L", bound=Layer)

_SAME = ("resnet18", "resnet34", "resnet50", "resnet101", "resnet152", "vgg16", "vgg19")
_FILES = {"mobilenetv2_1.0": "mobilenet_v2_x1.0"} | {name: name for name in _SAME}
"""The file of each network that Paddle has trained on ImageNet."""


def with_weights(model: L, arch: str, pretrained: bool) -> L:
    """Return `model`, with the weights trained on ImageNet if they are wanted.

    They are read from ``~/.cache/paddle/hapi/weights``, where Paddle keeps them as well.

    Raises:
        AssertionError: **pretrained model**, for a network that Paddle has not trained.
        RuntimeError: **downloads nothing**, if the file is not there.
    """
    if pretrained:
        assert arch in _FILES, (
            f"{arch} model do not have a pretrained model now, you should set pretrained=False"
        )
        url = f"https://paddle-hapi.bj.bcebos.com/models/{_FILES[arch]}.pdparams"
        model.set_state_dict(load(fetched(url, home("hapi/weights"))))
    return model
