"""``paddle.incubate``: of it, ``autograd``, where Jacobians are those of functions."""

from minipaddle.incubate import autograd

__all__ = ["autograd"]
