"""paddle.callbacks: what happens beside the steps of ``Model.fit``, ``evaluate`` and ``predict``."""

from minipaddle.engine.errors import guard_all
from minipaddle.paddle.hapi.callbacks.callback import Callback
from minipaddle.paddle.hapi.callbacks.keeping import LRScheduler, ModelCheckpoint
from minipaddle.paddle.hapi.callbacks.logger import ProgBarLogger
from minipaddle.paddle.hapi.callbacks.reporting import VisualDL
from minipaddle.paddle.hapi.callbacks.watching import EarlyStopping

__all__ = ["Callback", "EarlyStopping", "LRScheduler", "ModelCheckpoint", "ProgBarLogger", "VisualDL"]

guard_all(globals())
