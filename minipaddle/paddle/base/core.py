"""paddle.base.core: in Paddle the compiled engine; scripts read its tensor class, types, places, and build options."""

from types import SimpleNamespace

from minipaddle.engine.custom.py_layer import PyLayer
from minipaddle.engine.errors import EnforceNotMet
from minipaddle.engine.operator.lazy_loading import front
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.paddle.framework.answers import named

_SWITCHES = [
    "_set_prim_all_enabled", "_set_prim_backward_enabled", "_set_prim_forward_enabled", "set_prim_eager_enabled",
]  # fmt: skip
__all__ = ["EnforceNotMet", "eager", *_SWITCHES]

eager = SimpleNamespace(Tensor=Tensor, PyLayer=PyLayer)
"""The eager engine: ``isinstance(x, paddle.base.core.eager.Tensor)``."""

globals().update(
    {
        name: named(name, "Change nothing: each operator has one gradient.", lambda value: None)
        for name in _SWITCHES
    }
)
__getattr__ = front(
    globals(),
    {"paddle.static.scope": "Scope", "ops.definition.var_type": "VarDesc", "engine.value.meta": "CPUPlace"},
    "minipaddle",
)
