"""Distances between vectors."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.core.later import of_front
from minipaddle.ops.math.arithmetic import subtract
from minipaddle.ops.stat.norm import norm


def pairwise_distance(
    x: Any, y: Any, p: float = 2.0, epsilon: float = 1e-6, keepdim: bool = False, name: str | None = None
) -> Any:
    """Return the p-norm of ``x - y + epsilon`` along the last axis: [..., D] gives [...].

    Args:
        x: vectors, any float type.
        y: vectors; the shapes broadcast.
        p: order of the norm; may be infinite.
        epsilon: keeps the gradient finite where vectors are equal.
        keepdim: keep the last axis, with size 1.
        name: not used.
    """
    difference = subtract(x, y)
    return norm(difference + epsilon if epsilon else difference, float(p), -1, keepdim=keepdim)


__getattr__ = of_front(globals(), "minipaddle.paddle.nn.functional")
