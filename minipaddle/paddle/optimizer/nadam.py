"""NAdam and RAdam, which came from Adam."""

from __future__ import annotations

from typing import Any

from minipaddle.ops.updates import nadam as updates
from minipaddle.paddle.nn.clip import ClipGradBase
from minipaddle.paddle.optimizer.accumulators import Accumulator
from minipaddle.paddle.optimizer.lr import LRScheduler
from minipaddle.paddle.optimizer.optimizer import Optimizer
from minipaddle.paddle.regularizer import WeightDecayRegularizer


class NAdam(Optimizer):
    """Adam with Nesterov's look ahead (https://openreview.net/forum?id=OM0jvwB8jIp57ZJjtNEZ).

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/NAdam_en.html)

    Args:
        beta1: how much of the running mean of the gradient stays.
        beta2: the same for its square.
        epsilon: keeps the quotient finite.
        momentum_decay: how fast the mean takes over from the gradient.

    Raises:
        ValueError: **Invalid** learning rate, epsilon, beta1, beta2 or momentum_decay.
    """

    operator = updates.nadam
    accumulators = (
        Accumulator("momentum_decay_pow", start=1.0),
        Accumulator("beta2_pow", start=1.0),
        Accumulator("mu_product", start=1.0),
        Accumulator("moment1"),
        Accumulator("moment2"),
    )

    def __init__(
        self,
        learning_rate: float | LRScheduler = 0.002,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        momentum_decay: float = 0.004,
        parameters: Any = None,
        weight_decay: float | WeightDecayRegularizer | None = None,
        grad_clip: ClipGradBase | None = None,
        name: str | None = None,
    ) -> None:
        numbers = _checked(learning_rate, beta1, beta2, epsilon)
        if not momentum_decay >= 0:
            raise ValueError(f"Invalid momentum_decay value: {momentum_decay}, expect momentum_decay >= 0.")
        numbers["momentum_decay"] = float(momentum_decay)
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name, **numbers)


class RAdam(Optimizer):
    """Adam that trusts its mean square only once it is made of enough squares (arXiv 1908.03265).

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/RAdam_en.html)

    Args:
        beta1: how much of the running mean of the gradient stays.
        beta2: the same for its square.
        epsilon: keeps the quotient finite.

    Raises:
        ValueError: **Invalid** learning rate, epsilon, beta1 or beta2.
    """

    operator = updates.radam
    accumulators = (
        Accumulator("beta1_pow", start=1.0),
        Accumulator("beta2_pow", start=1.0),
        Accumulator("rho", start=1.0),
        Accumulator("moment1"),
        Accumulator("moment2"),
    )

    def __init__(
        self,
        learning_rate: float | LRScheduler = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        parameters: Any = None,
        weight_decay: float | WeightDecayRegularizer | None = None,
        grad_clip: ClipGradBase | None = None,
        name: str | None = None,
    ) -> None:
        numbers = _checked(learning_rate, beta1, beta2, epsilon)
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name, **numbers)


def _checked(learning_rate: Any, beta1: float, beta2: float, epsilon: float) -> dict[str, float]:
    if learning_rate is None:
        raise TypeError("learning rate should be float or LRScheduler, got None here")
    if isinstance(learning_rate, (float, int)) and not learning_rate >= 0:
        raise ValueError(f"Invalid learning rate: {learning_rate}, expect learning_rate >= 0.")
    if not epsilon >= 0:
        raise ValueError(f"Invalid epsilon value: {epsilon}, expect epsilon >= 0.")
    for name, value in (("beta1", beta1), ("beta2", beta2)):
        if not 0 <= value < 1:
            raise ValueError(f"Invalid {name}: {value}, expect 0. <= {name} < 1.0.")
    return {"beta1": float(beta1), "beta2": float(beta2), "epsilon": float(epsilon)}
