"""paddle.optimizer: algorithms that turn gradients into steps, and schedules of the learning rate."""

from minipaddle.core.errors import guard_all
from minipaddle.core.later import homes, later
from minipaddle.names.missing import missing
from minipaddle.optimizer import lr
from minipaddle.optimizer.adadelta import Adadelta
from minipaddle.optimizer.adagrad import Adagrad
from minipaddle.optimizer.adam import Adam, Adamax
from minipaddle.optimizer.adamw import AdamW
from minipaddle.optimizer.momentum import Momentum
from minipaddle.optimizer.optimizer import Optimizer
from minipaddle.optimizer.rmsprop import RMSProp
from minipaddle.optimizer.sgd import SGD

LATER = homes(
    "minipaddle.optimizer", {"lamb": "Lamb", "lbfgs": "LBFGS", "nadam": "NAdam RAdam", "rprop": "ASGD Rprop"}
)
"""What few scripts need, and the file of each."""

__all__ = [
    "SGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "Momentum",
    "Optimizer",
    "RMSProp",
    *LATER,
]

guard_all(globals())
__getattr__ = later(globals(), LATER, missing(__name__, __all__))
