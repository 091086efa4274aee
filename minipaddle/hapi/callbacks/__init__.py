"""paddle.callbacks: what happens beside the steps of ``Model.fit``, ``evaluate`` and ``predict``."""

from minipaddle.core.errors import guard_all
from minipaddle.hapi.callbacks.callback import Callback
from minipaddle.hapi.callbacks.keeping import LRScheduler, ModelCheckpoint
from minipaddle.hapi.callbacks.logger import ProgBarLogger
from minipaddle.hapi.callbacks.reporting import VisualDL, WandbCallback
from minipaddle.hapi.callbacks.watching import EarlyStopping, ReduceLROnPlateau

__all__ = [
    "Callback", "EarlyStopping", "LRScheduler", "ModelCheckpoint", "ProgBarLogger", "ReduceLROnPlateau",
    "VisualDL", "WandbCallback",
]  # fmt: skip

guard_all(globals())
