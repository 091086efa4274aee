"""Pooling into bins as functions, pooling by other norms, and what undoes pooling."""

from __future__ import annotations

import math
from typing import Any

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.arguments import integers
from minipaddle.ops.nn.adaptive_pooling import ADAPTIVE
from minipaddle.ops.nn.max_places import FRACTIONAL, MAX_POOL, UNPOOL
from minipaddle.ops.random.sample import uniform
from minipaddle.paddle.nn.functional.pooling import avg_pool2d, max_pool2d
from minipaddle.paddle.nn.functional.window import (
    as_images,
    as_sequences,
    channels_first,
    channels_last,
    require_images,
    row,
    sizes,
)


def _bins(x: Value, output_size: Any, axes: int) -> tuple[int, ...]:
    """Return the wanted size; None keeps that of the input.

    Raises:
        ValueError: **D**, for an input with another number of axes.
    """
    require_images(x, axes + 2)
    if isinstance(output_size, Value) and output_size.ndim:
        output_size = integers(output_size)
    wanted = list(output_size) if isinstance(output_size, (list, tuple)) else [output_size] * axes
    whole = [x.shape[2 + axis] if size is None else size for axis, size in enumerate(wanted)]
    return sizes(whole, axes, "output_size")


def adaptive_avg_pool2d(
    x: Value, output_size: Any, data_format: str = "NCHW", name: str | None = None
) -> Value:
    """Average [N, C, H, W] into `output_size` bins: one number, or [down, across] with None for "as it is".

    Raises:
        ValueError: for anything but a batch of images.
    """
    x = channels_first(x, data_format)
    return channels_last(ADAPTIVE[2](x, _bins(x, output_size, 2)), data_format)


def adaptive_avg_pool3d(
    x: Value, output_size: Any, data_format: str = "NCDHW", name: str | None = None
) -> Value:
    """Average volumes [N, C, D, H, W] into `output_size` bins; see :func:`adaptive_avg_pool2d`."""
    x = channels_first(x, data_format)
    return channels_last(ADAPTIVE[3](x, _bins(x, output_size, 3)), data_format)


def adaptive_avg_pool1d(x: Value, output_size: Any, name: str | None = None) -> Value:
    """Average [N, C, L] into `output_size` bins."""
    return as_sequences(ADAPTIVE[2](as_images(x), sizes(row(output_size), 2, "output_size")))


def adaptive_max_pool2d(
    x: Value, output_size: Any, return_mask: bool = False, name: str | None = None
) -> Any:
    """Reduce [N, C, H, W] to the maximum of each of `output_size` bins.

    Args:
        x: images.
        output_size: one number, or [down, across] with None for "as it is".
        return_mask: also return where in its image [H * W] each maximum stands, as int32.
        name: not used.

    Raises:
        ValueError: for anything but a batch of images.
    """
    out, mask = MAX_POOL[2](x, _bins(x, output_size, 2), (1, 1), adaptive=True)
    return (out, mask) if return_mask else out


def adaptive_max_pool3d(
    x: Value, output_size: Any, return_mask: bool = False, name: str | None = None
) -> Any:
    """Reduce volumes [N, C, D, H, W] to the maximum of each of `output_size` bins; see :func:`adaptive_max_pool2d`."""
    out, mask = MAX_POOL[3](x, _bins(x, output_size, 3), (1, 1, 1), adaptive=True)
    return (out, mask) if return_mask else out


def adaptive_max_pool1d(x: Any, output_size: Any, return_mask: bool = False, name: str | None = None) -> Any:
    """Reduce [N, C, L] to the maximum of each of `output_size` bins; see :func:`adaptive_max_pool2d`."""
    both = MAX_POOL[2](as_images(x), sizes(row(output_size), 2, "output_size"), (1, 1), adaptive=True)
    out, mask = map(as_sequences, both)
    return (out, mask) if return_mask else out


def _fractional(
    x: Any, axes: int, output_size: Any, kernel_size: Any, random_u: float | None, mask: bool
) -> Any:
    if random_u is not None and not 0 < random_u < 1:
        raise failure(ValueError, "The param `random_u` should be a `float` in (0, 1).")
    window = (0,) * axes if kernel_size is None else sizes(kernel_size, axes, "kernel_size")
    start = float(uniform([1], "float32", 0.0, 1.0)) if random_u is None else float(random_u)
    out, places = FRACTIONAL[axes](x, _bins(x, output_size, axes), window, start)
    return (out, places) if mask else out


def fractional_max_pool2d(
    x: Any,
    output_size: Any,
    kernel_size: Any = None,
    random_u: float | None = None,
    return_mask: bool = False,
    name: str | None = None,
) -> Any:
    """Reduce [N, C, H, W] to the maxima of bins whose borders are random (arXiv 1412.6071).

    Args:
        x: images.
        output_size: how many bins, one number or [down, across] with None for "as it is".
        kernel_size: size of the bins, which may then overlap; by default they lie side by side.
        random_u: the random number in (0, 1) that the borders follow from; by default one is drawn.
        return_mask: also return where in its image each maximum stands, as int32.
        name: not used.

    Raises:
        ValueError: **random_u**, or for anything but a batch of images.
    """
    return _fractional(x, 2, output_size, kernel_size, random_u, return_mask)


