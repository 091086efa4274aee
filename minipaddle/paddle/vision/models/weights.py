"""Trained weights: from a file that is on this machine; nothing is downloaded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from minipaddle.paddle.framework.downloads import fetched, home
from minipaddle.paddle.framework.io import load
from minipaddle.paddle.nn import Layer

L = TypeVar("L", bound=Layer)

_HAPI = "https://paddle-hapi.bj.bcebos.com/models"
_IMAGENET = "https://paddle-imagenet-models-name.bj.bcebos.com/dygraph"
_HOMES = {
    _HAPI: "inception_v3 mobilenet_v3_large_x1.0 mobilenet_v3_small_x1.0 mobilenetv1_1.0 resnet101 resnet152 resnet18 "
    "resnet34 resnet50 resnext101_32x4d resnext101_64x4d resnext152_32x4d resnext152_64x4d resnext50_32x4d "
    "resnext50_64x4d shufflenet_v2_swish shufflenet_v2_x0_25 shufflenet_v2_x0_33 shufflenet_v2_x0_5 "
    "shufflenet_v2_x1_0 shufflenet_v2_x1_5 shufflenet_v2_x2_0 vgg16 vgg19 wide_resnet101_2 wide_resnet50_2",
    _IMAGENET: "AlexNet DenseNet121 DenseNet161 DenseNet169 DenseNet201 DenseNet264 GoogLeNet SqueezeNet1_0 "
    "SqueezeNet1_1",
}
URLS = {
    **{name: f"{_HAPI}/{name}.pdparams" for name in _HOMES[_HAPI].split()},
    **{name.lower(): f"{_IMAGENET}/{name}_pretrained.pdparams" for name in _HOMES[_IMAGENET].split()},
    "mobilenetv2_1.0": f"{_HAPI}/mobilenet_v2_x1.0.pdparams",
}
"""Where Paddle has the weights of each network that it has trained on ImageNet."""


def with_weights(model: L, arch: str, pretrained: bool) -> L:
    """Return `model`, with the weights trained on ImageNet if they are wanted.

    They are read from ``~/.cache/paddle/hapi/weights``, where Paddle keeps them as well.

    Raises:
        AssertionError: **pretrained model**, for a network that Paddle has not trained.
        RuntimeError: **downloads nothing**, if the file is not there.
    """
    if pretrained:
        assert arch in URLS, (
            f"{arch} model do not have a pretrained model now, you should set pretrained=False"
        )
        model.set_state_dict(load(fetched(URLS[arch], home("hapi/weights"))))
    return model


def network(arch: str, make: Callable[..., L], text: str, *given: Any, **options: Any) -> Callable[..., L]:
    """Return the function `arch` that makes a network by ``make(*given, **options)``; its docstring says `text`."""

    def made(pretrained: bool = False, **kwargs: Any) -> L:
        return with_weights(make(*given, **{**kwargs, **options}), arch, pretrained)

    made.__name__ = made.__qualname__ = arch
    made.__module__, made.__doc__ = (
        make.__module__,
        f"Return {text}; the options are those of :class:`{make.__name__}`.",
    )
    return made
