"""paddle.base.core: in Paddle the compiled engine, asked for its tensor class, types, places, and how it was built."""

from types import SimpleNamespace

from minipaddle.autograd.py_layer import PyLayer
from minipaddle.autograd.tensor import Tensor
from minipaddle.core.errors import EnforceNotMet
from minipaddle.core.later import homes, later
from minipaddle.names.missing import missing

_LATER = homes(
    "minipaddle", {"static.scope": "Scope", "ops.common.var_type": "VarDesc", "base.reader": "EOFException"}
)

__all__ = ["EnforceNotMet", "eager", *_LATER]

eager = SimpleNamespace(Tensor=Tensor, PyLayer=PyLayer)
"""The eager engine: ``isinstance(x, paddle.base.core.eager.Tensor)``."""

__getattr__ = later(globals(), _LATER, missing(__name__, __all__))
