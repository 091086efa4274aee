"""paddle.base: older names that Paddle 2.6 still keeps (until 2.5 they were ``paddle.fluid``)."""

from minipaddle.engine.operator.lazy_loading import front
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.meta import CPUPlace
from minipaddle.paddle.base import core, dygraph, framework
from minipaddle.paddle.base.dygraph.base import disable_dygraph, enable_dygraph
from minipaddle.paddle.base.framework import in_dygraph_mode
from minipaddle.paddle.nn.parameter.create import ParamAttr

__all__ = [
    "CPUPlace", "ParamAttr", "Tensor", "core", "disable_dygraph", "disable_imperative", "dygraph", "enable_dygraph",
    "enable_imperative", "framework", "in_dygraph_mode",
]  # fmt: skip

enable_imperative, disable_imperative = enable_dygraph, disable_dygraph

__getattr__ = front(globals())
