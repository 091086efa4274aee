"""paddle.autograd: backward, PyLayer, and what decides how values are saved for backward."""

from minipaddle.autograd.backward import backward
from minipaddle.autograd.grad_mode import saved_tensors_hooks
from minipaddle.autograd.py_layer import PyLayer, PyLayerContext

__all__ = ["Function", "PyLayer", "PyLayerContext", "backward", "saved_tensors_hooks"]

Function = PyLayer
"""PyLayer by its other name."""
