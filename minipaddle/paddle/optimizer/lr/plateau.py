"""ReduceOnPlateau: lower the learning rate when progress stops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.paddle.optimizer.lr.scheduler import LRScheduler


class ReduceOnPlateau(LRScheduler):
    """Multiplies the rate by `factor` when a measure has not improved for more than `patience` epochs.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/optimizer/lr/ReduceOnPlateau_en.html)

    Args:
        learning_rate: the rate to start from.
        mode: "min" if smaller is better, "max" if larger is.
        factor: below 1.
        patience: the number of epochs without improvement that are tolerated.
        threshold: the improvement that counts.
        threshold_mode: "rel": relative to the best so far; "abs": absolute.
        cooldown: the number of epochs to wait after a reduction.
        min_lr: the smallest rate.
        epsilon: changes of at most this size are skipped.
        verbose: print each reduction.

    Raises:
        ValueError: **mode: ... is unknown!** or **threshold mode**, or a `factor` of 1 or more.
        TypeError: for a learning rate that is no number.
    """

    keys = ("cooldown_counter", "best", "num_bad_epochs", "last_epoch", "last_lr")

    def __init__(
        self,
        learning_rate: float,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: float = 0,
        epsilon: float = 1e-8,
        verbose: bool = False,
    ) -> None:
        self.mode = _one_of("mode", mode, ("min", "max"))
        self.threshold_mode = _one_of("threshold mode", threshold_mode, ("rel", "abs"))
        if factor >= 1.0:
            raise ValueError("new_lr = origin_lr * gamma and gamma should be < 1.0.")
        if not isinstance(learning_rate, (float, int)):
            raise TypeError(
                "The type of 'learning_rate' in 'ReduceOnPlateau' must be 'float', "
                f"but received {type(learning_rate).__name__}."
            )
        self.factor = factor
        self.patience = patience
        self.threshold = threshold
        self.cooldown = cooldown
        self.min_lr = min_lr
        self.epsilon = epsilon
        self.verbose = verbose
        self.cooldown_counter = 0
        self.best: float | None = None
        self.num_bad_epochs = 0
        # unlike the base's: epoch 0 has no measure
        self.base_lr = self.last_lr = float(learning_rate)
        self.last_epoch = 0

    def _measured(self, metrics: Any, epoch: int | None = None) -> None:
        """Step by the measure of an epoch: `metrics` is a number, or a Tensor or array with one element.

        Raises:
            AssertionError: **the size of metrics must be 1**.
            TypeError: **metrics must be** a number, array or Tensor.
        """
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        measure = _number(metrics)
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            return
        if self.best is None or self._is_better(measure, self.best):
            self.best = measure
            self.num_bad_epochs = 0
        else:
            self.num_bad_epochs += 1
        if self.num_bad_epochs > self.patience:
            self._reduce()

    # A method by another name, because its first argument differs from the base class's.
    step: Callable[..., None] = _measured

    def _reduce(self) -> None:
        self.cooldown_counter = self.cooldown
        self.num_bad_epochs = 0
        lower = max(self.last_lr * self.factor, self.min_lr)
        if self.last_lr - lower > self.epsilon:
            self.last_lr = lower
            self._tell()

    def _is_better(self, current: float, best: float) -> bool:
        margin = self.threshold * (best if self.threshold_mode == "rel" else 1.0)
        return current < best - margin if self.mode == "min" else current > best + margin


def _one_of(what: str, value: str, known: tuple[str, ...]) -> str:
    if value.lower() not in known:
        raise ValueError(f"{what}: {value} is unknown! It must be one of {', '.join(known)}.")
    return value.lower()


def _number(metrics: Any) -> float:
    if isinstance(metrics, (Tensor, np.ndarray)):
        assert metrics.size == 1, (
            f"the size of metrics must be 1, but the current metrics.size is {metrics.size}. "
            "Try paddle.mean(metrics)."
        )
        return float(metrics.item())
    if isinstance(metrics, (int, float, np.floating)):
        return float(metrics)
    raise TypeError(
        "metrics must be 'int', 'float', 'np.float64', 'numpy.ndarray' or 'paddle.Tensor', "
        f"but receive {type(metrics).__name__}"
    )
