"""The loss of YOLO version 3: where boxes are, how large, what is in them, and that there is something at all.

Which prediction answers for which true box is decided by numbers; the loss is written on operators, so that gradients
of any order flow through it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.autograd.creation import to_tensor
from minipaddle.autograd.tensor import Tensor
from minipaddle.core.errors import failure
from minipaddle.core.meta import Array
from minipaddle.nn import functional as F


def _shares(first: Array, second: Array) -> Array:
    """Return the common part of boxes given by middle and size, [..., 4] each."""
    low = np.maximum(first[..., :2] - first[..., 2:] / 2, second[..., :2] - second[..., 2:] / 2)
    high = np.minimum(first[..., :2] + first[..., 2:] / 2, second[..., :2] + second[..., 2:] / 2)
    common = np.prod(np.clip(high - low, 0, None), -1)
    return np.asarray(common / (first[..., 2:].prod(-1) + second[..., 2:].prod(-1) - common))


def _meant(fields: Array, anchors: Array, size: Array, scale: float) -> Array:
    """Return the boxes that a network means, as parts of the image: [N, A, H, W, 4]."""
    height, width = fields.shape[3:]
    grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), -1)
    moved = 1 / (1 + np.exp(-np.moveaxis(fields[:, :, :2], 2, -1))) * scale - 0.5 * (scale - 1)
    sizes = np.exp(np.moveaxis(fields[:, :, 2:4], 2, -1)) * anchors[:, None, None] / size
    return np.concatenate([(grid + moved) / np.array([width, height]), sizes], -1)


def yolo_loss(
    x: Any,
    gt_box: Any,
    gt_label: Any,
    anchors: Sequence[int],
    anchor_mask: Sequence[int],
    class_num: int,
    ignore_thresh: float,
    downsample_ratio: int,
    gt_score: Any = None,
    use_label_smooth: bool = True,
    name: str | None = None,
    scale_x_y: float = 1.0,
) -> Any:
    """Return the loss of each image, [N].

    Args:
        x: what the network says, [N, masks (5 + classes), H, W].
        gt_box: true boxes as middle and size, parts of the image, [N, B, 4]; empty ones do not count.
        gt_label: the class of each, int32 [N, B].
        anchors: widths and heights of usual boxes, in turn.
        anchor_mask: the numbers of the anchors that `x` is about.
        class_num: how many classes there are.
        ignore_thresh: predictions that share more than that with a true box need not say that there is nothing.
        downsample_ratio: pixels of the image for one of `x`.
        gt_score: how sure each true box is, [N, B]; by default 1.
        use_label_smooth: whether classes are told a little less surely.
        name: not used.
        scale_x_y: how far the middle of a box may leave its pixel.

    Raises:
        NotImplementedError: **Program**.
        ValueError: for another number of channels, or images that are not square.
    """
    if not isinstance(x, Tensor):
        raise NotImplementedError("yolo_loss works on Tensors, not in a Program")
    count = len(anchor_mask)
    images, channels, height, width = x.shape
    if channels != count * (5 + class_num) or height != width:
        wanted = f"{count} * (5 + {class_num}) channels and be square"
        raise failure(ValueError, f"x should have {wanted}, but its shape is {list(x.shape)}")
    fields = x.reshape([images, count, 5 + class_num, height, width])
    numbers, boxes, labels = (one.numpy() for one in (fields, gt_box, gt_label))
    scores = np.ones(labels.shape) if gt_score is None else gt_score.numpy()
    shapes = np.array(anchors, float).reshape(-1, 2)
    size = downsample_ratio * np.array([width, height])
    meant = _meant(numbers.astype(float), shapes[list(anchor_mask)], size, scale_x_y)
    smooth = min(1 / class_num, 1 / 40) if use_label_smooth else 0.0
    object_weight = np.zeros((images, count, height, width))
    for image, box in zip(*np.nonzero((boxes[..., 2:] > 1e-6).all(-1)), strict=True):
        shared = _shares(meant[image], boxes[image, box].astype(float))
        object_weight[image][shared > ignore_thresh] = -1
    extra: list[Any] = []
    for image, box in zip(*np.nonzero((boxes[..., 2:] > 1e-6).all(-1)), strict=True):
        middle, wide = boxes[image, box, :2].astype(float), boxes[image, box, 2:].astype(float)
        here, there = np.zeros((len(shapes), 4)), np.zeros(4)
        here[:, 2:], there[2:] = shapes / size, wide
        best = int(_shares(here, there).argmax())
        if best not in anchor_mask:
            continue
        column, row = (int(one) for one in middle * np.array([width, height]))
        place = (image, list(anchor_mask).index(best), slice(None), row, column)
        target, weight = np.zeros(numbers.shape), np.zeros(numbers.shape)
        score, count_more = scores[image, box], 2 - wide.prod()
        target[place][:2] = middle * np.array([width, height]) - (column, row)
        target[place][2:4] = np.log(wide * size / shapes[best])
        target[place][5:] = smooth
        target[place][5 + labels[image, box]] = 1 - smooth
        weight[place][:4], weight[place][5:] = score * count_more, score
        object_weight[place[0], place[1], row, column] = score
        extra.append(_box_loss(fields, target, weight))
    sure = F.binary_cross_entropy_with_logits(
        fields[:, :, 4],
        to_tensor((object_weight > 1e-5).astype(numbers.dtype)),
        to_tensor(np.where(object_weight > 1e-5, object_weight, object_weight > -0.5).astype(numbers.dtype)),
        reduction="none",
    )
    return sum(extra, sure.sum([1, 2, 3]))


def _box_loss(fields: Any, target: Array, weight: Array) -> Any:
    """Return what one true box adds to the loss of each image."""
    goal, share = (to_tensor(one.astype(fields.numpy().dtype)) for one in (target, weight))
    logits = F.binary_cross_entropy_with_logits(fields, goal.clip(0, 1), share, reduction="none")
    far = (fields[:, :, 2:4] - goal[:, :, 2:4]).abs() * share[:, :, 2:4]
    place = logits[:, :, :2].sum([1, 2, 3, 4]) + far.sum([1, 2, 3, 4])
    return place + logits[:, :, 5:].sum([1, 2, 3, 4])
