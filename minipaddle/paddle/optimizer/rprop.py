"""Rprop, which goes by signs of gradients, and ASGD, which goes by the mean of the last ones."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.core.meta import Attrs
from minipaddle.ops.updates import rprop as updates
from minipaddle.paddle.nn.clip import ClipGradBase
from minipaddle.paddle.optimizer.accumulators import Accumulator
from minipaddle.paddle.optimizer.lr import LRScheduler
from minipaddle.paddle.optimizer.optimizer import Optimizer
from minipaddle.paddle.optimizer.param_groups import Group
from minipaddle.paddle.regularizer import WeightDecayRegularizer


class Rprop(Optimizer):
    """Each element has a step of its own, which grows while its gradient keeps its sign, and shrinks when it turns.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/Rprop_en.html)

    Args:
        learning_rate: the first step.
        learning_rate_range: the shortest step and the longest.
        etas: what a step is multiplied by when the gradient turns, and when it does not.
        multi_precision: accepted; makes no difference.

    Raises:
        ValueError: **learning_rate_range** or **etas** must be true, or the learning rate is not set.
    """

    operator = updates.rprop

    def __init__(
        self,
        learning_rate: float | LRScheduler = 0.001,
        learning_rate_range: tuple[float, float] = (1e-5, 50),
        parameters: Any = None,
        etas: tuple[float, float] = (0.5, 1.2),
        grad_clip: ClipGradBase | None = None,
        multi_precision: bool = False,
        name: str | None = None,
    ) -> None:
        if learning_rate is None:
            raise ValueError("learning_rate is not set")
        first = learning_rate() if isinstance(learning_rate, LRScheduler) else learning_rate
        if not 0.0 < learning_rate_range[0] <= first <= learning_rate_range[1]:
            raise ValueError(
                "'0.0 < learning_rate_range[0] <= learning_rate <= learning_rate_range[1]' must be true"
            )
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError("'0.0 < etas[0] < 1.0 < etas[1]' must be true")
        self.accumulators = (Accumulator("prevs"), Accumulator("learning_rates", start=first))
        super().__init__(learning_rate, parameters, 0.0, grad_clip, name,
                         learning_rate_range=tuple(map(float, learning_rate_range)),
                         etas=tuple(map(float, etas)))  # fmt: skip

    def _inputs(self, parameter: Any, grad: Any, group: Group, attrs: Attrs, state: Any) -> tuple[Any, ...]:
        return (parameter, grad, *self._held(parameter, attrs, state))


class ASGD(Optimizer):
    """Step by the mean of the gradients of the last `batch_num` steps.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/ASGD_en.html)

    Args:
        batch_num: how many gradients are kept: the number of batches of an epoch.
        multi_precision: accepted; makes no difference.

    Raises:
        ValueError: **batch_num should not be none**, **batch_num should be greater than 0**, or no learning rate.
    """

    operator = updates.asgd

    def __init__(
        self,
        learning_rate: float | LRScheduler = 0.001,
        batch_num: int = 1,
        parameters: Any = None,
        weight_decay: float | WeightDecayRegularizer | None = None,
        grad_clip: ClipGradBase | None = None,
        multi_precision: bool = False,
        name: str | None = None,
    ) -> None:
        for key, value in (("learning_rate", learning_rate), ("batch_num", batch_num)):
            if value is None:
                raise ValueError(f"{key} should not be none")
        if not batch_num > 0:
            raise ValueError("batch_num should be greater than 0")
        self.accumulators = (
            Accumulator("d"),
            Accumulator("y", rows=batch_num),
            Accumulator("m", single=True, dtype="int64"),
        )
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)
