"""Converts kernel sizes, strides and paddings from the user's forms to the operators' form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.engine.errors import invalid
from minipaddle.engine.value.value import Value
from minipaddle.ops.definition.arguments import integer
from minipaddle.ops.nn.window import Pads, Sizes
from minipaddle.ops.views.reshape import squeeze, unsqueeze
from minipaddle.ops.views.transpose import transpose

_LAYOUTS = ("NCL", "NLC", "NCW", "NWC", "NCHW", "NHWC", "NCDHW", "NDHWC", "NC")


def sizes(value: Any, axes: int, what: str) -> Sizes:
    """Return 3 or [3, 5] as one number for each of the axes.

    Raises:
        ValueError: if it is a list of another length.
    """
    if not isinstance(value, (list, tuple)):
        return (integer(value),) * axes
    if len(value) != axes:
        raise invalid(f"{what} should be an int or a list of {axes} ints, but received {list(value)}.")
    return tuple([integer(one) for one in value])


def _same(size: int, window: int, stride: int) -> tuple[int, int]:
    """Return the padding for ceil(size / stride) windows."""
    total = max((-(-size // stride) - 1) * stride + window - size, 0) if size >= 0 else window - stride
    return total // 2, total - total // 2


def pads(padding: Any, image: Any, ksize: Sizes, strides: Sizes, data_format: str = "NCHW") -> Pads:
    """Return a `padding` in any form as two numbers for each axis, before and after.

    Args:
        padding: 'SAME', 'VALID', one number, one or two for each axis ([down, across], [top, bottom, left, right]), or
            a pair for each axis of the input, batch and channels included.
        image: height and width of the image, for 'SAME'.
        ksize: the size of the window.
        strides: the steps of the window.
        data_format: the position of the channels.

    Raises:
        ValueError: **Unknown padding**, or a border of batch or channels.
    """
    axes = len(ksize)
    if isinstance(padding, str):
        if padding.upper() == "VALID":
            return (0, 0) * axes
        if padding.upper() == "SAME":
            along = [_same(*three) for three in zip(image, ksize, strides, strict=True)]
            return tuple([size for both in along for size in both])
        raise invalid(f"Unknown padding: '{padding}'. It can only be 'SAME' or 'VALID'.")
    if not isinstance(padding, (list, tuple)):
        return (integer(padding),) * (2 * axes)
    if all(isinstance(both, (list, tuple)) for both in padding) and len(padding) == axes + 2:
        padding = [size for both in _spatial(padding, data_format) for size in both]
    if len(padding) == axes:
        padding = [size for size in padding for _ in (0, 1)]
    if len(padding) != 2 * axes:
        raise invalid(
            f"Unknown padding: {list(padding)}. It can be an int, {axes} or {2 * axes} ints, 'SAME' or 'VALID'."
        )
    return tuple([integer(one) for one in padding])


def _spatial(padding: Any, data_format: str) -> Any:
    """Return the pairs of the spatial axes."""
    last = _is_last(data_format)
    others = (padding[0], padding[-1 if last else 1])
    if any(size != 0 for both in others for size in both):
        raise invalid(
            f"Non-zero padding({list(padding)}) in the batch or channel dimensions is not supported."
        )
    return padding[1:-1] if last else padding[2:]


def require_images(x: Value, ndim: int = 4) -> None:
    """Raise for anything but a batch of images.

    Raises:
        ValueError: **should be 4D tensor**.
    """
    if len(x.shape) != ndim:
        raise invalid(
            f"Input x should be {ndim}D tensor, but received x with the shape of {list(x.shape)}",
            "images are [batch, channels, height, width]; add a missing axis with unsqueeze",
        )


def channels_first(x: Value, data_format: str) -> Value:
    """Return [N, ..., C] as [N, C, ...], or `x` itself if channels are first.

    Raises:
        ValueError: if `data_format` is none that Paddle knows.
    """
    if data_format not in _LAYOUTS:
        raise invalid(f"Attr(data_format) should be 'NCHW' or 'NHWC'. Received: {data_format}.")
    last = len(x.shape) - 1
    return transpose(x, [0, last, *range(1, last)]) if _is_last(data_format) else x


def channels_last(x: Value, data_format: str) -> Value:
    """Return the inverse of :func:`channels_first`."""
    return transpose(x, [0, *range(2, len(x.shape)), 1]) if _is_last(data_format) else x


def _is_last(data_format: str) -> bool:
    return data_format.endswith("C") and data_format != "NC"


def as_images(x: Value, data_format: str = "NCL") -> Any:
    """Return sequences [N, C, L] as images [N, C, 1, L].

    Raises:
        ValueError: **3D**, for anything else.
    """
    require_images(x, 3)
    return unsqueeze(channels_first(x, data_format), [2])


def as_sequences(y: Value, data_format: str = "NCL") -> Value:
    """Return images [N, C, 1, L] as sequences: the inverse of :func:`as_images`."""
    return channels_last(squeeze(y, [2]), data_format)


def row(value: Any, along: int = 1) -> Any:
    """Return a sequence's argument as that of an image one pixel high: [`along`, value].

    A text or two numbers (a border) stay unchanged.
    """
    if isinstance(value, str) or value is None:
        return value
    several = list(value) if isinstance(value, (list, tuple)) else [value]
    if several and isinstance(several[0], (list, tuple)):
        return [*several[:-1], [along, along], several[-1]] if len(several) == 3 else several
    return [along] * len(several) + several


def named(function: Callable[..., Any], name: str, first_line: str) -> Callable[..., Any]:
    """Return a function of a family under its own name; its manual, after the first line, is the family's."""
    function.__name__ = function.__qualname__ = name
    _, line_end, rest = (function.__doc__ or "").partition("\n")
    function.__doc__ = first_line + line_end + rest
    return function
