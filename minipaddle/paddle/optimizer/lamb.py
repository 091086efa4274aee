"""Lamb, an optimizer for large batches."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.value.meta import Attrs
from minipaddle.ops.optimizer_steps import adam as updates
from minipaddle.paddle.optimizer.adam import all_set
from minipaddle.paddle.optimizer.algorithm import Algorithm
from minipaddle.paddle.optimizer.param_groups import Group


class Lamb(
    Algorithm,
    operator=updates.lamb,
    arguments="learning_rate lamb_weight_decay beta1 beta2 epsilon parameters grad_clip "
    "exclude_from_weight_decay_fn multi_precision always_adapt name",
    lamb_weight_decay=0.01,
):
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

    def _check(self, given: dict[str, Any]) -> None:
        all_set(given)
        self._decay, self._excludes = given["lamb_weight_decay"], given["exclude_from_weight_decay_fn"]
        del given["multi_precision"]

    def _attrs(self, parameter: Any, group: Group) -> Attrs:
        excludes = group.options.get("exclude_from_weight_decay_fn", self._excludes)
        decay = group.options.get("lamb_weight_decay", self._decay)
        left_out = excludes is not None and excludes(parameter)
        return {**super()._attrs(parameter, group), "weight_decay": 0.0 if left_out else float(decay)}
