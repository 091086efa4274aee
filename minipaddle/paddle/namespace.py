"""The names of ``paddle``: everything that ``import paddle`` finds at the top.

One list, loaded with the first name (see :mod:`minipaddle`). Operators become plain functions here.
Every function has the arguments of Paddle's own.
"""

from __future__ import annotations

import warnings
from typing import Any

from minipaddle import ops
from minipaddle.engine.operator.lazy_loading import homes
from minipaddle.engine.operator.operator import Operator
from minipaddle.engine.tensor.creation import is_tensor, to_tensor
from minipaddle.engine.tensor.grad_mode import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.engine.value.dtype import DTYPES, DType
from minipaddle.engine.value.size import Size
from minipaddle.ops.families import HOMES
from minipaddle.paddle import amp, autograd, base, framework, io, metric, nn, optimizer, regularizer, version
from minipaddle.paddle.autograd.grad import grad
from minipaddle.paddle.framework import *
from minipaddle.paddle.framework import __all__ as framework_names
from minipaddle.paddle.framework.to_string import set_printoptions
from minipaddle.paddle.nn.parameter.create import create_parameter

ROOMS = ("device", "distributed", "distribution", "fft", "hapi", "jit", "linalg", "static", "utils", "vision")
"""Packages that are loaded on first use: eager scripts start without them."""
_DEVICE = """CUDAPinnedPlace CUDAPlace is_compiled_with_cinn is_compiled_with_custom_device
    is_compiled_with_distribute is_compiled_with_ipu"""
_FUNCTIONAL = "adaptive_avg_pool1d conv1d conv2d conv3d group_norm layer_norm"
_CONSTANTS = "cdouble cfloat double e float half inf int long nan newaxis pi short"
LATER = {
    "core": "minipaddle.paddle.base",
    **dict.fromkeys(("Model", "callbacks", "flops"), "minipaddle.paddle.hapi"),
    "DataParallel": "minipaddle.paddle.distributed",
    **homes("minipaddle.paddle", {"device": _DEVICE}),
    **homes("minipaddle.paddle.framework", {"constants": _CONSTANTS}),
    **homes("minipaddle.paddle.nn", {"functional": _FUNCTIONAL}),
    **dict.fromkeys(
        (name for name, value in vars(ops).items() if isinstance(value, Operator)), "minipaddle.ops"
    ),
    **HOMES,
}
"""Single names that are loaded on first use, and the module of each."""
LAZY = (*ROOMS, *LATER)

globals().update(DTYPES)
dtype = DType
enable_static = base.disable_dygraph

_FUNCTIONS: dict[str, Any] = {
    name: value
    for name, value in vars(ops).items()
    if callable(value) and not isinstance(value, Operator) and not name.startswith("_")
}
globals().update(_FUNCTIONS)

__all__ = [
    "Size", "Tensor", "amp", "autograd", "base", "create_parameter", "dtype", "enable_grad",
    "enable_static", "framework", "grad", "io", "is_grad_enabled", "is_tensor", "metric", "nn", "no_grad", "optimizer",
    "regularizer", "set_grad_enabled", "set_printoptions", "to_tensor", "version", *DTYPES, *LAZY,
    *framework_names, *_FUNCTIONS,
]  # fmt: skip

# NumPy warns of overflow and division by zero where Paddle computes on silently. A filter costs nothing; switching
# NumPy's error state around each kernel would.
warnings.filterwarnings(
    "ignore", category=RuntimeWarning, module=r"minipaddle\.|numpy\._core\.(_methods|fromnumeric)"
)
