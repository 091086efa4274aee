"""static.nn: convolutions."""

from __future__ import annotations

import math
from typing import Any

from minipaddle.core.errors import failure
from minipaddle.names.unique import unique_name
from minipaddle.nn import functional as F
from minipaddle.nn.functional.window import pair
from minipaddle.nn.initializer import Normal
from minipaddle.ops.math.arithmetic import add
from minipaddle.ops.views.reshape import reshape
from minipaddle.static.build import layer, static_only
from minipaddle.static.nn.common import activated, checked_input, parameter_maker
from minipaddle.static.program import Variable

__all__ = ["conv2d", "conv2d_transpose"]


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
    static_only("conv2d")
    x = checked_input(input, "conv2d")
    own, window = name or unique_name("conv2d"), pair(filter_size, "filter_size")
    channels, parts = _channels(x, data_format), groups or 1
    if channels % parts:
        raise failure(
            ValueError,
            f"the channel of input must be divisible by groups, received: the channel of input is {channels}, the "
            f"shape of input is {x.shape}, the groups is {parts}",
        )
    make = parameter_maker(own, x.meta.dtype)
    spread = Normal(0.0, math.sqrt(2.0 / (math.prod(window) * channels)))
    weight = make([num_filters, channels // parts, *window], param_attr, default_initializer=spread)
    with layer(own):
        y = F.conv2d(x, weight, None, stride, padding, dilation, parts, data_format)
    return _finished(own, y, make([num_filters], bias_attr, is_bias=True), act, data_format)


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
    static_only("conv2d_transpose")
    x = checked_input(input, "conv2d_transpose")
    if output_size is None and filter_size is None:
        raise failure(ValueError, "output_size must be set when filter_size is None")
    own = name or unique_name("conv2d_transpose")
    if filter_size is None:
        window = _window_for(x, output_size, stride, padding, dilation, data_format)
    else:
        window = pair(filter_size, "filter_size")
    make, parts = parameter_maker(own, x.meta.dtype), groups or 1
    weight = make([_channels(x, data_format), num_filters // parts, *window], param_attr)
    with layer(own):
        y = F.conv2d_transpose(x, weight, None, stride, padding, 0, dilation, parts, output_size, data_format)
    return _finished(own, y, make([num_filters], bias_attr, is_bias=True), act, data_format)


def _channels(x: Variable, data_format: str) -> int:
    return x.shape[3 if data_format == "NHWC" else 1]


def _window_for(
    x: Variable, output_size: Any, stride: Any, padding: Any, dilation: Any, data_format: str
) -> tuple[int, ...]:
    """Return the size of the filter that leads to `output_size`."""
    sizes = x.shape[1:3] if data_format == "NHWC" else x.shape[2:4]
    settings = (pair(value, "size") for value in (output_size, stride, padding, dilation))
    return tuple(
        (out - (size - 1) * step + 2 * border - 1) // gap + 1
        for size, out, step, border, gap in zip(sizes, *settings, strict=True)
    )


def _finished(own: str, y: Variable, bias: Any, act: str | None, data_format: str) -> Variable:
    """Add one number per channel and apply `act`."""
    if bias is not None:
        bias = reshape(bias, [1, 1, 1, -1] if data_format == "NHWC" else [1, -1, 1, 1])
    with layer(own):
        return activated(y if bias is None else add(y, bias), act)
