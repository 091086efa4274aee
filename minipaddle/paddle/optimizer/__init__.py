"""paddle.optimizer: algorithms that turn gradients into steps, and schedules of the learning rate."""

from minipaddle.engine.operator.lazy_loading import front
from minipaddle.paddle.optimizer import lr
from minipaddle.paddle.optimizer.adadelta import Adadelta
from minipaddle.paddle.optimizer.adagrad import Adagrad
from minipaddle.paddle.optimizer.adam import Adam, Adamax
from minipaddle.paddle.optimizer.adamw import AdamW
from minipaddle.paddle.optimizer.momentum import Momentum
from minipaddle.paddle.optimizer.optimizer import Optimizer
from minipaddle.paddle.optimizer.rmsprop import RMSProp
from minipaddle.paddle.optimizer.sgd import SGD

__all__ = ["SGD", "Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "Momentum", "Optimizer", "RMSProp"]
__getattr__ = front(globals(), {"lamb": "Lamb"})
