"""paddle.base.dygraph: eager execution by the names of Paddle 1, where it had to be asked for."""

from minipaddle.base.dygraph import base
from minipaddle.base.dygraph.base import (
    disable_dygraph,
    enable_dygraph,
    enabled,
    grad,
    guard,
    no_grad,
    no_grad_,
    to_variable,
)
from minipaddle.names.missing import missing

__all__ = [
    "base",
    "disable_dygraph",
    "enable_dygraph",
    "enabled",
    "grad",
    "guard",
    "no_grad",
    "no_grad_",
    "to_variable",
]
__getattr__ = missing(__name__, __all__)
