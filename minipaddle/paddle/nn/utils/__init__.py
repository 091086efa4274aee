"""Helpers for parameters and their gradients (``paddle.nn.utils``)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from minipaddle.engine.autograd.grad_mode import no_grad
from minipaddle.engine.autograd.tensor import Tensor, host
from minipaddle.engine.core.later import front
from minipaddle.engine.core.value import Value
from minipaddle.ops.math.arithmetic import multiply
from minipaddle.ops.math.clip import clip
from minipaddle.paddle.nn.parameter.parameter import Parameter

__all__ = ["clip_grad_norm_", "clip_grad_value_", "parameters_to_vector", "vector_to_parameters"]


def _with_grad(parameters: Any) -> list[Any]:
    """Return those of one or several parameters that have a gradient."""
    several = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    return [parameter for parameter in several if parameter.grad is not None]


def clip_grad_norm_(
    parameters: Any, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False
) -> Tensor:
    """Scale all gradients by one factor, so that their common norm is at most `max_norm`.

    Returns:
        the norm before.

    Raises:
        RuntimeError: if the norm is nan or infinite and `error_if_nonfinite`.
    """
    found = _with_grad(parameters)
    grads = [host(parameter.grad, "clip_grad_norm_") for parameter in found]
    norms = [np.linalg.norm(grad.reshape(-1), norm_type) for grad in grads]
    total = np.asarray(
        np.linalg.norm(norms, norm_type) if norms else 0.0, found[0].array.dtype if found else "float32"
    )
    if error_if_nonfinite and not np.isfinite(total):
        raise RuntimeError(
            f"The total norm of {norm_type} order of the gradients from `parameters` is non-finite, so it "
            "cannot be clipped."
        )
    factor = min(float(max_norm) / (float(total) + 1e-6), 1.0)
    with no_grad():
        for parameter, grad in zip(found, grads, strict=True):
            parameter.grad = multiply(parameter.grad, Tensor(np.asarray(factor, grad.dtype)))
    return Tensor(total)


def clip_grad_value_(parameters: Value, clip_value: float) -> None:
    """Cut every element of every gradient off at -clip_value and clip_value."""
    with no_grad():
        for parameter in _with_grad(parameters):
            parameter.grad = clip(parameter.grad, -clip_value, clip_value)


def parameters_to_vector(parameters: Iterable[Parameter], name: str | None = None) -> Tensor:
    """Return all parameters in one flat tensor (a copy, without history)."""
    return Tensor(np.concatenate([host(one, "parameters_to_vector").reshape(-1) for one in parameters]))


def vector_to_parameters(vec: Tensor, parameters: Sequence[Parameter], name: str | None = None) -> None:
    """Copy the parts of a flat tensor back into the parameters."""
    start, numbers = 0, host(vec, "vector_to_parameters")
    for parameter in parameters:
        size = parameter.array.size
        parameter.set_value(numbers[start : start + size].reshape(parameter.array.shape))
        start += size


__getattr__ = front(
    globals(), {"spectral_norm_hook": "spectral_norm", "weight_norm_hook": "remove_weight_norm weight_norm"}
)
