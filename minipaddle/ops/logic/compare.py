"""Comparisons, logic on bools and bits, and choosing by a condition. Only `where` is differentiable."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minipaddle.core.errors import failure
from minipaddle.core.listing import Listing, of
from minipaddle.core.meta import Array, Attrs, Meta
from minipaddle.core.operator import Operator, operator
from minipaddle.ops.common.infer_meta import ALIGNED, broadcast, broadcast_shapes, compare
from minipaddle.ops.creation.convert import constant, number_beside, zeros_like
from minipaddle.ops.creation.promotion import promote, promote_last_two
from minipaddle.ops.math.arithmetic import unbroadcast


def _number_too(op: Operator, x: Any, y: Any) -> tuple[Any, Any]:
    """Promote; unlike in arithmetic, Paddle lets the second operand of a comparison be a number."""
    return promote(op, x, number_beside(x, y) if isinstance(y, (bool, int, float)) else y)


def _comparison(name: str, sign: str, compute: Callable[..., Any], words: str) -> Operator:
    """Define an operator with two inputs and a bool output."""

    def kernel(x: Array, y: Array) -> Any:
        return compute(x, y)

    kernel.__doc__ = f"Tell where {words}, elementwise. The result is bool and stops gradients."
    options = {"infer": compare, "prepare": _number_too, "latex": f"x {sign} y"}
    listing = None if name.startswith("logical") else ALIGNED
    return operator(name, "X, Y -> Out", name=name, listing=listing, **options)(kernel)


equal = _comparison("equal", "=", np.equal, "two tensors are equal")
not_equal = _comparison("not_equal", r"\ne", np.not_equal, "two tensors differ")
less_than = _comparison("less_than", "<", np.less, "the first tensor is smaller")
less_equal = _comparison("less_equal", r"\le", np.less_equal, "the first tensor is smaller or equal")
greater_than = _comparison("greater_than", ">", np.greater, "the first tensor is greater")
greater_equal = _comparison("greater_equal", r"\ge", np.greater_equal, "the first tensor is greater or equal")
logical_and = _comparison("logical_and", r"\wedge", np.logical_and, "both are true (not 0)")
logical_or = _comparison("logical_or", r"\vee", np.logical_or, "at least one is true (not 0)")
logical_xor = _comparison("logical_xor", r"\oplus", np.logical_xor, "exactly one is true (not 0)")


def _to_bool(x: Meta) -> Meta:
    """Shape rule: the same shape, bool."""
    return Meta(x.shape, np.dtype(bool))


@operator("logical_not", "X -> Out", infer=_to_bool, latex=r"\neg x")
def logical_not(x: Array) -> Any:
    """Tell where a tensor is false (0)."""
    return np.logical_not(x)


@operator("isnan_v2", "X -> Out", infer=_to_bool)
def isnan(x: Array) -> Any:
    """Tell where a tensor is not a number. The result stops gradients."""
    return np.isnan(x)


@operator("isinf_v2", "X -> Out", infer=_to_bool)
def isinf(x: Array) -> Any:
    """Tell where a tensor is infinite, of either sign. The result stops gradients."""
    return np.isinf(x)


@operator("isfinite_v2", "X -> Out", infer=_to_bool)
def isfinite(x: Array) -> Any:
    """Tell where a tensor is a proper number. The result stops gradients."""
    return np.isfinite(x)


# -- bits ----------------------------------------------------------------------------------------------------


def _bits(rng: np.random.Generator) -> tuple[Sequence[Any], Attrs]:
    return [rng.integers(0, 8, (2, 3)), rng.integers(0, 8, (2, 3))], {}


@operator("bitwise_and", "X, Y -> Out", infer=broadcast, prepare=promote, example=_bits, latex=r"x \& y")
def bitwise_and(x: Array, y: Array) -> Any:
    """Combine integers bit by bit, or bools: 1 where both are 1."""
    return _whole("bitwise_and", x) & y


@operator("bitwise_or", "X, Y -> Out", infer=broadcast, prepare=promote, example=_bits, latex=r"x | y")
def bitwise_or(x: Array, y: Array) -> Any:
    """Combine integers bit by bit, or bools: 1 where at least one is 1."""
    return _whole("bitwise_or", x) | y


@operator("bitwise_xor", "X, Y -> Out", infer=broadcast, prepare=promote, example=_bits, latex=r"x \oplus y")
def bitwise_xor(x: Array, y: Array) -> Any:
    """Combine integers bit by bit, or bools: 1 where exactly one is 1."""
    return _whole("bitwise_xor", x) ^ y


@operator("bitwise_not", "X -> Out", example=lambda rng: ([rng.integers(0, 8, (2, 3))], {}), latex=r"\sim x")
def bitwise_not(x: Array) -> Any:
    """Flip every bit of integers, or negate bools."""
    return ~_whole("bitwise_not", x)


def _whole(name: str, x: Array) -> Array:
    """Refuse numbers that have no bits to speak of.

    Raises:
        RuntimeError: for floats, as Paddle, which has no such kernel.
    """
    if x.dtype.kind in "fc":
        raise RuntimeError(f"(NotFound) {name}() is for bool and integer tensors, but received {x.dtype}.")
    return x


# -- nearly equal --------------------------------------------------------------------------------------------


_TOLERANCES = Listing(rtol=of("rtol", str, float), atol=of("atol", str, float))
"""Paddle prints them as texts."""


def _one_bool(x: Meta, y: Meta, **attrs: Any) -> Meta:
    """Shape rule: a single bool."""
    return Meta((), np.dtype(bool))


@operator("equal_all", "X, Y -> Out", infer=_one_bool)
def equal_all(x: Array, y: Array) -> Any:
    """Tell whether two tensors have the same shape and the same elements, as one bool."""
    return np.array(np.array_equal(x, y))


@operator("allclose", "Input, Other -> Out", infer=_one_bool, prepare=promote, listing=_TOLERANCES)
def allclose(x: Array, y: Array, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """Tell whether ``|x - y| <= atol + rtol * |y|`` everywhere, as one bool."""
    return np.array(np.allclose(x, y, rtol, atol, equal_nan))


@operator("isclose", "Input, Other -> Out", infer=compare, prepare=promote, listing=_TOLERANCES)
def isclose(x: Array, y: Array, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """Tell where ``|x - y| <= atol + rtol * |y|``."""
    return np.isclose(x, y, rtol, atol, equal_nan)


# -- choosing ------------------------------------------------------------------------------------------------


def _chosen(condition: Meta, x: Meta, y: Meta) -> Meta:
    """Shape rule of :func:`where`."""
    return Meta(broadcast_shapes(condition.shape, broadcast_shapes(x.shape, y.shape)), x.dtype)


def _choice(rng: np.random.Generator) -> tuple[Sequence[Any], Attrs]:
    return [rng.uniform(size=(2, 3)) > 0.5, rng.uniform(size=(2, 3)), rng.uniform(size=(3,))], {}


@operator(
    "where", "Condition, X, Y -> Out", name="where", infer=_chosen, prepare=promote_last_two, example=_choice,
    latex=r"c\,?\,x : y",
)  # fmt: skip
def choose(condition: Array, x: Array, y: Array) -> Any:
    """Take each element from `x` where `condition` holds, else from `y`."""
    if condition.dtype != bool:
        raise failure(TypeError, f"The condition of where() must be bool, but received {condition.dtype}.")
    return np.where(condition, x, y)


@choose.gradient("x", fit=unbroadcast, formula="where(condition, dy, 0)")
def _(dy: Any, condition: Any) -> Any:
    return choose(condition, dy, zeros_like(dy))


@choose.gradient("y", fit=unbroadcast, formula="where(condition, 0, dy)")
def _(dy: Any, condition: Any) -> Any:
    return choose(condition, zeros_like(dy), dy)


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    """Take each element from `x` where `condition` holds, else from `y`; they broadcast.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/where_en.html)

    Args:
        condition: a bool tensor.
        x: a tensor or a number; without `x` and `y` the result is ``nonzero(condition, as_tuple=True)``, the
            places where `condition` holds.
        y: a tensor or a number.
        name: ignored.

    Raises:
        ValueError: if only one of `x` and `y` is given.
    """
    if x is None and y is None:
        from minipaddle.ops.search.where import nonzero

        return nonzero(condition, as_tuple=True)
    if x is None or y is None:
        raise ValueError("either both or neither of x and y should be given")
    return choose(condition, _tensor(x, y), _tensor(y, x), name=name)


def _tensor(value: Any, other: Any) -> Any:
    """Return `value` as a tensor of the type that it takes beside `other`."""
    numbers = (bool, int, float)
    if not isinstance(value, numbers):
        return value
    return constant(value) if isinstance(other, numbers) else number_beside(other, value)
