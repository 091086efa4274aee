"""paddle.static.nn: layers, control flow and operators of your own for Programs."""

from minipaddle.static.control_flow import case, cond, switch_case, while_loop
from minipaddle.static.nn.common import embedding, fc
from minipaddle.static.py_func import py_func
from minipaddle.static.py_layer import static_pylayer

__all__ = ["case", "cond", "embedding", "fc", "py_func", "static_pylayer", "switch_case", "while_loop"]
