"""paddle.vision.ops.yolo_loss."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minipaddle.ops.vision import yolo


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
        ValueError: for another number of channels, or images that are not square.
    """
    return yolo.yolov3_loss(
        x, gt_box, gt_label, gt_score, tuple(anchors), tuple(anchor_mask), class_num, ignore_thresh, downsample_ratio,
        use_label_smooth, scale_x_y,
    )[0]  # fmt: skip
