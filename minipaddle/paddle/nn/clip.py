"""Gradient clipping: limits the size of gradients before a step.

It is written with operators, so one definition clips Tensors, or Variables of a Program.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from minipaddle.engine.mode.eager import current, run_inside
from minipaddle.engine.names.missing import missing
from minipaddle.engine.value.value import Value
from minipaddle.ops.creation.full import full
from minipaddle.ops.linalg.product import add_n
from minipaddle.ops.math.arithmetic import divide, multiply
from minipaddle.ops.math.exponential import sqrt
from minipaddle.ops.math.maximum_minimum import clip, maximum
from minipaddle.ops.optimizer_steps.sgd import clip_by_norm, squared_l2_norm
from minipaddle.ops.views.reshape import reshape

__all__ = ["ClipGradBase", "ClipGradByGlobalNorm", "ClipGradByNorm", "ClipGradByValue"]

Pairs = Sequence[tuple[Any, Any]]


class ClipGradBase:
    """Base of all clippings: call it with pairs of parameter and gradient to get the pairs with clipped gradients.

    Parameters with ``need_clip=False`` (see ``ParamAttr``) keep their gradients.
    """

    def __call__(self, params_grads: Pairs) -> list[tuple[Any, Any]]:
        """Return the pairs with clipped gradients; only clipping by the global norm overwrites the given ones."""
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
    """Limits every element to [`min`, `max`]; `min` is ``-max`` unless given.

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
    """Scales each gradient whose norm is above `clip_norm` to that norm.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/nn/ClipGradByNorm_en.html)
    """

    def __init__(self, clip_norm: float) -> None:
        self.clip_norm = float(clip_norm)

    def __str__(self) -> str:
        return f"Gradient Clip By Norm, clip_norm={self.clip_norm:f}"

    def _clipped(self, grads: list[Any]) -> list[Any]:
        return [clip_by_norm(grad, max_norm=self.clip_norm) for grad in grads]


class ClipGradByGlobalNorm(ClipGradBase):
    """Scales all gradients by one factor, if their common norm is above `clip_norm`.

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
        norm = sqrt(add_n([squared_l2_norm(grad) for grad in grads]))
        limit = full([1], self.clip_norm, norm.dtype)
        factor = divide(limit, maximum(limit, norm))  # 1 if no clipping is needed
        return [_shortened(grad, factor) for grad in grads]


def _shortened(grad: Value, factor: Value) -> Value:
    """Return `grad`, multiplied in place by the factor, a tensor [1]: ``.grad`` shows it, as in Paddle."""
    if not grad.shape:
        factor = reshape(factor, [])
    mode = current.get().with_grad(False)
    clipped: Value = run_inside(mode, lambda: mode.apply_inplace(multiply, (grad, factor), {}))
    return clipped


__getattr__ = missing(__name__, __all__)
