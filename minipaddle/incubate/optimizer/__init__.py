"""``paddle.incubate.optimizer``: LookAhead, ModelAverage, LARS, and functions that minimize functions."""

from minipaddle.core.errors import guard_all
from minipaddle.incubate.optimizer import functional
from minipaddle.incubate.optimizer.lookahead import LookAhead
from minipaddle.incubate.optimizer.modelaverage import ModelAverage
from minipaddle.names.missing import missing
from minipaddle.optimizer.lamb import LarsMomentumOptimizer
from minipaddle.optimizer.lbfgs import LBFGS

__all__ = ["LBFGS", "LarsMomentumOptimizer", "LookAhead", "ModelAverage", "functional"]

guard_all(globals())
__getattr__ = missing(__name__, __all__)
