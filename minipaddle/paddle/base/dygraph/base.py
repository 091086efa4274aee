"""paddle.base.dygraph.base: switches of the mode, and tensors from arrays, by the names of Paddle 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.errors import failure
from minipaddle.engine.mode.eager import EAGER, current, within
from minipaddle.engine.mode.mode import Mode
from minipaddle.engine.tensor.creation import to_tensor
from minipaddle.engine.tensor.grad_mode import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.paddle.autograd.grad import grad
from minipaddle.paddle.framework.static_mode import disable_static, switch_to
from minipaddle.paddle.framework.static_mode import in_dynamic_mode as enabled

__all__ = [
    "disable_dygraph", "enable_dygraph", "enable_grad", "enabled", "grad", "guard", "is_grad_enabled",
    "no_grad", "no_grad_", "set_grad_enabled", "to_variable",
]  # fmt: skip


def enable_static() -> None:
    """Append operators to Programs from now on (in this thread) instead of running them."""
    from minipaddle.paddle.static.build.mode import BUILDING  # eager scripts start without static

    if current.get().dynamic:
        switch_to(BUILDING)


enable_dygraph, disable_dygraph, no_grad_ = disable_static, enable_static, no_grad


class guard(within):
    """Runs operators at once within a ``with`` block. `place` has no effect; there is one place."""

    def __init__(self, place: Any = None) -> None:
        super().__init__()

    def enter(self) -> Mode:
        """Return the eager mode, or the current one if eager."""
        mode = super().enter()
        return mode if mode.dynamic else mode.replaced(EAGER)


def to_variable(
    value: Any, name: str | None = None, zero_copy: bool | None = None, dtype: Any = None
) -> Tensor:
    """Return a tensor of an array, or of a list (floats become float64); a tensor itself.

    Raises:
        TypeError: for anything else.
    """
    if isinstance(value, Tensor):
        return value
    if not isinstance(value, np.ndarray | list | tuple):
        hint = "a number is no array yet: give [3.0], or use paddle.to_tensor(3.0)"
        wanted = "list, tuple, numpy.ndarray or paddle.Tensor"
        raise failure(TypeError, f"The type of 'value' must be {wanted}, but received {type(value)}.", hint)
    tensor: Tensor = to_tensor(np.asarray(value), dtype=dtype)
    if name is not None:
        tensor.name = name
    return tensor
