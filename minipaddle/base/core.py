"""paddle.base.core: in Paddle the compiled engine, asked for its tensor class and how it was built."""

from types import SimpleNamespace

from minipaddle.autograd.py_layer import PyLayer
from minipaddle.autograd.tensor import Tensor
from minipaddle.core.errors import EnforceNotMet

__all__ = ["EnforceNotMet", "eager", "is_compiled_with_cuda", "is_compiled_with_rocm", "is_compiled_with_xpu"]

eager = SimpleNamespace(Tensor=Tensor, PyLayer=PyLayer)
"""The eager engine: ``isinstance(x, paddle.base.core.eager.Tensor)``."""


def is_compiled_with_cuda() -> bool:
    """Say that there is no GPU here."""
    return False


is_compiled_with_rocm = is_compiled_with_xpu = is_compiled_with_cuda
