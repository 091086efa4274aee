"""Images of another size: interpolation as a function."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.errors import failure, invalid
from minipaddle.engine.value.value import Value
from minipaddle.ops.definition.arguments import wanted_shape
from minipaddle.ops.nn.interpolate import INTERPOLATE, RANKS
from minipaddle.paddle.nn.functional.adaptive_pooling import (
    adaptive_avg_pool1d,
    adaptive_avg_pool2d,
    adaptive_avg_pool3d,
)
from minipaddle.paddle.nn.functional.window import channels_first, channels_last

_LAYOUTS = {3: ("NCW", "NWC"), 4: ("NCHW", "NHWC"), 5: ("NCDHW", "NDHWC")}
_AREA: dict[int, Any] = {3: adaptive_avg_pool1d, 4: adaptive_avg_pool2d, 5: adaptive_avg_pool3d}


def _layout(x: Value, data_format: str | None) -> str:
    """Return the layout; by default the channels are first.

    Raises:
        ValueError: **data_format**, or for an input that is no batch of sequences, images or volumes.
    """
    ndim = len(x.shape)
    if ndim not in _LAYOUTS:
        raise invalid(
            f"The dimension of the input tensor should only be 3-D, 4-D or 5-D, but the received dimension is {ndim}."
        )
    known = _LAYOUTS[ndim]
    chosen = known[0] if data_format is None else data_format.upper()
    if chosen not in known:
        raise invalid(
            f"Got wrong value for param `data_format`: {chosen} received but only `{known[0]}` or `{known[1]}` "
            f"supported for {ndim}-D input."
        )
    return chosen


def _check_mode(mode: str, ndim: int, align_corners: Any, align_mode: int) -> None:
    """Raise for arguments that the mode does not allow.

    Raises:
        TypeError: **bool value**.
        ValueError: **resample**, **only support**, **align_mode**, **align_corners**.
    """
    if mode not in (*RANKS, "area"):
        raise invalid(
            "The 'resample' of image_resize can only be 'area', 'linear', 'bilinear', 'trilinear', 'bicubic' or "
            "'nearest' currently."
        )
    if mode != "area" and ndim not in RANKS[mode]:
        raise invalid(f"'{mode}' only support {' or '.join(f'{n}-D' for n in RANKS[mode])} tensor.")
    if not isinstance(align_corners, bool):
        raise failure(TypeError, "Attr align_corners should be a bool value")
    if align_mode not in (0, 1):
        raise invalid("align_mode can only be 0 or 1")
    if align_corners and mode == "nearest":
        raise invalid(
            "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | "
            "trilinear"
        )


def _checked_size(size: Any, axes: int) -> tuple[int, ...]:
    """Return the output size, one number for each axis.

    Raises:
        TypeError, ValueError, AssertionError: for anything else.
    """
    if isinstance(size, (int, float, str)):
        raise failure(TypeError, "size should be a list or tuple or Variable.", f"write [{size}]")
    sizes = wanted_shape(size)
    if len(sizes) != axes:
        raise invalid("The x and size should satisfy rank(x) - 2 == len(size).")
    assert all(one > 0 or one == -1 for one in sizes), (
        "Each dimension size given in out_shape must be greater than 0."
    )
    return sizes


def _checked_scale(scale: Any, axes: int) -> tuple[float, ...]:
    """Return one factor for each axis.

    Raises:
        TypeError: for anything but a number, list or tensor.
        ValueError: **greater than zero**, or for another number of factors.
    """
    if hasattr(scale, "numpy"):
        scale = np.asarray(scale.numpy())
    if isinstance(scale, (str, dict, set)):
        raise failure(TypeError, "Attr(scale)'s type should be float, int, list, tuple, or Tensor.")
    flat = (
        np.asarray(scale, "float64").reshape(-1).tolist()
        if not isinstance(scale, (list, tuple))
        else list(scale)
    )
    factors = [
        float(one)
        for one in (flat * axes if len(flat) == 1 and not isinstance(scale, (list, tuple)) else flat)
    ]
    if len(factors) != axes:
        raise invalid(f"scale_shape length should be {axes} for input {axes + 2}-D tensor.")
    if min(factors) <= 0:
        raise invalid("Attr(scale) should be greater than zero.")
    return tuple(factors)


def interpolate(
    x: Value,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool = False,
    align_mode: int = 0,
    data_format: str | None = None,
    recompute_scale_factor: bool | None = None,
    name: str | None = None,
) -> Any:
    """Return images of another size, whose pixels are weighted sums of old pixels nearby.

    Args:
        x: [N, C, L], [N, C, H, W] or [N, C, D, H, W] (or with the channels last, by `data_format`), any float type;
            'nearest' takes integers too.
        size: the output size, one number for each axis after the channels; or
        scale_factor: the factor of the size, one number or one for each axis.
        mode: 'nearest', 'linear' (sequences), 'bilinear', 'bicubic' (images), 'trilinear' (volumes) or 'area' (the mean
            of the area under a pixel).
        align_corners: whether the centers of the corner pixels stay in place; else the outer edges do.
        align_mode: 0: the coordinates of pixels are their centers; 1: their upper left corners.
        data_format: the position of the channels; by default first.
        recompute_scale_factor: use the factor of the rounded size instead of `scale_factor`.

    Returns:
        [N, C, ...] with the new size, in the type of `x`.

    Raises:
        ValueError: if `mode` does not fit the input, or not exactly one of `size` and `scale_factor` is given.
        TypeError: for a size or scale that is no number.
    """
    layout, mode = _layout(x, data_format), mode.lower()
    axes = len(x.shape) - 2
    _check_mode(mode, axes + 2, align_corners, align_mode)
    if size is None and scale_factor is None:
        raise invalid("One of size and scale_factor must not be None.")
    if mode == "area" and size is None:
        raise invalid("output size can not be None in AREA mode")
    if size is not None and scale_factor is not None:
        raise invalid("Only one of size or scale_factor should be defined.")
    if size is not None and recompute_scale_factor:
        raise invalid("recompute_scale_factor is not meaningful with an explicit size.")
    sizes = () if size is None else _checked_size(size, axes)
    if mode == "area":
        return _AREA[axes + 2](x, sizes[0] if axes == 1 else list(sizes))
    x = channels_first(x, layout)
    factors = () if scale_factor is None else _checked_scale(scale_factor, axes)
    if recompute_scale_factor:
        sizes, factors = tuple([int(old * by) for old, by in zip(x.shape[2:], factors, strict=True)]), ()
    out_d, out_h, out_w = (-1, -1, -1, *sizes)[-3:]
    y = INTERPOLATE[mode](
        x, out_d=out_d, out_h=out_h, out_w=out_w, scale=factors,
        align_corners=align_corners, align_mode=align_mode,
    )  # fmt: skip
    return channels_last(y, layout)
