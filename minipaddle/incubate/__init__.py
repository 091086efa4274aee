"""``paddle.incubate``: ``autograd``, where Jacobians are those of functions, and ``optimizer``."""

from minipaddle.incubate import autograd, optimizer
from minipaddle.incubate.optimizer import LookAhead, ModelAverage
from minipaddle.names.missing import missing

__all__ = ["LookAhead", "ModelAverage", "autograd", "optimizer"]

__getattr__ = missing(__name__, __all__)
