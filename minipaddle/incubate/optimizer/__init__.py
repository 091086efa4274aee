"""``paddle.incubate.optimizer``: LookAhead, ModelAverage, LARS, and functions that minimize functions."""

from minipaddle.core.errors import guard_all
from minipaddle.core.later import homes, later
from minipaddle.incubate.optimizer import functional
from minipaddle.incubate.optimizer.lookahead import LookAhead
from minipaddle.incubate.optimizer.modelaverage import ModelAverage
from minipaddle.names.missing import missing
from minipaddle.optimizer.lamb import LarsMomentumOptimizer
from minipaddle.optimizer.lbfgs import LBFGS

_LATER = homes("minipaddle.incubate.optimizer", {"programs": "GradientMergeOptimizer RecomputeOptimizer"})
__all__ = ["LBFGS", "LarsMomentumOptimizer", "LookAhead", "ModelAverage", "functional", *_LATER]

guard_all(globals())
__getattr__ = later(globals(), _LATER, missing(__name__, __all__))
