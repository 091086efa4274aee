"""Schedules as functions: in dynamic mode the scheduler of that name, in a Program the rate as a Variable.

The Variable is made of a counter that each run of the Program moves on; how fast a rate decays is counted in runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from minipaddle.engine.core.eager import current
from minipaddle.engine.core.extension import Point
from minipaddle.ops.creation.full import full
from minipaddle.ops.math.exponential import exp
from minipaddle.ops.math.minimum import minimum
from minipaddle.ops.math.rounding import ceil, floor
from minipaddle.ops.math.trigonometry import cos
from minipaddle.ops.search.where import where
from minipaddle.paddle.optimizer.lr.decay import (
    CosineAnnealingDecay,
    ExponentialDecay,
    InverseTimeDecay,
    NaturalExpDecay,
    NoamDecay,
    PiecewiseDecay,
    PolynomialDecay,
)
from minipaddle.paddle.optimizer.lr.warmup import LinearWarmup

count_runs = Point("autoincreased_step_counter in a Program")
rate_of_run = Point("a rate that follows the runs of a Program")
"""Both given by static/gradient: a counter; and what a formula makes of the number of the run, the first as given."""

_Formula = Callable[[Any], Any]


def autoincreased_step_counter(counter_name: str | None = None, begin: int = 1, step: int = 1) -> Any:
    """Return a Variable [1], int64, that each run of the Program moves on by `step`.

    Args:
        counter_name: its name; None: ``@STEP_COUNTER@``. The same name again gives the same counter.
        begin: its value in the first run, if `step` is 1.
        step: how far each run moves it.
    """
    return count_runs("@STEP_COUNTER@" if counter_name is None else counter_name, begin, step)


def noam_decay(d_model: int, warmup_steps: int, learning_rate: float = 1.0) -> Any:
    """Return a rate that rises linearly for `warmup_steps`, then falls as one over the root (arXiv 1706.03762)."""
    if current.get().dynamic:
        return NoamDecay(d_model, warmup_steps, learning_rate)

    def formula(run: Any) -> Any:
        return learning_rate * d_model**-0.5 * minimum(run**-0.5, warmup_steps**-1.5 * run)

    return rate_of_run(formula, 1)


def exponential_decay(
    learning_rate: float, decay_steps: int, decay_rate: float, staircase: bool = False
) -> Any:
    """Return a rate that is multiplied by `decay_rate` every `decay_steps`, at once if `staircase` is set."""
    if current.get().dynamic:
        return ExponentialDecay(learning_rate, decay_rate)
    return _decaying(lambda passed: learning_rate * decay_rate**passed, decay_steps, staircase)


def natural_exp_decay(
    learning_rate: float, decay_steps: int, decay_rate: float, staircase: bool = False
) -> Any:
    """Return a rate that decays as ``exp(-decay_rate * runs / decay_steps)``."""
    if current.get().dynamic:
        return NaturalExpDecay(learning_rate, decay_rate)
    return _decaying(lambda passed: learning_rate * exp(-1 * decay_rate * passed), decay_steps, staircase)


def inverse_time_decay(
    learning_rate: float, decay_steps: int, decay_rate: float, staircase: bool = False
) -> Any:
    """Return a rate that decays as ``1 / (1 + decay_rate * runs / decay_steps)``."""
    if current.get().dynamic:
        return InverseTimeDecay(learning_rate, decay_rate)
    return _decaying(lambda passed: learning_rate / (1 + decay_rate * passed), decay_steps, staircase)


def _decaying(formula: _Formula, decay_steps: int, staircase: bool) -> Any:
    """Return the rate that `formula` makes of how often `decay_steps` have passed."""

    def of_run(run: Any) -> Any:
        passed = run / decay_steps
        return formula(floor(passed) if staircase else passed)

    return rate_of_run(of_run, 0)


def polynomial_decay(
    learning_rate: float,
    decay_steps: int,
    end_learning_rate: float = 0.0001,
    power: float = 1.0,
    cycle: bool = False,
) -> Any:
    """Return a rate that goes down along a power; with `cycle` in longer and longer rounds."""
    if current.get().dynamic:
        return PolynomialDecay(learning_rate, decay_steps, end_learning_rate, power, cycle)

    def formula(run: Any) -> Any:
        steps: Any = decay_steps
        if cycle:
            rounds = ceil(run / decay_steps)
            steps = decay_steps * where(run == _number(0), _number(1), rounds)
        else:
            run = minimum(run, _number(decay_steps))
        return (learning_rate - end_learning_rate) * (1 - run / steps) ** power + end_learning_rate

    return rate_of_run(formula, 0)


def piecewise_decay(boundaries: Sequence[int], values: Sequence[float]) -> Any:
    """Return ``values[i]`` from ``boundaries[i - 1]`` up to, not including, ``boundaries[i]``.

    Raises:
        ValueError: **len(values) - len(boundaries) should be 1**.
    """
    if len(values) - len(boundaries) != 1:
        raise ValueError("len(values) - len(boundaries) should be 1")
    if current.get().dynamic:
        return PiecewiseDecay(boundaries, values)

    def formula(run: Any) -> Any:
        rate = _number(values[-1])
        for boundary, value in zip(reversed(boundaries), reversed(values[:-1]), strict=True):
            rate = where(run < _number(boundary), _number(value), rate)
        return rate

    return rate_of_run(formula, 0)


def cosine_decay(learning_rate: float, step_each_epoch: int, epochs: int) -> Any:
    """Return a rate that falls along half a cosine in `epochs` of `step_each_epoch` runs."""
    if current.get().dynamic:
        return CosineAnnealingDecay(learning_rate, epochs)

    def formula(run: Any) -> Any:
        epoch = floor(run / step_each_epoch)
        return learning_rate * 0.5 * (cos(epoch * math.pi / epochs) + 1)

    return rate_of_run(formula, 0)


def linear_lr_warmup(learning_rate: Any, warmup_steps: int, start_lr: float, end_lr: float) -> Any:
    """Return a rate that rises for `warmup_steps`, and is then `learning_rate`: a number, a scheduler, a Variable."""
    if current.get().dynamic:
        return LinearWarmup(learning_rate, warmup_steps, start_lr, end_lr)

    def formula(run: Any) -> Any:
        then = _number(learning_rate) if isinstance(learning_rate, (float, int)) else learning_rate
        rising = start_lr + (end_lr - start_lr) * (run / float(warmup_steps))
        return where(run < _number(warmup_steps), rising, then)

    return rate_of_run(formula, 0)


def _number(value: float) -> Any:
    return full([1], float(value), "float32")
