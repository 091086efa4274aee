"""Pooling functions, over windows of one size; for a given number of bins see ``adaptive_pooling.py``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from minipaddle.engine.errors import invalid
from minipaddle.engine.names.missing import missing
from minipaddle.engine.operator.operator import TABLE
from minipaddle.engine.value.value import Value
from minipaddle.ops.nn.pooling import POOL
from minipaddle.paddle.nn.functional.window import (
    as_images,
    as_sequences,
    channels_first,
    channels_last,
    named,
    pads,
    row,
    sizes,
)


def window_of(
    x: Value, axes: int, kernel_size: Any, stride: Any, padding: Any, data_format: str = "NCHW"
) -> dict[str, Any]:
    """Return the attributes that describe windows over `x`, which has channels first.

    Raises:
        ValueError: **pool_size**, **pool_stride**, **Unknown padding**.
    """
    ksize = sizes(kernel_size, axes, "kernel_size")
    strides = ksize if stride is None else sizes(stride, axes, "stride")
    plain = isinstance(padding, int) and padding == 0
    border = (0, 0) * axes
    if not plain and len(x.shape) == axes + 2:
        border = pads(padding, x.shape[2:], ksize, strides, data_format)
    return {"ksize": ksize, "strides": strides, "paddings": border}


def _check_ceil(padding: Any, ceil_mode: bool) -> None:
    """Raise for a `ceil_mode` with a padding that forbids it.

    Raises:
        ValueError: **ceil_mode**.
    """
    if isinstance(padding, str) and padding.upper() == "VALID" and ceil_mode:
        raise invalid(
            'When Attr(padding) is "VALID", Attr(ceil_mode) must be False. Received ceil_mode: True.'
        )


def _maxima(axes: int, layout: str, first_line: str) -> Callable[..., Any]:
    """Return the function for the maximum of windows of images (2 axes) or volumes (3)."""

    def max_pool(
        x: Value,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        return_mask: bool = False,
        ceil_mode: bool = False,
        data_format: str = layout,
        name: str | None = None,
    ) -> Any:
        """Reduce each window to its maximum; the gradient goes to the first of equal maxima.

        Args:
            kernel_size: the size of the window, one number or [down, across].
            stride: the step of the window; by default its size.
            padding: a border that is never the maximum, in any form that :func:`conv2d` takes.
            return_mask: also return the index of each maximum in its flattened image, as int32.
            ceil_mode: whether the last window may exceed the image.
            data_format: 'NCHW' or 'NHWC'.

        Raises:
            ValueError: **4-D**, for anything but a batch of images.
        """
        _check_ceil(padding, ceil_mode)
        if return_mask and data_format.endswith("C"):
            raise invalid(
                f"When setting return_mask to true, data_format must be set to {layout} in API:max_pool{axes}d"
            )
        x = channels_first(x, data_format)
        window = window_of(x, axes, kernel_size, stride, padding, data_format)
        if return_mask:
            return TABLE[f"max_pool{axes}d_with_index"](x, ceil_mode=ceil_mode, **window)
        y = POOL[axes](
            x, pooling_type="max", ceil_mode=ceil_mode, exclusive=axes == 2, **window
        )  # printed, not used
        return channels_last(y, data_format)

    return named(max_pool, f"max_pool{axes}d", first_line)


def _means(axes: int, layout: str, first_line: str) -> Callable[..., Any]:
    """Return the function for the mean of windows of images (2 axes) or volumes (3)."""

    def avg_pool(
        x: Value,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        exclusive: bool = True,
        divisor_override: float | None = None,
        data_format: str = layout,
        name: str | None = None,
    ) -> Value:
        """Reduce each window to its mean.

        Args:
            kernel_size: the size of the window, one number or [down, across].
            stride: the step of the window; by default its size.
            padding: a border of zeros, in any form that :func:`conv2d` takes.
            ceil_mode: whether the last window may exceed the image.
            exclusive: whether the mean excludes the padding.
            divisor_override: divide each sum by this number instead.
            data_format: 'NCHW' or 'NHWC'.

        Raises:
            ValueError: **4-D**, for anything but a batch of images.
        """
        _check_ceil(padding, ceil_mode)
        x = channels_first(x, data_format)
        window = window_of(x, axes, kernel_size, stride, padding, data_format)
        inside = exclusive and divisor_override is None
        y = POOL[axes](x, pooling_type="avg", ceil_mode=ceil_mode, exclusive=inside, **window)
        if divisor_override is not None:
            y = y * (math.prod(window["ksize"]) / divisor_override)
        return channels_last(y, data_format)

    return named(avg_pool, f"avg_pool{axes}d", first_line)


max_pool2d = _maxima(2, "NCHW", "Reduce each window of [N, C, H, W] to its maximum: the first of equals.")
max_pool3d = _maxima(3, "NCDHW", "Reduce each window of volumes [N, C, D, H, W] to its maximum.")
avg_pool2d = _means(2, "NCHW", "Reduce each window of [N, C, H, W] to its mean.")
avg_pool3d = _means(3, "NCDHW", "Reduce each window of volumes [N, C, D, H, W] to its mean.")


def max_pool1d(
    x: Value,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    return_mask: bool = False,
    ceil_mode: bool = False,
    name: str | None = None,
) -> Any:
    """Reduce each window of [N, C, L] to its maximum; see :func:`max_pool2d`."""
    step = None if stride is None else row(stride)
    y = max_pool2d(as_images(x), row(kernel_size), step, row(padding, 0), return_mask, ceil_mode)
    return tuple(map(as_sequences, y)) if return_mask else as_sequences(y)


def avg_pool1d(
    x: Value,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    exclusive: bool = True,
    ceil_mode: bool = False,
    name: str | None = None,
) -> Value:
    """Reduce each window of [N, C, L] to its mean; see :func:`avg_pool2d`."""
    step = None if stride is None else row(stride)
    y = avg_pool2d(as_images(x), row(kernel_size), step, row(padding, 0), ceil_mode, exclusive)
    return as_sequences(y)


__getattr__ = missing(__name__, globals())
