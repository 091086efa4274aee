"""static.nn: convolution of images."""

from __future__ import annotations

import math
from typing import Any

from minipaddle.engine.errors import failure
from minipaddle.ops.math.arithmetic import add
from minipaddle.ops.views.reshape import reshape
from minipaddle.paddle.nn import functional as F
from minipaddle.paddle.nn.functional.window import sizes
from minipaddle.paddle.nn.initializer.random import Normal
from minipaddle.paddle.static.build import layer
from minipaddle.paddle.static.nn.common import NewLayer, activated
from minipaddle.paddle.static.program import Variable


def conv2d(
    input: Any,
    num_filters: int,
    filter_size: Any,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int | None = None,
    param_attr: Any = None,
    bias_attr: Any = None,
    use_cudnn: bool = True,
    act: str | None = None,
    name: str | None = None,
    data_format: str = "NCHW",
) -> Variable:
    """Make filters and a bias, and slide the filters over images; see ``paddle.nn.functional.conv2d``.

    The filters are drawn as He et al. do.

    Raises:
        TypeError: **input** is no Variable of floats.
        ValueError: the channels are not **divisible by groups**.
    """
    new = NewLayer("conv2d", input, name)
    window, parts, channels_last = (
        sizes(filter_size, 2, "filter_size"),
        groups or 1,
        data_format.endswith("C"),
    )
    channels = new.x.meta.shape[-1 if channels_last else 1]
    if channels % parts:
        raise failure(
            ValueError,
            f"the channel of input must be divisible by groups, received: the channel of input is {channels}, the "
            f"shape of input is {new.x.shape}, the groups is {parts}",
        )
    spread = Normal(0.0, math.sqrt(2.0 / (math.prod(window) * channels)))
    weight = new.parameter([num_filters, channels // parts, *window], param_attr, default_initializer=spread)
    with layer(new.name):
        y = F.conv2d(new.x, weight, None, stride, padding, dilation, parts, data_format)
    bias = new.parameter([num_filters], bias_attr, is_bias=True)
    if bias is not None:
        bias = reshape(bias, [1, 1, 1, -1] if channels_last else [1, -1, 1, 1])
    with layer(new.name):
        return activated(y if bias is None else add(y, bias), act)
