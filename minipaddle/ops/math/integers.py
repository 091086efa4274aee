"""Whole numbers: the greatest common divisor, the least common multiple."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.core.meta import Array, Attrs
from minipaddle.core.operator import operator
from minipaddle.ops.common.infer_meta import broadcast
from minipaddle.ops.creation.full import ones_like, zeros_like
from minipaddle.ops.creation.promotion import promote
from minipaddle.ops.logic.compare import equal
from minipaddle.ops.math.arithmetic import floor_divide
from minipaddle.ops.math.rounding import abs
from minipaddle.ops.search.where import where


def _pairs(rng: np.random.Generator) -> tuple[Sequence[Any], Attrs]:
    return [rng.integers(-9, 9, (2, 3)), rng.integers(1, 9, (2, 3))], {}


@operator(
    "gcd", "X, Y -> Out", kinds="iuf", infer=broadcast, prepare=promote, example=_pairs, latex=r"\gcd(x, y)"
)
def gcd(x: Array, y: Array) -> Any:
    """Return the greatest common divisor of each pair of whole numbers; never negative, and 0 of two zeros."""
    if x.dtype.kind != "f":
        return np.gcd(x, y)
    x, y = np.broadcast_arrays(np.abs(x), np.abs(y))
    while y.any():
        x, y = np.where(y, y, x), np.where(y, np.fmod(x, np.where(y, y, 1)), 0)
    return x.copy()


def lcm(x: Any, y: Any, name: str | None = None) -> Any:
    """Return the least common multiple of each pair of whole numbers of `x` and `y`, which broadcast; 0 beside a zero.

    Raises:
        RuntimeError: **is not registered**, for bools and complex numbers.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/lcm_en.html
    """
    divisor = gcd(x, y)
    both_zero = equal(divisor, zeros_like(divisor))
    return where(
        both_zero,
        zeros_like(divisor),
        abs(x * floor_divide(y, where(both_zero, ones_like(divisor), divisor))),
    )
