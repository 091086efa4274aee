"""Pooling as functions."""

from __future__ import annotations

from typing import Any

from minipaddle.core.errors import failure
from minipaddle.nn.functional.window import channels_first, channels_last, pads, pair
from minipaddle.ops.nn import pooling
from minipaddle.ops.nn.adaptive_pooling import adaptive_pool2d
from minipaddle.ops.views.reshape import squeeze, unsqueeze

__all__ = [
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_max_pool2d",
    "avg_pool1d",
    "avg_pool2d",
    "max_pool1d",
    "max_pool2d",
]


def _window(x: Any, kernel_size: Any, stride: Any, padding: Any) -> dict[str, Any]:
    """Return the attributes that describe the windows."""
    ksize = pair(kernel_size, "kernel_size")
    strides = ksize if stride is None else pair(stride, "stride")
    border = (0, 0, 0, 0) if padding == 0 or len(x.shape) != 4 else pads(padding, x.shape[2:], ksize, strides)
    return {"ksize": ksize, "strides": strides, "paddings": border}


def max_pool2d(
    x: Any,
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
    x = channels_first(x, data_format)
    window = _window(x, kernel_size, stride, padding)
    y = pooling.pool2d(x, pooling_type="max", ceil_mode=ceil_mode, **window)
    if not return_mask:
        return channels_last(y, data_format)
    mask = pooling.pool2d_mask(x, y, **window)
    return channels_last(y, data_format), channels_last(mask, data_format)


def avg_pool2d(
    x: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    exclusive: bool = True,
    divisor_override: float | None = None,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
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
    x = channels_first(x, data_format)
    window = _window(x, kernel_size, stride, padding)
    if divisor_override is not None:
        exclusive = False
    y = pooling.pool2d(x, pooling_type="avg", ceil_mode=ceil_mode, exclusive=exclusive, **window)
    if divisor_override is not None:
        y = y * (window["ksize"][0] * window["ksize"][1] / divisor_override)
    return channels_last(y, data_format)


def _bins(x: Any, output_size: Any) -> tuple[int, int]:
    """Return the wanted size; None keeps that of the image."""
    if len(x.shape) != 4:
        raise failure(
            ValueError, f"adaptive pooling expects images [N, C, H, W], but received {list(x.shape)}."
        )
    wanted = list(output_size) if isinstance(output_size, (list, tuple)) else [output_size] * 2
    return pair(
        [size if size is not None else x.shape[2 + i] for i, size in enumerate(wanted)], "output_size"
    )


def adaptive_avg_pool2d(x: Any, output_size: Any, data_format: str = "NCHW", name: str | None = None) -> Any:
    """Average [N, C, H, W] into `output_size` bins: one number, or [down, across] with None for "as it is".

    Raises:
        ValueError: for anything but a batch of images.
    """
    x = channels_first(x, data_format)
    return channels_last(adaptive_pool2d(x, _bins(x, output_size)), data_format)


def adaptive_max_pool2d(x: Any, output_size: Any, return_mask: bool = False, name: str | None = None) -> Any:
    """Reduce [N, C, H, W] to the maximum of each of `output_size` bins.

    Raises:
        ValueError: for anything but a batch of images.
        NotImplementedError: if the bins would not be all of one size.
    """
    down, across = _bins(x, output_size)
    height, width = x.shape[2:]
    if height % down or width % across:
        raise failure(
            NotImplementedError,
            f"adaptive_max_pool2d of {height} x {width} into {down} x {across} needs bins of different "
            "sizes.",
            "choose an output_size that divides the image, or use max_pool2d with a stride",
        )
    return max_pool2d(x, [height // down, width // across], return_mask=return_mask)


def _flat(value: Any) -> Any:
    return value[0] if isinstance(value, (list, tuple)) else value


def _sequences(pool: Any, x: Any, kernel_size: Any, stride: Any, padding: Any, **options: Any) -> Any:
    """Pool [N, C, L] as images one pixel high."""
    if not isinstance(padding, str):
        both = list(padding) * 2 if isinstance(padding, (list, tuple)) else [padding] * 2
        padding = [0, 0, *both[:2]]
    step = kernel_size if stride is None else stride
    y = pool(unsqueeze(x, [2]), [1, _flat(kernel_size)], [1, _flat(step)], padding, **options)
    return tuple(squeeze(one, [2]) for one in y) if isinstance(y, tuple) else squeeze(y, [2])


def max_pool1d(
    x: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    return_mask: bool = False,
    ceil_mode: bool = False,
    name: str | None = None,
) -> Any:
    """Reduce each window of [N, C, L] to its maximum; see :func:`max_pool2d`."""
    return _sequences(
        max_pool2d, x, kernel_size, stride, padding, return_mask=return_mask, ceil_mode=ceil_mode
    )


def avg_pool1d(
    x: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    exclusive: bool = True,
    ceil_mode: bool = False,
    name: str | None = None,
) -> Any:
    """Reduce each window of [N, C, L] to its mean; see :func:`avg_pool2d`."""
    return _sequences(avg_pool2d, x, kernel_size, stride, padding, exclusive=exclusive, ceil_mode=ceil_mode)


def adaptive_avg_pool1d(x: Any, output_size: int, name: str | None = None) -> Any:
    """Average [N, C, L] into `output_size` bins."""
    return squeeze(adaptive_avg_pool2d(unsqueeze(x, [2]), [1, output_size]), [2])
