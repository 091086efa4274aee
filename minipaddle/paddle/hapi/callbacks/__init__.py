"""paddle.callbacks: hooks around the steps of ``Model.fit``, ``evaluate`` and ``predict``."""

from minipaddle.engine.operator.lazy_loading import front

__getattr__ = front(
    globals(), {"callback": "Callback ProgBarLogger", "checkpoint": "LRScheduler ModelCheckpoint VisualDL"}
)
