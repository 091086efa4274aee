"""paddle.vision.ops: layers and functions for finding objects in images.

What is here has the arguments of Paddle's own, described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/vision/ops/NAME_en.html.
"""

from __future__ import annotations

from minipaddle.core.errors import guard_all
from minipaddle.names.missing import missing
from minipaddle.vision.ops.blocks import ConvNormActivation

__all__ = ["ConvNormActivation"]

guard_all(globals())
__getattr__ = missing(__name__, __all__)
