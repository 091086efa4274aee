"""paddle.optimizer: algorithms that turn gradients into steps, and schedules of the learning rate."""

from minipaddle.engine.operator.lazy_loading import front
from minipaddle.paddle.optimizer import lr

__getattr__ = front(
    globals(),
    {
        "adam": "Adam AdamW Adamax Lamb",
        "optimizer": "Optimizer",
        "sgd": "SGD Adadelta Adagrad Momentum RMSProp",
    },
)
