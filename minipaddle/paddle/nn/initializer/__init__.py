"""Initializers: the first values of parameters (``paddle.nn.initializer``).

Every class takes the arguments of Paddle's class of that name, which is described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nn/initializer/NAME_en.html.
"""

from __future__ import annotations

from minipaddle.engine.operator.lazy_loading import front
from minipaddle.paddle.nn.initializer.constant import Assign, Constant, NumpyArrayInitializer, Orthogonal
from minipaddle.paddle.nn.initializer.initializer import Initializer, calculate_gain, set_global_initializer
from minipaddle.paddle.nn.initializer.random import Normal, TruncatedNormal, Uniform
from minipaddle.paddle.nn.initializer.xavier_kaiming import (
    KaimingNormal,
    KaimingUniform,
    XavierNormal,
    XavierUniform,
)

__all__ = [
    "Assign", "Constant", "Initializer", "KaimingNormal", "KaimingUniform", "Normal",
    "Orthogonal", "TruncatedNormal", "Uniform", "XavierNormal", "XavierUniform", "calculate_gain",
    "set_global_initializer",
]  # fmt: skip
__getattr__ = front(globals())
