"""Schedules that rise and fall: CyclicLR, OneCycleLR, CosineAnnealingWarmRestarts, and the ramp LinearLR."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from minipaddle.paddle.optimizer.lr.scheduler import LRScheduler

_SCALES: dict[str, Callable[[float, float, int], float]] = {
    "triangular": lambda gamma, cycle, epoch: 1.0,
    "triangular2": lambda gamma, cycle, epoch: 1 / 2.0 ** (cycle - 1),
    "exp_range": lambda gamma, cycle, epoch: float(gamma**epoch),
}


class CyclicLR(LRScheduler):
    """Swing between two rates, up and down along straight lines (arXiv 1506.01186).

    Args:
        base_learning_rate: the lower rate.
        max_learning_rate: the upper one, of the first cycle at least.
        step_size_up: epochs of the way up.
        step_size_down: epochs of the way down; None: as many.
        mode: "triangular", "triangular2" (each cycle is half as high) or "exp_range" (fading by `exp_gamma`).
        exp_gamma: what is left of the height after an epoch.
        scale_fn: what the height is multiplied by, in place of `mode`.
        scale_mode: whether `scale_fn` gets the "cycle" (from 1) or the "iterations".
        last_epoch: -1, or the epoch to go on from.
        verbose: tell of each step on standard output.

    Raises:
        TypeError: **max_learning_rate**, **step_size_up**, **step_size_down** or **exp_gamma** is of another type.
        ValueError: one of them is not positive; **'mode' is invalid**; **'scale_mode' must be one of**.
    """

    def __init__(
        self,
        base_learning_rate: float,
        max_learning_rate: float,
        step_size_up: int,
        step_size_down: int | None = None,
        mode: str = "triangular",
        exp_gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: str = "cycle",
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        _check("max_learning_rate", max_learning_rate, (float, int), at_least=0)
        _check("step_size_up", step_size_up, (int,), at_least=1)
        if step_size_down is not None:
            _check("step_size_down", step_size_down, (int,), at_least=1)
        _check("exp_gamma", exp_gamma, (float,))
        if mode not in _SCALES and scale_fn is None:
            raise ValueError(
                "'mode' is invalid and 'scale_fn' is not specified, make sure one of 'mode' or 'scale_fn' is valid"
            )
        if scale_mode not in ("cycle", "iterations"):
            raise ValueError("'scale_mode' must be one of 'cycle' or 'iterations'")
        down = step_size_up if step_size_down is None else step_size_down
        self.cycle_size = float(step_size_up + down)
        self.step_up_pct = step_size_up / self.cycle_size
        self.max_lr = float(max_learning_rate)
        self.amplitude = self.max_lr - base_learning_rate
        self.mode = mode
        self.gamma = exp_gamma
        self.scale_fn = scale_fn
        self.scale_mode = scale_mode
        super().__init__(base_learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """Return the base and the part of the height that the place in the cycle says."""
        cycle = 1 + self.last_epoch // self.cycle_size
        place = 1.0 + self.last_epoch / self.cycle_size - cycle
        up = place <= self.step_up_pct
        part = place / self.step_up_pct if up else (1 - place) / (1 - self.step_up_pct)
        if self.scale_fn is None:
            scale = _SCALES[self.mode](self.gamma, cycle, self.last_epoch)
        else:
            scale = self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        return self.base_lr + self.amplitude * part * scale


class OneCycleLR(LRScheduler):
    """Rise to `max_learning_rate` and fall below the start, once, in `total_steps` (arXiv 1708.07120).

    Args:
        max_learning_rate: the top.
        total_steps: steps of the whole.
        divide_factor: the start is the top divided by it.
        end_learning_rate: where it ends.
        phase_pct: which part of the steps goes up.
        anneal_strategy: "cos" or "linear".
        three_phase: first go down to the start, in as many steps as up, and then to the end.
        last_epoch: -1, or the step to go on from.
        verbose: tell of each step on standard output.

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
        """Return the rate between the two turns that the step lies between."""
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


