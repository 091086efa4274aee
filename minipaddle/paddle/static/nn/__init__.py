"""paddle.static.nn: layers, control flow and operators of your own for Programs."""

from minipaddle.engine.operator.lazy_loading import front
from minipaddle.paddle.nn.parameter.create import create_parameter
from minipaddle.paddle.static.control_flow.cond import cond
from minipaddle.paddle.static.control_flow.while_loop import while_loop
from minipaddle.paddle.static.custom.py_func import py_func
from minipaddle.paddle.static.custom.static_pylayer import static_pylayer
from minipaddle.paddle.static.nn.common import batch_norm, conv2d, fc, layer_norm

__all__ = [
    "batch_norm", "cond", "conv2d", "create_parameter", "fc", "layer_norm", "py_func",
    "static_pylayer", "while_loop",
]  # fmt: skip

__getattr__ = front(globals())
