"""`paddle.vision.ops`: regions with gradients, boxes, proposals."""

import numpy as np
import paddle

from tests.support.parity.kit import Family, data, frozen, raises

V = paddle.vision.ops
cases = Family("vision_ops")
IMAGES = data(2, 8, 6, 7)
BOXES = np.array([[0.3, 0.2, 4.6, 5.1], [1.2, 0.4, 3.3, 2.7], [0.6, 1.3, 9.9, 8.6], [-3, 2, 2.5, 4.5]])
COUNTS = np.array([3, 1], "int32")


def on_boxes(fn, **options):
    """`fn` of images in float64, with gradients for them alone."""
    return lambda x: fn(x, frozen(BOXES.astype(str(x.numpy().dtype))), frozen(COUNTS), **options)


REGIONS = {
    "roi_align": on_boxes(V.roi_align, output_size=2),
    "roi_align sampled": on_boxes(V.roi_align, output_size=(2, 3), spatial_scale=0.5, sampling_ratio=2),
    "roi_align not aligned": on_boxes(V.roi_align, output_size=3, aligned=False),
    "roi_pool": on_boxes(V.roi_pool, output_size=2),
    "roi_pool scaled": on_boxes(V.roi_pool, output_size=(3, 2), spatial_scale=0.5),
    "psroi_pool": on_boxes(V.psroi_pool, output_size=2),
    "psroi_pool scaled": on_boxes(V.psroi_pool, output_size=[1, 2], spatial_scale=0.5),
}
for text, call in REGIONS.items():
    cases.gradients(text, call, IMAGES, single=True, tolerance=1e-5)


@cases
def region_layers():
    x, boxes, counts = frozen(IMAGES), frozen(BOXES), frozen(COUNTS)
    layers = [V.RoIAlign(2, 0.5), V.RoIPool((2, 1)), V.PSRoIPool(2)]
    return [[repr(layer), layer(x, boxes, counts)] for layer in layers]


@cases
def region_errors():
    x, boxes, counts = frozen(IMAGES), frozen(BOXES), frozen(COUNTS)
    return {
        "psroi channels": raises(lambda: V.psroi_pool(x, boxes, counts, 3)),
        "psroi zero": raises(lambda: V.psroi_pool(x, boxes, counts, 0), "should not contain 0"),
        "psroi rank": raises(lambda: V.psroi_pool(boxes, boxes, counts, 1), "(N, C, H, W)"),
        "boxes": raises(lambda: V.roi_align(x, frozen(data(2, 3)), counts, 2)),
        "rank": raises(lambda: V.roi_align(frozen(data(2, 3)), boxes, counts, 2)),
    }


def some_boxes(count, seed=1, size=30.0):
    """Boxes that overlap."""
    low = data(count, 2, seed=seed, low=0, high=size)
    return np.concatenate([low, low + data(count, 2, seed=seed + 1, low=3, high=size)], 1).astype("float32")


SCORES = data(12, seed=4, low=0, high=1).astype("float32")
CLASSES = np.arange(12) % 3


@cases
def boxes_that_stay():
    boxes, scores = frozen(some_boxes(12)), frozen(SCORES)
    return [
        V.nms(boxes), V.nms(boxes, 0.1), V.nms(boxes, 0.2, scores),
        V.nms(boxes, 0.1, scores, frozen(CLASSES), [0, 1, 2]), V.nms(boxes, 0.1, scores, frozen(CLASSES), [0, 2], 4),
        raises(lambda: V.nms(boxes, 0.1, scores, frozen(CLASSES), [0, 1, 2], 40), "top_k"),
        raises(lambda: V.nms(boxes, 0.1, scores, frozen(CLASSES)), "categories"),
    ]  # fmt: skip


@cases
def coded_boxes():
    prior, target = frozen(some_boxes(3)), frozen(some_boxes(2, 5))
    spread = frozen(data(3, 4, low=0.1, high=0.3).astype("float32"))
    codes, listed = frozen(data(2, 3, 4).astype("float32")), [0.1, 0.1, 0.2, 0.2]
    decode = "decode_center_size"
    return [
        V.box_coder(prior, spread, target), V.box_coder(prior, listed, target, box_normalized=False),
        V.box_coder(prior, spread, codes, decode), V.box_coder(prior, listed, codes, decode, False),
        V.box_coder(frozen(some_boxes(2)), frozen(spread.numpy()[:2]), codes, decode, axis=1),
        raises(lambda: V.box_coder(prior, 3, target), "prior_box_var"),
        raises(lambda: V.box_coder(prior, [1.0], target), "4 elements"),
    ]  # fmt: skip


