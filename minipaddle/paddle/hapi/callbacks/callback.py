"""What every callback is: something that is told before and after each batch, epoch and run."""

from __future__ import annotations

import sys
from typing import Any


def write_line(text: str) -> None:
    """Write a line to standard output."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


class Callback:
    """Base of all; override what you need. A mode is ``train``, ``eval`` or ``predict``.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/callbacks/Callback_en.html)

    Attributes:
        model: the ``paddle.Model``.
        params: batch_size, epochs, steps, verbose, metrics and save_dir of this call.
    """

    def __init__(self) -> None:
        self.model: Any = None
        self.params: dict[str, Any] = {}

    def set_params(self, params: dict[str, Any]) -> None:
        """Take what is known before the first step."""
        self.params = params

    def set_model(self, model: Any) -> None:
        """Take the model."""
        self.model = model

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Run before training."""

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """Run after training."""

    def on_eval_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Run before an evaluation; `logs` has ``steps`` and ``metrics``."""

    def on_eval_end(self, logs: dict[str, Any] | None = None) -> None:
        """Run after an evaluation; `logs` has the loss and the metrics."""

    def on_predict_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Run before predicting."""

    def on_predict_end(self, logs: dict[str, Any] | None = None) -> None:
        """Run after predicting."""

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Run before an epoch, counted from 0."""

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Run after an epoch; `logs` has the last loss and the metrics."""

    def on_train_batch_begin(self, step: int, logs: dict[str, Any] | None = None) -> None:
        """Run before a training step, counted from 0."""

    def on_train_batch_end(self, step: int, logs: dict[str, Any] | None = None) -> None:
        """Run after a training step."""

    def on_eval_batch_begin(self, step: int, logs: dict[str, Any] | None = None) -> None:
        """Run before a batch is evaluated."""

    def on_eval_batch_end(self, step: int, logs: dict[str, Any] | None = None) -> None:
        """Run after a batch was evaluated."""

    def on_predict_batch_begin(self, step: int, logs: dict[str, Any] | None = None) -> None:
        """Run before a batch is predicted."""

    def on_predict_batch_end(self, step: int, logs: dict[str, Any] | None = None) -> None:
        """Run after a batch was predicted."""
