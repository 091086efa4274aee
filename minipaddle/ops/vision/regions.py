"""Regions of images made equally large: averaged in bins (``psroi_pool``), read in between (``roi_align``), maxima.

Averaging and reading in between are done along each axis for itself, so that a region is a product with a matrix for
each: ``out[r, c] = rows[r] @ x[image of r, c] @ columns[r].T``. The matrices come from the boxes (``region_weights``).
The gradient is the same sum read the other way.
"""

from __future__ import annotations

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Attrs, Meta, Shape
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.linalg.einsum import einsum
from minipaddle.ops.math.clip import clip
from minipaddle.ops.nn.max_places import places_spread
from minipaddle.ops.views.reshape import reshape


def _owner(boxes: Array, boxes_num: Array) -> Array:
    """Return the number of the image of each box."""
    return np.repeat(np.arange(len(boxes_num)), boxes_num)[: len(boxes)]


def _read_between(start: float, stop: float, size: int, bins: int, ratio: int, aligned: bool) -> Array:
    """Return the matrix [bins, size] that averages points read in between."""
    length = stop - start if aligned else max(stop - start, 1.0)
    points = ratio if ratio > 0 else int(np.ceil(length / bins))
    matrix = np.zeros((bins, size))
    if points <= 0:
        return matrix
    place = start + (np.arange(bins * points) + 0.5) * (length / bins / points)
    inside = (place >= -1) & (place <= size)
    place = np.clip(place, 0, size - 1)
    low = np.minimum(place.astype(int), size - 1)
    rest = place - low
    row = np.arange(bins * points) // points
    np.add.at(matrix, (row, low), (1 - rest) * inside / points)
    np.add.at(matrix, (row, np.minimum(low + 1, size - 1)), rest * inside / points)
    return matrix


def _averages(start: float, stop: float, size: int, bins: int) -> Array:
    """Return the matrix [bins, size] that averages whole pixels."""
    length = max(stop - start, 0.1) / bins
    edges = np.arange(bins)
    first = np.clip(np.floor(edges * length + start), 0, size)[:, None]
    last = np.clip(np.ceil((edges + 1) * length + start), 0, size)[:, None]
    inside = (np.arange(size) >= first) & (np.arange(size) < last)
    return np.asarray(inside / np.maximum(last - first, 1))


def _weights(
    boxes: Array, kind: str, sizes: Shape, bins: Shape, scale: float, ratio: int, aligned: bool
) -> list[Array]:
    """Return the matrices of all boxes, down and across: [R, bins, size] each."""
    found = []
    for axis, size, count in zip((1, 0), sizes, bins, strict=True):
        if kind == "align":
            ends = boxes[:, axis::2] * scale - (0.5 if aligned else 0)
            rows = [_read_between(start, stop, size, count, ratio, aligned) for start, stop in ends]
        else:
            ends = (_rounded(boxes[:, axis::2]) + np.array([0, 1])) * scale
            rows = [_averages(start, stop, size, count) for start, stop in ends]
        found.append(np.array(rows).reshape(len(boxes), count, size).astype(boxes.dtype))
    return found


def _rounded(numbers: Array) -> Array:
    """Return whole numbers: halves away from zero."""
    return np.asarray(np.sign(numbers) * np.floor(np.abs(numbers) + 0.5))


def _infer_weights(
    boxes: Meta,
    boxes_num: Meta,
    kind: str = "align",
    sizes: Shape = (1, 1, 1),
    bins: Shape = (1, 1),
    scale: float = 1.0,
    ratio: int = -1,
    aligned: bool = True,
) -> tuple[Meta, ...]:
    """Shape rule: R boxes give [R, bins down, H], [R, bins across, W] and [N, R]."""
    count = boxes.shape[0]
    shapes = ((count, bins[0], sizes[1]), (count, bins[1], sizes[2]), (sizes[0], count))
    return tuple(Meta(shape, boxes.dtype) for shape in shapes)


def _boxes(rng: np.random.Generator) -> list[Array]:
    """Return three boxes on two images, and how many each image has."""
    boxes = np.array([[0.3, 0.2, 2.6, 3.1], [1.2, 0.4, 3.3, 2.7], [0.6, 1.3, 2.9, 3.6]])
    return [boxes, np.array([2, 1], np.int32)]


