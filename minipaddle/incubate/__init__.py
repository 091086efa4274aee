"""``paddle.incubate``: of it, ``autograd``, where Jacobians are those of functions."""

from minipaddle.incubate import autograd
from minipaddle.names.missing import missing

__all__ = ["autograd"]
__getattr__ = missing(__name__, __all__)
