"""paddle.autograd: backward, PyLayer, Jacobians, and hooks that pack the tensors saved for backward.

Jacobians and Hessians (derivatives.py) and vjp, jvp (functional.py) are a library on the engine, loaded on first use.
"""

from minipaddle.engine.custom.py_layer import PyLayer, PyLayerContext
from minipaddle.engine.operator.lazy_loading import front
from minipaddle.engine.walk.backward import backward
from minipaddle.paddle.autograd.grad import grad
from minipaddle.paddle.autograd.saved_tensors_hooks import saved_tensors_hooks

__all__ = ["Function", "PyLayer", "PyLayerContext", "backward", "saved_tensors_hooks"]

Function = PyLayer
"""Another name of PyLayer."""
__getattr__ = front(globals(), {"derivatives": "hessian jacobian"})
