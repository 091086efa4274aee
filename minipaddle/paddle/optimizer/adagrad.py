"""Adagrad."""

from __future__ import annotations

from typing import Any

from minipaddle.ops.optimizer_steps import sgd as updates
from minipaddle.paddle.nn.clip import ClipGradBase
from minipaddle.paddle.optimizer.accumulators import Accumulator
from minipaddle.paddle.optimizer.lr import LRScheduler
from minipaddle.paddle.optimizer.optimizer import Optimizer
from minipaddle.paddle.regularizer import WeightDecayRegularizer


class Adagrad(Optimizer):
    """``s += g * g``, then ``p -= lr * g / (sqrt(s) + epsilon)``.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/Adagrad_en.html)

    Args:
        epsilon: keeps the quotient finite.
        initial_accumulator_value: what ``s`` starts from.
    """

    operator = updates.adagrad
    rate_first = False

    def __init__(
        self,
        learning_rate: float | LRScheduler,
        epsilon: float = 1e-6,
        parameters: Any = None,
        weight_decay: float | WeightDecayRegularizer | None = None,
        grad_clip: ClipGradBase | None = None,
        name: str | None = None,
        initial_accumulator_value: float = 0.0,
    ) -> None:
        assert None not in (learning_rate, epsilon), "learning_rate and epsilon must be set"
        self.accumulators = (Accumulator("moment", start=initial_accumulator_value),)
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name, epsilon=epsilon)
