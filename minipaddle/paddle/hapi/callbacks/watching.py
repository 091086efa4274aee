"""The callbacks that watch one number of the evaluations."""

from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.paddle.hapi.callbacks.callback import Callback, write_line


class _Watcher(Callback):
    """Compares one number of each evaluation with the best so far."""

    def __init__(self, monitor: str, mode: str, min_delta: float, patience: int) -> None:
        super().__init__()
        if mode not in ("auto", "min", "max"):
            warnings.warn(
                f"{type(self).__name__} mode {mode} is unknown, fallback to auto mode.", stacklevel=3
            )
            mode = "auto"
        self.monitor = monitor
        self.rises = mode == "max" or (mode == "auto" and "acc" in monitor)
        self.min_delta = abs(min_delta)
        self.patience = patience
        self.best_value = np.inf
        self.start_over()

    def start_over(self) -> None:
        """Forget the best value."""
        self.best_value = -np.inf if self.rises else np.inf

    def improved(self, value: float) -> bool:
        """Whether a value is better than the best so far by more than `min_delta`; then it is the best."""
        better = (
            value - self.min_delta > self.best_value
            if self.rises
            else value + self.min_delta < self.best_value
        )
        if better:
            self.best_value = value
        return better

    def monitored(self, logs: dict[str, Any] | None) -> float | None:
        """Return the number to watch, or None, with a warning, if there is none of that name."""
        if logs is None or self.monitor not in logs:
            warnings.warn(f"Monitor of {type(self).__name__} should be loss or metric name.", stacklevel=4)
            return None
        return float(np.asarray(logs[self.monitor]).reshape(-1)[0])


class EarlyStopping(_Watcher):
    """Stops training when a number of the evaluations does not get better any more.

    Args:
        monitor: ``loss`` or the name of a metric.
        mode: ``min``, ``max``, or ``auto``: max for a name with ``acc`` in it.
        patience: evaluations without a better value before training stops.
        verbose: 0 stops without a word.
        min_delta: what counts as better must be better by more than this.
        baseline: the value to be better than at first.
        save_best_model: save ``save_dir/best_model`` when there is a new best, if ``fit`` has a `save_dir`.
    """

    def __init__(
        self,
        monitor: str = "loss",
        mode: str = "auto",
        patience: int = 0,
        verbose: int = 1,
        min_delta: float = 0,
        baseline: float | None = None,
        save_best_model: bool = True,
    ) -> None:
        super().__init__(monitor, mode, min_delta, patience)
        self.verbose = verbose
        self.baseline = baseline
        self.save_best_model = save_best_model
        self.save_dir: str | None = None
        self.wait_epoch = self.stopped_epoch = 0

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Start counting."""
        self.wait_epoch = 0
        self.start_over()
        if self.baseline is not None:
            self.best_value = self.baseline

    def on_eval_end(self, logs: dict[str, Any] | None = None) -> None:
        """Compare, save the best, stop when patience ends."""
        value = self.monitored(logs)
        if value is None:
            return
        self.save_dir = self.params.get("save_dir")
        if self.improved(value):
            self.wait_epoch = 0
            if self.save_best_model and self.save_dir is not None:
                self.model.save(os.path.join(self.save_dir, "best_model"))
        else:
            self.wait_epoch += 1
        if self.wait_epoch >= self.patience:
            self._stop()
        self.stopped_epoch += 1

    def _stop(self) -> None:
        self.model.stop_training = True
        if self.verbose:
            write_line(f"Epoch {self.stopped_epoch + 1}: Early stopping.")
            if self.save_best_model and self.save_dir is not None:
                write_line(
                    f"Best checkpoint has been saved at {os.path.abspath(os.path.join(self.save_dir, 'best_model'))}"
                )


class ReduceLROnPlateau(_Watcher):
    """Multiplies the learning rate by `factor` when a number of the evaluations does not get better any more.

    Args:
        monitor, mode, patience, verbose, min_delta: as in :class:`EarlyStopping`.
        factor: below 1.
        cooldown: evaluations after a reduction that do not count.
        min_lr: it never falls below this.

    Raises:
        ValueError: if `factor` is 1 or more.
    """

    def __init__(
        self,
        monitor: str = "loss",
        factor: float = 0.1,
        patience: int = 10,
        verbose: int = 1,
        mode: str = "auto",
        min_delta: float = 1e-4,
        cooldown: int = 0,
        min_lr: float = 0,
    ) -> None:
        if factor >= 1.0:
            raise failure(
                ValueError, "ReduceLROnPlateau does not support a factor >= 1.0.", "0.1 divides by ten"
            )
        super().__init__(monitor, mode, min_delta, patience)
        self.factor = factor
        self.verbose = verbose
        self.cooldown = cooldown
        self.min_lr = min_lr
        self.cooldown_counter = self.wait = self.epoch = 0

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Start counting."""
        self.start_over()
        self.cooldown_counter = self.wait = 0

    def on_eval_end(self, logs: dict[str, Any] | None = None) -> None:
        """Compare, and reduce when patience ends."""
        value = self.monitored(logs)
        rate = self.model._optimizer._learning_rate
        if value is None or not isinstance(rate, float | int):
            return  # a schedule has plans of its own
        if self.cooldown_counter:
            self.cooldown_counter -= 1
            self.wait = 0
        if self.improved(value):
            self.wait = 0
        elif not self.cooldown_counter:
            self.wait += 1
            if self.wait >= self.patience:
                self._reduce(float(rate))
        self.epoch += 1

    def _reduce(self, rate: float) -> None:
        if rate > self.min_lr:
            lower = max(rate * self.factor, self.min_lr)
            self.model._optimizer.set_lr(lower)
            if self.verbose:
                write_line(f"\nEpoch {self.epoch + 1}: ReduceLROnPlateau reducing learning rate to {lower}.")
        self.cooldown_counter = self.cooldown
        self.wait = 0
