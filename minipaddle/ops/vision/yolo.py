"""The loss of YOLO version 3: where boxes are, how large, what is in them, and that there is something at all.

Which prediction answers for which true box is decided by numbers, and fixed then. What is left is, at each place, a
cross entropy of a logit, or the distance of a size: the gradient is ``weight * sigmoid(x) + shift``, with both
gathered from the true boxes by :func:`yolo_slope`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Attrs, Meta
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.activation.sigmoids import sigmoid
from minipaddle.ops.common.listed import listed
from minipaddle.ops.views.reshape import reshape2

Anchors = tuple[int, ...]
SIZES = slice(2, 4)
"""Where in a prediction width and height stand; its middle comes before, then whether there is something, classes."""


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
    sizes = np.exp(np.moveaxis(fields[:, :, SIZES], 2, -1)) * anchors[:, None, None] / size
    return np.concatenate([(grid + moved) / np.array([width, height]), sizes], -1)


def _matches(boxes: Array, anchors: Array, anchor_mask: Anchors, size: Array) -> Array:
    """Return, for each true box, which anchor of the mask is nearest to it in size; -1: none of them, or no box."""
    here, there = np.zeros((len(anchors), 4)), np.zeros((*boxes.shape[:2], 1, 4))
    here[:, 2:], there[..., 0, 2:] = anchors / size, boxes[..., 2:]
    with np.errstate(invalid="ignore"):
        best = _shares(here, there).argmax(-1)
    place = np.full(len(anchors), -1, np.int32)
    for number, anchor in reversed(list(enumerate(anchor_mask))):
        place[anchor] = number
    return np.where(_there(boxes), place[best], np.int32(-1))


def _there(boxes: Array) -> Array:
    """Return which true boxes are no padding."""
    return np.asarray((boxes[..., 2:] > 1e-6).all(-1))


class _Goals(NamedTuple):
    """What the predictions that answer for true boxes should be; a row for each."""

    place: tuple[Array, ...]
    """Image, anchor, row and column."""
    score: Array
    target: Array
    """[rows, 5 + classes]."""
    weight: Array

    def of(self, fields: Array) -> Array:
        """Return what the network says there, [rows, 5 + classes]."""
        image, anchor, row, column = self.place
        return np.asarray(fields[image, anchor, :, row, column], float)


def _goals(
    boxes: Array, labels: Array, scores: Array | None, match: Array, anchors: Array, width: int, size: Array,
    classes: int, smooth: bool,
) -> _Goals:  # fmt: skip
    """Return the goals; `anchors` are those of the mask, `size` is that of the image."""
    image, number = np.nonzero(match >= 0)
    anchor, box = match[image, number], boxes[image, number].astype(float)
    column, row = (box[:, :2] * width).astype(int).T
    score = np.ones(len(box)) if scores is None else scores[image, number].astype(float)
    less = min(1 / classes, 1 / 40) if smooth else 0.0
    target, weight = (np.zeros((len(box), 5 + classes)) for _ in range(2))
    target[:, :2] = box[:, :2] * width - np.stack([column, row], 1)
    target[:, SIZES] = np.log(box[:, 2:] * size / anchors[anchor])
    target[:, 5:] = less
    target[np.arange(len(box)), 5 + labels[image, number]] = 1 - less
    weight[:, :4] = (score * (2 - box[:, 2] * box[:, 3]))[:, None]
    weight[:, 5:] = score[:, None]
    return _Goals((image, anchor, row, column), score, target, weight)


def _entropy(logits: Array, target: Any) -> Array:
    """Return the cross entropy of logits."""
    return np.asarray(np.maximum(logits, 0) - logits * target + np.log1p(np.exp(-np.abs(logits))))


def _fields(x: Array, anchor_mask: Anchors, class_num: int) -> Array:
    """Return predictions by anchor: [N, A, 5 + classes, H, W]."""
    return x.reshape(x.shape[0], len(anchor_mask), 5 + class_num, *x.shape[2:])


def _infer(
    x: Meta,
    gt_box: Meta,
    gt_label: Meta,
    gt_score: Meta | None,
    anchors: Anchors = (),
    anchor_mask: Anchors = (),
    class_num: int = 1,
    ignore_thresh: float = 0.7,
    downsample_ratio: int = 32,
    use_label_smooth: bool = True,
    scale_x_y: float = 1.0,
) -> tuple[Meta, Meta, Meta]:
    """Shape rule: a number for each image; what each prediction, and each true box, was matched with."""
    wanted = f"[N, {len(anchor_mask)} * (5 + {class_num}), H, H]"
    channels = len(anchor_mask) * (5 + class_num)
    if x.ndim != 4 or x.shape[1] not in (-1, channels) or x.shape[2] != x.shape[3]:
        raise failure(
            ValueError, f"Input(X) of yolo_loss should have the shape {wanted}, but received {list(x.shape)}."
        )
    if gt_box.ndim != 3 or gt_box.shape[2] != 4:
        raise failure(
            ValueError, f"Input(GTBox) should have the shape [N, B, 4], but received {list(gt_box.shape)}."
        )
    for name, meta in (("GTLabel", gt_label), ("GTScore", gt_score)):
        if meta is not None and meta.ndim != 2:
            raise failure(
                ValueError, f"Input({name}) should have the shape [N, B], but received {list(meta.shape)}."
            )
    if not anchors or len(anchors) % 2 or not all(0 <= one < len(anchors) // 2 for one in anchor_mask):
        raise failure(
            ValueError,
            f"anchors should be pairs of numbers, and anchor_mask count them, but received {list(anchors)} and "
            f"{list(anchor_mask)}.",
        )
    masks = Meta((x.shape[0], len(anchor_mask), *x.shape[2:]), x.dtype)
    return Meta((x.shape[0],), x.dtype), masks, Meta(tuple(gt_box.shape[:2]), np.dtype("int32"))


def _example(rng: np.random.Generator) -> tuple[list[Any], Attrs]:
    boxes = np.array([[[0.3, 0.4, 0.3, 0.2], [0.7, 0.6, 0.2, 0.4]]])
    attrs = {"anchors": (10, 12, 20, 16), "anchor_mask": (0, 1), "class_num": 1, "downsample_ratio": 16}
    return [rng.uniform(-1, 1, (1, 12, 2, 2)), boxes, np.array([[0, 0]], "int32"), None], attrs


@listed(grad_keeps="GTMatchMask")
@operator(
    "yolov3_loss",
    "X, GTBox, GTLabel, GTScore? -> Loss, ObjectnessMask~, GTMatchMask~",
    kinds="f",
    infer=_infer,
    example=_example,
    latex=r"\sum w_{xy}\,\mathrm{ce} + w_{wh}|x - t| + \mathrm{ce}_{obj} + \mathrm{ce}_{class}",
    page="vision/ops/yolo_loss",
)
def yolov3_loss(
    x: Array,
    gt_box: Array,
    gt_label: Array,
    gt_score: Array | None,
    anchors: Anchors = (),
    anchor_mask: Anchors = (),
    class_num: int = 1,
    ignore_thresh: float = 0.7,
    downsample_ratio: int = 32,
    use_label_smooth: bool = True,
    scale_x_y: float = 1.0,
) -> tuple[Array, ...]:
    """Return the loss of each image, [N], of predictions [N, masks (5 + classes), H, H] and true boxes [N, B, 4].

    Returns:
        the loss; how much each prediction should say that there is something (-1: it may say what it likes),
        [N, masks, H, H]; and the anchor of the mask that each true box belongs to, or -1, int32 [N, B].
    """
    fields, width = _fields(x, anchor_mask, class_num), x.shape[3]
    shapes, size = np.array(anchors, float).reshape(-1, 2), downsample_ratio * np.array([width, width])
    own = shapes[list(anchor_mask)]
    meant, boxes = _meant(fields.astype(float), own, size, scale_x_y), gt_box.astype(float)
    objects = np.zeros(meant.shape[:-1])
    for image, number in zip(*np.nonzero(_there(gt_box)), strict=True):
        objects[image][_shares(meant[image], boxes[image, number]) > ignore_thresh] = -1
    match = _matches(boxes, shapes, anchor_mask, size)
    goals = _goals(gt_box, gt_label, gt_score, match, own, width, size, class_num, use_label_smooth)
    objects[goals.place] = goals.score
    logits = fields[:, :, 4].astype(float)
    sure = np.where(objects > 1e-5, _entropy(logits, 1.0) * objects, _entropy(logits, 0.0) * (objects > -0.5))
    said = goals.of(fields)
    far = _entropy(said, goals.target)
    far[:, SIZES] = np.abs(said - goals.target)[:, SIZES]
    loss = sure.sum((1, 2, 3))
    np.add.at(loss, goals.place[0], (far * goals.weight).sum(1))
    return loss.astype(x.dtype), objects.astype(x.dtype), match


@yolov3_loss.gradient("x")
def _(
    dy: Value,
    x: Value,
    gt_box: Value,
    gt_label: Value,
    gt_score: Value | None,
    objectnessmask: Value,
    gtmatchmask: Value,
    anchors: Anchors,
    anchor_mask: Anchors,
    class_num: int,
    downsample_ratio: int,
    use_label_smooth: bool,
) -> Value:
    weight, shift = yolo_slope(
        x, gt_box, gt_label, objectnessmask, gtmatchmask, gt_score, anchors, anchor_mask, class_num, downsample_ratio,
        use_label_smooth,
    )  # fmt: skip
    return reshape2(dy, (-1, 1, 1, 1)) * (weight * sigmoid(x) + shift)


def _example_slope(rng: np.random.Generator) -> tuple[list[Any], Attrs]:
    (x, boxes, labels, _), attrs = _example(rng)
    _, objects, match = yolov3_loss.kernel(x, boxes, labels, None, **attrs)
    return [x, boxes, labels, objects, match, None], attrs


@operator(
    "yolo_slope",
    "X, GTBox, GTLabel, ObjectnessMask, GTMatchMask, GTScore? -> Weight~, Shift~",
    kinds="f",
    infer=lambda x, *others, **attrs: (x, x),
    example=_example_slope,
)
def yolo_slope(
    x: Array,
    gt_box: Array,
    gt_label: Array,
    objectness_mask: Array,
    gt_match_mask: Array,
    gt_score: Array | None,
    anchors: Anchors = (),
    anchor_mask: Anchors = (),
    class_num: int = 1,
    downsample_ratio: int = 32,
    use_label_smooth: bool = True,
) -> tuple[Array, ...]:
    """Return the two numbers of which the gradient of :func:`yolov3_loss` is made: ``weight * sigmoid(x) + shift``."""
    fields, width = _fields(x, anchor_mask, class_num), x.shape[3]
    own = np.array(anchors, float).reshape(-1, 2)[list(anchor_mask)]
    size = downsample_ratio * np.array([width, width])
    goals = _goals(gt_box, gt_label, gt_score, gt_match_mask, own, width, size, class_num, use_label_smooth)
    weight, shift = (np.zeros(fields.shape) for _ in range(2))
    asked = np.where(objectness_mask > 1e-5, objectness_mask, objectness_mask > -0.5)
    weight[:, :, 4], shift[:, :, 4] = asked, np.where(objectness_mask > 1e-5, -objectness_mask, 0)
    logits, offsets = goals.weight.copy(), -goals.weight * goals.target
    logits[:, SIZES] = 0
    offsets[:, SIZES] = (goals.weight * np.sign(goals.of(fields) - goals.target))[:, SIZES]
    image, anchor, row, column = goals.place
    place: Any = (image, anchor, slice(None), row, column)
    np.add.at(weight, place, logits)
    np.add.at(shift, place, offsets)
    return weight.reshape(x.shape).astype(x.dtype), shift.reshape(x.shape).astype(x.dtype)
