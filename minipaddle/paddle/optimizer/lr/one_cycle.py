"""OneCycleLR: a schedule that rises and falls once."""

from __future__ import annotations

import math
from typing import Any

from minipaddle.paddle.optimizer.lr.scheduler import LRScheduler


class OneCycleLR(LRScheduler):
    """Rises to `max_learning_rate` and falls below the start, once, in `total_steps` (arXiv 1708.07120).

    Args:
        max_learning_rate: the top.
        total_steps: the number of steps.
        divide_factor: the start is the top divided by this factor.
        end_learning_rate: the final rate.
        phase_pct: the share of rising steps.
        anneal_strategy: "cos" or "linear".
        three_phase: first go down to the start, in as many steps as up, and then to the end.
        last_epoch: -1, or the step to continue from.
        verbose: print each step.

    Raises:
        TypeError: **max_learning_rate**, **end_learning_rate**, **total_step**, **phase_pct** or **divide_factor**.
        ValueError: one of them is out of its range; **anneal_strategy**; **Tried to step** more than `total_steps`.
    """

    def __init__(
        self,
        max_learning_rate: float,
        total_steps: int,
        divide_factor: float = 25.0,
        end_learning_rate: float = 0.0001,
        phase_pct: float = 0.3,
        anneal_strategy: str = "cos",
        three_phase: bool = False,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        _check("max_learning_rate", max_learning_rate, (float, int), at_least=0)
        _check("end_learning_rate", end_learning_rate, (float, int), at_least=0)
        _check("total_step", total_steps, (int,), at_least=1)
        _check("phase_pct", phase_pct, (float,))
        if phase_pct < 0 or phase_pct > 1:
            raise ValueError(f"'phase_pct' must be between 0 and 1, but received {phase_pct}")
        _check("divide_factor", divide_factor, (float, int))
        if three_phase and phase_pct >= 0.5:
            raise ValueError("When three_phase is True, 'phase_pct' must be less than 0.5")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"'anneal_strategy' must by one of 'cos' or 'linear', but received {anneal_strategy}"
            )
        start = max_learning_rate / float(divide_factor)
        top, end = phase_pct * total_steps - 1, total_steps - 1
        self.total_steps = total_steps
        self.anneal_strategy = anneal_strategy
        self._turns = [0, top, 2 * phase_pct * total_steps - 2, end] if three_phase else [0, top, end]
        rates = [start, max_learning_rate, start] if three_phase else [start, max_learning_rate]
        self._rates = [*rates, float(end_learning_rate)]
        super().__init__(start, last_epoch, verbose)

    def get_lr(self) -> float:
        """Return the rate between the two turns around the step."""
        step, turns, rates = self.last_epoch, self._turns, self._rates
        if step > self.total_steps:
            raise ValueError(
                f"Tried to step {step} times. However the number of total steps is {self.total_steps}"
            )
        leg = next((leg for leg, turn in enumerate(turns[1:]) if step <= turn), len(turns) - 2)
        part = (step - turns[leg]) / (turns[leg + 1] - turns[leg])
        if self.anneal_strategy == "linear":
            return (rates[leg + 1] - rates[leg]) * part + rates[leg]
        return rates[leg + 1] + (rates[leg] - rates[leg + 1]) / 2.0 * (math.cos(math.pi * part) + 1)


def _check(name: str, value: Any, types: tuple[type, ...], at_least: float = -math.inf) -> None:
    """Raise for a value of another type, or one that is too small."""
    number: Any = value
    if not isinstance(value, types):
        wanted = " or ".join(f"'{one.__name__}'" for one in types)
        raise TypeError(f"'{name}' must be {wanted}, but received {type(value).__name__}")
    if number < at_least:
        raise ValueError(f"'{name}' must be a positive integer, but received {value}")
