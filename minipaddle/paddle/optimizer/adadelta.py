"""Adadelta."""

from __future__ import annotations

from typing import Any

from minipaddle.ops.optimizer_steps import sgd as updates
from minipaddle.paddle.nn.clip import ClipGradBase
from minipaddle.paddle.optimizer.accumulators import Accumulator
from minipaddle.paddle.optimizer.lr import LRScheduler
from minipaddle.paddle.optimizer.optimizer import Optimizer
from minipaddle.paddle.regularizer import WeightDecayRegularizer


class Adadelta(Optimizer):
    """Measure each step in units of the steps so far (arXiv 1212.5701).

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/Adadelta_en.html)

    Args:
        epsilon: lets the first step happen.
        rho: how much of the running means stays.

    Raises:
        ValueError: **epsilon is not set**, **rho is not set**.
    """

    operator = updates.adadelta
    # Paddle's own names begin with an underscore: "linear_0.w_0__avg_squared_grad_0"
    accumulators = (Accumulator("_avg_squared_grad"), Accumulator("_avg_squared_update"))
    rate_first = False

    def __init__(
        self,
        learning_rate: float | LRScheduler = 0.001,
        epsilon: float = 1e-6,
        rho: float = 0.95,
        parameters: Any = None,
        weight_decay: float | WeightDecayRegularizer | None = None,
        grad_clip: ClipGradBase | None = None,
        name: str | None = None,
    ) -> None:
        for key, value in (("epsilon", epsilon), ("rho", rho)):
            if value is None:
                raise ValueError(f"{key} is not set.")
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name, rho=rho, epsilon=epsilon)
