"""paddle.static.nn: layers, control flow and operators of your own for Programs."""

from minipaddle.core.missing import missing
from minipaddle.static.choosing import case, cond, switch_case
from minipaddle.static.nn.common import embedding, fc
from minipaddle.static.nn.convolutions import conv2d, conv2d_transpose
from minipaddle.static.nn.norms import batch_norm, group_norm, instance_norm, layer_norm, prelu
from minipaddle.static.parameters import create_parameter
from minipaddle.static.py_func import py_func
from minipaddle.static.py_layer import static_pylayer
from minipaddle.static.repeating import while_loop

__all__ = [
    "batch_norm",
    "case",
    "cond",
    "conv2d",
    "conv2d_transpose",
    "create_parameter",
    "embedding",
    "fc",
    "group_norm",
    "instance_norm",
    "layer_norm",
    "prelu",
    "py_func",
    "static_pylayer",
    "switch_case",
    "while_loop",
]

__getattr__ = missing(__name__, __all__)