@cases
def boxes_around_pixels():
    x, image = frozen(np.zeros((1, 2, 2, 3), "float32")), frozen(np.zeros((1, 3, 16, 30), "float32"))
    calls = [
        {"min_sizes": [4.0]}, {"min_sizes": 4.0, "aspect_ratios": [2.0, 1.0], "flip": True, "clip": True},
        {"min_sizes": [4.0, 7.0], "max_sizes": [6.0, 9.0], "aspect_ratios": [2.0], "steps": [3.0, 2.0]},
        {"min_sizes": [4.0], "max_sizes": [6.0], "aspect_ratios": [2.0], "min_max_aspect_ratios_order": True},
        {"min_sizes": [4.0], "offset": 0.25, "variance": [1.0, 2.0, 3.0, 4.0]},
    ]  # fmt: skip
    return [V.prior_box(x, image, **options) for options in calls] + [
        raises(lambda: V.prior_box(x, image, 4.0, steps=[1.0]), "steps")
    ]


@cases
def boxes_of_yolo():
    x, size = data(2, 14, 2, 3).astype("float32"), frozen(np.array([[64, 90], [50, 70]], "int32"))
    anchors = [10, 13, 16, 30]
    aware = frozen(data(2, 16, 2, 3).astype("float32"))
    x = frozen(x)
    return [
        V.yolo_box(x, size, anchors, 2, 0.01, 32), V.yolo_box(x, size, anchors, 2, 0.5, 16, False, scale_x_y=1.2),
        V.yolo_box(aware, size, anchors, 2, 0.3, 32, iou_aware=True, iou_aware_factor=0.4),
        raises(lambda: V.yolo_box(x, size, anchors, 3, 0.01, 32)),
    ]  # fmt: skip


@cases
def softer_scores():
    boxes = np.stack([some_boxes(8), some_boxes(8, 9)])
    scores = data(2, 3, 8, seed=3, low=0, high=1).astype("float32")
    call = [frozen(boxes), frozen(scores)]
    return [
        V.matrix_nms(*call, 0.2, 0.1, 6, 5, return_index=True),
        V.matrix_nms(*call, 0.2, 0.1, -1, -1, True, 1.5, 2, False, True),
        V.matrix_nms(*call, 0.99, 0.5, -1, -1, return_rois_num=False, return_index=True),
    ]


@cases
def levels_of_proposals():
    boxes = np.concatenate([some_boxes(4), some_boxes(3, 5, 200.0), some_boxes(3, 7, 800.0)])
    counts = frozen(np.array([6, 4], "int32"))
    x = frozen(boxes)
    return [
        V.distribute_fpn_proposals(x, 2, 5, 4, 224, rois_num=counts),
        V.distribute_fpn_proposals(x, 3, 4, 3, 50, True, counts),
        raises(lambda: V.distribute_fpn_proposals(x, 3, 3, 3, 50, True, counts), "max_level"),
        raises(lambda: V.distribute_fpn_proposals(x, 0, 3, 3, 50, True, counts), "min_level"),
        raises(lambda: V.distribute_fpn_proposals(x, 2, 3, 3, 50), "rois_num"),
    ]


@cases
def proposals():
    scores, moves = data(2, 2, 3, 4, low=0, high=1), data(2, 8, 3, 4, seed=2, low=-0.5, high=0.5)
    anchors = some_boxes(24).reshape(3, 4, 2, 4)
    call = [
        one.astype("float32")
        for one in (scores, moves, np.array([[40, 50], [30, 35]]), anchors, np.ones_like(anchors))
    ]
    given = list(map(frozen, call))
    return [
        V.generate_proposals(*given, return_rois_num=True),
        V.generate_proposals(*given, 10, 4, 0.7, 5.0, 0.9, True, True),
        V.generate_proposals(*given, 10, 4, 0.3, 500.0, return_rois_num=True),
        raises(lambda: V.generate_proposals(*given), "return_rois_num"),
    ]


TRUE = data(2, 3, 4, seed=8, low=0.1, high=0.8)
TRUE[1, 2] = 0
KINDS = np.array([[0, 1, 1], [1, 0, 0]], "int32")
SURE = data(2, 3, seed=6, low=0.3, high=1.0)
ANCHORS = [10, 13, 16, 30, 33, 23, 40, 60]
for text, options in {
    "plain": {"anchor_mask": [0, 1], "ignore_thresh": 0.7},
    "other anchors": {"anchor_mask": [2, 3], "ignore_thresh": 0.3, "use_label_smooth": False},
    "scaled": {"anchor_mask": [1, 3], "ignore_thresh": 0.2, "scale_x_y": 1.2},
}.items():
    cases.gradients(
        f"yolo_loss {text}",
        lambda x, given=options: V.yolo_loss(
            x, frozen(TRUE), frozen(KINDS), ANCHORS, class_num=2, downsample_ratio=16, **given
        ),
        data(2, 14, 4, 4),
        tolerance=1e-5,
    )
cases.gradients(
    "yolo_loss unsure",
    lambda x: V.yolo_loss(x, frozen(TRUE), frozen(KINDS), ANCHORS, [2, 3], 2, 0.5, 16, frozen(SURE)),
    data(2, 14, 4, 4),
    tolerance=1e-5,
)
