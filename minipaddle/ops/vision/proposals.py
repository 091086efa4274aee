"""Boxes that a network proposes: the best of each image, sorted by size, and softly fewer where they overlap."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.core.meta import Array, Attrs, Meta
from minipaddle.engine.core.operator import operator
from minipaddle.ops.vision.boxes import kept, overlaps

_INT = np.dtype("int32")
_LARGEST = np.log(1000 / 16)
"""How much a box may be stretched, as a logarithm."""


def _best(scores: Array, most: int) -> Array:
    """Return the places of the largest scores, the largest first."""
    order = np.argsort(-scores, kind="stable")
    return order if most < 0 else order[:most]


def _infer_matrix(bboxes: Meta, scores: Meta, **attrs: Any) -> tuple[Meta, ...]:
    """Shape rule: [N, M, 4] and [N, C, M] give [boxes, 6], [boxes, 1] and [N]."""
    return Meta((-1, 6), bboxes.dtype), Meta((-1, 1), _INT), Meta((scores.shape[0],), _INT)


def _example_matrix(rng: np.random.Generator) -> tuple[list[Array], Attrs]:
    low = rng.uniform(0, 3, (1, 5, 2))
    boxes = np.concatenate([low, low + rng.uniform(1, 3, (1, 5, 2))], 2)
    return [boxes, rng.uniform(0.1, 0.9, (1, 2, 5))], {"score_threshold": 0.2}


def _softened(boxes: Array, scores: Array, gaussian: bool, sigma: float, extra: float) -> Array:
    """Return the scores of boxes, the best first, lowered where they overlap better ones."""
    shares = np.tril(overlaps(boxes, boxes, extra), -1)
    worst = shares.max(1)
    if gaussian:
        lowered = np.exp((worst**2 - shares**2) * sigma)
    else:
        lowered = (1 - shares) / (1 - worst)
    return np.asarray(np.where(np.tri(len(boxes), k=-1) > 0, lowered, 1).min(1) * scores)


@operator(
    "matrix_nms",
    "BBoxes, Scores -> Out~, Index~, RoisNum~",
    kinds="f",
    infer=_infer_matrix,
    example=_example_matrix,
    page="vision/ops/matrix_nms",
)
def matrix_nms(
    bboxes: Array,
    scores: Array,
    background_label: int = 0,
    score_threshold: float = 0.0,
    post_threshold: float = 0.0,
    nms_top_k: int = -1,
    gaussian_sigma: float = 2.0,
    use_gaussian: bool = False,
    keep_top_k: int = -1,
    normalized: bool = True,
) -> tuple[Array, ...]:
    """Return class, score and corners of the best boxes of each image, their numbers, and how many each has."""
    rows, places, counts = [], [], []
    for image, (boxes, by_class) in enumerate(zip(bboxes, scores, strict=True)):
        found: list[tuple[float, int, int]] = []
        for label, own in enumerate(by_class):
            order = _best(own, -1)
            order = order[own[order] > score_threshold]
            order = order if nms_top_k < 0 else order[:nms_top_k]
            if label == background_label or not len(order):
                continue
            extra = 0.0 if normalized else 1.0
            lowered = _softened(boxes[order], own[order], use_gaussian, gaussian_sigma, extra)
            found += [
                (score, label, box)
                for score, box in zip(lowered, order, strict=True)
                if score > post_threshold
            ]
        found = [found[place] for place in _best(np.array([score for score, *_ in found]), keep_top_k)]
        rows += [[label, score, *boxes[box]] for score, label, box in found]
        places += [image * bboxes.shape[1] + box for _, _, box in found]
        counts.append(len(found))
    return (
        np.array(rows, bboxes.dtype).reshape(-1, 6),
        np.array(places, _INT).reshape(-1, 1),
        np.array(counts, _INT),
    )


def _infer_levels(fpn_rois: Meta, rois_num: Meta | None, **attrs: Any) -> list[Meta]:
    """Shape rule: [R, 4] gives [some, 4] for each level, as many counts [N], and [R, 1]."""
    levels = attrs["max_level"] - attrs["min_level"] + 1
    images = (1,) if rois_num is None else rois_num.shape
    boxes, counts = Meta((-1, 4), fpn_rois.dtype), Meta(images, _INT)
    return [Meta((fpn_rois.shape[0], 1), _INT), *[boxes] * levels, *[counts] * levels]


@operator(
    "distribute_fpn_proposals",
    "FpnRois, RoisNum? -> Outs~*",
    kinds="f",
    infer=_infer_levels,
    example=lambda rng: (
        [np.array([[0.0, 0, 9, 9], [0, 0, 99, 99], [0, 0, 299, 299]]), np.array([2, 1], _INT)],
        {"min_level": 2, "max_level": 4},
    ),
    page="vision/ops/distribute_fpn_proposals",
)
def distribute_fpn_proposals(
    fpn_rois: Array,
    rois_num: Array | None,
    min_level: int = 2,
    max_level: int = 5,
    refer_level: int = 4,
    refer_scale: int = 224,
    pixel_offset: bool = False,
) -> list[Array]:
    """Sort boxes by size into levels: where each came to stand, the boxes, and how many of each image."""
    sides = fpn_rois[:, 2:] - fpn_rois[:, :2] + (1.0 if pixel_offset else 0.0)
    size = np.sqrt(np.where((sides < 0).any(1), 0, sides.prod(1)))
    level = np.floor(np.log2(size / refer_scale + 1e-6) + refer_level)
    level = np.clip(level, min_level, max_level).astype(int)
    counts = np.array([len(fpn_rois)]) if rois_num is None else rois_num
    owner = np.repeat(np.arange(len(counts)), counts)
    levels = range(min_level, max_level + 1)
    chosen = [np.flatnonzero(level == one) for one in levels]
    restore = np.argsort(np.concatenate(chosen), kind="stable").astype(_INT)[:, None]
    numbers = [np.bincount(owner[one], minlength=len(counts)).astype(_INT) for one in chosen]
    return [restore, *(fpn_rois[one] for one in chosen), *numbers]


def _infer_generate(scores: Meta, *others: Meta, **attrs: Any) -> tuple[Meta, ...]:
    """Shape rule: [N, A, H, W] gives [boxes, 4], [boxes, 1] and [N]."""
    return Meta((-1, 4), scores.dtype), Meta((-1, 1), scores.dtype), Meta((scores.shape[0],), _INT)


def _example_generate(rng: np.random.Generator) -> tuple[list[Array], Attrs]:
    low = rng.uniform(0, 6, (2, 3, 2, 2))
    anchors = np.concatenate([low, low + rng.uniform(2, 5, (2, 3, 2, 2))], 3)
    arrays = [
        rng.uniform(0, 1, (1, 2, 2, 3)), rng.uniform(-0.3, 0.3, (1, 8, 2, 3)), np.array([[12.0, 10.0]]), anchors,
        np.ones((2, 3, 2, 4)),
    ]  # fmt: skip
    return arrays, {}


@operator(
    "generate_proposals_v2",
    "Scores, BboxDeltas, ImShape, Anchors, Variances -> RpnRois~, RpnRoiProbs~, RpnRoisNum~",
    kinds="f",
    name="generate_proposals",
    infer=_infer_generate,
    example=_example_generate,
    page="vision/ops/generate_proposals",
)
def generate_proposals(
    scores: Array,
    bbox_deltas: Array,
    im_shape: Array,
    anchors: Array,
    variances: Array,
    pre_nms_topN: int = 6000,
    post_nms_topN: int = 1000,
    nms_thresh: float = 0.5,
    min_size: float = 0.1,
    eta: float = 1.0,
    pixel_offset: bool = True,
) -> tuple[Array, ...]:
    """Return the best boxes of each image that overlap little, their scores, and how many each has."""
    extra = 1.0 if pixel_offset else 0.0
    rois, probabilities, counts = [], [], []
    flat = [one.reshape(-1, 4) for one in (anchors, variances)]
    for own, moves, sizes in zip(scores, bbox_deltas, im_shape, strict=True):
        chances = own.transpose(1, 2, 0).ravel()
        codes = moves.reshape(-1, 4, *moves.shape[1:]).transpose(2, 3, 0, 1).reshape(-1, 4)
        order = _best(chances, pre_nms_topN if 0 < pre_nms_topN < len(chances) else -1)
        boxes = _decoded(codes[order], flat[0][order], flat[1][order], sizes, extra)
        sides = boxes[:, 2:] - boxes[:, :2] + extra
        large = (sides >= max(min_size, 1.0)).all(1)
        if pixel_offset:
            large &= (boxes[:, :2] + sides / 2 <= sizes[::-1]).all(1)
        boxes, chances = boxes[large], chances[order][large]
        if not len(boxes):
            boxes, chances = np.zeros((1, 4), scores.dtype), np.zeros(1, scores.dtype)
        elif nms_thresh > 0:
            stay = kept(boxes, nms_thresh, extra, eta)
            stay = stay[:post_nms_topN] if 0 < post_nms_topN < len(stay) else stay
            boxes, chances = boxes[stay], chances[stay]
        rois.append(boxes)
        probabilities.append(chances[:, None])
        counts.append(len(boxes))
    return np.concatenate(rois), np.concatenate(probabilities), np.array(counts, _INT)


def _decoded(codes: Array, anchors: Array, variances: Array, sizes: Array, extra: float) -> Array:
    """Return the boxes that the codes mean, cut off where the image ends."""
    wide = anchors[:, 2:] - anchors[:, :2] + extra
    moved = codes * variances
    middles = moved[:, :2] * wide + anchors[:, :2] + wide / 2
    halves = np.exp(np.minimum(moved[:, 2:], _LARGEST)) * wide / 2
    boxes = np.concatenate([middles - halves, middles + halves - extra], 1)
    ends = np.tile(sizes[::-1] - extra, 2)
    return np.clip(boxes, 0, ends).astype(codes.dtype)
