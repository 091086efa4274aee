"""paddle.autograd: backward, PyLayer, Jacobians, and what decides how values are saved for backward.

Jacobians and Hessians (derivatives.py) and vjp, jvp (functional.py) are a library on the engine, loaded when asked for.
"""

from minipaddle.engine.autograd.backward import backward
from minipaddle.engine.autograd.grad import grad
from minipaddle.engine.autograd.grad_mode import saved_tensors_hooks
from minipaddle.engine.autograd.py_layer import PyLayer, PyLayerContext
from minipaddle.engine.core.later import front

__all__ = ["Function", "PyLayer", "PyLayerContext", "backward", "saved_tensors_hooks"]

Function = PyLayer
"""PyLayer by its other name."""
__getattr__ = front(globals(), {"derivatives": "hessian jacobian"})
