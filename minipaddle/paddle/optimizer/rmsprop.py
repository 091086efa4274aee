"""RMSProp."""

from __future__ import annotations

from typing import Any

from minipaddle.ops.optimizer_steps import sgd as updates
from minipaddle.paddle.nn.clip import ClipGradBase
from minipaddle.paddle.optimizer.accumulators import Accumulator
from minipaddle.paddle.optimizer.lr import LRScheduler
from minipaddle.paddle.optimizer.optimizer import Optimizer
from minipaddle.paddle.regularizer import WeightDecayRegularizer


class RMSProp(Optimizer):
    """Divide the gradient by the root of a running mean of its square.

    ``r = rho * r + (1 - rho) * g * g``, ``v = momentum * v + lr * g / sqrt(r + epsilon)``, ``p -= v``
    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/RMSProp_en.html)

    Args:
        rho: how much of the running mean stays.
        epsilon: keeps the quotient finite.
        momentum: how much of the velocity stays.
        centered: divide by the spread around the running mean of the gradient instead.

    Raises:
        ValueError: **Invalid value of** epsilon, momentum or rho.
    """

    operator = updates.rmsprop
    accumulators = (Accumulator("momentum"), Accumulator("mean_square"), Accumulator("mean_grad"))
    rate_first = False

    def __init__(
        self,
        learning_rate: float | LRScheduler,
        rho: float = 0.95,
        epsilon: float = 1e-6,
        momentum: float = 0.0,
        centered: bool = False,
        parameters: Any = None,
        weight_decay: float | WeightDecayRegularizer | None = None,
        grad_clip: ClipGradBase | None = None,
        name: str | None = None,
    ) -> None:
        numbers = {"epsilon": epsilon, "momentum": momentum, "rho": rho}
        for key, value in numbers.items():
            if value is None:
                raise ValueError(f"{key} is not set.")
            if not value >= 0:
                raise ValueError(f"Invalid value of {key}, expect {key} >= 0, but received {value}.")
        numbers["decay"] = numbers.pop("rho")
        super().__init__(
            learning_rate, parameters, weight_decay, grad_clip, name, **numbers, centered=bool(centered)
        )
