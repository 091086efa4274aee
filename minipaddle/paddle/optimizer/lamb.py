"""Lamb, an optimizer for large batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.engine.value.meta import Attrs
from minipaddle.ops.optimizer_steps import adam as updates
from minipaddle.paddle.nn.clip import ClipGradBase
from minipaddle.paddle.optimizer.adam import ADAM_STATE
from minipaddle.paddle.optimizer.lr import LRScheduler
from minipaddle.paddle.optimizer.optimizer import Optimizer
from minipaddle.paddle.optimizer.param_groups import Group


class Lamb(Optimizer):
    """Adam's direction, as long as the parameter is, times the learning rate (arXiv 1904.00962).

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/Lamb_en.html)

    Args:
        lamb_weight_decay: how much of the parameter is part of the direction.
        beta1: how much of the running mean of the gradient stays.
        beta2: the same for its square.
        epsilon: keeps the quotient finite.
        exclude_from_weight_decay_fn: from a parameter to whether it does without decay.
        multi_precision: accepted; makes no difference.
        always_adapt: measure the step by the parameter without decay, too.
    """

    operator = updates.lamb
    accumulators = ADAM_STATE

    def __init__(
        self,
        learning_rate: float | LRScheduler = 0.001,
        lamb_weight_decay: float = 0.01,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-6,
        parameters: Any = None,
        grad_clip: ClipGradBase | None = None,
        exclude_from_weight_decay_fn: Callable[[Any], bool] | None = None,
        multi_precision: bool = False,
        always_adapt: bool = False,
        name: str | None = None,
    ) -> None:
        assert None not in (learning_rate, beta1, beta2, epsilon), (
            "learning_rate, beta1, beta2 and epsilon must be set"
        )
        numbers = {"beta1": float(beta1), "beta2": float(beta2), "epsilon": float(epsilon)}
        super().__init__(
            learning_rate, parameters, None, grad_clip, name, **numbers, always_adapt=bool(always_adapt)
        )
        self._decay = lamb_weight_decay
        self._excludes = exclude_from_weight_decay_fn

    def _attrs(self, parameter: Any, group: Group) -> Attrs:
        excludes = group.options.get("exclude_from_weight_decay_fn", self._excludes)
        decay = group.options.get("lamb_weight_decay", self._decay)
        left_out = excludes is not None and excludes(parameter)
        return {**super()._attrs(parameter, group), "weight_decay": 0.0 if left_out else float(decay)}
