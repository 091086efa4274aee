"""Convolutions as functions: of images and volumes by an operator, of sequences as images one pixel high."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.engine.errors import invalid
from minipaddle.engine.value.value import Value
from minipaddle.ops.math.arithmetic import add
from minipaddle.ops.nn.conv import CONV, CONV_TRANSPOSE
from minipaddle.ops.nn.window import Sizes
from minipaddle.ops.views.reshape import reshape, unsqueeze
from minipaddle.paddle.nn.functional.window import (
    as_images,
    as_sequences,
    channels_first,
    channels_last,
    named,
    pads,
    require_images,
    row,
    sizes,
)


def _with_bias(y: Value, bias: Value | None) -> Value:
    """Return `y` plus one number per channel."""
    return y if bias is None else add(y, reshape(bias, [1, bias.shape[0]] + [1] * (len(y.shape) - 2)))


def _dilations(dilation: Any, axes: int, padding: Any) -> Sizes:
    """Return the dilation of each axis; with padding 'SAME' it is 1, as in Paddle."""
    same = isinstance(padding, str) and padding.upper() == "SAME"
    return (1,) * axes if same else sizes(dilation, axes, "dilation")


def _convolution(axes: int, layout: str, first_line: str) -> Callable[..., Any]:
    """Return the convolution over images (2 axes), volumes (3), or sequences (1), which are images one pixel high."""

    def conv(
        x: Value,
        weight: Value,
        bias: Value | None = None,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        data_format: str = layout,
        name: str | None = None,
    ) -> Any:
        """Slide filters over sequences, images or volumes.

        Args:
            x: images [N, C, H, W] (or [N, H, W, C], by `data_format`).
            weight: filters [O, C / groups, kh, kw].
            bias: [O], optional.
            stride: the step of the window, one number or [down, across].
            padding: zeros around the image: a number, [down, across], [top, bottom, left, right], a pair for every axis
                of `x`, 'SAME' or 'VALID'.
            dilation: distance between the points of a filter.
            groups: the number of parts of the channels, each with its own filters.
            data_format: 'NCHW' or 'NHWC'.

        Returns:
            feature maps [N, O, OH, OW].

        Raises:
            ValueError: if shapes do not match.
        """
        if axes == 1:
            images, filters = as_images(x, data_format), unsqueeze(weight, [2])
            y = conv2d(images, filters, bias, row(stride), row(padding, 0), row(dilation), groups)
            return as_sequences(y, data_format)
        require_images(x, axes + 2)
        if groups <= 0:
            raise invalid(f"The groups of conv{axes}d should be greater than 0. Received groups: {groups}")
        if weight.shape[0] % groups:
            raise invalid(
                "The number of filters must be divisible by groups, received: the number of filters is "
                f"{weight.shape[0]}, the shape of weight is {list(weight.shape)}, the groups is {groups}"
            )
        x = channels_first(x, data_format)
        strides, dilations = sizes(stride, axes, "stride"), _dilations(dilation, axes, padding)
        border = pads(padding, x.shape[2:], tuple(weight.shape[2:]), strides, data_format)
        y = CONV[axes](x, weight, strides=strides, paddings=border, dilations=dilations, groups=groups)
        return channels_last(_with_bias(y, bias), data_format)

    return named(conv, f"conv{axes}d", first_line)


conv1d = _convolution(1, "NCL", "Slide filters [O, C / groups, k] over sequences [N, C, L].")
conv2d = _convolution(2, "NCHW", "Slide filters over images.")
conv3d = _convolution(3, "NCDHW", "Slide filters [O, C / groups, kd, kh, kw] over volumes [N, C, D, H, W].")


def _transposed(
    x: Value,
    weight: Value,
    bias: Value,
    stride: Any,
    padding: Any,
    output_padding: Any,
    dilation: Any,
    groups: int,
    output_size: Any,
    data_format: str,
) -> Value:
    """Return the transposed convolution of images or volumes."""
    axes = len(x.shape) - 2
    x = channels_first(x, data_format)
    strides, dilations = sizes(stride, axes, "stride"), _dilations(dilation, axes, padding)
    ksize = tuple(weight.shape[2:])
    border = pads(padding, x.shape[2:], ksize, strides, data_format)
    smallest = [
        -1 if size < 0 else (size - 1) * step - before - after + gap * (window - 1) + 1
        for size, step, before, after, gap, window in zip(
            x.shape[2:], strides, border[::2], border[1::2], dilations, ksize, strict=True
        )
    ]
    if output_size is None:
        extra = sizes(output_padding, axes, "output_padding")
        size = tuple([-1 if one < 0 else one + more for one, more in zip(smallest, extra, strict=True)])
    else:
        size = sizes(output_size, axes, "output_size")
    for one, least, step, gap in zip(size, smallest, strides, dilations, strict=True):
        if not least <= one < least + max(step, gap) and least >= 0:
            raise invalid(
                "output_size of Op(ConvTransposeOp) should not be less than the inferred output size "
                f"{smallest} nor larger than that by a stride {list(strides)}, but received {list(size)}."
            )
    y = CONV_TRANSPOSE[axes](x, weight, size, strides, border, dilations, groups)
    return channels_last(_with_bias(y, bias), data_format)


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
    """Transposed convolution: add a filter to the image for each element of a feature map, as conv2d's gradient does.

    Args:
        x: feature maps [N, C, H, W].
        weight: filters [C, O / groups, kh, kw].
        bias: [O], optional.
        stride: the step between the positions of the filter in the image.
        padding: the border cut off the image.
        output_padding: by how much the image exceeds the filters' extent, less than the stride.
        dilation: distance between the points of a filter.
        groups: the number of parts of the channels.
        output_size: size of the image, instead of `output_padding`.
        data_format: 'NCHW' or 'NHWC'.

    Returns:
        images [N, O, OH, OW] with ``OH = (H - 1) * stride - padding + dilation * (kh - 1) + 1 +
        output_padding``.

    Raises:
        ValueError: if shapes do not match, or the image cannot have that size.
    """
    require_images(x)
    return _transposed(
        x, weight, bias, stride, padding, output_padding, dilation, groups, output_size, data_format
    )


def _transposing(axes: int, layout: str, first_line: str) -> Callable[..., Any]:
    """Return the transposed convolution of sequences (1 axis) or volumes (3)."""

    def conv_transpose(
        x: Any,
        weight: Any,
        bias: Any = None,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        dilation: Any = 1,
        output_size: Any = None,
        data_format: str = layout,
        name: str | None = None,
    ) -> Any:
        """Add filters; see :func:`conv2d_transpose`, and mind the order of `groups` and `dilation`."""
        if axes == 1:
            images, filters = as_images(x, data_format), unsqueeze(weight, [2])
            border, extra, size = row(padding, 0), row(output_padding, 0), row(output_size)
            y = _transposed(
                images, filters, bias, row(stride), border, extra, row(dilation), groups, size, "NCHW"
            )
            return as_sequences(y, data_format)
        require_images(x, axes + 2)
        return _transposed(
            x, weight, bias, stride, padding, output_padding, dilation, groups, output_size, data_format
        )

    return named(conv_transpose, f"conv{axes}d_transpose", first_line)


conv1d_transpose = _transposing(1, "NCL", "Add filters [C, O / groups, k] to sequences.")
conv3d_transpose = _transposing(3, "NCDHW", "Add filters [C, O / groups, kd, kh, kw] to volumes.")
