"""paddle.optimizer: algorithms that turn gradients into steps, and schedules of the learning rate."""

from minipaddle.core.later import front
from minipaddle.optimizer import lr
from minipaddle.optimizer.adadelta import Adadelta
from minipaddle.optimizer.adagrad import Adagrad
from minipaddle.optimizer.adam import Adam, Adamax
from minipaddle.optimizer.adamw import AdamW
from minipaddle.optimizer.momentum import Momentum
from minipaddle.optimizer.optimizer import Optimizer
from minipaddle.optimizer.rmsprop import RMSProp
from minipaddle.optimizer.sgd import SGD

__all__ = ["SGD", "Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "Momentum", "Optimizer", "RMSProp"]
__getattr__ = front(
    globals(), {"lamb": "Lamb", "lbfgs": "LBFGS", "nadam": "NAdam RAdam", "rprop": "ASGD Rprop"}
)
