"""Rearranged pixels and channels: each of these operators is the gradient of another one, or of itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.ops.definition import Array, Meta, Shape, Value, invalid, operator, tried_with
from minipaddle.ops.definition.program_printing import Listing, listed
from minipaddle.ops.nn.window import add_windows, enlarge, output_size, shrink, windows

TWO, ONE, NONE = (2, 2), (1, 1), (0, 0, 0, 0)  # example sizes of windows


def _divides(size: int, by: int, what: str) -> None:
    """Raise for sizes that do not divide."""
    if size >= 0 and size % by:
        raise invalid(f"{what} should be divisible by {by}, but received {size}.")


def _infer_shuffle(x: Meta, upscale_factor: int) -> Meta:
    """Shape rule: [N, C r^2, H, W] gives [N, C, H r, W r]."""
    n, c, h, w = x.shape
    _divides(c, upscale_factor**2, "The square of upscale_factor: the number of channels")
    sizes = [-1 if size < 0 else size * upscale_factor for size in (h, w)]
    return Meta((n, c // upscale_factor**2, *sizes), x.dtype)


@listed(Listing(data_format="NCHW"))
@tried_with((2, 8, 2, 3), within=(-1, 1), upscale_factor=2)
@operator("pixel_shuffle", infer=_infer_shuffle)
def pixel_shuffle(x: Array, *, upscale_factor: int = 1) -> Array:
    """Enlarge images by using channels."""
    (n, c, h, w), r = x.shape, upscale_factor
    parts = x.reshape(n, c // r**2, r, r, h, w).transpose(0, 1, 4, 2, 5, 3)
    return np.ascontiguousarray(parts).reshape(n, c // r**2, h * r, w * r)


def _infer_unshuffle(x: Meta, downscale_factor: int) -> Meta:
    """Shape rule: [N, C, H r, W r] gives [N, C r^2, H, W]."""
    n, c, h, w = x.shape
    for size in (h, w):
        _divides(size, downscale_factor, "The height and width of the image")
    sizes = [-1 if size < 0 else size // downscale_factor for size in (h, w)]
    return Meta((n, c * downscale_factor**2, *sizes), x.dtype)


@listed(Listing(data_format="NCHW"))
@tried_with((2, 2, 4, 6), within=(-1, 1), downscale_factor=2)
@operator("pixel_unshuffle", infer=_infer_unshuffle)
def pixel_unshuffle(x: Array, *, downscale_factor: int = 1) -> Array:
    """Make channels out of pixels."""
    (n, c, h, w), r = x.shape, downscale_factor
    parts = x.reshape(n, c, h // r, r, w // r, r).transpose(0, 1, 3, 5, 2, 4)
    return np.ascontiguousarray(parts).reshape(n, c * r**2, h // r, w // r)


pixel_shuffle.gradient("x")(lambda dy, upscale_factor: pixel_unshuffle(dy, upscale_factor))
pixel_unshuffle.gradient("x")(lambda dy, downscale_factor: pixel_shuffle(dy, downscale_factor))


def _infer_shift(x: Meta, seg_num: int, shift_ratio: float, **attrs: Any) -> Meta:
    """Shape rule: unchanged."""
    if not 0 < shift_ratio <= 0.5:
        raise invalid(
            f"Attr(shift_ratio) should be greater than 0 and less than 0.5, but received {shift_ratio}."
        )
    _divides(x.shape[0], seg_num, "The batch")
    return x


@listed(Listing("backwards", data_format="NCHW"))
@tried_with((6, 4, 1, 2), within=(-1, 1), seg_num=3)
@operator("temporal_shift", infer=_infer_shift)
def temporal_shift(
    x: Array, *, seg_num: int = 1, shift_ratio: float = 0.25, backwards: bool = False
) -> Array:
    """Move the first part of the channels one step on in time, and as many after them one step back."""
    series = x.reshape(-1, seg_num, *x.shape[1:])
    one = int(x.shape[1] * shift_ratio)
    out = series.copy()
    first, second = (slice(one, 2 * one), slice(one)) if backwards else (slice(one), slice(one, 2 * one))
    out[:, :, : 2 * one] = 0
    out[:, 1:, first] = series[:, :-1, first]
    out[:, :-1, second] = series[:, 1:, second]
    return out.reshape(x.shape)


@temporal_shift.gradient("x")
def _(dy: Value, seg_num: int, shift_ratio: float, backwards: bool) -> Value:
    return temporal_shift(dy, seg_num, shift_ratio, not backwards)


def _pads(paddings: tuple[int, ...]) -> tuple[int, ...]:
    """Return [top, left, bottom, right] as before and after for each axis."""
    top, left, bottom, right = paddings
    return top, bottom, left, right


def _counts(size: Any, ksize: Any, strides: Any, paddings: Any, dilations: Any) -> tuple[int, int]:
    """Return the number of windows, down and across."""
    top, left, bottom, right = paddings
    return (
        output_size(size[0], ksize[0], strides[0], top + bottom, dilations[0]),
        output_size(size[1], ksize[1], strides[1], left + right, dilations[1]),
    )


def _infer_unfold(x: Meta, kernel_sizes: Any, strides: Any, paddings: Any, dilations: Any) -> Meta:
    """Shape rule: [N, C, H, W] gives [N, C kh kw, windows]."""
    down, across = _counts(x.shape[2:], kernel_sizes, strides, paddings, dilations)
    places = -1 if -1 in (down, across) else down * across
    return Meta((x.shape[0], x.shape[1] * kernel_sizes[0] * kernel_sizes[1], places), x.dtype)


_TRIED: Any = {"kernel_sizes": (2, 1), "strides": (1, 2), "paddings": (1, 0, 0, 1), "dilations": (2, 1)}


@tried_with((2, 2, 4, 3), within=(-1, 1), **_TRIED)
@operator("unfold", infer=_infer_unfold, outputs=("y",))
def unfold(
    x: Array, *, kernel_sizes: Any = TWO, strides: Any = ONE, paddings: Any = NONE, dilations: Any = ONE
) -> Array:
    """Lay the windows of images out as columns."""
    found = windows(enlarge(x, _pads(paddings)), tuple(kernel_sizes), tuple(strides), tuple(dilations))
    n, c, kh, kw, down, across = found.shape
    return found.reshape(n, c * kh * kw, down * across)


@unfold.gradient("x")
def _(dy: Value, x_shape: Shape, kernel_sizes: Any, strides: Any, paddings: Any, dilations: Any) -> Value:
    return fold(dy, tuple(x_shape[2:]), kernel_sizes, strides, paddings, dilations)


def _infer_fold(
    x: Meta, output_sizes: Any, kernel_sizes: Any, strides: Any, paddings: Any, dilations: Any
) -> Meta:
    """Shape rule: [N, C kh kw, windows] gives [N, C, H, W]."""
    _divides(x.shape[1], kernel_sizes[0] * kernel_sizes[1], "The second axis of Input(X) of fold")
    down, across = _counts(output_sizes, kernel_sizes, strides, paddings, dilations)
    if x.shape[2] not in (-1, down * across) and -1 not in (down, across):
        raise invalid(
            f"Given output_sizes={list(output_sizes)}, kernel_sizes={list(kernel_sizes)}, strides={list(strides)}, "
            f"expected {down} * {across} = {down * across} windows, but received {x.shape[2]}."
        )
    return Meta((x.shape[0], x.shape[1] // (kernel_sizes[0] * kernel_sizes[1]), *output_sizes), x.dtype)


@listed(grad_keeps="X")
@tried_with((2, 4, 6), within=(-1, 1), output_sizes=(4, 3), **_TRIED)
@operator("fold", infer=_infer_fold, outputs=("y",))
def fold(
    x: Array,
    *,
    output_sizes: Any = ONE,
    kernel_sizes: Any = TWO,
    strides: Any = ONE,
    paddings: Any = NONE,
    dilations: Any = ONE,
) -> Array:
    """Add columns up to images."""
    kh, kw = kernel_sizes
    n, channels = len(x), x.shape[1] // (kh * kw)
    down, across = _counts(output_sizes, kernel_sizes, strides, paddings, dilations)
    pads = _pads(paddings)
    size = (output_sizes[0] + pads[0] + pads[1], output_sizes[1] + pads[2] + pads[3])
    image = np.zeros((n, channels, *size), x.dtype)
    pieces = x.reshape(n, channels, kh, kw, down, across)
    return shrink(add_windows(image, pieces, (kh, kw), tuple(strides), tuple(dilations)), pads)


@fold.gradient("x")
def _(dy: Value, kernel_sizes: Any, strides: Any, paddings: Any, dilations: Any) -> Value:
    return unfold(dy, kernel_sizes, strides, paddings, dilations)
