"""Adaptive pooling: functions that reduce an input to a given number of bins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.engine.value.value import Value
from minipaddle.ops.definition.arguments import integers
from minipaddle.ops.nn.max_places import ADAPTIVE, MAX_POOL
from minipaddle.paddle.nn.functional.window import (
    as_images,
    as_sequences,
    channels_first,
    channels_last,
    named,
    require_images,
    row,
    sizes,
)


def _bins(x: Value, output_size: Any, axes: int) -> tuple[int, ...]:
    """Return the output size, with the input's size for None.

    Raises:
        ValueError: **D**, for an input with another number of axes.
    """
    require_images(x, axes + 2)
    if isinstance(output_size, Value) and output_size.ndim:
        output_size = integers(output_size)
    wanted = list(output_size) if isinstance(output_size, (list, tuple)) else [output_size] * axes
    whole = [x.shape[2 + axis] if size is None else size for axis, size in enumerate(wanted)]
    return sizes(whole, axes, "output_size")


def _averaging(axes: int, layout: str, first_line: str) -> Callable[..., Any]:
    """Return the function that averages bins of images (2 axes) or volumes (3)."""

    def adaptive_avg_pool(
        x: Value, output_size: Any, data_format: str = layout, name: str | None = None
    ) -> Value:
        """Average into `output_size` bins: one number, or one per axis, with None for the input's size.

        Raises:
            ValueError: for anything but a batch of images, or of volumes.
        """
        x = channels_first(x, data_format)
        return channels_last(ADAPTIVE[axes](x, _bins(x, output_size, axes)), data_format)

    return named(adaptive_avg_pool, f"adaptive_avg_pool{axes}d", first_line)


def _greatest(axes: int, first_line: str) -> Callable[..., Any]:
    """Return the function for the maximum of bins of images (2 axes) or volumes (3)."""

    def adaptive_max_pool(
        x: Value, output_size: Any, return_mask: bool = False, name: str | None = None
    ) -> Any:
        """Reduce to the maximum of each of `output_size` bins.

        Args:
            output_size: one number, or one per axis, with None for the input's size.
            return_mask: also return the index of each maximum in its flattened image, as int32.

        Raises:
            ValueError: for anything but a batch of images, or of volumes.
        """
        out, mask = MAX_POOL[axes](x, _bins(x, output_size, axes), (1,) * axes, adaptive=True)
        return (out, mask) if return_mask else out

    return named(adaptive_max_pool, f"adaptive_max_pool{axes}d", first_line)


adaptive_avg_pool2d = _averaging(
    2,
    "NCHW",
    'Average [N, C, H, W] into `output_size` bins: a number, or [down, across], None for "as it is".',
)
adaptive_avg_pool3d = _averaging(3, "NCDHW", "Average volumes [N, C, D, H, W] into `output_size` bins.")
adaptive_max_pool2d = _greatest(2, "Reduce [N, C, H, W] to the maximum of each of `output_size` bins.")
adaptive_max_pool3d = _greatest(
    3, "Reduce volumes [N, C, D, H, W] to the maximum of each of `output_size` bins."
)


def adaptive_avg_pool1d(x: Value, output_size: Any, name: str | None = None) -> Value:
    """Average [N, C, L] into `output_size` bins."""
    return as_sequences(ADAPTIVE[2](as_images(x), sizes(row(output_size), 2, "output_size")))
