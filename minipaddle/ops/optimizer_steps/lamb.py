"""LAMB: an update for large batches, which scales the step to the size of the parameter."""

from __future__ import annotations

import numpy as np

from minipaddle.engine.operator.operator import operator
from minipaddle.engine.value.meta import Array
from minipaddle.ops.optimizer_steps.sgd import example_of, in_pieces, written


def _length(array: Array) -> float:
    return float(np.sqrt(np.add.reduce((array * array).reshape(-1))))


@operator(
    "lamb",
    "Param, Grad, LearningRate, Moment1, Moment2, Beta1Pow, Beta2Pow -> "
    "ParamOut~, Moment1Out~, Moment2Out~, Beta1PowOut~, Beta2PowOut~",
    infer=written(0, 3, 4, 5, 6),
    latex=r"p - \eta \frac{\lVert p \rVert}{\lVert u \rVert} u,\; "
    r"u = \frac{m / (1 - \beta_1^t)}{\sqrt{v / (1 - \beta_2^t)} + \epsilon} + \lambda p",
    updates=True,
    example=example_of(*"pp1pp11"),
    page="optimizer/Lamb",
)
def lamb(
    param: Array,
    grad: Array,
    learning_rate: Array,
    moment1: Array,
    moment2: Array,
    beta1_pow: Array,
    beta2_pow: Array,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-6,
    weight_decay: float = 0.01,
    always_adapt: bool = False,
) -> tuple[Array, ...]:
    """Make the step of adam as long as the parameter is, times the learning rate (arXiv 1904.00962).

    Without decay the step keeps its own length, unless `always_adapt` is set. The powers stand at beta**t in step t.
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
    lengths = _length(param), _length(move)
    adapts = (weight_decay > 0 or always_adapt) and all(lengths)
    param -= learning_rate.item() * (lengths[0] / lengths[1] if adapts else 1.0) * move
    beta1_pow *= beta1
    beta2_pow *= beta2
    return param, moment1, moment2, beta1_pow, beta2_pow
