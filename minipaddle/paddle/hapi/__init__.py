"""paddle.hapi: ``paddle.Model``, which trains, evaluates and predicts, and its callbacks."""

from minipaddle.engine.operator.lazy_loading import front
from minipaddle.paddle.framework.summary import summary
from minipaddle.paddle.hapi import callbacks
from minipaddle.paddle.hapi.flops import flops
from minipaddle.paddle.hapi.model import Model

__all__ = ["Model", "callbacks", "flops", "summary"]
__getattr__ = front(globals())
