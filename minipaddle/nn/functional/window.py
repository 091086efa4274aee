"""How a user may write kernel sizes, strides and paddings, and how the operators want them."""

from __future__ import annotations

from typing import Any

from minipaddle.core.errors import failure
from minipaddle.ops.common.arguments import integer
from minipaddle.ops.nn.window import Pads, Pair
from minipaddle.ops.views.transpose import transpose

__all__ = ["channels_first", "channels_last", "pads", "pair", "require_images"]


def pair(value: Any, what: str) -> Pair:
    """Return 3 or [3, 5] as two numbers, down and across.

    Raises:
        ValueError: if it is a list of another length.
    """
    if not isinstance(value, (list, tuple)):
        return integer(value), integer(value)
    if len(value) != 2:
        raise failure(ValueError, f"{what} should be an int or a list of 2 ints, but received {list(value)}.")
    return integer(value[0]), integer(value[1])


def _same(size: int, window: int, stride: int) -> tuple[int, int]:
    """Return the padding with which ceil(size / stride) windows fit."""
    total = max((-(-size // stride) - 1) * stride + window - size, 0) if size >= 0 else window - stride
    return total // 2, total - total // 2


def pads(padding: Any, image: Any, ksize: Pair, strides: Pair) -> Pads:
    """Return any form of `padding` as (top, bottom, left, right).

    Args:
        padding: 'SAME', 'VALID', one number, [down, across], [top, bottom, left, right], or one pair for each
            axis of an NCHW image.
        image: height and width of the image, which 'SAME' needs.
        ksize: the window.
        strides: its steps.

    Raises:
        ValueError: **Unknown padding**.
    """
    if isinstance(padding, str):
        if padding.upper() == "VALID":
            return 0, 0, 0, 0
        if padding.upper() == "SAME":
            down, across = (_same(*sizes) for sizes in zip(image, ksize, strides, strict=True))
            return (*down, *across)
        raise failure(ValueError, f"Unknown padding: '{padding}'. It can only be 'SAME' or 'VALID'.")
    if not isinstance(padding, (list, tuple)):
        return (integer(padding),) * 4
    if all(isinstance(both, (list, tuple)) for both in padding) and len(padding) == 4:
        padding = [*padding[2], *padding[3]]
    if len(padding) == 2:
        padding = [padding[0], padding[0], padding[1], padding[1]]
    if len(padding) != 4:
        raise failure(
            ValueError, f"Unknown padding: {list(padding)}. It can be an int, 2 or 4 ints, 'SAME' or 'VALID'."
        )
    top, bottom, left, right = (integer(one) for one in padding)
    return top, bottom, left, right


def require_images(x: Any, ndim: int = 4) -> None:
    """Refuse what is no batch of images.

    Raises:
        ValueError: **should be 4D tensor**.
    """
    if len(x.shape) != ndim:
        raise failure(
            ValueError,
            f"Input x should be {ndim}D tensor, but received x with the shape of {list(x.shape)}",
            "images are [batch, channels, height, width]; add a missing axis with unsqueeze",
        )


def channels_first(x: Any, data_format: str) -> Any:
    """Bring [N, ..., C] to [N, C, ...]; leave what has its channels first.

    Raises:
        ValueError: if `data_format` is none that Paddle knows.
    """
    if data_format not in ("NCL", "NLC", "NCHW", "NHWC", "NCDHW", "NDHWC", "NC"):
        raise failure(ValueError, f"Attr(data_format) should be 'NCHW' or 'NHWC'. Received: {data_format}.")
    last = len(x.shape) - 1
    return transpose(x, [0, last, *range(1, last)]) if _is_last(data_format) else x


def channels_last(x: Any, data_format: str) -> Any:
    """Undo :func:`channels_first`."""
    return transpose(x, [0, *range(2, len(x.shape)), 1]) if _is_last(data_format) else x


def _is_last(data_format: str) -> bool:
    return data_format.endswith("C") and data_format != "NC"
