"""static.nn: convolutions."""

from __future__ import annotations

import math
from typing import Any

from minipaddle.core.errors import failure
from minipaddle.nn import functional as F
from minipaddle.nn.functional.window import sizes
from minipaddle.nn.initializer import Normal
from minipaddle.ops.math.arithmetic import add
from minipaddle.ops.views.reshape import reshape
from minipaddle.static.build import layer
from minipaddle.static.nn.common import NewLayer, activated
from minipaddle.static.program import Variable


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

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/static/nn/conv2d_en.html)

    Raises:
        TypeError: **input** is no Variable of floats.
        ValueError: the channels are not **divisible by groups**.
    """
    new = NewLayer("conv2d", input, name)
    x = new.x
    window = sizes(filter_size, 2, "filter_size")
    channels, parts = _channels(x, data_format), groups or 1
    if channels % parts:
        raise failure(
            ValueError,
            f"the channel of input must be divisible by groups, received: the channel of input is {channels}, the "
            f"shape of input is {x.shape}, the groups is {parts}",
        )
    spread = Normal(0.0, math.sqrt(2.0 / (math.prod(window) * channels)))
    weight = new.parameter([num_filters, channels // parts, *window], param_attr, default_initializer=spread)
    with layer(new.name):
        y = F.conv2d(x, weight, None, stride, padding, dilation, parts, data_format)
    return _finished(new, y, new.parameter([num_filters], bias_attr, is_bias=True), act, data_format)


def conv2d_transpose(
    input: Any,
    num_filters: int,
    output_size: Any = None,
    filter_size: Any = None,
    padding: Any = 0,
    stride: Any = 1,
    dilation: Any = 1,
    groups: int | None = None,
    param_attr: Any = None,
    bias_attr: Any = None,
    use_cudnn: bool = True,
    act: str | None = None,
    name: str | None = None,
    data_format: str = "NCHW",
) -> Variable:
    """Make filters and a bias, and stamp the filters onto an image; see ``paddle.nn.functional.conv2d_transpose``.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/static/nn/conv2d_transpose_en.html)

    Raises:
        TypeError: **input** is no Variable of floats.
        ValueError: neither **output_size** nor **filter_size** is given.
    """
    new = NewLayer("conv2d_transpose", input, name)
    x = new.x
    if output_size is None and filter_size is None:
        raise failure(ValueError, "output_size must be set when filter_size is None")
    if filter_size is None:
        window = _window_for(x, output_size, stride, padding, dilation, data_format)
    else:
        window = sizes(filter_size, 2, "filter_size")
    parts = groups or 1
    weight = new.parameter([_channels(x, data_format), num_filters // parts, *window], param_attr)
    with layer(new.name):
        y = F.conv2d_transpose(x, weight, None, stride, padding, 0, dilation, parts, output_size, data_format)
    return _finished(new, y, new.parameter([num_filters], bias_attr, is_bias=True), act, data_format)


def _channels(x: Variable, data_format: str) -> int:
    return x.meta.shape[3 if data_format == "NHWC" else 1]


def _window_for(
    x: Variable, output_size: Any, stride: Any, padding: Any, dilation: Any, data_format: str
) -> tuple[int, ...]:
    """Return the size of the filter that leads to `output_size`."""
    image = x.shape[1:3] if data_format == "NHWC" else x.shape[2:4]
    settings = (sizes(value, 2, "size") for value in (output_size, stride, padding, dilation))
    return tuple(
        (out - (size - 1) * step + 2 * border - 1) // gap + 1
        for size, out, step, border, gap in zip(image, *settings, strict=True)
    )


def _finished(new: NewLayer, y: Variable, bias: Any, act: str | None, data_format: str) -> Variable:
    """Add one number per channel and apply `act`."""
    if bias is not None:
        bias = reshape(bias, [1, 1, 1, -1] if data_format == "NHWC" else [1, -1, 1, 1])
    with layer(new.name):
        return activated(y if bias is None else add(y, bias), act)
