"""paddle.autograd: backward, PyLayer, Jacobians, and what decides how values are saved for backward."""

from minipaddle.autograd.backward import backward
from minipaddle.autograd.grad_mode import saved_tensors_hooks
from minipaddle.autograd.py_layer import PyLayer, PyLayerContext
from minipaddle.core.later import homes, later
from minipaddle.names.missing import missing

_LATER = homes("minipaddle.autograd", {"derivatives": "hessian jacobian"})
__all__ = ["Function", "PyLayer", "PyLayerContext", "backward", "saved_tensors_hooks", *_LATER]

Function = PyLayer
"""PyLayer by its other name."""
__getattr__ = later(globals(), _LATER, missing(__name__, __all__))
