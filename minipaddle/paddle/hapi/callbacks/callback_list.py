"""Several callbacks at once, and those that nobody has to ask for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from minipaddle.paddle.hapi.callbacks.callback import Callback
from minipaddle.paddle.hapi.callbacks.checkpoint import LRScheduler, ModelCheckpoint
from minipaddle.paddle.hapi.callbacks.logger import ProgBarLogger


class Callbacks:
    """Several callbacks, called one after the other."""

    def __init__(self, callbacks: Iterable[Callback], model: Any, params: dict[str, Any]) -> None:
        self.callbacks = list(callbacks)
        for callback in self.callbacks:
            callback.set_params(params)
            callback.set_model(model)

    def call(self, event: str, *args: Any) -> None:
        """Call ``on_EVENT`` of each."""
        for callback in self.callbacks:
            getattr(callback, f"on_{event}")(*args)


def configured(
    given: Any, model: Any, params: dict[str, Any], log_freq: int = 2, save_freq: int = 1
) -> Callbacks:
    """Return a user's callbacks with those that nobody has to ask for: progress, checkpoints, learning rate."""
    callbacks = [] if given is None else list(given) if isinstance(given, list | tuple) else [given]

    def lacks(kind: type[Callback]) -> bool:
        return not any(isinstance(one, kind) for one in callbacks)

    if params["verbose"] and lacks(ProgBarLogger):
        callbacks = [ProgBarLogger(log_freq, params["verbose"]), *callbacks]
    if lacks(ModelCheckpoint):
        callbacks.append(ModelCheckpoint(save_freq, params.get("save_dir")))
    if lacks(LRScheduler):
        callbacks.append(LRScheduler())
    return Callbacks(callbacks, model, params)
