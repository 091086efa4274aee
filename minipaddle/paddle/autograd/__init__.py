"""paddle.autograd: backward, PyLayer, Jacobians, and what decides how values are saved for backward.

Jacobians and Hessians are a library on the engine: the table of paths leads to incubate/autograd/derivatives.py.
"""

from minipaddle.engine.autograd.backward import backward
from minipaddle.engine.autograd.grad import grad
from minipaddle.engine.autograd.grad_mode import saved_tensors_hooks
from minipaddle.engine.autograd.py_layer import PyLayer, PyLayerContext
from minipaddle.engine.names.missing import missing

__all__ = ["Function", "PyLayer", "PyLayerContext", "backward", "hessian", "jacobian", "saved_tensors_hooks"]

Function = PyLayer
"""PyLayer by its other name."""
__getattr__ = missing(__name__, __all__)
