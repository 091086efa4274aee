"""The callback that watches one number of the evaluations."""

from __future__ import annotations

import os
import warnings
from typing import Any

import numpy as np

from minipaddle.paddle.hapi.callbacks.callback import Callback, write_line


class EarlyStopping(Callback):
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
        super().__init__()
        if mode not in ("auto", "min", "max"):
            warnings.warn(
                f"{type(self).__name__} mode {mode} is unknown, fallback to auto mode.", stacklevel=2
            )
            mode = "auto"
        self.monitor = monitor
        self.rises = mode == "max" or (mode == "auto" and "acc" in monitor)
        self.min_delta = abs(min_delta)
        self.patience = patience
        self.verbose = verbose
        self.baseline = baseline
        self.save_best_model = save_best_model
        self.save_dir: str | None = None
        self.wait_epoch = self.stopped_epoch = 0
        self.best_value = -np.inf if self.rises else np.inf

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Start counting."""
        self.wait_epoch = 0
        worst = -np.inf if self.rises else np.inf
        self.best_value = worst if self.baseline is None else self.baseline

    def on_eval_end(self, logs: dict[str, Any] | None = None) -> None:
        """Compare, save the best, stop when patience ends."""
        value = self._monitored(logs)
        if value is None:
            return
        self.save_dir = self.params.get("save_dir")
        if self._improved(value):
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

    def _improved(self, value: float) -> bool:
        """Whether a value is better than the best so far by more than `min_delta`; then it is the best."""
        better = (
            value - self.min_delta > self.best_value
            if self.rises
            else value + self.min_delta < self.best_value
        )
        if better:
            self.best_value = value
        return better

    def _monitored(self, logs: dict[str, Any] | None) -> float | None:
        """Return the number to watch, or None, with a warning, if there is none of that name."""
        if logs is None or self.monitor not in logs:
            warnings.warn(f"Monitor of {type(self).__name__} should be loss or metric name.", stacklevel=3)
            return None
        return float(np.asarray(logs[self.monitor]).reshape(-1)[0])
