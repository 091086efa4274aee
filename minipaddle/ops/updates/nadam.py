"""Update operators of NAdam and RAdam, which came from Adam.

Paddle keeps their powers once for each element, all equal: so they are read and moved on like the moments.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.core.meta import Array
from minipaddle.engine.core.operator import operator
from minipaddle.ops.updates.sgd import example_of, in_pieces, written


def _nadam_for_people(
    param: Any,
    grad: Any,
    learning_rate: Any,
    moment1out: Any,
    moment2out: Any,
    beta2powout: Any,
    momentumdecaypowout: Any,
    muproductout: Any,
    beta1: float,
    epsilon: float,
    momentum_decay: float,
) -> Any:
    """Return the parameter, with the two shares of the step in sight."""
    now = beta1 * (1 - 0.5 * momentumdecaypowout**momentum_decay)
    ahead = beta1 * (1 - 0.5 * (momentumdecaypowout * 0.96) ** momentum_decay)
    move = ahead * moment1out / (1 - muproductout * ahead) + (1 - now) * grad / (1 - muproductout)
    return param - learning_rate * move / (np.sqrt(moment2out / (1 - beta2powout)) + epsilon)


@operator(
    "nadam",
    "Param, Grad, LearningRate, MomentumDecayPow, Beta2Pow, MuProduct, Moment1, Moment2 -> "
    "ParamOut~, MomentumDecayPowOut~, Beta2PowOut~, MuProductOut~, Moment1Out~, Moment2Out~",
    infer=written(0, 3, 4, 5, 6, 7),
    latex=r"p - \eta \left(\frac{\mu_{t+1} m}{1 - \prod^{t+1} \mu} + \frac{(1 - \mu_t) g}{1 - \prod^t \mu}\right) "
    r"\Big/ \left(\sqrt{\frac{v}{1 - \beta_2^t}} + \epsilon\right)",
    formula=_nadam_for_people,
    updates=True,
    example=example_of(*"pp1ppppp"),
    page="optimizer/NAdam",
)
def nadam(
    param: Array,
    grad: Array,
    learning_rate: Array,
    momentum_decay_pow: Array,
    beta2_pow: Array,
    mu_product: Array,
    moment1: Array,
    moment2: Array,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    momentum_decay: float = 0.004,
) -> tuple[Array, ...]:
    """Do as adam does, and look one step ahead as Nesterov does (openreview.net/forum?id=OM0jvwB8jIp57ZJjtNEZ).

    The share of the gradient, 1 - mu, fades: mu is ``beta1 * (1 - 0.96 ** (t * momentum_decay) / 2)``.
    """
    rate = learning_rate.item()

    def step(p: Array, g: Array, fading: Array, power: Array, product: Array, m: Array, v: Array) -> None:
        fading *= 0.96
        power *= beta2
        now = beta1 * (1 - 0.5 * fading**momentum_decay)
        ahead = beta1 * (1 - 0.5 * (fading * 0.96) ** momentum_decay)
        product *= now
        m *= beta1
        m += (1 - beta1) * g
        v *= beta2
        v += (1 - beta2) * (g * g)
        move = ahead * m / (1 - product * ahead) + (1 - now) * g / (1 - product)
        p -= rate * move / (np.sqrt(v / (1 - power)) + epsilon)

    in_pieces(step, param, grad, momentum_decay_pow, beta2_pow, mu_product, moment1, moment2)
    return param, momentum_decay_pow, beta2_pow, mu_product, moment1, moment2


@operator(
    "radam",
    "Param, Grad, LearningRate, Beta1Pow, Beta2Pow, Rho, Moment1, Moment2 -> "
    "ParamOut~, Beta1PowOut~, Beta2PowOut~, RhoOut~, Moment1Out~, Moment2Out~",
    infer=written(0, 3, 4, 5, 6, 7),
    latex=r"p - \eta \frac{m}{1 - \beta_1^t} \cdot \begin{cases} r_t \frac{\sqrt{1 - \beta_2^t}}{\sqrt{v} + \epsilon} "
    r"& \rho_t > 5 \\ 1 & \text{else} \end{cases}",
    updates=True,
    example=example_of(*"pp1ppppp"),
    page="optimizer/RAdam",
)
def radam(
    param: Array,
    grad: Array,
    learning_rate: Array,
    beta1_pow: Array,
    beta2_pow: Array,
    rho: Array,
    moment1: Array,
    moment2: Array,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
) -> tuple[Array, ...]:
    """Do as adam does once the mean square is known well; before, follow the mean gradient (arXiv 1908.03265).

    Its length rho_t, how many squares the mean is made of, decides: more than 5 are enough.
    """
    rate, decay = learning_rate.item(), param.dtype.type(beta2)
    longest = 2 / (1 - decay) - 1  # in the type of the parameter, as Paddle's kernel

    def step(p: Array, g: Array, power1: Array, power2: Array, rho: Array, m: Array, v: Array) -> None:
        power1 *= beta1
        power2 *= beta2
        rho *= beta2 - power2
        rho += power2
        rho /= 1 - power2
        m *= beta1
        m += (1 - beta1) * g
        v *= beta2
        v += (1 - beta2) * (g * g)
        length = longest - 2 * rho
        enough = np.maximum(length, 5)
        share = (enough - 4) * (enough - 2) * longest / ((longest - 4) * (longest - 2) * enough)
        by_square = np.sqrt(share * (1 - power2)) / (np.sqrt(v) + epsilon)
        p -= rate * m / (1 - power1) * np.where(length > 5, by_square, 1)

    in_pieces(step, param, grad, beta1_pow, beta2_pow, rho, moment1, moment2)
    return param, beta1_pow, beta2_pow, rho, moment1, moment2
