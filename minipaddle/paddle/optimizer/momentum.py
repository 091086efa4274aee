"""Gradient descent with momentum."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.value.meta import Attrs
from minipaddle.ops.optimizer_steps import sgd as updates
from minipaddle.paddle.nn.clip import ClipGradBase
from minipaddle.paddle.optimizer.accumulators import Accumulator
from minipaddle.paddle.optimizer.lr import LRScheduler
from minipaddle.paddle.optimizer.optimizer import Optimizer
from minipaddle.paddle.optimizer.param_groups import Group
from minipaddle.paddle.regularizer import L2Decay, WeightDecayRegularizer


class Momentum(Optimizer):
    """``v = mu * v + g``, then ``p -= lr * v``; with `use_nesterov` ``p -= lr * (g + mu * v)``.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/Momentum_en.html)

    Args:
        momentum: the part of the velocity that stays.
        use_nesterov: look one step ahead.
        multi_precision: parameters of 16 bits have a float32 master weight that steps are added to.
        rescale_grad: a number that every gradient is multiplied by.
        use_multi_tensor: accepted; makes no difference.

    Raises:
        ValueError: **momentum is not set**.
    """

    operator = updates.momentum
    accumulators = (Accumulator("velocity"),)
    rate_first = False

    def __init__(
        self,
        learning_rate: float | LRScheduler = 0.001,
        momentum: float = 0.9,
        parameters: Any = None,
        use_nesterov: bool = False,
        weight_decay: float | WeightDecayRegularizer | None = None,
        grad_clip: ClipGradBase | None = None,
        multi_precision: bool = False,
        rescale_grad: float = 1.0,
        use_multi_tensor: bool = False,
        name: str | None = None,
    ) -> None:
        if momentum is None:
            raise ValueError("momentum is not set")
        numbers = {"mu": momentum, "use_nesterov": bool(use_nesterov), "rescale_grad": rescale_grad}
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name, **numbers)
        self._multi_precision = multi_precision

    def _rule(self, parameter: Any, group: Group) -> WeightDecayRegularizer | None:
        """Leave L2 decay to the operator."""
        rule = super()._rule(parameter, group)
        return None if isinstance(rule, L2Decay) else rule

    def _attrs(self, parameter: Any, group: Group) -> Attrs:
        rule = super()._rule(parameter, group)
        decay = ("l2_decay", rule.coeff) if isinstance(rule, L2Decay) else ("", 0.0)
        return {
            **super()._attrs(parameter, group),
            "regularization_method": decay[0],
            "regularization_coeff": decay[1],
        }
