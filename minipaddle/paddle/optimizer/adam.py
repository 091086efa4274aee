"""Adam, and Adamax, which differs in how it measures the size of gradients."""

from __future__ import annotations

from typing import Any

from minipaddle.ops.optimizer_steps import adam as adam_updates
from minipaddle.paddle.nn.clip import ClipGradBase
from minipaddle.paddle.optimizer.accumulators import Accumulator
from minipaddle.paddle.optimizer.lr import LRScheduler
from minipaddle.paddle.optimizer.optimizer import Optimizer
from minipaddle.paddle.regularizer import WeightDecayRegularizer


def betas(learning_rate: Any, beta1: Any, beta2: Any, epsilon: Any) -> dict[str, float]:
    """Return the numbers of the Adam family, checked.

    Raises:
        AssertionError: one of them, or the learning rate, is None.
        ValueError: **Invalid value of beta1**, beta2 or epsilon.
    """
    assert all(one is not None for one in (learning_rate, beta1, beta2, epsilon)), (
        "learning_rate, beta1, beta2 and epsilon must be set"
    )
    for name, value in (("beta1", beta1), ("beta2", beta2)):
        if not 0 <= value < 1:
            raise ValueError(f"Invalid value of {name}, expect {name} in [0,1), but received {value}.")
    if not epsilon >= 0:
        raise ValueError(f"Invalid value of epsilon, expect epsilon >= 0, but received {epsilon}.")
    return {"beta1": float(beta1), "beta2": float(beta2), "epsilon": float(epsilon)}


ADAM_STATE = (
    Accumulator("moment1"),
    Accumulator("moment2"),
    Accumulator("beta1_pow_acc", start="beta1", single=True),
    Accumulator("beta2_pow_acc", start="beta2", single=True),
)
"""What Adam, AdamW and Lamb remember."""


class Adam(Optimizer):
    """Move by a running mean of the gradient over the root of a running mean of its square (arXiv 1412.6980).

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/Adam_en.html)

    Args:
        beta1: how much of the running mean of the gradient stays.
        beta2: the same for its square.
        epsilon: keeps the quotient finite.
        lazy_mode: accepted, like use_multi_tensor; makes no difference.
        multi_precision: parameters of 16 bits have a float32 master weight that steps are added to.

    Raises:
        AssertionError: one of them, or the learning rate, is None.
        ValueError: **Invalid value of beta1**, beta2 or epsilon.
    """

    operator = adam_updates.adam
    accumulators = ADAM_STATE

    def __init__(
        self,
        learning_rate: float | LRScheduler = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        parameters: Any = None,
        weight_decay: float | WeightDecayRegularizer | None = None,
        grad_clip: ClipGradBase | None = None,
        lazy_mode: bool = False,
        multi_precision: bool = False,
        use_multi_tensor: bool = False,
        name: str | None = None,
    ) -> None:
        numbers = betas(learning_rate, beta1, beta2, epsilon)
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name, **numbers)
        self._multi_precision = multi_precision


class Adamax(Optimizer):
    """Adam with a fading maximum of the gradient in place of the root of the mean square.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/Adamax_en.html)

    Args:
        beta1: how much of the running mean of the gradient stays.
        beta2: how much of the maximum stays.
        epsilon: keeps the quotient finite.

    Raises:
        AssertionError: one of them, or the learning rate, is None.
        ValueError: **Invalid value of beta1**, beta2 or epsilon.
    """

    operator = adam_updates.adamax
    accumulators = (
        Accumulator("moment"),
        Accumulator("inf_norm"),
        Accumulator("beta1_pow_acc", start="beta1", single=True),
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
        numbers = betas(learning_rate, beta1, beta2, epsilon)
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name, **numbers)
