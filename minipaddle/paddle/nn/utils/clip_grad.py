"""Gradients clipped in place, between ``backward`` and ``step``; an optimizer's ``grad_clip`` does it by itself."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Any

from minipaddle.engine.mode.eager import current
from minipaddle.engine.tensor.grad_mode import no_grad
from minipaddle.engine.tensor.tensor import Tensor
from minipaddle.ops.creation.full import full
from minipaddle.ops.manipulation.concat import stack
from minipaddle.ops.stat.norm import norm


def clip_grad_norm_(
    parameters: Iterable[Tensor] | Tensor,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
) -> Any:
    """Return the norm of all gradients as one vector, as it was before they were scaled to at most `max_norm`.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nn/utils/clip_grad_norm__en.html)

    Raises:
        ValueError: if `norm_type` is not 0, 1, 2 or infinity.
        RuntimeError: while a Program is built; or if the norm is not finite, and `error_if_nonfinite`.
    """
    grads, kinds = _gradients(parameters), [inf, 0, 1, 2]
    if norm_type not in kinds:
        raise ValueError(f"norm_type only support {kinds}, but received {norm_type!r}")
    with no_grad():
        if not grads:
            return full([], 0.0)
        each = [grad.abs().max() if norm_type == inf else norm(grad, float(norm_type)) for grad in grads]
        total = stack(each).max() if norm_type == inf else norm(stack(each), float(norm_type))
        if error_if_nonfinite and not bool(total.isfinite()):
            raise RuntimeError(
                f"The total norm of {float(norm_type)} order of the gradients from `parameters` is non-finite, so "
                "it cannot be clipped: look for it with minipaddle nan, or leave `error_if_nonfinite` out"
            )
        share = (max_norm / (total + 1e-6)).clip(max=1.0)
        for grad in grads:
            grad.multiply_(share)
    return total


def clip_grad_value_(parameters: Iterable[Tensor] | Tensor, clip_value: float) -> None:
    """Limit each element of all gradients to [-`clip_value`, `clip_value`], in place.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nn/utils/clip_grad_value__en.html)

    Raises RuntimeError while a Program is built.
    """
    with no_grad():
        for grad in _gradients(parameters):
            grad.clip_(min=-float(clip_value), max=float(clip_value))


def _gradients(parameters: Iterable[Tensor] | Tensor) -> list[Any]:
    if not current.get().dynamic:
        raise RuntimeError(
            "this API can only run in dynamic mode: a Program takes grad_clip of its optimizer"
        )
    several = [parameters] if isinstance(parameters, Tensor) else parameters
    return [one.grad for one in several if one.grad is not None]
