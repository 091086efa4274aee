"""Adam and its relatives: Adamax scales gradients by a maximum, AdamW applies weight decay apart from the moments.

Lamb, for large batches, scales the step to the parameter's norm.
"""

from __future__ import annotations

from typing import Any

from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import Attrs
from minipaddle.ops.optimizer_steps import adam as updates
from minipaddle.paddle.optimizer.algorithm import Algorithm
from minipaddle.paddle.optimizer.param_groups import Group


def all_set(given: dict[str, Any]) -> None:
    """Raise for a number of the Adam family that is None.

    Raises:
        AssertionError: **must be set**.
    """
    assert None not in [given[name] for name in ("learning_rate", "beta1", "beta2", "epsilon")], (
        "learning_rate, beta1, beta2 and epsilon must be set"
    )


class _Family(Algorithm):
    """The checks shared by Adam and its relatives."""

    def _check(self, given: dict[str, Any]) -> None:
        all_set(given)
        for name, wanted in (("beta1", "in [0,1)"), ("beta2", "in [0,1)"), ("epsilon", ">= 0")):
            value = given[name]
            if not (value >= 0 and (name == "epsilon" or value < 1)):
                raise ValueError(f"Invalid value of {name}, expect {name} {wanted}, but received {value}.")


class Adam(
    _Family,
    operator=updates.adam,
    arguments="learning_rate beta1 beta2 epsilon parameters weight_decay grad_clip lazy_mode multi_precision "
    "use_multi_tensor name",
):
    """Moves by a running mean of the gradient over the root of a running mean of its square (arXiv 1412.6980).

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/Adam_en.html)

    Args:
        beta1: the part of the gradient's running mean that stays.
        beta2: the same for its square.
        epsilon: keeps the quotient finite.
        lazy_mode: no effect, like use_multi_tensor.
        multi_precision: 16-bit parameters have a float32 master weight, which takes the steps.

    Raises:
        AssertionError: one of them, or the learning rate, is None.
        ValueError: **Invalid value of beta1**, beta2 or epsilon.
    """


class Adamax(
    _Family,
    operator=updates.adamax,
    arguments="learning_rate beta1 beta2 epsilon parameters weight_decay grad_clip name",
):
    """Adam with a decaying maximum of the gradient in place of the root of the mean square.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/Adamax_en.html)

    The arguments are those of :class:`Adam`; `beta2` is the part of the maximum that stays.
    """


class AdamW(
    Adam,
    operator=updates.adamw,
    arguments="learning_rate beta1 beta2 epsilon parameters weight_decay use_lowprecision_moment lr_ratio "
    "apply_decay_param_fun grad_clip lazy_mode multi_precision name",
    weight_decay=0.01,
    lr_ratio=None,
):
    """First ``p *= 1 - lr * weight_decay``, then as Adam (arXiv 1711.05101).

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/AdamW_en.html)

    Args:
        weight_decay: the decay, a number.
        lr_ratio: from a parameter to a number that multiplies its learning rate.
        apply_decay_param_fun: from the name of a parameter to whether it decays.
        lazy_mode: no effect.
        multi_precision: 16-bit parameters have a float32 master weight, which takes the steps.

    Raises:
        TypeError: **weight_decay should be int, float or Tensor**.
        ValueError: **Invalid value of beta1**, beta2 or epsilon.
    """

    def _check(self, given: dict[str, Any]) -> None:
        decay, self._lr_ratio = given.pop("weight_decay"), given["lr_ratio"]
        self._decays = given["apply_decay_param_fun"]
        if isinstance(decay, bool) or not isinstance(decay, (int, float, Tensor)):
            raise TypeError("weight_decay should be int, float or Tensor.")
        assert self._lr_ratio is None or callable(self._lr_ratio), (
            "lr_ratio should be a function of the parameter"
        )
        assert self._decays is None or callable(self._decays), (
            "apply_decay_param_fun should be a function of the parameter's name"
        )
        self._coeff = float(decay)
        super()._check(given)

    def _shared_rule(self, group: Group) -> None:
        """Return None: the operator decays the parameter itself."""

    def _attrs(self, parameter: Any, group: Group) -> Attrs:
        return {
            **super()._attrs(parameter, group),
            "coeff": float(group.options.get("weight_decay", self._coeff)),
            "with_decay": self._decays is None or bool(self._decays(parameter.name)),
            "lr_ratio": 1.0 if self._lr_ratio is None else float(self._lr_ratio(parameter)),
        }


class Lamb(
    Algorithm,
    operator=updates.lamb,
    arguments="learning_rate lamb_weight_decay beta1 beta2 epsilon parameters grad_clip "
    "exclude_from_weight_decay_fn multi_precision always_adapt name",
    lamb_weight_decay=0.01,
):
    """Steps in Adam's direction, as long as the parameter, times the learning rate (arXiv 1904.00962).

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/Lamb_en.html)

    Args:
        lamb_weight_decay: the factor of the parameter in the direction.
        beta1: the part of the gradient's running mean that stays.
        beta2: the same for its square.
        epsilon: keeps the quotient finite.
        exclude_from_weight_decay_fn: from a parameter to whether it has no decay.
        multi_precision: no effect.
        always_adapt: scale the step to the parameter without decay, too.
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