class CosineAnnealingWarmRestarts(LRScheduler):
    """Fall along a cosine, jump back up, and fall again, in rounds that grow `T_mult` times longer (arXiv 1608.03983).

    Args:
        learning_rate: the top.
        T_0: epochs of the first round.
        T_mult: how much longer each round is than the last.
        eta_min: the bottom.
        last_epoch: -1, or the epoch to go on from.
        verbose: tell of each step on standard output.

    Raises:
        ValueError: **Expected positive integer T_0**, **integer T_mult >= 1**, **non-negative epoch**.
    """

    def __init__(
        self,
        learning_rate: float,
        T_0: int,
        T_mult: int = 1,
        eta_min: float = 0,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        counts = ("T_0", T_0, "positive integer T_0"), ("T_mult", T_mult, "integer T_mult >= 1")
        for name, value, words in counts:
            if value < 1 or value != int(value):
                raise ValueError(f"Expected {words}, but got {name} = {value}")
        self.T_0 = self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur: float = last_epoch
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """``eta_min + (base_lr - eta_min) * (1 + cos(pi * T_cur / T_i)) / 2``."""
        return (
            self.eta_min + (self.base_lr - self.eta_min) * (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
        )

    def step(self, epoch: int | None = None) -> None:
        """Move on by one epoch, or to `epoch`, which may be a fraction: ``epoch + batch / batches``."""
        if epoch is None and self.last_epoch >= 0:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur -= self.T_i
                self.T_i *= self.T_mult
        else:
            epoch = epoch or 0
            self._place(epoch)
        self.last_epoch = math.floor(epoch)
        self.last_lr = self.get_lr()
        self._tell()

    def _place(self, epoch: float) -> None:
        """Find the round that `epoch` lies in."""
        if epoch < 0:
            raise ValueError(f"Expected non-negative epoch, but got {epoch}")
        if epoch < self.T_0:
            self.T_i, self.T_cur = self.T_0, epoch
        elif self.T_mult == 1:
            self.T_cur = epoch % self.T_0
        else:
            rounds = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
            self.T_cur = epoch - self.T_0 * (self.T_mult**rounds - 1) / (self.T_mult - 1)
            self.T_i = self.T_0 * self.T_mult**rounds


class LinearLR(LRScheduler):
    """Go from `start_factor` of the rate to `end_factor` of it in `total_steps`, along a straight line.

    Args:
        learning_rate: what the factors are parts of.
        total_steps: steps of the ramp.
        start_factor: where it begins.
        end_factor: where it ends.
        last_epoch: -1, or the epoch to go on from.
        verbose: tell of each step on standard output.

    Raises:
        ValueError: **start_factor**, **end_factor** or **total_steps** is out of its range.
    """

    def __init__(
        self,
        learning_rate: float,
        total_steps: int,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        if start_factor > 1.0 or start_factor <= 0:
            raise ValueError(
                f"`start_factor` must be greater than 0 and less or equal to 1, but got {start_factor}"
            )
        if end_factor > 1.0 or end_factor < 0:
            raise ValueError(f"`end_factor` must be greater than 0 and less than 1, but got {end_factor}")
        if total_steps <= 0:
            raise ValueError(f"`total_steps` must be greater than 0, but got {total_steps}")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_steps = total_steps
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """Go on from the last rate, as Paddle does: so a rate that was changed by hand keeps its effect."""
        if self.last_epoch == 0:
            return self.base_lr * self.start_factor
        if self.last_epoch > self.total_steps:
            return self.last_lr
        rise = self.end_factor - self.start_factor
        return self.last_lr * (
            1.0 + rise / (self.total_steps * self.start_factor + (self.last_epoch - 1) * rise)
        )


def _check(name: str, value: Any, types: tuple[type, ...], at_least: float = -math.inf) -> None:
    """Refuse a value of another type, or one that is too small."""
    number: Any = value
    if not isinstance(value, types):
        wanted = " or ".join(f"'{one.__name__}'" for one in types)
        raise TypeError(f"'{name}' must be {wanted}, but received {type(value).__name__}")
    if number < at_least:
        raise ValueError(f"'{name}' must be a positive integer, but received {value}")