@operator(
    "region_weights",
    "ROIs, RoisNum -> Rows~, Columns~, Owner~",
    name="region_weights",
    infer=_infer_weights,
    example=lambda rng: (_boxes(rng), {"sizes": (2, 4, 4), "bins": (2, 2)}),
    page="vision/ops/roi_align",
)
def region_weights(
    boxes: Array,
    boxes_num: Array,
    kind: str = "align",
    sizes: Shape = (1, 1, 1),
    bins: Shape = (1, 1),
    scale: float = 1.0,
    ratio: int = -1,
    aligned: bool = True,
) -> tuple[Array, ...]:
    """Return how much each pixel counts in each bin, down and across, and a 1 where a box lies on an image."""
    rows, columns = _weights(boxes, kind, sizes[1:], bins, scale, ratio, aligned)
    owner = np.arange(sizes[0])[:, None] == _owner(boxes, boxes_num)
    return rows, columns, owner.astype(boxes.dtype)


def _check(x: Meta, boxes: Meta) -> None:
    """Refuse what are no images and boxes.

    Raises:
        ValueError: **(N, C, H, W)**, **4-dimension**.
    """
    if x.ndim != 4:
        raise failure(
            ValueError, f"The format of input tensor is (N, C, H, W), but received shape {list(x.shape)}."
        )
    if boxes.ndim != 2 or boxes.shape[1] not in (4, -1):
        raise failure(
            ValueError,
            f"boxes should be a 2-D tensor with shape (num_boxes, 4), but received {list(boxes.shape)}.",
        )


def _infer_align(
    x: Meta,
    boxes: Meta,
    boxes_num: Meta,
    pooled_height: int = 1,
    pooled_width: int = 1,
    spatial_scale: float = 1.0,
    sampling_ratio: int = -1,
    aligned: bool = True,
) -> Meta:
    """Shape rule: [N, C, H, W] and [R, 4] give [R, C, PH, PW]."""
    _check(x, boxes)
    return Meta((boxes.shape[0], x.shape[1], pooled_height, pooled_width), x.dtype)


def _example(rng: np.random.Generator) -> tuple[list[Array], Attrs]:
    return [rng.uniform(-1, 1, (2, 4, 4, 5)), *_boxes(rng)], {"pooled_height": 2, "pooled_width": 2}


@operator(
    "roi_align",
    "X, ROIs, RoisNum -> Out",
    kinds="f",
    infer=_infer_align,
    example=_example,
    page="vision/ops/roi_align",
)
def roi_align(
    x: Array,
    boxes: Array,
    boxes_num: Array,
    pooled_height: int = 1,
    pooled_width: int = 1,
    spatial_scale: float = 1.0,
    sampling_ratio: int = -1,
    aligned: bool = True,
) -> Array:
    """Average, in each bin of each box, points read in between."""
    bins = (pooled_height, pooled_width)
    rows, columns = _weights(boxes, "align", x.shape[2:], bins, spatial_scale, sampling_ratio, aligned)
    chosen = x[_owner(boxes, boxes_num)]
    return np.einsum("rih,rchw,rjw->rcij", rows, chosen, columns, optimize=True).astype(x.dtype)


@roi_align.gradient("x")
def _(
    dy: Value,
    boxes: Value,
    boxes_num: Value,
    x_shape: Shape,
    pooled_height: int,
    pooled_width: int,
    spatial_scale: float,
    sampling_ratio: int,
    aligned: bool,
) -> Value:
    sizes = (x_shape[0], x_shape[2], x_shape[3])
    rows, columns, owner = region_weights(
        boxes,
        boxes_num,
        "align",
        sizes,
        (pooled_height, pooled_width),
        spatial_scale,
        sampling_ratio,
        aligned,
    )
    return einsum("nr,rih,rcij,rjw->nchw", owner, rows, dy, columns)


def _infer_psroi(
    x: Meta,
    boxes: Meta,
    boxes_num: Meta,
    pooled_height: int = 1,
    pooled_width: int = 1,
    output_channels: int = 1,
    spatial_scale: float = 1.0,
) -> Meta:
    """Shape rule: [N, C PH PW, H, W] and [R, 4] give [R, C, PH, PW]."""
    _check(x, boxes)
    if x.shape[1] != output_channels * pooled_height * pooled_width:
        raise failure(
            ValueError,
            f"the channel of X ({x.shape[1]}) should be equal to the product of output_channels x pooled_height x "
            f"pooled_width ({output_channels} x {pooled_height} x {pooled_width}).",
        )
    return Meta((boxes.shape[0], output_channels, pooled_height, pooled_width), x.dtype)


