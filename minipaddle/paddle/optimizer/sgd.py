"""Gradient descent, with a velocity, or with a rate for each element. Read next: ``adam.py``."""

from __future__ import annotations

from typing import Any, ClassVar

from minipaddle.engine.value.meta import Attrs
from minipaddle.ops.optimizer_steps import sgd as updates
from minipaddle.paddle.optimizer.accumulators import Accumulator
from minipaddle.paddle.optimizer.algorithm import REQUIRED, Algorithm
from minipaddle.paddle.optimizer.param_groups import Group
from minipaddle.paddle.regularizer import L2Decay, WeightDecayRegularizer


class SGD(
    Algorithm,
    operator=updates.sgd,
    arguments="learning_rate parameters weight_decay grad_clip multi_precision name",
):
    """``p -= lr * g``.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/SGD_en.html;
    arguments: see :class:`Optimizer`; ``multi_precision``: 16-bit parameters have a float32 master weight that steps
    are added to.)
    """


class Momentum(
    Algorithm,
    operator=updates.momentum,
    arguments="learning_rate momentum=mu parameters use_nesterov weight_decay grad_clip multi_precision rescale_grad "
    "use_multi_tensor name",
):
    """``v = mu * v + g``, then ``p -= lr * v``; with `use_nesterov` ``p -= lr * (g + mu * v)``.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/Momentum_en.html)

    Args:
        momentum: the part of the velocity that stays.
        use_nesterov: use the gradient one step ahead.
        multi_precision: 16-bit parameters have a float32 master weight, which takes the steps.
        rescale_grad: a factor of every gradient.
        use_multi_tensor: no effect.

    Raises:
        ValueError: **momentum is not set**.
    """

    def _check(self, given: dict[str, Any]) -> None:
        if given["momentum"] is None:
            raise ValueError("momentum is not set")

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


class Adagrad(
    Algorithm,
    operator=updates.adagrad,
    arguments="learning_rate epsilon parameters weight_decay grad_clip name initial_accumulator_value",
    learning_rate=REQUIRED,
    initial_accumulator_value=0.0,
):
    """``s += g * g``, then ``p -= lr * g / (sqrt(s) + epsilon)``.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/Adagrad_en.html)

    Args:
        epsilon: keeps the quotient finite.
        initial_accumulator_value: the first value of ``s``.
    """

    def _check(self, given: dict[str, Any]) -> None:
        both = given["learning_rate"], given["epsilon"]
        assert None not in both, "learning_rate and epsilon must be set"
        self.accumulators = [Accumulator("moment", start=given["initial_accumulator_value"])]


class Adadelta(
    Algorithm,
    operator=updates.adadelta,
    arguments="learning_rate epsilon rho parameters weight_decay grad_clip name",
):
    """Measures each step in units of the earlier steps (arXiv 1212.5701).

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/Adadelta_en.html)

    Args:
        epsilon: makes the first step possible.
        rho: the part of the running means that stays.

    Raises:
        ValueError: **epsilon is not set**, **rho is not set**.
    """

    # Paddle's own names begin with an underscore: "linear_0.w_0__avg_squared_grad_0"
    kept_as: ClassVar[dict[str, str]] = {
        name: f"_{name}" for name in ("avg_squared_grad", "avg_squared_update")
    }

    def _check(self, given: dict[str, Any]) -> None:
        for name in ("epsilon", "rho"):
            if given[name] is None:
                raise ValueError(f"{name} is not set.")


class RMSProp(
    Algorithm,
    operator=updates.rmsprop,
    arguments="learning_rate rho=decay epsilon momentum centered parameters weight_decay grad_clip name",
    learning_rate=REQUIRED,
):
    """Divides the gradient by the root of a running mean of its square.

    ``r = rho * r + (1 - rho) * g * g``, ``v = momentum * v + lr * g / sqrt(r + epsilon)``, ``p -= v``
    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/RMSProp_en.html)

    Args:
        rho: the part of the running mean that stays.
        epsilon: keeps the quotient finite.
        momentum: the part of the velocity that stays.
        centered: divide by the standard deviation of the gradient instead.

    Raises:
        ValueError: **Invalid value of** epsilon, momentum or rho.
    """

    kept_as: ClassVar[dict[str, str]] = {"moment": "momentum"}

    def _check(self, given: dict[str, Any]) -> None:
        for name in ("epsilon", "momentum", "rho"):
            if given[name] is None:
                raise ValueError(f"{name} is not set.")
            if not given[name] >= 0:
                raise ValueError(f"Invalid value of {name}, expect {name} >= 0, but received {given[name]}.")
