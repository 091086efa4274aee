"""Gradient clipping: keep a step from being too large.

Written with public operators, so that one definition clips Tensors now and Variables of a Program later.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minipaddle.ops.elementwise import add, divide, multiply, scale
from minipaddle.ops.extrema import clip, maximum
from minipaddle.ops.math import sqrt, square
from minipaddle.ops.reduction import reduce_sum

__all__ = ["ClipGradBase", "ClipGradByGlobalNorm", "ClipGradByNorm", "ClipGradByValue"]

Pairs = Sequence[tuple[Any, Any]]


class ClipGradBase:
    """Base of all: call it with pairs of parameter and gradient to get the pairs with clipped gradients.

    Parameters with ``need_clip=False`` (see ``ParamAttr``) keep their gradients.
    """

    def __call__(self, params_grads: Pairs) -> list[tuple[Any, Any]]:
        """Return the pairs with clipped gradients; the given ones are left alone."""
        chosen = [
            grad
            for parameter, grad in params_grads
            if grad is not None and getattr(parameter, "need_clip", True)
        ]
        clipped = {id(grad): new for grad, new in zip(chosen, self._clipped(chosen))}
        return [(parameter, clipped.get(id(grad), grad)) for parameter, grad in params_grads]

    def _clipped(self, grads: list[Any]) -> list[Any]:
        raise NotImplementedError


class ClipGradByValue(ClipGradBase):
    """Limit every element to [`min`, `max`]; `min` is ``-max`` unless given.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nn/ClipGradByValue_en.html)

    Raises:
        AssertionError: if `max` is not positive and there is no `min`.
    """

    def __init__(self, max: float, min: float | None = None) -> None:
        if min is None:
            assert max > 0.0, (
                f"ClipGradByValue: max must be positive when min is not given, but received {max}"
            )
            min = -max
        self.max = float(max)
        self.min = float(min)

    def __str__(self) -> str:
        return f"Clip Gradient By Value, min = {self.min:f}, max={self.max:f}"

    def _clipped(self, grads: list[Any]) -> list[Any]:
        return [clip(grad, self.min, self.max) for grad in grads]


class ClipGradByNorm(ClipGradBase):
    """Shorten each gradient whose norm is above `clip_norm` to that norm.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nn/ClipGradByNorm_en.html)
    """

    def __init__(self, clip_norm: float) -> None:
        self.clip_norm = float(clip_norm)

    def __str__(self) -> str:
        return f"Gradient Clip By Norm, clip_norm={self.clip_norm:f}"

    def _clipped(self, grads: list[Any]) -> list[Any]:
        return [multiply(grad, _factor(reduce_sum(square(grad)), self.clip_norm)) for grad in grads]


class ClipGradByGlobalNorm(ClipGradBase):
    """Shorten all gradients by one factor, if their norm taken together is above `clip_norm`.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nn/ClipGradByGlobalNorm_en.html)

    Args:
        clip_norm: the largest norm.
        group_name: accepted; there is one group.
        auto_skip_clip: accepted; a factor of one changes nothing.
    """

    def __init__(
        self, clip_norm: float, group_name: str = "default_group", auto_skip_clip: bool = False
    ) -> None:
        self.clip_norm = float(clip_norm)
        self.group_name = group_name
        self.auto_skip_clip = auto_skip_clip

    def __str__(self) -> str:
        return f"Gradient Clip By GlobalNorm, global_norm={self.clip_norm:f}"

    def _clipped(self, grads: list[Any]) -> list[Any]:
        if not grads:
            return []
        total = reduce_sum(square(grads[0]))
        for grad in grads[1:]:
            total = add(total, reduce_sum(square(grad)))
        factor = _factor(total, self.clip_norm)
        return [multiply(grad, factor) for grad in grads]


def _factor(squares: Any, clip_norm: float) -> Any:
    """Return ``clip_norm / max(norm, clip_norm)`` for a sum of squares: 1 where nothing is to be clipped."""
    norm = sqrt(squares)
    limit = scale(norm, 0.0, clip_norm)
    return divide(limit, maximum(norm, limit))
