"""paddle.optimizer.lr: schedules of the learning rate.

Every schedule takes the arguments of Paddle's class of that name, which is described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/lr/NAME_en.html.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from minipaddle.paddle.optimizer.lr.scheduler import LRScheduler


class StepDecay(LRScheduler):
    """Multiply by `gamma` every `step_size` epochs.

    Raises:
        TypeError: **The type of 'step_size'** is not int.
        ValueError: **gamma should be < 1.0**.
        AssertionError: **'step_size' must be a positive integer**.
    """

    def __init__(
        self,
        learning_rate: float,
        step_size: int,
        gamma: float = 0.1,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        _check_int("StepDecay", "step_size", step_size)
        _check_gamma(gamma)
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """``base_lr * gamma ** (epoch // step_size)``."""
        return self.base_lr * float(self.gamma ** (self.last_epoch // self.step_size))


class MultiStepDecay(LRScheduler):
    """Multiply by `gamma` at each of the `milestones`.

    Raises:
        TypeError: **The type of 'milestones'** is neither list nor tuple.
        ValueError: **milestones must be incremented**; **gamma should be < 1.0**.
    """

    def __init__(
        self,
        learning_rate: float,
        milestones: Sequence[int],
        gamma: float = 0.1,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        if not isinstance(milestones, (tuple, list)):
            raise TypeError(
                "The type of 'milestones' in 'MultiStepDecay' must be 'tuple, list', "
                f"but received {type(milestones).__name__}."
            )
        if any(later <= earlier for earlier, later in pairwise(milestones)):
            raise ValueError("The elements of milestones must be incremented")
        _check_gamma(gamma)
        self.milestones = milestones
        self.gamma = gamma
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """``base_lr * gamma ** (milestones passed)``."""
        return self.base_lr * float(self.gamma ** bisect_right(self.milestones, self.last_epoch))


class ExponentialDecay(LRScheduler):
    """Multiply by `gamma` every epoch.

    Raises:
        AssertionError: **'gamma' must be in interval (0.0, 1.0)**.
    """

    def __init__(
        self, learning_rate: float, gamma: float, last_epoch: int = -1, verbose: bool = False
    ) -> None:
        assert 0.0 < gamma < 1.0, (
            " 'gamma' must be in interval (0.0, 1.0) so that the learning rate will decay."
        )
        self.gamma = gamma
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """``base_lr * gamma ** epoch``."""
        return self.base_lr * float(self.gamma**self.last_epoch)


class PolynomialDecay(LRScheduler):
    """Decreases to `end_lr` in `decay_steps` epochs along a power; with `cycle`, in longer and longer rounds.

    Raises:
        AssertionError: **'decay_steps' must be a positive integer**; **'power' must be greater than 0.0**.
    """

    def __init__(
        self,
        learning_rate: float,
        decay_steps: int,
        end_lr: float = 0.0001,
        power: float = 1.0,
        cycle: bool = False,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        check_positive("decay_steps", decay_steps)
        assert power > 0.0, " 'power' must be greater than 0.0 so that the learning rate will decay."
        self.decay_steps = decay_steps
        self.end_lr = end_lr
        self.power = power
        self.cycle = cycle
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """``(base_lr - end_lr) * (1 - epoch / steps) ** power + end_lr``."""
        epoch, steps = self.last_epoch, self.decay_steps
        if self.cycle:
            steps *= max(math.ceil(epoch / steps), 1)
        left = 1 - min(epoch, steps) / steps
        return float((self.base_lr - self.end_lr) * left**self.power + self.end_lr)


class PiecewiseDecay(LRScheduler):
    """``values[i]`` from ``boundaries[i - 1]`` up to, not including, ``boundaries[i]``.

    Raises:
        ValueError: **The boundaries cannot be empty**; **The values have one more element than boundaries**.
    """

    def __init__(
        self, boundaries: Sequence[int], values: Sequence[float], last_epoch: int = -1, verbose: bool = False
    ) -> None:
        if len(boundaries) == 0:
            raise ValueError("The boundaries cannot be empty.")
        if len(values) <= len(boundaries):
            raise ValueError(
                "The values have one more element than boundaries, but received "
                f"len(values) [{len(values)}] < len(boundaries) + 1 [{len(boundaries) + 1}]."
            )
        self.boundaries = boundaries
        self.values = values
        super().__init__(last_epoch=last_epoch, verbose=verbose)

    def get_lr(self) -> float:
        """Return the value of the epoch's piece; the last one has no end."""
        passed = next((i for i, end in enumerate(self.boundaries) if self.last_epoch < end), -1)
        return self.values[passed]


class LambdaDecay(LRScheduler):
    """Multiply the base by ``lr_lambda(epoch)``.

    Raises:
        TypeError: **The type of 'lr_lambda'** is no function.
    """

    def __init__(
        self,
        learning_rate: float,
        lr_lambda: Callable[[int], float],
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        if not callable(lr_lambda):
            raise TypeError(
                f"The type of 'lr_lambda' in '{type(self).__name__}' must be 'function', "
                f"but received {type(lr_lambda).__name__}."
            )
        self.lr_lambda = lr_lambda
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """``base_lr * lr_lambda(epoch)``."""
        return self.base_lr * self.lr_lambda(self.last_epoch)


class NoamDecay(LRScheduler):
    """Rises linearly for `warmup_steps`, then falls as one over the root (arXiv 1706.03762).

    Raises:
        ValueError: **d_model should be grater than 0**.
    """

    def __init__(
        self,
        d_model: int,
        warmup_steps: int,
        learning_rate: float = 1.0,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        if d_model <= 0:
            raise ValueError(f"d_model should be grater than 0, but received {d_model}")
        self.d_model = d_model
        self.warmup_steps = warmup_steps
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """``base_lr * d_model ** -0.5 * min(epoch ** -0.5, epoch * warmup_steps ** -1.5)``."""
        falling = 1.0 if self.last_epoch == 0 else self.last_epoch**-0.5
        rising = self.warmup_steps**-1.5 * self.last_epoch
        return float(self.base_lr * self.d_model**-0.5 * min(falling, rising))


class CosineAnnealingDecay(LRScheduler):
    """Swings from the base down to `eta_min` in `T_max` epochs and up again (arXiv 1608.03983).

    Raises:
        TypeError: **The type of 'T_max'** is not int, **'eta_min'** is no number.
        AssertionError: **'T_max' must be a positive integer**.
    """

    def __init__(
        self,
        learning_rate: float,
        T_max: int,
        eta_min: float = 0,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        _check_int("CosineAnnealingDecay", "T_max", T_max)
        if not isinstance(eta_min, (float, int)):
            raise TypeError(
                "The type of 'eta_min' in 'CosineAnnealingDecay' must be 'float, int', "
                f"but received {type(eta_min).__name__}."
            )
        self.T_max = T_max
        self.eta_min = float(eta_min)
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        """Return the rate computed from the last one, as in Paddle: so a rate changed by hand keeps its effect."""
        if self.last_epoch == 0:
            return self.base_lr
        if (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:  # a turn: the quotient is 0 / 0
            return self.last_lr + (self.base_lr - self.eta_min) * (1 - math.cos(math.pi / self.T_max)) / 2
        quotient = self._height(self.last_epoch) / self._height(self.last_epoch - 1)
        return quotient * (self.last_lr - self.eta_min) + self.eta_min

    def _height(self, epoch: int) -> float:
        return 1 + math.cos(math.pi * epoch / self.T_max)

    def _jump(self) -> float:
        return self.eta_min + (self.base_lr - self.eta_min) * self._height(self.last_epoch) / 2


def _check_int(owner: str, name: str, value: Any) -> None:
    if not isinstance(value, int):
        raise TypeError(
            f"The type of '{name}' in '{owner}' must be 'int', but received {type(value).__name__}."
        )
    check_positive(name, value)


def check_positive(name: str, value: Any) -> None:
    """Raise for anything but a positive integer.

    Raises:
        AssertionError: **must be a positive integer**, with the name.
    """
    assert isinstance(value, int) and value > 0, (
        f" '{name}' must be a positive integer, but received {value!r}."
    )


def _check_gamma(gamma: float) -> None:
    if gamma >= 1.0:
        raise ValueError(f"gamma should be < 1.0, but received {gamma}.")
