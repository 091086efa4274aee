"""AdamW: Adam whose weight decay goes around the moments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Attrs
from minipaddle.ops.optimizer_steps import adam as adam_updates
from minipaddle.paddle.nn.clip import ClipGradBase
from minipaddle.paddle.optimizer.adam import Adam
from minipaddle.paddle.optimizer.lr import LRScheduler
from minipaddle.paddle.optimizer.param_groups import Group


class AdamW(Adam):
    """First ``p *= 1 - lr * weight_decay``, then as Adam (arXiv 1711.05101).

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/AdamW_en.html)

    Args:
        weight_decay: the decay, a number.
        lr_ratio: from a parameter to a number that multiplies its learning rate.
        apply_decay_param_fun: from the name of a parameter to whether it decays.
        lazy_mode: accepted; makes no difference.
        multi_precision: parameters of 16 bits have a float32 master weight that steps are added to.

    Raises:
        TypeError: **weight_decay should be int, float or Tensor**.
        ValueError: **Invalid value of beta1**, beta2 or epsilon.
    """

    operator = adam_updates.adamw

    def __init__(
        self,
        learning_rate: float | LRScheduler = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        parameters: Any = None,
        weight_decay: float = 0.01,
        use_lowprecision_moment: bool = False,
        lr_ratio: Callable[[Tensor], float] | None = None,
        apply_decay_param_fun: Callable[[str], bool] | None = None,
        grad_clip: ClipGradBase | None = None,
        lazy_mode: bool = False,
        multi_precision: bool = False,
        name: str | None = None,
    ) -> None:
        if isinstance(weight_decay, bool) or not isinstance(weight_decay, (int, float, Tensor)):
            raise TypeError("weight_decay should be int, float or Tensor.")
        assert lr_ratio is None or callable(lr_ratio), "lr_ratio should be a function of the parameter"
        assert apply_decay_param_fun is None or callable(apply_decay_param_fun), (
            "apply_decay_param_fun should be a function of the parameter's name"
        )
        super().__init__(learning_rate, beta1, beta2, epsilon, parameters, grad_clip=grad_clip, name=name)
        self._multi_precision = multi_precision
        self._coeff = float(weight_decay)
        self._lr_ratio = lr_ratio
        self._decays = apply_decay_param_fun

    def _shared_rule(self, group: Group) -> None:
        """Leave the gradient alone: the operator decays the parameter itself."""

    def _attrs(self, parameter: Any, group: Group) -> Attrs:
        return {
            **super()._attrs(parameter, group),
            "coeff": float(group.options.get("weight_decay", self._coeff)),
            "with_decay": self._decays is None or bool(self._decays(parameter.name)),
            "lr_ratio": 1.0 if self._lr_ratio is None else float(self._lr_ratio(parameter)),
        }
