"""Boxes x1, y1, x2, y2: how they overlap, which of them stay, and what numbers they are learned as."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Attrs, Meta, Shape
from minipaddle.engine.core.operator import operator


def overlaps(first: Array, second: Array, extra: float = 0.0) -> Array:
    """Return the common part of what each two boxes cover together, [A, 4] and [B, 4] give [A, B].

    `extra` is 1 where the corners are pixels that belong to the box.
    """
    low = np.maximum(first[:, None, :2], second[None, :, :2])
    high = np.minimum(first[:, None, 2:], second[None, :, 2:])
    common = np.prod(np.clip(high - low + extra, 0, None), -1)
    areas = [np.prod(boxes[:, 2:] - boxes[:, :2] + extra, -1) for boxes in (first, second)]
    whole = areas[0][:, None] + areas[1] - common
    return np.divide(common, whole, out=np.zeros_like(common), where=whole > 0)


def kept(boxes: Array, threshold: float, extra: float = 0.0, eta: float = 1.0, most: int = -1) -> Array:
    """Return which boxes stay, the best first: each that overlaps none of those before it too much.

    With `eta` below 1 the threshold, while above a half, sinks with each box that stays.
    """
    found: list[int] = []
    for number in range(len(boxes)):
        shares = overlaps(boxes[number : number + 1], boxes[found], extra)
        if not (shares > threshold).any():
            found.append(number)
            if len(found) == most:
                break
            if eta < 1 and threshold > 0.5:
                threshold *= eta
    return np.array(found, np.int64)


def _some_boxes(rng: np.random.Generator, count: int) -> Array:
    low = rng.uniform(0, 3, (count, 2))
    return np.concatenate([low, low + rng.uniform(1, 3, (count, 2))], 1)


@operator(
    "nms",
    "Boxes -> KeepBoxesIdxs~",
    kinds="f",
    infer=lambda boxes, iou_threshold=0.3: Meta((-1,), np.dtype("int64")),
    example=lambda rng: ([_some_boxes(rng, 6)], {}),
    page="vision/ops/nms",
)
def nms(boxes: Array, iou_threshold: float = 0.3) -> Array:
    """Return the numbers of the boxes that stay, of [N, 4], the best first."""
    return kept(boxes, iou_threshold)


def _infer_coder(
    prior_box: Meta,
    prior_box_var: Meta | None,
    target_box: Meta,
    code_type: str = "encode_center_size",
    box_normalized: bool = True,
    axis: int = 0,
    variance: tuple[float, ...] = (),
) -> Meta:
    """Shape rule: M and N boxes give [N, M, 4]; [N, M, 4] keeps its shape."""
    if code_type not in ("encode_center_size", "decode_center_size"):
        raise failure(ValueError, f"Unsupported code type {code_type}.")
    if code_type == "decode_center_size":
        return Meta(target_box.shape, prior_box.dtype)
    return Meta((target_box.shape[0], prior_box.shape[0], 4), prior_box.dtype)


def _centered(boxes: Array, extra: float) -> tuple[Array, Array]:
    """Return the middles and the sizes of boxes."""
    sizes = boxes[..., 2:] - boxes[..., :2] + extra
    return boxes[..., :2] + sizes / 2, sizes


@operator(
    "box_coder",
    "PriorBox, PriorBoxVar?, TargetBox -> OutputBox~",
    kinds="f",
    infer=_infer_coder,
    example=lambda rng: (
        [_some_boxes(rng, 3), None, _some_boxes(rng, 2)],
        {"variance": (0.1, 0.1, 0.2, 0.2)},
    ),
    page="vision/ops/box_coder",
)
def box_coder(
    prior_box: Array,
    prior_box_var: Array | None,
    target_box: Array,
    code_type: str = "encode_center_size",
    box_normalized: bool = True,
    axis: int = 0,
    variance: tuple[float, ...] = (),
) -> Array:
    """Say boxes as distances from others, in units of their sizes, or find them again from these."""
    extra = 0.0 if box_normalized else 1.0
    spread: Any = np.array(variance, prior_box.dtype) if variance else 1.0
    if prior_box_var is not None:
        spread = prior_box_var
    middles, sizes = _centered(prior_box, extra)
    if code_type == "encode_center_size":
        centers = (target_box[:, :2] + target_box[:, 2:]) / 2
        _, wide = _centered(target_box, extra)
        moved = (centers[:, None] - middles) / sizes
        stretched = np.log(np.abs(wide[:, None] / sizes))
        return (np.concatenate([moved, stretched], -1) / spread).astype(prior_box.dtype)
    if axis == 1:
        middles, sizes = middles[:, None], sizes[:, None]
        spread = spread[:, None] if np.ndim(spread) == 2 else spread
    codes = target_box * spread
    centers, wide = codes[..., :2] * sizes + middles, np.exp(codes[..., 2:]) * sizes
    return np.concatenate([centers - wide / 2, centers + wide / 2 - extra], -1).astype(prior_box.dtype)


def _ratios(aspect_ratios: tuple[float, ...], flip: bool) -> list[float]:
    """Return how much wider than high boxes are: 1 first, each once, and turned ones."""
    found = [1.0]
    for ratio in aspect_ratios:
        if all(abs(ratio - one) >= 1e-6 for one in found):
            found += [ratio, 1.0 / ratio] if flip else [ratio]
    return found


def _half_sizes(
    min_sizes: tuple[float, ...], max_sizes: tuple[float, ...], ratios: list[float], square_first: bool
) -> Array:
    """Return half the width and the height of each box around a pixel."""
    found = []
    for number, least in enumerate(min_sizes):
        shaped = [(least * ratio**0.5 / 2, least / ratio**0.5 / 2) for ratio in ratios]
        large = [((least * max_sizes[number]) ** 0.5 / 2,) * 2] if max_sizes else []
        found += [*shaped[:1], *large, *shaped[1:]] if square_first else [*shaped, *large]
    return np.array(found)


def _infer_prior(
    input: Meta,
    image: Meta,
    min_sizes: tuple[float, ...] = (1.0,),
    max_sizes: tuple[float, ...] = (),
    aspect_ratios: tuple[float, ...] = (1.0,),
    variances: tuple[float, ...] = (0.1, 0.1, 0.2, 0.2),
    flip: bool = False,
    clip: bool = False,
    step_w: float = 0.0,
    step_h: float = 0.0,
    offset: float = 0.5,
    min_max_aspect_ratios_order: bool = False,
) -> tuple[Meta, Meta]:
    """Shape rule: [N, C, H, W] gives [H, W, boxes, 4], twice."""
    if input.ndim != 4 or image.ndim != 4:
        raise failure(
            ValueError,
            f"The Input(Input) of Op(PriorBoxOp) should be a 4-D Tensor, but received {input.ndim}-D.",
        )
    count = len(_half_sizes(min_sizes, max_sizes, _ratios(aspect_ratios, flip), False))
    shape: Shape = (*input.shape[2:], count, 4)
    return Meta(shape, input.dtype), Meta(shape, input.dtype)


def _example_prior(rng: np.random.Generator) -> tuple[list[Array], Attrs]:
    return [np.zeros((1, 2, 2, 3)), np.zeros((1, 3, 8, 9))], {"min_sizes": (4.0,), "aspect_ratios": (2.0,)}


@operator(
    "prior_box",
    "Input, Image -> Boxes~, Variances~",
    kinds="f",
    infer=_infer_prior,
    example=_example_prior,
    page="vision/ops/prior_box",
)
def prior_box(
    input: Array,
    image: Array,
    min_sizes: tuple[float, ...] = (1.0,),
    max_sizes: tuple[float, ...] = (),
    aspect_ratios: tuple[float, ...] = (1.0,),
    variances: tuple[float, ...] = (0.1, 0.1, 0.2, 0.2),
    flip: bool = False,
    clip: bool = False,
    step_w: float = 0.0,
    step_h: float = 0.0,
    offset: float = 0.5,
    min_max_aspect_ratios_order: bool = False,
) -> tuple[Array, ...]:
    """Return boxes of some sizes and shapes around each pixel, as parts of the image, and their variances."""
    height, width = input.shape[2:]
    whole = np.array(image.shape[:1:-1])
    steps = np.array([step_w, step_h])
    steps = whole / np.array([width, height]) if (steps == 0).any() else steps
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    middles = ((np.stack([x, y], -1) + offset) * steps)[:, :, None]
    halves = _half_sizes(min_sizes, max_sizes, _ratios(aspect_ratios, flip), min_max_aspect_ratios_order)
    boxes = np.concatenate([(middles - halves) / whole, (middles + halves) / whole], -1)
    boxes = (np.clip(boxes, 0, 1) if clip else boxes).astype(input.dtype)
    return boxes, np.broadcast_to(np.array(variances, input.dtype), boxes.shape).copy()


def _infer_yolo(
    x: Meta,
    img_size: Meta,
    anchors: tuple[int, ...] = (),
    class_num: int = 1,
    conf_thresh: float = 0.01,
    downsample_ratio: int = 32,
    clip_bbox: bool = True,
    scale_x_y: float = 1.0,
    iou_aware: bool = False,
    iou_aware_factor: float = 0.5,
) -> tuple[Meta, Meta]:
    """Shape rule: [N, A (5 + classes), H, W] gives [N, A H W, 4] and [N, A H W, classes]."""
    count = len(anchors) // 2
    channels = count * (5 + class_num + iou_aware)
    if x.ndim != 4 or x.shape[1] != channels:
        raise failure(
            ValueError,
            f"Input(X) dim[1] should be equal to (anchor_mask_number * (5 + class_num)), {channels}, but received "
            f"shape {list(x.shape)}.",
        )
    boxes = -1 if -1 in x.shape[2:] else count * x.shape[2] * x.shape[3]
    return Meta((x.shape[0], boxes, 4), x.dtype), Meta((x.shape[0], boxes, class_num), x.dtype)


@operator(
    "yolo_box",
    "X, ImgSize -> Boxes~, Scores~",
    kinds="f",
    infer=_infer_yolo,
    example=lambda rng: (
        [rng.uniform(-1, 1, (1, 7, 2, 3)), np.array([[64, 96]], np.int32)],
        {"anchors": (10, 13), "class_num": 2},
    ),
    page="vision/ops/yolo_box",
)
def yolo_box(
    x: Array,
    img_size: Array,
    anchors: tuple[int, ...] = (),
    class_num: int = 1,
    conf_thresh: float = 0.01,
    downsample_ratio: int = 32,
    clip_bbox: bool = True,
    scale_x_y: float = 1.0,
    iou_aware: bool = False,
    iou_aware_factor: float = 0.5,
) -> tuple[Array, ...]:
    """Find the boxes that a network means, of each anchor at each pixel, and how sure it is of each class."""
    images, _, height, width = x.shape
    count = len(anchors) // 2
    fields = x[:, count * iou_aware :].reshape(images, count, 5 + class_num, height, width).astype(float)
    sure = 1 / (1 + np.exp(-fields))
    grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)))
    cells = np.array([width, height]).reshape(2, 1, 1)
    whole = img_size[:, None, ::-1, None, None].astype(float)
    middles = (grid + sure[:, :, :2] * scale_x_y - 0.5 * (scale_x_y - 1)) * whole / cells
    sizes = (
        np.exp(fields[:, :, 2:4])
        * np.array(anchors).reshape(count, 2, 1, 1)
        * whole
        / (downsample_ratio * cells)
    )
    low, high = middles - sizes / 2, middles + sizes / 2
    if clip_bbox:
        low, high = np.maximum(low, 0), np.minimum(high, whole - 1)
    found = sure[:, :, 4]
    if iou_aware:
        iou = 1 / (1 + np.exp(-x[:, :count].astype(float)))
        found = found ** (1 - iou_aware_factor) * iou**iou_aware_factor
    alive = (found >= conf_thresh)[:, :, None]
    boxes, scores = np.concatenate([low, high], 2) * alive, sure[:, :, 5:] * found[:, :, None] * alive
    return tuple(
        np.ascontiguousarray(
            one.transpose(0, 1, 3, 4, 2).reshape(images, count * height * width, -1), x.dtype
        )
        for one in (boxes, scores)
    )