def fractional_max_pool3d(
    x: Any,
    output_size: Any,
    kernel_size: Any = None,
    random_u: float | None = None,
    return_mask: bool = False,
    name: str | None = None,
) -> Any:
    """Reduce volumes to the maxima of bins whose borders are random; see :func:`fractional_max_pool2d`."""
    return _fractional(x, 3, output_size, kernel_size, random_u, return_mask)


def _unpooled_size(
    x: Value, ksize: tuple[int, ...], strides: tuple[int, ...], padding: tuple[int, ...], output_size: Any
) -> tuple[int, ...]:
    """Return the size that was pooled.

    Raises:
        ValueError: **output_size**, for one that could not have been.
    """
    axes = len(ksize)
    likely = [
        (size - 1) * stride + window - 2 * border
        for size, stride, window, border in zip(x.shape[-axes:], strides, ksize, padding, strict=True)
    ]
    if output_size is None:
        return tuple(likely)
    wanted = list(output_size)
    if len(wanted) not in (axes, axes + 2):
        raise failure(
            ValueError,
            f"output_size should be a sequence containing {axes} or {axes + 2} elements, but it has a length of "
            f"'{len(wanted)}'",
        )
    found = sizes(wanted[-axes:], axes, "output_size")
    for axis, (size, middle, stride) in enumerate(zip(found, likely, strides, strict=True)):
        if not middle - stride < size < middle + stride:
            raise failure(
                ValueError,
                f'invalid output_size "{list(found)}" (dim {axis} must be between {middle - stride} and '
                f"{middle + stride})",
            )
    return found


def _unpool(
    x: Value,
    indices: Value,
    axes: int,
    kernel_size: Any,
    stride: Any,
    padding: Any,
    data_format: str,
    output_size: Any,
) -> Any:
    known = ("NCHW", "NCDHW")[axes - 2]
    if data_format != known:
        raise failure(
            ValueError, f"Attr(data_format) should be '{known}'. Received Attr(data_format): {data_format}."
        )
    for name, value in (("x", x), ("indices", indices)):
        if len(value.shape) != axes + 2:
            layout = ", ".join(known)
            raise failure(
                ValueError, f"The {name} should have [{layout}] format, but received {list(value.shape)}."
            )
    ksize = sizes(kernel_size, axes, "kernel_size")
    strides = ksize if stride is None else sizes(stride, axes, "stride")
    border = sizes(padding, axes, "padding")
    size = _unpooled_size(x, ksize, strides, border, output_size)
    return UNPOOL[axes](x, indices, ksize=ksize, strides=strides, paddings=border, output_size=size)


def max_unpool2d(
    x: Value,
    indices: Value,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    data_format: str = "NCHW",
    output_size: Any = None,
    name: str | None = None,
) -> Any:
    """Put maxima back to their places in images of zeros: :func:`max_pool2d` undone as far as that can be.

    Args:
        x: maxima [N, C, H, W].
        indices: the mask that ``max_pool2d(..., return_mask=True)`` gave.
        kernel_size: of the windows there were.
        stride: how far they moved; by default their size.
        padding: the border there was.
        data_format: 'NCHW'.
        output_size: size of the image, where several were possible.
        name: not used.

    Returns:
        images [N, C, OH, OW].

    Raises:
        ValueError: if shapes do not fit, or a place lies outside.
    """
    return _unpool(x, indices, 2, kernel_size, stride, padding, data_format, output_size)


def max_unpool3d(
    x: Value,
    indices: Value,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    data_format: str = "NCDHW",
    output_size: Any = None,
    name: str | None = None,
) -> Any:
    """Put maxima back to their places in volumes of zeros; see :func:`max_unpool2d`."""
    return _unpool(x, indices, 3, kernel_size, stride, padding, data_format, output_size)


def max_unpool1d(
    x: Any,
    indices: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    data_format: str = "NCL",
    output_size: Any = None,
    name: str | None = None,
) -> Any:
    """Put maxima back to their places in sequences of zeros; see :func:`max_unpool2d`."""
    if data_format != "NCL":
        raise failure(
            ValueError, f"Attr(data_format) should be 'NCL'. Received Attr(data_format): {data_format}."
        )
    step = None if stride is None else row(stride)
    size = None if output_size is None else [1, list(output_size)[-1]]
    both = as_images(x), as_images(indices)
    return as_sequences(_unpool(*both, 2, row(kernel_size), step, row(padding, 0), "NCHW", size))


def lp_pool2d(
    x: Any,
    norm_type: float,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    """Reduce each window of [N, C, H, W] to ``(sum of x ** p) ** (1 / p)``; see also :func:`avg_pool2d`.

    Raises:
        ValueError: **norm_type**, for 0; or for anything but a batch of images.
    """
    require_images(x)
    if norm_type == 0:
        raise failure(ValueError, "`norm_type` cannot be 0.")
    if norm_type == math.inf:
        return max_pool2d(x, kernel_size, stride, padding, False, ceil_mode, data_format)
    sums = avg_pool2d(x ** float(norm_type), kernel_size, stride, padding, ceil_mode, False, 1, data_format)
    return sums ** (1.0 / norm_type)


def lp_pool1d(
    x: Any,
    norm_type: float,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    data_format: str = "NCL",
    name: str | None = None,
) -> Any:
    """Reduce each window of [N, C, L] to ``(sum of x ** p) ** (1 / p)``; see :func:`lp_pool2d`."""
    step = None if stride is None else row(stride)
    x = as_images(x, data_format)
    return as_sequences(
        lp_pool2d(x, norm_type, row(kernel_size), step, row(padding, 0), ceil_mode), data_format
    )
