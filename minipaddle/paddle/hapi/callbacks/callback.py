"""The base of callbacks, called before and after each batch, epoch and run; and the progress printer."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from functools import partialmethod
from typing import Any

import numpy as np


def write_line(text: str) -> None:
    """Write a line to standard output."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


class Callback:
    """Base of all callbacks; override the methods that you need. A mode is ``train``, ``eval`` or ``predict``.

    Attributes:
        model: the ``paddle.Model``.
        params: batch_size, epochs, steps, verbose, metrics and save_dir of this call.
    """

    def __init__(self) -> None:
        self.model: Any = None
        self.params: dict[str, Any] = {}

    def set_params(self, params: dict[str, Any]) -> None:
        """Take the arguments of this call of the Model."""
        self.params = params

    def set_model(self, model: Any) -> None:
        """Take the model."""
        self.model = model

    def _told(self, logs: dict[str, Any] | None = None) -> None:
        """Run before or after training, an evaluation or predicting.

        `logs` has, before an evaluation, ``steps`` and ``metrics``; after one, the loss and the metrics.
        """

    on_train_begin = on_train_end = on_eval_begin = on_eval_end = on_predict_begin = on_predict_end = _told

    def _told_of_epoch(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Run before or after an epoch, counted from 0; after it, `logs` has the last loss and the metrics."""

    on_epoch_begin = on_epoch_end = _told_of_epoch

    def _told_of_batch(self, step: int, logs: dict[str, Any] | None = None) -> None:
        """Run before or after a step of training, counted from 0, or a batch that is evaluated or predicted."""

    on_train_batch_begin = on_train_batch_end = on_eval_batch_begin = on_eval_batch_end = _told_of_batch
    on_predict_batch_begin = on_predict_batch_end = _told_of_batch


class ProgBarLogger(Callback):
    """Prints loss and metrics.

    Args:
        log_freq: a line every so many steps.
        verbose: 0 nothing, 1 one line with a bar, rewritten each time, 2 line after line; 3 like 2.
    """

    def __init__(self, log_freq: int = 1, verbose: int = 2) -> None:
        super().__init__()
        self.log_freq = log_freq
        self.verbose = verbose
        self.progress = Progress(None, bar=False)
        self.step = 0
        self.samples = 0

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Print a legend."""
        if self.verbose:
            write_line(
                "The loss value printed in the log is the current step, "
                "and the metric is the average value of previous steps."
            )

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Print the epoch."""
        if self.verbose and self.params.get("epochs"):
            write_line(f"Epoch {epoch + 1}/{self.params['epochs']}")
        self._begin(self.params.get("steps"))

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Show the last step."""
        if self.params.get("steps") is not None or self.verbose == 1:
            self._end("", logs)

    def on_train_batch_end(self, step: int, logs: dict[str, Any] | None = None) -> None:
        """Print a line, if due."""
        self.step += 1
        self.samples += (logs or {}).get("batch_size", 1)
        is_last = self.progress.steps is not None and self.step >= self.progress.steps
        if self.verbose and self.step % self.log_freq == 0 and not is_last:
            self.progress.show(self.step, self._values(logs))

    on_eval_batch_end = on_predict_batch_end = on_train_batch_end

    def _begin_to(self, what: str, logs: dict[str, Any] | None = None) -> None:
        """Start counting."""
        if self.verbose:
            write_line(f"{what} begin...")
        self._begin((logs or {}).get("steps"))

    def _begin(self, steps: int | None) -> None:
        self.progress = Progress(steps, bar=self.verbose == 1)
        self.step = self.samples = 0

    on_eval_begin, on_predict_begin = partialmethod(_begin_to, "Eval"), partialmethod(_begin_to, "Predict")

    def _end(self, what: str, logs: dict[str, Any] | None = None) -> None:
        """Show the last step or batch, and the number of examples."""
        if self.verbose and self.step and self.progress.last != self.step:
            self.progress.show(self.step, self._values(logs))
        if self.verbose and self.step:
            self.progress.end()
        if self.verbose and what:
            write_line(f"{what} samples: {self.samples}")

    on_eval_end, on_predict_end = partialmethod(_end, "Eval"), partialmethod(_end, "Predict")

    def _values(self, logs: dict[str, Any] | None) -> list[tuple[str, Any]]:
        return [(name, logs[name]) for name in self.params.get("metrics", ()) if logs and name in logs]


WIDTH = 30
"""Cells of the bar, as in Paddle."""


class Progress:
    """Writes lines such as ``step 2/3 - loss: 0.6123 - 2ms/step`` to standard output.

    Args:
        steps: how many there will be; None if unknown.
        bar: whether one line with a bar is rewritten each time; else each call writes a new line.
    """

    def __init__(self, steps: int | None, bar: bool) -> None:
        self.steps = steps
        self.bar = bar
        self.started = time.perf_counter()
        self.written = 0
        """Length of the previous line, which the next one covers."""
        self.last = 0
        """The last step shown."""

    def show(self, step: int, values: Iterable[tuple[str, Any]] = ()) -> None:
        """Print the progress after `step` steps."""
        a_step = (time.perf_counter() - self.started) / max(step, 1)
        numbers = "".join(
            f" - {name}:{''.join(map(_number, np.asarray(value).reshape(-1)))}" for name, value in values
        )
        left = 0 if self.steps is None else self.steps - step
        left_time = f" - ETA: {_rough(left * a_step)}" if self.bar and left > 0 else ""
        line = f"{self._counter(step)}{numbers}{left_time} - {_duration(a_step)}/step"
        if self.bar:
            sys.stdout.write("\r" + line.ljust(self.written))
            self.written = len(line)
        else:
            sys.stdout.write(line + "\n")
        sys.stdout.flush()
        self.last = step

    def end(self) -> None:
        """End the line that is rewritten each time."""
        if self.bar:
            sys.stdout.write("\n")

    def _counter(self, step: int) -> str:
        if self.steps is None:
            return f"step {step:3d}"
        counter = f"step {step:{len(str(self.steps))}d}/{self.steps}"
        if not self.bar:
            return counter
        done = WIDTH * step // max(self.steps, 1)
        head = "=" * WIDTH if done >= WIDTH else f"{'=' * max(done - 1, 0)}>".ljust(WIDTH, ".")
        return f"{counter} [{head}]"


def _number(value: Any) -> str:
    if not isinstance(value, float | np.floating):
        return f" {value}"
    number = float(value)
    return f" {number:.4f}" if abs(number) > 1e-3 or number == 0 else f" {number:.4e}"


def _duration(seconds: float) -> str:
    if seconds >= 1:
        return f"{seconds:.0f}s"
    return f"{seconds * 1e3:.0f}ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f}us"


def _rough(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02d}:{rest:02d}"
    return f"{minutes}:{rest:02d}" if minutes else f"{rest}s"
