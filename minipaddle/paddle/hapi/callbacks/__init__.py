"""paddle.callbacks: what happens beside the steps of ``Model.fit``, ``evaluate`` and ``predict``."""

from minipaddle.engine.errors import guard_all
from minipaddle.paddle.hapi.callbacks.callback import Callback, ProgBarLogger
from minipaddle.paddle.hapi.callbacks.checkpoint import EarlyStopping, LRScheduler, ModelCheckpoint, VisualDL

__all__ = ["Callback", "EarlyStopping", "LRScheduler", "ModelCheckpoint", "ProgBarLogger", "VisualDL"]

guard_all(globals())