@operator(
    "psroi_pool",
    "X, ROIs, RoisNum -> Out",
    kinds="f",
    infer=_infer_psroi,
    example=_example,
    page="vision/ops/psroi_pool",
)
def psroi_pool(
    x: Array,
    boxes: Array,
    boxes_num: Array,
    pooled_height: int = 1,
    pooled_width: int = 1,
    output_channels: int = 1,
    spatial_scale: float = 1.0,
) -> Array:
    """Average each bin of each box in a channel of its own."""
    bins = (pooled_height, pooled_width)
    rows, columns = _weights(boxes, "average", x.shape[2:], bins, spatial_scale, -1, True)
    chosen = x[_owner(boxes, boxes_num)].reshape(len(boxes), output_channels, *bins, *x.shape[2:])
    return np.einsum("rih,rcijhw,rjw->rcij", rows, chosen, columns, optimize=True).astype(x.dtype)


@psroi_pool.gradient("x")
def _(
    dy: Value,
    boxes: Value,
    boxes_num: Value,
    x_shape: Shape,
    pooled_height: int,
    pooled_width: int,
    spatial_scale: float,
) -> Value:
    sizes = (x_shape[0], x_shape[2], x_shape[3])
    bins = (pooled_height, pooled_width)
    rows, columns, owner = region_weights(boxes, boxes_num, "average", sizes, bins, spatial_scale)
    return reshape(einsum("nr,rih,rcij,rjw->ncijhw", owner, rows, dy, columns), list(x_shape))


def _infer_pool(
    x: Meta,
    boxes: Meta,
    boxes_num: Meta,
    pooled_height: int = 1,
    pooled_width: int = 1,
    spatial_scale: float = 1.0,
) -> tuple[Meta, Meta]:
    """Shape rule: [N, C, H, W] and [R, 4] give [R, C, PH, PW], twice."""
    _check(x, boxes)
    shape = (boxes.shape[0], x.shape[1], pooled_height, pooled_width)
    return Meta(shape, x.dtype), Meta(shape, np.dtype("int64"))


def _bins(start: float, stop: float, size: int, count: int) -> list[slice]:
    """Return the pixels of each bin of a region from `start` to `stop`, both included."""
    length = np.float32(max(stop - start + 1, 1)) / np.float32(count)
    edges = np.arange(count, dtype=np.float32)
    first = np.clip(np.floor(edges * length) + start, 0, size).astype(int)
    last = np.clip(np.ceil((edges + 1) * length) + start, 0, size).astype(int)
    return [slice(a, max(a, b)) for a, b in zip(first, last, strict=True)]


@operator(
    "roi_pool",
    "X, ROIs, RoisNum -> Out, Argmax~",
    kinds="f",
    infer=_infer_pool,
    example=_example,
    page="vision/ops/roi_pool",
)
def roi_pool(
    x: Array,
    boxes: Array,
    boxes_num: Array,
    pooled_height: int = 1,
    pooled_width: int = 1,
    spatial_scale: float = 1.0,
) -> tuple[Array, ...]:
    """Take the maximum of each bin of each box, 0 where a bin is empty, and say where it stood, or -1."""
    shape = (len(boxes), x.shape[1], pooled_height, pooled_width)
    out, places = np.zeros(shape, x.dtype), np.full(shape, -1, np.int64)
    width = x.shape[3]
    for r, (image, box) in enumerate(zip(_owner(boxes, boxes_num), boxes, strict=True)):
        x0, y0, x1, y1 = _rounded(box * spatial_scale)
        for i, down in enumerate(_bins(y0, y1, x.shape[2], pooled_height)):
            for j, across in enumerate(_bins(x0, x1, width, pooled_width)):
                piece = x[image, :, down, across]
                if piece.size:
                    place = piece.reshape(len(piece), -1).argmax(1)
                    row, column = np.divmod(place, piece.shape[2])
                    out[r, :, i, j] = piece.reshape(len(piece), -1)[np.arange(len(piece)), place]
                    places[r, :, i, j] = (row + down.start) * width + column + across.start
    return out, places


@roi_pool.gradient("x")
def _(dy: Value, argmax: Value, boxes: Value, boxes_num: Value, x_shape: Shape) -> Value:
    sizes = (x_shape[0], x_shape[2], x_shape[3])
    owner = region_weights(boxes, boxes_num, "average", sizes)[2]
    alive = dy * cast(argmax >= 0, dy.dtype)
    spread = places_spread(alive, clip(argmax, 0, sizes[1] * sizes[2] - 1), sizes[1:])
    return einsum("nr,rchw->nchw", owner, spread)
