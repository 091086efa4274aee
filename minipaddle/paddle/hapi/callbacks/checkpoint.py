"""Callbacks that save the model, advance its learning rate, write for VisualDL; and several callbacks as one."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.engine.errors import failure, invalid
from minipaddle.paddle.hapi.callbacks.callback import Callback, ProgBarLogger, write_line
from minipaddle.paddle.optimizer.lr import scheduler


class ModelCheckpoint(Callback):
    """Saves the model after every `save_freq` epochs as ``save_dir/EPOCH``, and at the end as ``save_dir/final``."""

    def __init__(self, save_freq: int = 1, save_dir: str | None = None) -> None:
        super().__init__()
        self.save_freq = save_freq
        self.save_dir = save_dir

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Save the epoch, if it is due."""
        if epoch % self.save_freq == 0:
            self._save(str(epoch))

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """Save as ``final``."""
        self._save("final")

    def _save(self, name: str) -> None:
        if self.model and self.save_dir:
            path = os.path.join(self.save_dir, name)
            write_line(f"save checkpoint at {os.path.abspath(path)}")
            self.model.save(path)


class LRScheduler(Callback):
    """Advances the optimizer's schedule after each step, or after each epoch.

    Raises:
        ValueError: if both are asked for.
    """

    def __init__(self, by_step: bool = True, by_epoch: bool = False) -> None:
        super().__init__()
        if by_step and by_epoch:
            raise invalid("by_step option is mutually exclusive with by_epoch", "set one of them to False")
        self.by_step = by_step
        self.by_epoch = by_epoch

    def on_train_batch_end(self, step: int, logs: dict[str, Any] | None = None) -> None:
        """Advance, if that is after each step."""
        if self.by_step:
            self._advance()

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Advance, if that is after each epoch."""
        if self.by_epoch:
            self._advance()

    def _advance(self) -> None:
        schedule = getattr(self.model._optimizer, "_learning_rate", None)
        if isinstance(schedule, scheduler.LRScheduler):
            schedule.step()


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


def configured(
    given: Any, model: Any, params: dict[str, Any], log_freq: int = 2, save_freq: int = 1
) -> Callable[..., None]:
    """Return a caller of ``on_EVENT`` for the user's callbacks, and for progress, checkpoints, learning rate."""
    callbacks = [] if given is None else list(given) if isinstance(given, list | tuple) else [given]

    def lacks(kind: type[Callback]) -> bool:
        return not any(isinstance(one, kind) for one in callbacks)

    if params["verbose"] and lacks(ProgBarLogger):
        callbacks = [ProgBarLogger(log_freq, params["verbose"]), *callbacks]
    if lacks(ModelCheckpoint):
        callbacks.append(ModelCheckpoint(save_freq, params.get("save_dir")))
    if lacks(LRScheduler):
        callbacks.append(LRScheduler())
    for one in callbacks:
        one.set_params(params)
        one.set_model(model)

    def tell(event: str, *args: Any) -> None:
        for one in callbacks:
            getattr(one, f"on_{event}")(*args)

    return tell
