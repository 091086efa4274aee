"""Stochastic gradient descent."""

from __future__ import annotations

from typing import Any

from minipaddle.ops.optimizer_steps import sgd as updates
from minipaddle.paddle.nn.clip import ClipGradBase
from minipaddle.paddle.optimizer.lr import LRScheduler
from minipaddle.paddle.optimizer.optimizer import Optimizer
from minipaddle.paddle.regularizer import WeightDecayRegularizer


class SGD(Optimizer):
    """``p -= lr * g``.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/SGD_en.html;
    arguments: see :class:`Optimizer`; ``multi_precision``: those of 16 bits have a float32 master weight that steps
    are added to.)
    """

    operator = updates.sgd

    def __init__(
        self,
        learning_rate: float | LRScheduler = 0.001,
        parameters: Any = None,
        weight_decay: float | WeightDecayRegularizer | None = None,
        grad_clip: ClipGradBase | None = None,
        multi_precision: bool = False,
        name: str | None = None,
    ) -> None:
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
        self._multi_precision = multi_precision
