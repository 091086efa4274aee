"""static.nn: convolutions."""

from __future__ import annotations

import math
from typing import Any

from minipaddle.engine.core.errors import failure
from minipaddle.ops.math.arithmetic import add
from minipaddle.ops.views.reshape import reshape
from minipaddle.paddle.nn import functional as F
from minipaddle.paddle.nn.functional.window import sizes
from minipaddle.paddle.nn.initializer import Normal
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

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/static/nn/conv2d_en.html)

    Raises:
        TypeError: **input** is no Variable of floats.
        ValueError: the channels are not **divisible by groups**.
    """
    new = NewLayer("conv2d", input, name)
    weight = _filters(new, 2, num_filters, filter_size, groups, param_attr, data_format)
    with layer(new.name):
        y = F.conv2d(new.x, weight, None, stride, padding, dilation, groups or 1, data_format)
    return _finished(new, y, new.parameter([num_filters], bias_attr, is_bias=True), act, data_format)


def conv3d(
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
    data_format: str = "NCDHW",
) -> Variable:
    """Make filters and a bias, and slide the filters over volumes; see ``paddle.nn.functional.conv3d``.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/static/nn/conv3d_en.html)

    Raises:
        TypeError: **input** is no Variable of floats.
        ValueError: the channels are not **divisible by groups**.
    """
    new = NewLayer("conv3d", input, name)
    weight = _filters(new, 3, num_filters, filter_size, groups, param_attr, data_format)
    with layer(new.name):
        y = F.conv3d(new.x, weight, None, stride, padding, dilation, groups or 1, data_format)
    return _finished(new, y, new.parameter([num_filters], bias_attr, is_bias=True), act, data_format)


def _filters(
    new: NewLayer, axes: int, count: int, size: Any, groups: int | None, attr: Any, data_format: str
) -> Any:
    """Make the filters of a convolution over so many axes, drawn as He et al. do.

    Raises:
        ValueError: the channels are not **divisible by groups**.
    """
    window = sizes(size, axes, "filter_size")
    channels, parts = _channels(new.x, data_format), groups or 1
    if channels % parts:
        raise failure(
            ValueError,
            f"the channel of input must be divisible by groups, received: the channel of input is {channels}, the "
            f"shape of input is {new.x.shape}, the groups is {parts}",
        )
    spread = Normal(0.0, math.sqrt(2.0 / (math.prod(window) * channels)))
    return new.parameter([count, channels // parts, *window], attr, default_initializer=spread)


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
    given = output_size, filter_size, stride, padding, dilation
    weight = _stamps(new, 2, num_filters, given, groups, param_attr, data_format)
    with layer(new.name):
        y = F.conv2d_transpose(
            new.x, weight, None, stride, padding, 0, dilation, groups or 1, output_size, data_format
        )
    return _finished(new, y, new.parameter([num_filters], bias_attr, is_bias=True), act, data_format)


def conv3d_transpose(
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
    data_format: str = "NCDHW",
) -> Variable:
    """Make filters and a bias, and stamp the filters onto a volume; see ``paddle.nn.functional.conv3d_transpose``.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/static/nn/conv3d_transpose_en.html)

    Raises:
        TypeError: **input** is no Variable of floats.
        ValueError: neither **output_size** nor **filter_size** is given.
    """
    new = NewLayer("conv3d_transpose", input, name)
    given = output_size, filter_size, stride, padding, dilation
    weight = _stamps(new, 3, num_filters, given, groups, param_attr, data_format)
    with layer(new.name):
        y = F.conv3d_transpose(
            new.x, weight, None, stride, padding, 0, groups or 1, dilation, output_size, data_format
        )
    return _finished(new, y, new.parameter([num_filters], bias_attr, is_bias=True), act, data_format)


def _stamps(
    new: NewLayer,
    axes: int,
    count: int,
    given: tuple[Any, ...],
    groups: int | None,
    attr: Any,
    data_format: str,
) -> Any:
    """Make the filters of a transposed convolution: (output size, filter size, stride, padding, dilation) are `given`.

    Raises:
        ValueError: neither **output_size** nor **filter_size** is given.
    """
    output_size, filter_size, *settings = given
    if output_size is None and filter_size is None:
        raise failure(ValueError, "output_size must be set when filter_size is None")
    if filter_size is None:
        window = _window_for(new.x, axes, output_size, settings, data_format)
    else:
        window = sizes(filter_size, axes, "filter_size")
    return new.parameter([_channels(new.x, data_format), count // (groups or 1), *window], attr)


def _channels(x: Variable, data_format: str) -> int:
    return x.meta.shape[-1 if data_format.endswith("C") else 1]


def _window_for(
    x: Variable, axes: int, output_size: Any, given: list[Any], data_format: str
) -> tuple[int, ...]:
    """Return the size of the filter that leads to `output_size`; (stride, padding, dilation) are `given`."""
    image = x.shape[1:-1] if data_format.endswith("C") else x.shape[2:]
    settings = (sizes(value, axes, "size") for value in (output_size, *given))
    return tuple(
        (out - (size - 1) * step + 2 * border - 1) // gap + 1
        for size, out, step, border, gap in zip(image, *settings, strict=True)
    )


def _finished(new: NewLayer, y: Variable, bias: Any, act: str | None, data_format: str) -> Variable:
    """Add one number per channel and apply `act`."""
    if bias is not None:
        ones = [1] * (y.ndim - 2)
        bias = reshape(bias, [1, *ones, -1] if data_format.endswith("C") else [1, -1, *ones])
    with layer(new.name):
        return activated(y if bias is None else add(y, bias), act)
