"""paddle.base.dygraph: eager execution by the names of Paddle 1, where it was not the default."""

from minipaddle.engine.operator.lazy_loading import front
from minipaddle.paddle.base.dygraph import base

__all__ = ["base"]
__getattr__ = front(
    globals(), {"base": "disable_dygraph enable_dygraph enabled grad guard no_grad no_grad_ to_variable"}
)
