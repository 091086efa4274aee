"""paddle.base.core: in Paddle the compiled engine, asked for its tensor class, types, places, and how it was built."""

from types import SimpleNamespace

from minipaddle.engine.autograd.py_layer import PyLayer
from minipaddle.engine.autograd.tensor import Tensor
from minipaddle.engine.core.errors import EnforceNotMet
from minipaddle.engine.core.later import front

__all__ = ["EnforceNotMet", "eager"]

eager = SimpleNamespace(Tensor=Tensor, PyLayer=PyLayer)
"""The eager engine: ``isinstance(x, paddle.base.core.eager.Tensor)``."""

__getattr__ = front(
    globals(),
    {"paddle.static.scope": "Scope", "ops.common.var_type": "VarDesc", "engine.core.meta": "CPUPlace"},
    "minipaddle",
)
