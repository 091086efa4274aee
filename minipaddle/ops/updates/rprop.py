"""Update operators that remember more, or less, than means of gradients: Rprop, ASGD, and averages of parameters."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.core.meta import Array, Attrs
from minipaddle.engine.core.operator import operator
from minipaddle.ops.updates.sgd import example_of, in_pieces, written


@operator(
    "rprop",
    "Param, Grad, Prev, LearningRate -> ParamOut~, PrevOut~, LearningRateOut~",
    infer=written(0, 2, 3),
    latex=r"p - \eta_i \operatorname{sign} g,\; "
    r"\eta_i = \begin{cases} \eta^+ \eta_i & g g' > 0 \\ \eta^- \eta_i & g g' < 0 \end{cases}",
    updates=True,
    example=example_of(*"pppp"),
    page="optimizer/Rprop",
)
def rprop(
    param: Array,
    grad: Array,
    prev: Array,
    learning_rate: Array,
    learning_rate_range: Any = (1e-5, 50.0),
    etas: Any = (0.5, 1.2),
) -> tuple[Array, ...]:
    """Let each element walk by the sign of its gradient, faster while that stays, slower when it turns.

    An element whose gradient has turned stays where it is for this step.
    """

    def step(p: Array, g: Array, before: Array, rate: Array) -> None:
        same = g * before
        rate *= np.where(same > 0, etas[1], np.where(same < 0, etas[0], 1.0))
        np.clip(rate, *learning_rate_range, out=rate)
        now = np.where(same < 0, 0, g)
        p -= np.sign(now) * rate
        before[...] = now

    in_pieces(step, param, grad, prev, learning_rate)
    return param, prev, learning_rate


def _asgd_example(rng: np.random.Generator) -> tuple[list[Any], Attrs]:
    shapes = (2, 3), (2, 3), (1,), (2, 3), (4, 2, 3)
    return [*(rng.uniform(0.2, 0.9, shape) for shape in shapes), np.array([6])], {}


@operator(
    "asgd",
    "Param, Grad, LearningRate, D, Y, M -> ParamOut~, DOut~, YOut~, MOut~",
    infer=written(0, 3, 4, 5),
    latex=r"d' = d - y_i + g,\; p - \frac{\eta}{n} d'",
    updates=True,
    example=_asgd_example,
    page="optimizer/ASGD",
)
def asgd(param: Array, grad: Array, learning_rate: Array, d: Array, y: Array, m: Array) -> tuple[Array, ...]:
    """Step by the mean of the last gradients: `d` is the sum of those that `y` keeps, `m` counts the steps."""
    n = len(y)
    oldest = y[m.item() % n]
    m += 1
    rate = learning_rate.item() / min(m.item(), n)

    def step(p: Array, g: Array, total: Array, old: Array) -> None:
        total -= old
        total += g
        p -= rate * total
        old[...] = g

    in_pieces(step, param, grad, d, oldest)
    return param, d, y, m


def _average_example(rng: np.random.Generator) -> tuple[list[Any], Attrs]:
    sums = [rng.uniform(0.2, 0.9, (2, 3)) for _ in range(4)]
    return [*sums, *(np.array([count]) for count in (3, 2, 5))], {"average_window": 0.5}


_WINDOW = 16384
"""Steps after which the running sum is taken to the second one, so that it does not lose digits."""


@operator(
    "average_accumulates",
    "param, in_sum_1, in_sum_2, in_sum_3, in_num_accumulates, in_old_num_accumulates, in_num_updates -> "
    "out_sum_1~, out_sum_2~, out_sum_3~, out_num_accumulates~, out_old_num_accumulates~, out_num_updates~",
    infer=written(1, 2, 3, 4, 5, 6),
    latex=r"s_1 + p",
    updates=True,
    example=_average_example,
    page="incubate/ModelAverage",
)
def average_accumulates(
    param: Array,
    in_sum_1: Array,
    in_sum_2: Array,
    in_sum_3: Array,
    in_num_accumulates: Array,
    in_old_num_accumulates: Array,
    in_num_updates: Array,
    average_window: float = 0.0,
    min_average_window: int = 10000,
    max_average_window: int = 2**63 - 1,
) -> tuple[Array, ...]:
    """Add the parameter to the running sum of its window; a window that is full begins again."""
    sums = in_sum_1, in_sum_2, in_sum_3
    counts = in_num_accumulates, in_old_num_accumulates, in_num_updates
    in_num_updates += 1
    in_num_accumulates += 1
    in_sum_1 += param
    if in_num_updates.item() % _WINDOW == 0:
        in_sum_2 += in_sum_1
        in_sum_1[...] = 0
    window = min(max_average_window, int(in_num_updates.item() * average_window))
    if in_num_accumulates.item() >= max(min_average_window, window):
        np.add(in_sum_1, in_sum_2, out=in_sum_3)
        in_sum_1[...] = in_sum_2[...] = 0
        in_old_num_accumulates[...] = in_num_accumulates
        in_num_accumulates[...] = 0
    return (*sums, *counts)
