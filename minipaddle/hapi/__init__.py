"""paddle.hapi: ``paddle.Model``, which trains, evaluates and predicts, and its callbacks.

What is here has the arguments of Paddle's own, described at
https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/Model_en.html.
"""

from minipaddle.core.errors import guard_all
from minipaddle.framework.summary import summary
from minipaddle.hapi import callbacks
from minipaddle.hapi.flops import flops
from minipaddle.hapi.model import Model
from minipaddle.names.missing import missing

__all__ = ["Model", "callbacks", "flops", "summary"]

guard_all(globals())
__getattr__ = missing(__name__, __all__)
