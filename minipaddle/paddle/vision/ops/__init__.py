"""paddle.vision.ops: layers and functions for finding objects in images.

What is here has the arguments of Paddle's own, described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/vision/ops/NAME_en.html.
"""

from minipaddle.engine.core.later import front

__getattr__ = front(
    globals(),
    {
        "blocks": "ConvNormActivation",
        "boxes": "box_coder distribute_fpn_proposals generate_proposals matrix_nms nms prior_box yolo_box",
        "files": "decode_jpeg read_file",
        "regions": "PSRoIPool RoIAlign RoIPool psroi_pool roi_align roi_pool",
        "yolo": "yolo_loss",
    },
)
