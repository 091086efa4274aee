"""paddle.callbacks: what happens beside the steps of ``Model.fit``, ``evaluate`` and ``predict``."""

from minipaddle.engine.errors import guard_all
from minipaddle.paddle.hapi.callbacks.callback import Callback
from minipaddle.paddle.hapi.callbacks.checkpoint import LRScheduler, ModelCheckpoint, VisualDL
from minipaddle.paddle.hapi.callbacks.early_stopping import EarlyStopping
from minipaddle.paddle.hapi.callbacks.logger import ProgBarLogger

__all__ = ["Callback", "EarlyStopping", "LRScheduler", "ModelCheckpoint", "ProgBarLogger", "VisualDL"]

guard_all(globals())
