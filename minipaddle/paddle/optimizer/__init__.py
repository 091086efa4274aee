"""paddle.optimizer: algorithms that turn gradients into steps, and schedules of the learning rate."""

from minipaddle.engine.operator.lazy_loading import front
from minipaddle.paddle.optimizer import lr
from minipaddle.paddle.optimizer.adam import Adam, Adamax, AdamW
from minipaddle.paddle.optimizer.optimizer import Optimizer
from minipaddle.paddle.optimizer.sgd import SGD, Adadelta, Adagrad, Momentum, RMSProp

__all__ = ["SGD", "Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "Momentum", "Optimizer", "RMSProp"]
__getattr__ = front(globals(), {"lamb": "Lamb"})
