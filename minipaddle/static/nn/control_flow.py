"""Paddle's import path for control flow in Programs; ``Assert`` has no other."""

from minipaddle.names.missing import missing
from minipaddle.static.control_flow.assertion import Assert
from minipaddle.static.control_flow.cond import case, cond, switch_case
from minipaddle.static.control_flow.while_loop import while_loop
from minipaddle.static.custom.print import Print

__all__ = ["Assert", "Print", "case", "cond", "switch_case", "while_loop"]
__getattr__ = missing(__name__, __all__)
