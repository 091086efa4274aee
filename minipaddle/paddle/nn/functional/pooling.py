"""Pooling as functions: windows of one size. Bins and what undoes pooling: ``adaptive_pooling.py``."""

from __future__ import annotations

import math
from typing import Any

from minipaddle.engine.errors import failure
from minipaddle.engine.operator.lazy_loading import of_front
from minipaddle.engine.operator.operator import TABLE
from minipaddle.engine.value.value import Value
from minipaddle.ops.nn.pooling import POOL
from minipaddle.paddle.nn.functional.window import (
    as_images,
    as_sequences,
    channels_first,
    channels_last,
    pads,
    row,
    sizes,
)

__all__ = ["avg_pool1d", "avg_pool2d", "avg_pool3d", "max_pool1d", "max_pool2d", "max_pool3d"]


def window_of(
    x: Value, axes: int, kernel_size: Any, stride: Any, padding: Any, data_format: str = "NCHW"
) -> dict[str, Any]:
    """Return the attributes that describe windows over `x`, whose channels are first by now.

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
    """Refuse windows that stick out where nothing may.

    Raises:
        ValueError: **ceil_mode**.
    """
    if isinstance(padding, str) and padding.upper() == "VALID" and ceil_mode:
        raise failure(
            ValueError,
            'When Attr(padding) is "VALID", Attr(ceil_mode) must be False. Received ceil_mode: True.',
        )


def _max_pool(
    x: Value,
    axes: int,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    mask: bool,
    ceil_mode: bool,
    data_format: str,
) -> Any:
    """Reduce each window to its maximum, for images or volumes; with `mask` return the places, too."""
    _check_ceil(padding, ceil_mode)
    if mask and data_format.endswith("C"):
        raise failure(
            ValueError,
            f"When setting return_mask to true, data_format must be set to {'NCHW' if axes == 2 else 'NCDHW'} in "
            f"API:max_pool{axes}d",
        )
    x = channels_first(x, data_format)
    window = window_of(x, axes, kernel_size, stride, padding, data_format)
    if mask:
        return TABLE[f"max_pool{axes}d_with_index"](x, ceil_mode=ceil_mode, **window)
    y = POOL[axes](
        x, pooling_type="max", ceil_mode=ceil_mode, exclusive=axes == 2, **window
    )  # printed, not used
    return channels_last(y, data_format)


def _avg_pool(
    x: Value,
    axes: int,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    ceil_mode: bool,
    exclusive: bool,
    divisor: float | None,
    data_format: str,
) -> Value:
    """Reduce each window to its mean, for images or volumes."""
    _check_ceil(padding, ceil_mode)
    x = channels_first(x, data_format)
    window = window_of(x, axes, kernel_size, stride, padding, data_format)
    y = POOL[axes](
        x, pooling_type="avg", ceil_mode=ceil_mode, exclusive=exclusive and divisor is None, **window
    )
    if divisor is not None:
        y = y * (math.prod(window["ksize"]) / divisor)
    return channels_last(y, data_format)


def max_pool2d(
    x: Value,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    return_mask: bool = False,
    ceil_mode: bool = False,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    """Reduce each window of [N, C, H, W] to its maximum; the gradient goes to the first of equals.

    Args:
        x: images.
        kernel_size: of the window, one number or [down, across].
        stride: how far a window moves; by default its size.
        padding: border that never wins, in any form that :func:`conv2d` takes.
        return_mask: also return where in its image [H * W] each maximum stands, as int32.
        ceil_mode: whether a last window may stick out.
        data_format: 'NCHW' or 'NHWC'.
        name: not used.

    Raises:
        ValueError: **4-D**, for anything but a batch of images.
    """
    return _max_pool(x, 2, kernel_size, stride, padding, return_mask, ceil_mode, data_format)


def max_pool3d(
    x: Value,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    return_mask: bool = False,
    ceil_mode: bool = False,
    data_format: str = "NCDHW",
    name: str | None = None,
) -> Any:
    """Reduce each window of volumes [N, C, D, H, W] to its maximum; see :func:`max_pool2d`."""
    return _max_pool(x, 3, kernel_size, stride, padding, return_mask, ceil_mode, data_format)


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
    y = _max_pool(as_images(x), 2, row(kernel_size), step, row(padding, 0), return_mask, ceil_mode, "NCHW")
    return tuple(map(as_sequences, y)) if return_mask else as_sequences(y)


def avg_pool2d(
    x: Value,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    exclusive: bool = True,
    divisor_override: float | None = None,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Value:
    """Reduce each window of [N, C, H, W] to its mean.

    Args:
        x: images.
        kernel_size: of the window, one number or [down, across].
        stride: how far a window moves; by default its size.
        padding: border of zeros, in any form that :func:`conv2d` takes.
        ceil_mode: whether a last window may stick out.
        exclusive: whether the padding is left out of the mean.
        divisor_override: divide each sum by this number instead.
        data_format: 'NCHW' or 'NHWC'.
        name: not used.

    Raises:
        ValueError: **4-D**, for anything but a batch of images.
    """
    return _avg_pool(x, 2, kernel_size, stride, padding, ceil_mode, exclusive, divisor_override, data_format)


def avg_pool3d(
    x: Value,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    exclusive: bool = True,
    divisor_override: float | None = None,
    data_format: str = "NCDHW",
    name: str | None = None,
) -> Value:
    """Reduce each window of volumes [N, C, D, H, W] to its mean; see :func:`avg_pool2d`."""
    return _avg_pool(x, 3, kernel_size, stride, padding, ceil_mode, exclusive, divisor_override, data_format)


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
    y = _avg_pool(
        as_images(x), 2, row(kernel_size), step, row(padding, 0), ceil_mode, exclusive, None, "NCHW"
    )
    return as_sequences(y)


__getattr__ = of_front(globals(), "minipaddle.paddle.nn.functional")
