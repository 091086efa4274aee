"""paddle.base.core: in Paddle the compiled engine, asked for its tensor class, types, places, and how it was built."""

from types import SimpleNamespace

from minipaddle.autograd.py_layer import PyLayer
from minipaddle.autograd.tensor import Tensor
from minipaddle.core.errors import EnforceNotMet
from minipaddle.core.later import front

__all__ = ["EnforceNotMet", "eager"]

eager = SimpleNamespace(Tensor=Tensor, PyLayer=PyLayer)
"""The eager engine: ``isinstance(x, paddle.base.core.eager.Tensor)``."""

__getattr__ = front(
    globals(),
    {
        "static.scope": "Scope",
        "static.host_tensor": "LoDTensor",
        "ops.common.var_type": "VarDesc",
        "base.reader": "EOFException",
        "core.meta": "CPUPlace",
    },
    "minipaddle",
)
