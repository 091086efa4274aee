"""The callbacks that report to other programs."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.paddle.hapi.callbacks.callback import Callback


class _Reporter(Callback):
    """A callback that reports to a program outside of Paddle, which has to be installed."""

    PACKAGE = ""

    def __init__(self) -> None:
        super().__init__()
        try:
            self.package: Any = __import__(self.PACKAGE)
        except ImportError as error:
            raise failure(
                ImportError,
                f"{type(self).__name__} writes for {self.PACKAGE}, which is not installed.",
                f"pip install {self.PACKAGE}",
            ) from error
        self.step = 0


class VisualDL(_Reporter):
    """Writes loss and metrics for the VisualDL board into `log_dir`; needs the package visualdl."""

    PACKAGE = "visualdl"

    def __init__(self, log_dir: str) -> None:
        super().__init__()
        self.writer = self.package.LogWriter(log_dir)

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


class WandbCallback(_Reporter):
    """Sends loss and metrics to Weights & Biases; needs the package wandb, to which the arguments go."""

    PACKAGE = "wandb"

    def __init__(
        self,
        project: str | None = None,
        entity: str | None = None,
        name: str | None = None,
        dir: str | None = None,
        mode: str | None = None,
        job_type: str | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__()
        given = {"project": project, "entity": entity, "name": name, "dir": dir, "mode": mode}
        self.run = self.package.init(**given, job_type=job_type, **kwargs)

    def on_train_batch_end(self, step: int, logs: dict[str, Any] | None = None) -> None:
        """Send the numbers of a step."""
        self._send("train", logs)

    def on_eval_end(self, logs: dict[str, Any] | None = None) -> None:
        """Send the numbers of an evaluation."""
        self._send("eval", logs)

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """End the run."""
        self.run.finish()

    def _send(self, mode: str, logs: dict[str, Any] | None) -> None:
        found = [name for name in self.params.get("metrics", ()) if logs and name in logs]
        self.run.log(
            {f"{mode}/{name}": float(np.asarray((logs or {})[name]).reshape(-1)[0]) for name in found}
        )
