"""Methods of Tensor: which functions can be called as ``x.name(...)``, and their in-place twins."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from minipaddle.autograd.arithmetic import attach_arithmetic
from minipaddle.autograd.backward import clear_grad, gradient, tensor_backward
from minipaddle.autograd.conversions import CONVERSIONS
from minipaddle.autograd.grad_fn import grad_fn
from minipaddle.autograd.hooks import register_hook, retain_grads
from minipaddle.autograd.inplace import inplace_twin
from minipaddle.autograd.tensor import Tensor
from minipaddle.core.operator import Operator
from minipaddle.ops import api

__all__ = ["attach_functions", "attach_methods"]

_FIRST = {"x", "input", "arr", "condition"}
"""A function whose first argument is a tensor, by one of these names, is a method too: Paddle's own habit."""

_INPLACE = frozenset(
    [
        "abs",
        "add",
        "cast",
        "ceil",
        "clip",
        "cos",
        "cosh",
        "divide",
        "erf",
        "exp",
        "expm1",
        "flatten",
        "floor",
        "floor_divide",
        "index_add",
        "lerp",
        "log",
        "log10",
        "log1p",
        "log2",
        "logical_and",
        "logical_not",
        "logical_or",
        "masked_fill",
        "multiply",
        "neg",
        "pow",
        "put_along_axis",
        "reciprocal",
        "remainder",
        "reshape",
        "round",
        "rsqrt",
        "scale",
        "scatter",
        "sigmoid",
        "sin",
        "sinh",
        "sqrt",
        "square",
        "squeeze",
        "subtract",
        "tan",
        "tanh",
        "tril",
        "triu",
        "trunc",
        "unsqueeze",
        "where",
    ]
)
"""Those that have an in-place twin."""


def attach_methods() -> None:
    """Give Tensor its methods."""
    attach_arithmetic()
    attach_functions(Tensor)
    functions = _functions()
    for name in sorted(_INPLACE & functions.keys()):
        setattr(Tensor, f"{name}_", inplace_twin(functions[name], f"{name}_"))
    for name, method in {**_GRADIENT, **CONVERSIONS}.items():
        setattr(Tensor, name, method)


def attach_functions(cls: type) -> None:
    """Give a class of values those functions as methods whose first argument is a tensor."""
    for name, function in _functions().items():
        if next(iter(inspect.signature(function).parameters), "") in _FIRST and not hasattr(cls, name):
            setattr(cls, name, function)


def _functions() -> dict[str, Callable[..., Any]]:
    return {name: _as_function(value) for name, value in vars(api).items() if callable(value)}


def _as_function(function: Any) -> Callable[..., Any]:
    return function.public if isinstance(function, Operator) else function


_GRADIENT: dict[str, Any] = {
    "backward": tensor_backward,
    "gradient": gradient,
    "clear_grad": clear_grad,
    "clear_gradient": clear_grad,
    "register_hook": register_hook,
    "retain_grads": retain_grads,
    "grad_fn": property(
        lambda self: grad_fn(self.edge or self._history), doc="The node that made it, or None."
    ),
}
