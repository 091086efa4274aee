"""paddle.base.dygraph: eager execution by the names of Paddle 1, where it had to be asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from minipaddle.autograd.creation import to_tensor
from minipaddle.autograd.grad import grad
from minipaddle.autograd.grad_mode import no_grad
from minipaddle.autograd.tensor import Tensor
from minipaddle.base.framework import in_dygraph_mode
from minipaddle.core.errors import failure

__all__ = ["enable_dygraph", "enabled", "grad", "guard", "no_grad", "to_variable"]

enabled = in_dygraph_mode
"""Whether calls are executed at once."""


@contextmanager
def guard(place: Any = None) -> Iterator[None]:
    """Execute at once within the block: what happens anyhow. `place` is accepted; there is one place."""
    yield


def enable_dygraph(place: Any = None) -> None:
    """Execute at once from now on: what happens anyhow."""


def to_variable(
    value: Any, name: str | None = None, zero_copy: bool | None = None, dtype: Any = None
) -> Tensor:
    """Make a tensor of an array, or of a list by way of an array: floats are float64. A tensor is kept.

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
