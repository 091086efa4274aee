"""``paddle.incubate.optimizer``: LookAhead, ModelAverage, LARS, and functions that minimize functions."""

from minipaddle.engine.core.later import front
from minipaddle.paddle.incubate.optimizer import functional
from minipaddle.paddle.incubate.optimizer.lookahead import LookAhead
from minipaddle.paddle.incubate.optimizer.modelaverage import ModelAverage
from minipaddle.paddle.optimizer.lamb import LarsMomentumOptimizer
from minipaddle.paddle.optimizer.lbfgs import LBFGS

__all__ = ["LBFGS", "LarsMomentumOptimizer", "LookAhead", "ModelAverage", "functional"]
__getattr__ = front(globals(), {"programs": "GradientMergeOptimizer RecomputeOptimizer"})
