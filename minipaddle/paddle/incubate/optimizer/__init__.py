"""``paddle.incubate.optimizer``: LookAhead."""

from minipaddle.engine.core.later import front
from minipaddle.paddle.incubate.optimizer.lookahead import LookAhead

__all__ = ["LookAhead"]
__getattr__ = front(globals(), {"programs": "GradientMergeOptimizer RecomputeOptimizer"})
