"""paddle.vision.ops: layers and functions for finding objects in images.

What is here has the arguments of Paddle's own, described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/vision/ops/NAME_en.html.
"""

from __future__ import annotations

from minipaddle.core.errors import guard_all
from minipaddle.names.missing import missing
from minipaddle.vision.ops.blocks import ConvNormActivation
from minipaddle.vision.ops.boxes import (
    box_coder,
    distribute_fpn_proposals,
    generate_proposals,
    matrix_nms,
    nms,
    prior_box,
    yolo_box,
)
from minipaddle.vision.ops.files import decode_jpeg, read_file
from minipaddle.vision.ops.regions import PSRoIPool, RoIAlign, RoIPool, psroi_pool, roi_align, roi_pool
from minipaddle.vision.ops.yolo import yolo_loss

__all__ = [
    "ConvNormActivation", "PSRoIPool", "RoIAlign", "RoIPool", "box_coder", "decode_jpeg", "distribute_fpn_proposals",
    "generate_proposals", "matrix_nms", "nms", "prior_box", "psroi_pool", "read_file", "roi_align", "roi_pool",
    "yolo_box", "yolo_loss",
]  # fmt: skip

guard_all(globals())
__getattr__ = missing(__name__, __all__)
