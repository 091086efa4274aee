"""Initializers: the first values of parameters (``paddle.nn.initializer``).

Every class takes the arguments of Paddle's class of that name, which is described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nn/initializer/NAME_en.html.
"""

from __future__ import annotations

from minipaddle.engine.operator.lazy_loading import front

__getattr__ = front(
    globals(),
    {
        "constant": "Assign Constant Orthogonal",
        "initializer": "Initializer calculate_gain",
        "minipaddle.paddle.nn.parameter.create": "set_global_initializer",
        "random": "Normal TruncatedNormal Uniform",
        "xavier_kaiming": "KaimingNormal KaimingUniform XavierNormal XavierUniform",
    },
)
