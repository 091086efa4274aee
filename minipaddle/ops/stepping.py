"""`increment`: counting in place."""

from __future__ import annotations

from typing import Any

from minipaddle.core.errors import failure
from minipaddle.core.listing import Listing, of
from minipaddle.core.meta import Array
from minipaddle.core.operator import operator
from minipaddle.ops.casting import copy

__all__ = ["increment"]


@operator("increment", "X -> Out", latex="x + s", listing=Listing(step=of("step", float)))
def add_step(x: Array, step: float = 1.0) -> Any:
    """Add one number to the only element, in the type of the tensor."""
    return x + x.dtype.type(step)


@add_step.gradient("x", program=lambda dy: copy(dy))
def _(dy: Any) -> Any:
    return dy


def increment(x: Any, value: float = 1.0, name: str | None = None) -> Any:
    """Add `value` to a tensor of one element, in place, and return it: the counter of a loop.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/increment_en.html)

    Raises:
        ValueError: **number of elements**, if `x` has not exactly one.
    """
    if any(size not in (1, -1) for size in x.shape):
        raise failure(
            ValueError,
            f"The number of elements in Input(X) should be 1, but the shape of x is {list(x.shape)}.",
            "x.add_(value) adds to every element",
        )
    return add_step.bind_inplace(x, step=value)
