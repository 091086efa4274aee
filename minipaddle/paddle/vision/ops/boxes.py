"""Boxes around objects: which stay, what they are learned as, and those that detectors propose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minipaddle.engine.autograd.tensor import Tensor
from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.value import Value
from minipaddle.ops.creation.full import ones_like, zeros_like
from minipaddle.ops.indexing.scatter import scatter
from minipaddle.ops.search.sort import argsort
from minipaddle.ops.search.where import nonzero
from minipaddle.ops.vision import boxes as operators
from minipaddle.ops.vision import proposals


def nms(
    boxes: Any,
    iou_threshold: float = 0.3,
    scores: Any = None,
    category_idxs: Any = None,
    categories: Sequence[int] | None = None,
    top_k: int | None = None,
) -> Any:
    """Return the numbers of the boxes that stay, int64: each that overlaps no better one too much.

    Args:
        boxes: [N, 4], the corners x1, y1, x2, y2; without `scores` the best first.
        iou_threshold: how much of what two boxes cover together they may share.
        scores: how good each box is, [N].
        category_idxs: the class of each box, [N]; only boxes of one class compete.
        categories: the classes that are looked at.
        top_k: how many may stay.

    Raises:
        AssertionError: **top_k**, **categories**.
    """
    if scores is None:
        return operators.nms(boxes, iou_threshold)
    if category_idxs is None:
        order = argsort(scores, descending=True)
        return order[operators.nms(boxes[order], iou_threshold)]
    if top_k is not None:
        assert top_k <= scores.shape[0], "top_k should be smaller equal than the number of boxes"
    assert categories is not None, (
        "if category_idxs is given, categories which is a list of unique id of all categories is necessary"
    )
    stays = zeros_like(scores, dtype="int32")
    for category in categories:
        own = nonzero(category_idxs == category).reshape([-1])
        own = own[argsort(scores[own], descending=True)]
        kept = own[operators.nms(boxes[own], iou_threshold)]
        stays = scatter(stays, kept, ones_like(kept, dtype="int32"))
    found = nonzero(stays).reshape([-1])
    return found[argsort(scores[found], descending=True)][:top_k]


def box_coder(
    prior_box: Any,
    prior_box_var: Any,
    target_box: Any,
    code_type: str = "encode_center_size",
    box_normalized: bool = True,
    axis: int = 0,
    name: str | None = None,
) -> Any:
    """Return boxes as distances from others in units of their sizes, or the boxes that such distances mean.

    Args:
        prior_box: the others, [M, 4], corners.
        prior_box_var: what the distances are divided by: [M, 4], or a list of four.
        target_box: boxes [N, 4] to encode; or distances [N, M, 4] to decode.
        code_type: "encode_center_size" or "decode_center_size".
        box_normalized: whether corners are points; else they are pixels that belong to the box.
        axis: of distances, 0 if the second axis counts the others, 1 if the first does.
        name: not used.

    Raises:
        AssertionError: **4 elements**.
        TypeError: **prior_box_var**.
        ValueError: **code type**.
    """
    if isinstance(prior_box_var, Value):
        return operators.box_coder(prior_box, prior_box_var, target_box, code_type, box_normalized, axis)
    if not isinstance(prior_box_var, (list, tuple)):
        raise TypeError("Input prior_box_var must be Variable or list|tuple")
    assert len(prior_box_var) == 4, "Input prior_box_var must be Variable or list|tuple with 4 elements."
    variance = tuple(map(float, prior_box_var))
    return operators.box_coder(prior_box, None, target_box, code_type, box_normalized, axis, variance)


def _floats(numbers: Any) -> tuple[float, ...]:
    """Return numbers as a tuple; one may stand alone."""
    return tuple(float(one) for one in (numbers if isinstance(numbers, (list, tuple)) else [numbers]))


def prior_box(
    input: Any,
    image: Any,
    min_sizes: Any,
    max_sizes: Any = None,
    aspect_ratios: Any = (1.0,),
    variance: Any = (0.1, 0.1, 0.2, 0.2),
    flip: bool = False,
    clip: bool = False,
    steps: Any = (0.0, 0.0),
    offset: float = 0.5,
    min_max_aspect_ratios_order: bool = False,
    name: str | None = None,
) -> Any:
    """Return boxes around each pixel, as parts of the image, and their variances: [H, W, boxes, 4] twice.

    Args:
        input: what a network has found, [N, C, H, W].
        image: the images, [N, C, H, W].
        min_sizes: sizes of boxes, in pixels of the image.
        max_sizes: for each size a larger one; there is a square between the two as well.
        aspect_ratios: how much wider than high boxes are; 1 is there always.
        variance: four numbers that stand beside each box.
        flip: whether ratios are turned, too.
        clip: whether boxes end where the image does.
        steps: pixels of the image from one pixel of `input` to the next, [across, down]; 0: as many as fit.
        offset: where in its pixel the middle of a box lies.
        min_max_aspect_ratios_order: whether the square between comes second, not last.
        name: not used.

    Raises:
        ValueError: **steps**.
    """
    across, *down = _floats(steps)
    if len(down) != 1:
        raise failure(ValueError, "steps should be (step_w, step_h)")
    return operators.prior_box(
        input, image, _floats(min_sizes), _floats(max_sizes or ()), _floats(aspect_ratios), _floats(variance), flip,
        clip, across, down[0], offset, min_max_aspect_ratios_order,
    )  # fmt: skip


def yolo_box(
    x: Any,
    img_size: Any,
    anchors: Sequence[int],
    class_num: int,
    conf_thresh: float,
    downsample_ratio: int,
    clip_bbox: bool = True,
    name: str | None = None,
    scale_x_y: float = 1.0,
    iou_aware: bool = False,
    iou_aware_factor: float = 0.5,
) -> Any:
    """Return the boxes that a YOLO network means, [N, boxes, 4], and the score of each class, [N, boxes, classes].

    Args:
        x: what the network says, [N, anchors (5 + classes), H, W].
        img_size: height and width of the images, int32 [N, 2].
        anchors: widths and heights of usual boxes, in turn.
        class_num: how many classes there are.
        conf_thresh: boxes of which the network is less sure are zero.
        downsample_ratio: pixels of the image for one of `x`.
        clip_bbox: whether boxes end where the image does.
        name: not used.
        scale_x_y: how far the middle of a box may leave its pixel.
        iou_aware: whether the network says how good its boxes are, in channels before the others.
        iou_aware_factor: how much of that counts.

    Raises:
        ValueError: for another number of channels.
    """
    return operators.yolo_box(
        x, img_size, tuple(anchors), class_num, conf_thresh, downsample_ratio, clip_bbox, scale_x_y, iou_aware,
        iou_aware_factor,
    )  # fmt: skip


def matrix_nms(
    bboxes: Any,
    scores: Any,
    score_threshold: float,
    post_threshold: float,
    nms_top_k: int,
    keep_top_k: int,
    use_gaussian: bool = False,
    gaussian_sigma: float = 2.0,
    background_label: int = 0,
    normalized: bool = True,
    return_index: bool = False,
    return_rois_num: bool = True,
    name: str | None = None,
) -> tuple[Any, Any, Any]:
    """Return the best boxes, their scores lowered where they overlap better ones.

    Args:
        bboxes: [N, M, 4], corners.
        scores: of each class and box, [N, C, M].
        score_threshold: boxes must be better than that before.
        post_threshold: and than that after.
        nms_top_k: how many boxes of a class are looked at; -1: all.
        keep_top_k: how many boxes of an image may stay; -1: all.
        use_gaussian: whether scores sink as a Gaussian does, else linearly.
        gaussian_sigma: how fast.
        background_label: the class that is left out.
        normalized: whether corners are points; else they are pixels that belong to the box.
        return_index: whether the numbers of the boxes are wanted.
        return_rois_num: whether the numbers of boxes of each image are wanted.
        name: not used.

    Returns:
        class, score and corners of each box [boxes, 6]; how many each image has, or None; their numbers, or None.
    """
    out, index, counts = proposals.matrix_nms(
        bboxes, scores, background_label, score_threshold, post_threshold, nms_top_k, gaussian_sigma, use_gaussian,
        keep_top_k, normalized,
    )  # fmt: skip
    return out, counts if return_rois_num else None, index if return_index else None


def distribute_fpn_proposals(
    fpn_rois: Any,
    min_level: int,
    max_level: int,
    refer_level: int,
    refer_scale: int,
    pixel_offset: bool = False,
    rois_num: Any = None,
    name: str | None = None,
) -> tuple[list[Any], Any, list[Any] | None]:
    """Return boxes sorted by size into levels; where each came to stand; and how many of each image are in a level.

    Args:
        fpn_rois: boxes [R, 4], corners; those of the first image first.
        min_level: for the smallest boxes.
        max_level: for the largest.
        refer_level: for boxes of size `refer_scale`; twice as large is one level more.
        refer_scale: see there.
        pixel_offset: whether corners are pixels that belong to the box.
        rois_num: how many boxes each image has, int32 [N]; may be None in Programs.
        name: not used.

    Raises:
        AssertionError: **min_level**, **max_level**, **rois_num**.
    """
    assert max_level > 0 and min_level > 0, "min_level and max_level should be greater than 0"
    levels = max_level - min_level + 1
    assert levels > 1, "max_level should be greater than min_level"
    assert levels < 100, "Only support max to 100 levels, (max_level - min_level + 1 < 100)"
    assert rois_num is not None or not isinstance(fpn_rois, Tensor), (
        "rois_num should not be None in dygraph mode."
    )
    restore, *rest = proposals.distribute_fpn_proposals(
        fpn_rois, rois_num, min_level, max_level, refer_level, refer_scale, pixel_offset
    )
    return rest[:levels], restore, None if rois_num is None else rest[levels:]


def generate_proposals(
    scores: Any,
    bbox_deltas: Any,
    img_size: Any,
    anchors: Any,
    variances: Any,
    pre_nms_top_n: int = 6000,
    post_nms_top_n: int = 1000,
    nms_thresh: float = 0.5,
    min_size: float = 0.1,
    eta: float = 1.0,
    pixel_offset: bool = False,
    return_rois_num: bool = False,
    name: str | None = None,
) -> tuple[Any, Any, Any]:
    """Return the best boxes that overlap little, [R, 4], their scores [R, 1], and how many each image has.

    Args:
        scores: that there is an object, [N, A, H, W].
        bbox_deltas: how anchors are moved and stretched, [N, 4 A, H, W].
        img_size: height and width of the images, [N, 2].
        anchors: boxes [H, W, A, 4], corners.
        variances: what the distances are multiplied by, [H, W, A, 4].
        pre_nms_top_n: how many boxes of an image are looked at.
        post_nms_top_n: how many may stay.
        nms_thresh: how much of what two boxes cover together they may share.
        min_size: smaller boxes are left out.
        eta: below 1, boxes may share less and less.
        pixel_offset: whether corners are pixels that belong to the box.
        return_rois_num: whether the numbers of boxes are wanted; with Tensors they have to be.
        name: not used.

    Raises:
        AssertionError: **return_rois_num**.
    """
    assert return_rois_num or not isinstance(scores, Tensor), (
        "return_rois_num should be True in dygraph mode."
    )
    rois, chances, counts = proposals.generate_proposals(
        scores, bbox_deltas, img_size, anchors, variances, pre_nms_top_n, post_nms_top_n, nms_thresh, min_size, eta,
        pixel_offset,
    )  # fmt: skip
    return rois, chances, counts if return_rois_num else None
