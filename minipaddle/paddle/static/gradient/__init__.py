"""Gradients of Programs: the reverse walk appends Operators. Read first: ``backward``, then ``grad_maker``."""

from minipaddle.paddle.static.gradient import compiled as compiled
from minipaddle.paddle.static.gradient import minimize
from minipaddle.paddle.static.gradient.backward import append_backward, gradients

__all__ = ["append_backward", "gradients", "minimize"]
