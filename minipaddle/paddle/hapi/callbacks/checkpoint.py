"""The callbacks that save the model and advance its learning rate."""

from __future__ import annotations

import os
from typing import Any

from minipaddle.engine.errors import failure
from minipaddle.paddle.hapi.callbacks.callback import Callback, write_line
from minipaddle.paddle.optimizer.lr import scheduler


class ModelCheckpoint(Callback):
    """Saves the model after every `save_freq` epochs as ``save_dir/EPOCH``, and at the end as ``save_dir/final``."""

    def __init__(self, save_freq: int = 1, save_dir: str | None = None) -> None:
        super().__init__()
        self.save_freq = save_freq
        self.save_dir = save_dir

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Save the epoch, if it is its turn."""
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
            raise failure(
                ValueError, "by_step option is mutually exclusive with by_epoch", "set one of them to False"
            )
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
