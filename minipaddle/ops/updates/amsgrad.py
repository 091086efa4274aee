"""AMSGrad: Adam and AdamW that divide by the largest mean square so far (``amsgrad=True``)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.engine.core.meta import Array
from minipaddle.engine.core.operator import operator
from minipaddle.ops.updates.sgd import example_of, in_pieces, written

_SLOTS = (
    "Param, Grad, LearningRate, Moment1, Moment2, Moment2Max, Beta1Pow, Beta2Pow -> "
    "ParamOut~, Moment1Out~, Moment2Out~, Moment2MaxOut~, Beta1PowOut~, Beta2PowOut~"
)
_RATE = (
    r"\eta \frac{\sqrt{1 - \beta_2^t}}{1 - \beta_1^t} "
    r"\frac{m}{\sqrt{\max_{s \le t} v_s} + \epsilon \sqrt{1 - \beta_2^t}}"
)


def _amsgrad_step(
    rate: float, beta1: float, beta2: float, epsilon: float
) -> Callable[[Array, Array, Array, Array, Array], None]:
    """Return the rule that moves both moments, the largest of the second, and then the parameter."""

    def step(p: Array, g: Array, m: Array, v: Array, largest: Array) -> None:
        m *= beta1
        m += (1 - beta1) * g
        v *= beta2
        v += (1 - beta2) * (g * g)
        np.maximum(largest, v, out=largest)
        p -= rate * (m / (np.sqrt(largest) + epsilon))

    return step


def _amsgrad_for_people(
    param: Any,
    learning_rate: Any,
    beta1_pow: Any,
    beta2_pow: Any,
    moment1out: Any,
    moment2maxout: Any,
    epsilon: float,
) -> Any:
    """Return the parameter, with the corrections of the two means in sight."""
    root = np.sqrt(1 - beta2_pow)
    return param - learning_rate * root / (1 - beta1_pow) * moment1out / (
        np.sqrt(moment2maxout) + epsilon * root
    )


@operator(
    "amsgrad",
    _SLOTS,
    infer=written(0, 3, 4, 5, 6, 7),
    latex=f"p - {_RATE}",
    formula=_amsgrad_for_people,
    updates=True,
    example=example_of(*"pp1ppp11"),
    page="optimizer/Adam",
)
def amsgrad(
    param: Array,
    grad: Array,
    learning_rate: Array,
    moment1: Array,
    moment2: Array,
    moment2_max: Array,
    beta1_pow: Array,
    beta2_pow: Array,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
) -> tuple[Array, ...]:
    """Do as adam does, with the largest second moment so far: no step grows because gradients fade away.

    The powers stand at beta**t in step t and are moved on afterwards (https://openreview.net/forum?id=ryQu7f-RZ).
    """
    correction = math.sqrt(1 - beta2_pow.item())
    rate = learning_rate.item() * correction / (1 - beta1_pow.item())
    step = _amsgrad_step(rate, beta1, beta2, epsilon * correction)
    in_pieces(step, param, grad, moment1, moment2, moment2_max)
    beta1_pow *= beta1
    beta2_pow *= beta2
    return param, moment1, moment2, moment2_max, beta1_pow, beta2_pow


@operator(
    "amsgradw",
    _SLOTS,
    infer=written(0, 3, 4, 5, 6, 7),
    latex=rf"(1 - \eta \lambda) p - {_RATE}",
    updates=True,
    example=example_of(*"pp1ppp11"),
    page="optimizer/AdamW",
)
def amsgradw(
    param: Array,
    grad: Array,
    learning_rate: Array,
    moment1: Array,
    moment2: Array,
    moment2_max: Array,
    beta1_pow: Array,
    beta2_pow: Array,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    coeff: float = 0.01,
    with_decay: bool = True,
    lr_ratio: float = 1.0,
) -> tuple[Array, ...]:
    """Shrink the parameter by itself, apart from the gradient, then do as amsgrad does."""
    rate = learning_rate * lr_ratio
    if with_decay:
        param *= 1 - rate.item() * coeff
    state = (moment1, moment2, moment2_max, beta1_pow, beta2_pow)
    return amsgrad.kernel(param, grad, rate, *state, beta1, beta2, epsilon)
