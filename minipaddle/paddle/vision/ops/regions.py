"""Regions of images made equally large, as functions and as layers."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.core.errors import failure
from minipaddle.ops.vision import regions
from minipaddle.paddle.nn import Layer


def _two(output_size: Any, name: str) -> tuple[int, int]:
    """Return height and width; one number stands for both.

    Raises:
        TypeError: **output_size**.
    """
    if isinstance(output_size, int):
        return output_size, output_size
    if not isinstance(output_size, (tuple, list)):
        raise TypeError(
            f"The type of 'output_size' in {name} must be int or tuple, but received {type(output_size)}."
        )
    height, width = output_size
    return height, width


def roi_align(
    x: Any,
    boxes: Any,
    boxes_num: Any,
    output_size: Any,
    spatial_scale: float = 1.0,
    sampling_ratio: int = -1,
    aligned: bool = True,
    name: str | None = None,
) -> Any:
    """Return the boxes equally large: [R, C, height, width], each bin the average of points read in between.

    Args:
        x: images [N, C, H, W], float32 or float64.
        boxes: [R, 4], the corners x1, y1, x2, y2; those of the first image first.
        boxes_num: how many boxes each image has, int32 [N].
        output_size: [height, width] of the result, or one number for both.
        spatial_scale: pixels of `x` for one unit of `boxes`.
        sampling_ratio: points on each side of a bin; -1: as many as it has pixels.
        aligned: whether the middle of a pixel counts as its place.
        name: not used.

    Raises:
        TypeError: **output_size**.
        ValueError: **(N, C, H, W)**, **boxes**.
    """
    height, width = _two(output_size, "roi_align")
    return regions.roi_align(
        x, boxes, boxes_num, height, width, float(spatial_scale), sampling_ratio, aligned
    )


def roi_pool(
    x: Any, boxes: Any, boxes_num: Any, output_size: Any, spatial_scale: float = 1.0, name: str | None = None
) -> Any:
    """Return the boxes equally large: [R, C, height, width], each bin the maximum of whole pixels.

    The arguments are those of :func:`roi_align`.
    """
    height, width = _two(output_size, "roi_pool")
    return regions.roi_pool(x, boxes, boxes_num, height, width, float(spatial_scale))[0]


def psroi_pool(
    x: Any, boxes: Any, boxes_num: Any, output_size: Any, spatial_scale: float = 1.0, name: str | None = None
) -> Any:
    """Return the boxes equally large, [R, C / (height width), height, width]: each bin is averaged in its own channel.

    The arguments are those of :func:`roi_align`.

    Raises:
        AssertionError: **(N, C, H, W)**.
        ValueError: **output_size**, or channels that the number of bins does not divide.
    """
    height, width = _two(output_size, "psroi_pool")
    assert len(x.shape) == 4, "Input features with shape should be (N, C, H, W)"
    if height * width == 0:
        raise failure(ValueError, "output_size should not contain 0.")
    channels = x.shape[1] // (height * width)
    return regions.psroi_pool(x, boxes, boxes_num, height, width, channels, float(spatial_scale))


class RoIAlign(Layer):
    """:func:`roi_align` as a layer.

    Args:
        output_size: [height, width] of the result, or one number for both.
        spatial_scale: pixels of the images for one unit of the boxes.
    """

    def __init__(self, output_size: Any, spatial_scale: float = 1.0) -> None:
        super().__init__()
        self._output_size = output_size
        self._spatial_scale = spatial_scale

    def forward(self, x: Any, boxes: Any, boxes_num: Any, aligned: bool = True) -> Any:
        """[N, C, H, W] and [R, 4] give [R, C, height, width]."""
        return roi_align(x, boxes, boxes_num, self._output_size, self._spatial_scale, aligned=aligned)


class RoIPool(Layer):
    """:func:`roi_pool` as a layer. The arguments are those of :class:`RoIAlign`."""

    def __init__(self, output_size: Any, spatial_scale: float = 1.0) -> None:
        super().__init__()
        self._output_size = output_size
        self._spatial_scale = spatial_scale

    def forward(self, x: Any, boxes: Any, boxes_num: Any) -> Any:
        """[N, C, H, W] and [R, 4] give [R, C, height, width]."""
        return roi_pool(x, boxes, boxes_num, self._output_size, self._spatial_scale)

    def extra_repr(self) -> str:
        """Return the options."""
        return f"output_size={self._output_size}, spatial_scale={self._spatial_scale}"


class PSRoIPool(Layer):
    """:func:`psroi_pool` as a layer. The arguments are those of :class:`RoIAlign`."""

    def __init__(self, output_size: Any, spatial_scale: float = 1.0) -> None:
        super().__init__()
        self.output_size = output_size
        self.spatial_scale = spatial_scale

    def forward(self, x: Any, boxes: Any, boxes_num: Any) -> Any:
        """[N, C height width, H, W] and [R, 4] give [R, C, height, width]."""
        return psroi_pool(x, boxes, boxes_num, self.output_size, self.spatial_scale)
