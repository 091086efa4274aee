"""paddle.base.core: in Paddle the compiled engine, asked for its tensor class, types, places, and how it was built."""

from types import SimpleNamespace

from minipaddle.engine.custom.py_layer import PyLayer
from minipaddle.engine.errors import EnforceNotMet
from minipaddle.engine.operator.lazy_loading import front
from minipaddle.engine.tensor.tensor import Tensor

__all__ = ["EnforceNotMet", "eager"]

eager = SimpleNamespace(Tensor=Tensor, PyLayer=PyLayer)
"""The eager engine: ``isinstance(x, paddle.base.core.eager.Tensor)``."""

__getattr__ = front(
    globals(),
    {"paddle.static.scope": "Scope", "ops.definition.var_type": "VarDesc", "engine.value.meta": "CPUPlace"},
    "minipaddle",
)
