"""Convolutions as functions."""

from __future__ import annotations

from typing import Any

from minipaddle.core.errors import failure
from minipaddle.nn.functional.window import channels_first, channels_last, pads, pair, require_images
from minipaddle.ops.math.arithmetic import add
from minipaddle.ops.nn import conv as convolution
from minipaddle.ops.views.reshape import reshape, squeeze, unsqueeze

__all__ = ["conv1d", "conv2d", "conv2d_transpose"]


def conv2d(
    x: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    """Slide filters over images (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nn/functional/conv2d_en.html).

    Args:
        x: images [N, C, H, W] (or [N, H, W, C], by `data_format`).
        weight: filters [O, C / groups, kh, kw].
        bias: [O], optional.
        stride: how far a window moves, one number or [down, across].
        padding: zeros around the image: a number, [down, across], [top, bottom, left, right], 'SAME' or
            'VALID'.
        dilation: distance between the points of a filter.
        groups: into how many parts the channels are split, each with its own filters.
        data_format: 'NCHW' or 'NHWC'.
        name: not used.

    Returns:
        feature maps [N, O, OH, OW].

    Raises:
        ValueError: if shapes do not match.
    """
    require_images(x)
    if weight.shape[0] % groups:
        raise failure(
            ValueError,
            "The number of filters must be divisible by groups, received: the number of filters is "
            f"{weight.shape[0]}, the shape of weight is {list(weight.shape)}, the groups is {groups}",
        )
    x = channels_first(x, data_format)
    strides, dilations = pair(stride, "stride"), pair(dilation, "dilation")
    if isinstance(padding, str) and padding.upper() == "SAME":
        dilations = (1, 1)  # as Paddle does
    border = pads(padding, x.shape[2:], (weight.shape[2], weight.shape[3]), strides)
    y = convolution.conv2d(x, weight, strides=strides, paddings=border, dilations=dilations, groups=groups)
    return channels_last(_with_bias(y, bias), data_format)


def _with_bias(y: Any, bias: Any) -> Any:
    """Add one number per channel."""
    return y if bias is None else add(y, reshape(bias, [1, bias.shape[0], 1, 1]))


def conv2d_transpose(
    x: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    output_size: Any = None,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    """Stamp filters onto an image: what the gradient of a convolution does to feature maps.

    Args:
        x: feature maps [N, C, H, W].
        weight: filters [C, O / groups, kh, kw].
        bias: [O], optional.
        stride: how far a stamp moves.
        padding: how much is cut off the image.
        output_padding: how much larger the image is than the stamps need, less than the stride.
        dilation: distance between the points of a filter.
        groups: into how many parts the channels are split.
        output_size: size of the image, instead of `output_padding`.
        data_format: 'NCHW' or 'NHWC'.
        name: not used.

    Returns:
        images [N, O, OH, OW] with ``OH = (H - 1) * stride - padding + dilation * (kh - 1) + 1 +
        output_padding``.

    Raises:
        ValueError: if shapes do not match, or the image cannot have that size.
    """
    require_images(x)
    x = channels_first(x, data_format)
    strides, dilations = pair(stride, "stride"), pair(dilation, "dilation")
    ksize = (weight.shape[2], weight.shape[3])
    border = pads(padding, x.shape[2:], ksize, strides)
    cut = (border[0] + border[1], border[2] + border[3])
    smallest = [
        (x.shape[2 + i] - 1) * strides[i] - cut[i] + dilations[i] * (ksize[i] - 1) + 1 for i in (0, 1)
    ]
    extra = pair(output_padding, "output_padding")
    size = (
        (smallest[0] + extra[0], smallest[1] + extra[1])
        if output_size is None
        else pair(output_size, "output_size")
    )
    for i in (0, 1):
        if not smallest[i] <= size[i] < smallest[i] + max(strides[i], dilations[i]):
            raise failure(
                ValueError,
                "output_size of Op(ConvTransposeOp) should not be less than the inferred output size "
                f"{smallest} nor "
                f"larger than that by a stride {list(strides)}, but received {list(size)}.",
            )
    y = convolution.conv2d_transpose(x, weight, size, strides, border, dilations, groups)
    return channels_last(_with_bias(y, bias), data_format)


def conv1d(
    x: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    data_format: str = "NCL",
    name: str | None = None,
) -> Any:
    """Slide filters [O, C / groups, k] over sequences [N, C, L]: a convolution of images one pixel high.

    The other arguments are those of :func:`conv2d`, with one number each; `padding` may be [left, right].
    """
    require_images(x, 3)
    x = unsqueeze(channels_first(x, data_format), [2])
    step, gap = (value[0] if isinstance(value, (list, tuple)) else value for value in (stride, dilation))
    if not isinstance(padding, str):
        both = list(padding) * 2 if isinstance(padding, (list, tuple)) else [padding] * 2
        padding = [0, 0, *both[:2]]
    y = conv2d(x, unsqueeze(weight, [2]), bias, [1, step], padding, [1, gap], groups)
    return channels_last(squeeze(y, [2]), data_format)
