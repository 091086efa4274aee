"""Logic on bools and bits, and over whole axes: all, any."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minipaddle.ops.creation.promotion import alike_pair
from minipaddle.ops.definition import Array, Attrs, Value, listed, operator, tried_with
from minipaddle.ops.definition.arguments import optional_axes
from minipaddle.ops.definition.axis_printing import Reduced
from minipaddle.ops.definition.elementary import elementary
from minipaddle.ops.definition.infer_meta import broadcast
from minipaddle.ops.logic.compare import comparison, to_bool
from minipaddle.ops.reduction.sum import numpy_axis, reducing

logical_and = comparison("logical_and", np.logical_and, "both are true (not 0)")
logical_or = comparison("logical_or", np.logical_or, "at least one is true (not 0)")
logical_xor = comparison("logical_xor", np.logical_xor, "exactly one is true (not 0)")

logical_not = elementary(
    "logical_not", lambda x: np.logical_not(x), "Tell where a tensor is false (0).", infer=to_bool
)


# -- bits ----------------------------------------------------------------------------------------------------


def _bits(rng: np.random.Generator) -> tuple[Sequence[Any], Attrs]:
    return [rng.integers(0, 8, (2, 3)), rng.integers(0, 8, (2, 3))], {}


def _whole(name: str, x: Array) -> Array:
    """Refuse numbers that have no bits to speak of."""
    if x.dtype.kind in "fc":
        raise RuntimeError(f"(NotFound) {name}() is for bool and integer tensors, but received {x.dtype}.")
    return x


@tried_with(_bits)
@operator("bitwise_and", infer=broadcast, prepare=alike_pair)
def bitwise_and(x: Array, y: Array) -> Array:
    """Combine integers bit by bit, or bools: 1 where both are 1."""
    return _whole("bitwise_and", x) & y


@tried_with(_bits)
@operator("bitwise_or", infer=broadcast, prepare=alike_pair)
def bitwise_or(x: Array, y: Array) -> Array:
    """Combine integers bit by bit, or bools: 1 where at least one is 1."""
    return _whole("bitwise_or", x) | y


@tried_with(_bits)
@operator("bitwise_xor", infer=broadcast, prepare=alike_pair)
def bitwise_xor(x: Array, y: Array) -> Array:
    """Combine integers bit by bit, or bools: 1 where exactly one is 1."""
    return _whole("bitwise_xor", x) ^ y


@tried_with(lambda rng: ([rng.integers(0, 8, (2, 3))], {}))
@operator("bitwise_not")
def bitwise_not(x: Array) -> Any:
    """Flip every bit of integers, or negate bools."""
    return ~_whole("bitwise_not", x)


# -- yes or no -----------------------------------------------------------------------------------------------


@listed(Reduced(), kind="all")
@operator("reduce_all", name="all", infer=reducing("bool"))
def reduce_all(x: Array, *, axis: Any = None, keepdim: bool = False) -> Any:
    """Ask whether every element along `axis` is true."""
    return _and(x, numpy_axis(x, axis), None, None, keepdim)


@listed(Reduced(), kind="any")
@operator("reduce_any", name="any", infer=reducing("bool"))
def reduce_any(x: Array, *, axis: Any = None, keepdim: bool = False) -> Any:
    """Ask whether some element along `axis` is true."""
    return _or(x, numpy_axis(x, axis), None, None, keepdim)


def all(x: Value, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Value:
    """Return whether all elements along `axis` are true (not zero)."""
    return reduce_all(x, optional_axes(axis), keepdim)


def any(x: Value, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """Return whether at least one element along `axis` is true (not zero)."""
    return reduce_any(x, optional_axes(axis), keepdim)


_and: Callable[..., Any] = np.logical_and.reduce
_or: Callable[..., Any] = np.logical_or.reduce
