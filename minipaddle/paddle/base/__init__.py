"""paddle.base: older names that Paddle 2.6 still keeps (until 2.5 they were ``paddle.fluid``)."""

from minipaddle.engine.operator.lazy_loading import front
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import CPUPlace
from minipaddle.paddle.base import framework
from minipaddle.paddle.base.framework import in_dygraph_mode
from minipaddle.paddle.nn.parameter.create import ParamAttr

__all__ = ["CPUPlace", "ParamAttr", "Tensor", "framework", "in_dygraph_mode"]

__getattr__ = front(globals())
