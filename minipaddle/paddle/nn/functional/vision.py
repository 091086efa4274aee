"""Functions on images: rearranged pixels and channels, windows as columns, and sampling along a grid."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.errors import failure, invalid
from minipaddle.engine.value.value import Value
from minipaddle.ops.definition.arguments import integers
from minipaddle.ops.grid_sample import grid_sample as grid_operator
from minipaddle.ops.nn import pixels
from minipaddle.paddle.nn.functional.window import channels_first, channels_last


def check_layout(data_format: str) -> None:
    """Raise for an unknown layout.

    Raises:
        ValueError: **data_format**.
    """
    if data_format not in ("NCHW", "NHWC"):
        raise invalid(
            f"Attr(data_format) should be 'NCHW' or 'NHWC'. But receive Attr(data_format): {data_format} "
        )


def check_factor(factor: Any, what: str) -> None:
    """Raise for anything but a positive integer.

    Raises:
        TypeError: **must be int type**.
        ValueError: **must be positive**.
    """
    if not isinstance(factor, int):
        raise failure(TypeError, f"{what} must be int type")
    if factor <= 0:
        raise invalid(f"{what} must be positive")


def _images(x: Value, function: str) -> None:
    if len(x.shape) != 4:
        raise invalid(
            f"Input x should be 4D tensor, but received x with the shape of {list(x.shape)}",
            f"{function} takes images [batch, channels, height, width]",
        )


def pixel_shuffle(x: Value, upscale_factor: int, data_format: str = "NCHW", name: str | None = None) -> Value:
    """Return larger images, with pixels from channels: [N, C r^2, H, W] gives [N, C, H r, W r], r = `upscale_factor`.

    Raises:
        TypeError: if the factor is no integer.
        ValueError: **data_format**, or channels that the square of the factor does not divide.
    """
    if not isinstance(upscale_factor, int):
        raise failure(TypeError, "upscale factor must be int type")
    check_layout(data_format)
    _images(x, "pixel_shuffle")
    y = pixels.pixel_shuffle(channels_first(x, data_format), upscale_factor=upscale_factor)
    return channels_last(y, data_format)


def pixel_unshuffle(
    x: Value, downscale_factor: int, data_format: str = "NCHW", name: str | None = None
) -> Value:
    """Return smaller images with more channels: [N, C, H r, W r] gives [N, C r^2, H, W], r = `downscale_factor`.

    Raises:
        TypeError: if the factor is no integer.
        ValueError: **4D**, **positive**, **data_format**, or a size that the factor does not divide.
    """
    _images(x, "pixel_unshuffle")
    check_factor(downscale_factor, "Downscale factor")
    check_layout(data_format)
    y = pixels.pixel_unshuffle(channels_first(x, data_format), downscale_factor=downscale_factor)
    return channels_last(y, data_format)


def temporal_shift(
    x: Value, seg_num: int, shift_ratio: float = 0.25, name: str | None = None, data_format: str = "NCHW"
) -> Value:
    """Shift a part of the channels one step back in time, and as many one step ahead: [N T, C, H, W], T = `seg_num`.

    `shift_ratio` is the size of each part; zeros are shifted in at the ends.

    Raises:
        ValueError: **4D**, **data_format**, **shift_ratio**.
    """
    check_layout(data_format)
    _images(x, "temporal_shift")
    y = pixels.temporal_shift(channels_first(x, data_format), seg_num=seg_num, shift_ratio=shift_ratio)
    return channels_last(y, data_format)


def _two(value: Any, what: str) -> tuple[int, int]:
    if isinstance(value, int):
        return value, value
    sizes = integers(value)
    assert len(sizes) == 2, f"{what} should either be an integer or a list/tuple of two integers"
    return sizes[0], sizes[1]


def _four(paddings: Any) -> tuple[int, ...]:
    """Return [top, left, bottom, right] from one, two or four numbers.

    Raises:
        ValueError: **paddings**.
    """
    if isinstance(paddings, int):
        return (paddings,) * 4
    sizes = integers(paddings)
    if len(sizes) not in (2, 4):
        raise invalid("paddings should either be an integer or a list/tuple of 2 or 4 integers")
    return sizes * 2 if len(sizes) == 2 else sizes


def unfold(
    x: Value,
    kernel_sizes: Any,
    strides: Any = 1,
    paddings: Any = 0,
    dilations: Any = 1,
    name: str | None = None,
) -> Any:
    """Return the windows of images [N, C, H, W] as columns [N, C kh kw, windows] (im2col).

    Args:
        x: images, any float type.
        kernel_sizes: the size of the window, one number or [down, across].
        strides: the step of the window.
        paddings: zeros around: a number, [down, across] or [top, left, bottom, right].
        dilations: distance between the points of a window.

    Raises:
        AssertionError: **[N, C, H, W]**, or lists of another length.
        ValueError: **paddings**, or a window that does not fit.
    """
    assert len(x.shape) == 4, "input should be the format of [N, C, H, W]"
    return pixels.unfold(
        x,
        _two(kernel_sizes, "kernel_sizes"),
        _two(strides, "strides"),
        _four(paddings),
        _two(dilations, "dilations"),
    )


def fold(
    x: Value,
    output_sizes: Any,
    kernel_sizes: Any,
    strides: Any = 1,
    paddings: Any = 0,
    dilations: Any = 1,
    name: str | None = None,
) -> Any:
    """Return the sum of columns [N, C kh kw, windows] in images [N, C, H, W] (col2im).

    Args:
        x: columns, any float type.
        output_sizes: the size of the images, one number or [down, across].
        kernel_sizes: the size of the window; the other arguments are those of :func:`unfold`.

    Raises:
        AssertionError: **[N, C, L]**, or lists of another length.
        ValueError: **paddings**, or sizes that do not fit.
    """
    assert len(x.shape) == 3, "input should be the format of [N, C, L]"
    return pixels.fold(
        x, _two(output_sizes, "output_sizes"), _two(kernel_sizes, "kernel_sizes"), _two(strides, "strides"),
        _four(paddings), _two(dilations, "dilations"),
    )  # fmt: skip


def grid_sample(
    x: Value,
    grid: Value,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = True,
    name: str | None = None,
) -> Any:
    """Return images read at the positions of a grid, by interpolation between pixels.

    Args:
        x: images [N, C, H, W] or volumes [N, C, D, H, W], any float type.
        grid: [N, OH, OW, 2] (across, down), or [N, OD, OH, OW, 3]; -1 and 1 are the borders.
        mode: 'bilinear' or 'nearest'.
        padding_mode: beyond the borders: 'zeros', the 'border', or its 'reflection'.
        align_corners: whether -1 and 1 are the centers of the corner pixels; else their outer edges.

    Returns:
        [N, C, OH, OW] or [N, C, OD, OH, OW].

    Raises:
        ValueError: an unknown mode, or shapes that do not fit.
    """
    if mode not in ("bilinear", "nearest"):
        raise invalid(
            f"The mode of grid sample function should be in ['bilinear', 'nearest'], but got: {mode}"
        )
    if padding_mode not in ("zeros", "border", "reflection"):
        raise invalid(
            "The padding mode of grid sample function should be in ['zeros', 'reflection', 'border'], but got: "
            f"{padding_mode}"
        )
    if not isinstance(align_corners, bool):
        raise failure(TypeError, f"The align corners should be bool, but got: {align_corners}")
    return grid_operator(x, grid, mode=mode, padding_mode=padding_mode, align_corners=align_corners)
