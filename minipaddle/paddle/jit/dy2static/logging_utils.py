"""Paddle's import path for what is told of rewriting."""

from minipaddle.paddle.jit.rewriting.told import get_code_level, get_verbosity, set_code_level, set_verbosity

__all__ = ["get_code_level", "get_verbosity", "set_code_level", "set_verbosity"]
