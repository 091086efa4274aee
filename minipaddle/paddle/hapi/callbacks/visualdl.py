"""The callback that reports to the VisualDL board."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.errors import failure
from minipaddle.paddle.hapi.callbacks.callback import Callback


class VisualDL(Callback):
    """Writes loss and metrics for the VisualDL board into `log_dir`; needs the package visualdl."""

    def __init__(self, log_dir: str) -> None:
        super().__init__()
        try:
            package: Any = __import__("visualdl")
        except ImportError as error:
            raise failure(
                ImportError, "VisualDL writes for visualdl, which is not installed.", "pip install visualdl"
            ) from error
        self.step = 0
        self.writer = package.LogWriter(log_dir)

    def on_train_batch_end(self, step: int, logs: dict[str, Any] | None = None) -> None:
        """Write the numbers of a step."""
        self.step += 1
        self._write("train", self.step, logs)

    def on_eval_end(self, logs: dict[str, Any] | None = None) -> None:
        """Write the numbers of an evaluation."""
        self._write("eval", self.step, logs)

    def _write(self, mode: str, step: int, logs: dict[str, Any] | None) -> None:
        for name in self.params.get("metrics", ()):
            if logs and name in logs:
                value = float(np.asarray(logs[name]).reshape(-1)[0])
                self.writer.add_scalar(tag=f"{mode}/{name}", step=step, value=value)
