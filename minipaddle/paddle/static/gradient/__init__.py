"""Gradients of Programs: the reverse walk writes Operators."""

from minipaddle.paddle.static.gradient import compiled as compiled
from minipaddle.paddle.static.gradient import minimize
from minipaddle.paddle.static.gradient.backward import append_backward, gradients

__all__ = ["append_backward", "gradients", "minimize"]
