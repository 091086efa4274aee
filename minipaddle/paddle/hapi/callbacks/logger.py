"""The callback that prints progress."""

from __future__ import annotations

from typing import Any

from minipaddle.paddle.hapi.callbacks.callback import Callback, write_line
from minipaddle.paddle.hapi.progress import Progress


class ProgBarLogger(Callback):
    """Prints loss and metrics.

    Args:
        log_freq: a line every so many steps.
        verbose: 0 nothing, 1 one line with a bar that is written over, 2 line after line; 3 like 2.
    """

    def __init__(self, log_freq: int = 1, verbose: int = 2) -> None:
        super().__init__()
        self.log_freq = log_freq
        self.verbose = verbose
        self.progress = Progress(None, bar=False)
        self.step = 0
        self.samples = 0

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Say what the numbers mean."""
        if self.verbose:
            write_line(
                "The loss value printed in the log is the current step, "
                "and the metric is the average value of previous steps."
            )

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Say which epoch it is."""
        if self.verbose and self.params.get("epochs"):
            write_line(f"Epoch {epoch + 1}/{self.params['epochs']}")
        self._begin(self.params.get("steps"))

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Show the last step."""
        if self.params.get("steps") is not None or self.verbose == 1:
            self._end(logs)

    def on_eval_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Begin counting."""
        self._begin_to("Eval", logs)

    def on_predict_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Begin counting."""
        self._begin_to("Predict", logs)

    def on_train_batch_end(self, step: int, logs: dict[str, Any] | None = None) -> None:
        """Show a line, if it is time."""
        self.step += 1
        self.samples += (logs or {}).get("batch_size", 1)
        is_last = self.progress.steps is not None and self.step >= self.progress.steps
        if self.verbose and self.step % self.log_freq == 0 and not is_last:
            self.progress.show(self.step, self._values(logs))

    on_eval_batch_end = on_predict_batch_end = on_train_batch_end

    def on_eval_end(self, logs: dict[str, Any] | None = None) -> None:
        """Show the last batch, and how many examples there were."""
        self._end(logs, "Eval")

    def on_predict_end(self, logs: dict[str, Any] | None = None) -> None:
        """Show the last batch, and how many examples there were."""
        self._end(logs, "Predict")

    def _begin_to(self, what: str, logs: dict[str, Any] | None) -> None:
        if self.verbose:
            write_line(f"{what} begin...")
        self._begin((logs or {}).get("steps"))

    def _begin(self, steps: int | None) -> None:
        self.progress = Progress(steps, bar=self.verbose == 1)
        self.step = self.samples = 0

    def _end(self, logs: dict[str, Any] | None, what: str = "") -> None:
        if self.verbose and self.step and self.progress.last != self.step:
            self.progress.show(self.step, self._values(logs))
        if self.verbose and self.step:
            self.progress.end()
        if self.verbose and what:
            write_line(f"{what} samples: {self.samples}")

    def _values(self, logs: dict[str, Any] | None) -> list[tuple[str, Any]]:
        return [(name, logs[name]) for name in self.params.get("metrics", ()) if logs and name in logs]
