"""Update operators of the Adam family; helpers for all families are in ``ops/optimizer_steps/sgd.py``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.ops.definition import Array, formula, operator, tried_with
from minipaddle.ops.optimizer_steps.sgd import ONE, P, in_pieces, written


def _adam_step(
    rate: float, beta1: float, beta2: float, epsilon: float
) -> Callable[[Array, Array, Array, Array], None]:
    """Return the rule that updates both moments and then the parameter."""

    def step(p: Array, g: Array, m: Array, v: Array) -> None:
        m *= beta1
        m += (1 - beta1) * g
        square = g * g
        square *= 1 - beta2
        v *= beta2
        v += square
        root = np.sqrt(v, out=square)
        root += epsilon
        move = np.divide(m, root, out=root)
        move *= rate
        p -= move

    return step


def _adam(param: Array, grad: Array, rate: Array, state: Any, betas: Any, epsilon: float) -> Any:
    """Run the step of adam and adamw. The powers are beta**t in step t and are advanced afterwards."""
    moment1, moment2, beta1_pow, beta2_pow = state
    # in float32, as its powers: 1 - 0.999 is not 0.001
    beta1, beta2 = (float(param.dtype.type(beta)) for beta in betas)
    correction = math.sqrt(1 - beta2_pow.item())
    move = rate.item() * correction / (1 - beta1_pow.item())
    in_pieces(_adam_step(move, beta1, beta2, epsilon * correction), param, grad, moment1, moment2)
    beta1_pow *= beta1
    beta2_pow *= beta2
    return param, *state


def _readable_adam(
    param: Any,
    learning_rate: Any,
    beta1_pow: Any,
    beta2_pow: Any,
    moment1_out: Any,
    moment2_out: Any,
    epsilon: float,
) -> Any:
    """Return the parameter, with the corrections of the two means in sight."""
    root = np.sqrt(1 - beta2_pow)
    return param - learning_rate * root / (1 - beta1_pow) * moment1_out / (
        np.sqrt(moment2_out) + epsilon * root
    )


def _readable_adamw(
    param: Any,
    learning_rate: Any,
    beta1_pow: Any,
    beta2_pow: Any,
    moment1_out: Any,
    moment2_out: Any,
    epsilon: float,
    coeff: float,
    with_decay: bool,
    lr_ratio: float,
) -> Any:
    """Return adam's step after the weight decay."""
    rate = learning_rate * lr_ratio
    shrunk = param * (1 - rate * coeff) if with_decay else param
    return _readable_adam(shrunk, rate, beta1_pow, beta2_pow, moment1_out, moment2_out, epsilon)


_OF_ADAM: Any = {
    "infer": written(0, 3, 4, 5, 6),
    "writes": ("param", "moment1", "moment2", "beta1_pow", "beta2_pow"),
}
"""The shape rule of adam and its variants, and the inputs that they write to."""


@tried_with(P, P, ONE, P, P, ONE, ONE)
@operator("adam", **_OF_ADAM)
def adam(
    param: Array,
    grad: Array,
    learning_rate: Array,
    moment1: Array,
    moment2: Array,
    beta1_pow: Array,
    beta2_pow: Array,
    *,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
) -> tuple[Array, ...]:
    """Divide a running mean of the gradient by the root of a running mean of its square (arXiv 1412.6980)."""
    state = (moment1, moment2, beta1_pow, beta2_pow)
    return _adam(param, grad, learning_rate, state, (beta1, beta2), epsilon)


formula(adam, _readable_adam)


@tried_with(P, P, ONE, P, P, ONE, ONE)
@operator("adamw", **_OF_ADAM)
def adamw(
    param: Array,
    grad: Array,
    learning_rate: Array,
    moment1: Array,
    moment2: Array,
    beta1_pow: Array,
    beta2_pow: Array,
    *,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    coeff: float = 0.01,
    with_decay: bool = True,
    lr_ratio: float = 1.0,
) -> tuple[Array, ...]:
    """Shrink the parameter by itself, apart from the gradient, then do as adam does (arXiv 1711.05101)."""
    rate = learning_rate * lr_ratio
    if with_decay:
        param *= 1 - rate.item() * coeff
    return _adam(param, grad, rate, (moment1, moment2, beta1_pow, beta2_pow), (beta1, beta2), epsilon)


formula(adamw, _readable_adamw)


@tried_with(P, P, ONE, P, P, ONE)
@operator("adamax", infer=written(0, 3, 4, 5), writes=("param", "moment", "inf_norm", "beta1_pow"))
def adamax(
    param: Array,
    grad: Array,
    learning_rate: Array,
    moment: Array,
    inf_norm: Array,
    beta1_pow: Array,
    *,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
) -> tuple[Array, ...]:
    """Adam with a fading maximum in place of the root of the mean square."""
    rate = learning_rate.item() / (1 - beta1_pow.item())

    def step(p: Array, g: Array, m: Array, u: Array) -> None:
        m *= beta1
        m += (1 - beta1) * g
        u *= beta2
        u += epsilon
        np.maximum(u, np.abs(g), out=u)
        p -= rate * (m / u)

    in_pieces(step, param, grad, moment, inf_norm)
    beta1_pow *= beta1
    return param, moment, inf_norm, beta1_pow


@tried_with(P, P, ONE, P, P, ONE, ONE)
@operator("lamb", **_OF_ADAM)
def lamb(
    param: Array,
    grad: Array,
    learning_rate: Array,
    moment1: Array,
    moment2: Array,
    beta1_pow: Array,
    beta2_pow: Array,
    *,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-6,
    weight_decay: float = 0.01,
    always_adapt: bool = False,
) -> tuple[Array, ...]:
    """Make the step of adam as long as the parameter is, times the learning rate (arXiv 1904.00962).

    Without decay the step keeps its own length, unless `always_adapt` is set. The powers are beta**t in step t.
    """
    of_mean, of_square = 1 - beta1_pow.item(), 1 - beta2_pow.item()
    move = np.empty_like(param)

    def step(p: Array, g: Array, m: Array, v: Array, u: Array) -> None:
        m *= beta1
        m += (1 - beta1) * g
        v *= beta2
        v += (1 - beta2) * (g * g)
        u[...] = m / of_mean / (np.sqrt(v / of_square) + epsilon) + weight_decay * p

    in_pieces(step, param, grad, moment1, moment2, move)
    lengths = [float(np.sqrt(np.add.reduce((one * one).reshape(-1)))) for one in (param, move)]
    adapts = (weight_decay > 0 or always_adapt) and all(lengths)
    param -= learning_rate.item() * (lengths[0] / lengths[1] if adapts else 1.0) * move
    beta1_pow *= beta1
    beta2_pow *= beta2
    return param, moment1, moment2, beta1_pow, beta2_pow
