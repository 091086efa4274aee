"""``paddle.incubate.optimizer``: LookAhead, ModelAverage, LARS, and functions that minimize functions."""

from minipaddle.core.later import front
from minipaddle.incubate.optimizer import functional
from minipaddle.incubate.optimizer.lookahead import LookAhead
from minipaddle.incubate.optimizer.modelaverage import ModelAverage
from minipaddle.optimizer.lamb import LarsMomentumOptimizer
from minipaddle.optimizer.lbfgs import LBFGS

__all__ = ["LBFGS", "LarsMomentumOptimizer", "LookAhead", "ModelAverage", "functional"]
__getattr__ = front(globals(), {"programs": "GradientMergeOptimizer RecomputeOptimizer"})
