"""A schedule that begins low: LinearWarmup."""

from __future__ import annotations

from typing import Any

from minipaddle.paddle.optimizer.lr.decay import check_positive
from minipaddle.paddle.optimizer.lr.scheduler import LRScheduler


class LinearWarmup(LRScheduler):
    """Rises from `start_lr` to `end_lr` in `warmup_steps`, then uses `learning_rate`, a number or scheduler.

    Raises:
        TypeError: **the type of learning_rate** is neither number nor scheduler.
        AssertionError: **'warmup_steps' must be a positive integer**; **end_lr must be greater**.
    """

    def __init__(
        self,
        learning_rate: float | LRScheduler,
        warmup_steps: int,
        start_lr: float,
        end_lr: float,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        if not isinstance(learning_rate, (float, int, LRScheduler)):
            raise TypeError(
                "the type of learning_rate should be [int, float or LRScheduler], "
                f"the current type is {type(learning_rate).__name__}"
            )
        check_positive("warmup_steps", warmup_steps)
        assert end_lr > start_lr, f"end_lr {end_lr} must be greater than start_lr {start_lr}"
        self.learning_rate = learning_rate
        self.warmup_steps = warmup_steps
        self.start_lr = start_lr
        self.end_lr = end_lr
        super().__init__(start_lr, last_epoch, verbose)

    def get_lr(self) -> float:
        """Return the rate on the ramp, or the rate of the inner schedule, which starts at its own epoch 0."""
        if self.last_epoch < self.warmup_steps:
            rise = self.end_lr - self.start_lr
            return rise * float(self.last_epoch) / float(self.warmup_steps) + self.start_lr
        if isinstance(self.learning_rate, LRScheduler):
            self.learning_rate.step(self.last_epoch - self.warmup_steps)
            return self.learning_rate()
        return self.learning_rate

    def state_dict(self) -> dict[str, Any]:
        """Return the own state, and the state of the inner schedule as ``LinearWarmup_LR``."""
        state = super().state_dict()
        if isinstance(self.learning_rate, LRScheduler):
            state["LinearWarmup_LR"] = self.learning_rate.state_dict()
        return state

    def set_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Continue from a saved state."""
        super().set_state_dict(state_dict)
        if isinstance(self.learning_rate, LRScheduler):
            self.learning_rate.set_state_dict(state_dict["LinearWarmup_LR"])

    def _expected_besides(self) -> set[str]:
        return {"LinearWarmup_LR"}
