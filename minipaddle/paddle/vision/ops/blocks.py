"""Convolution, normalization and activation in a row: what most networks for images are made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.paddle.nn import BatchNorm2D, Conv2D, Layer, ReLU, Sequential


class ConvNormActivation(Sequential):
    """A Conv2D, what normalizes it and an activation; [N, in, H, W] becomes [N, out, OH, OW].

    Args:
        in_channels, out_channels: of the convolution.
        kernel_size, stride, groups, dilation: of the convolution.
        padding: by default what keeps the size of the image, if the stride is 1.
        norm_layer: makes the second layer from the number of channels; None leaves it out.
        activation_layer: makes the last layer; None leaves it out.
        bias: whether the convolution has one; by default if nothing normalizes it.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any = 3,
        stride: Any = 1,
        padding: Any = None,
        groups: int = 1,
        norm_layer: Callable[..., Layer] | None = BatchNorm2D,
        activation_layer: Callable[..., Layer] | None = ReLU,
        dilation: int = 1,
        bias: bool | None = None,
    ) -> None:
        if padding is None:
            padding = (kernel_size - 1) // 2 * dilation
        has_bias = norm_layer is None if bias is None else bias
        convolution = Conv2D(
            in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias_attr=has_bias
        )
        norm = [] if norm_layer is None else [norm_layer(out_channels)]
        activation = [] if activation_layer is None else [activation_layer()]
        super().__init__(convolution, *norm, *activation)
