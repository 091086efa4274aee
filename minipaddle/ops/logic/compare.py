"""Comparisons and logic, of elements and of whole tensors; none has a gradient."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from minipaddle.ops.creation.convert import number_beside
from minipaddle.ops.creation.promotion import alike_pair, promote, promote_floats
from minipaddle.ops.definition import Array, Meta, Operator, failure, operator, require, tried_with
from minipaddle.ops.definition.axis_printing import ALIGNED, Reduced
from minipaddle.ops.definition.infer_meta import compare, elementary
from minipaddle.ops.definition.program_printing import Listing, listed, of
from minipaddle.ops.reduction.sum import broadcast, numpy_axis, over_axes, reducing


def _number_too(op: Operator, x: Any, y: Any) -> tuple[Any, Any]:
    """Return promoted operands; the second operand of :func:`equal` may be a number, unlike those of its kin."""
    return promote(op, x, number_beside(x, y) if isinstance(y, (bool, int, float)) else y)


def comparison(
    name: str,
    compute: Callable[..., Any],
    words: str,
    prepare: Callable[..., Any] = promote,
    listing: Listing | None = ALIGNED,
) -> Operator:
    """Define an operator with two inputs and a bool output."""

    def kernel(x: Array, y: Array) -> Any:
        return compute(x, y)

    kernel.__doc__ = f"Tell where {words}, elementwise. The result is bool and stops gradients."
    return listed(listing)(operator(name, name=name, infer=compare, prepare=prepare)(kernel))


def to_bool(x: Meta) -> Meta:
    """Shape rule: the same shape, bool."""
    return Meta(x.shape, np.dtype(bool))


equal = comparison("equal", np.equal, "two tensors are equal", _number_too)
not_equal = comparison("not_equal", np.not_equal, "two tensors differ")
less_than = comparison("less_than", np.less, "the first tensor is smaller")
less_equal = comparison("less_equal", np.less_equal, "the first tensor is smaller or equal")
greater_than = comparison("greater_than", np.greater, "the first tensor is greater")
greater_equal = comparison("greater_equal", np.greater_equal, "the first tensor is greater or equal")


def _elementwise_test(name: str, compute: Callable[..., Any], words: str) -> Operator:
    """Define an elementwise test; its type in a Program ends in `_v2`."""
    does = f"Tell where a tensor is {words}. The result stops gradients."
    return elementary(f"{name}_v2", lambda x: compute(x), does, infer=to_bool, name=name)


isnan = _elementwise_test("isnan", np.isnan, "not a number")
isinf = _elementwise_test("isinf", np.isinf, "infinite, of either sign")
isfinite = _elementwise_test("isfinite", np.isfinite, "a proper number")


_TOLERANCES = Listing(rtol=of("rtol", str, float), atol=of("atol", str, float))
"""Paddle prints the tolerances as texts."""


def _near(x: Meta, y: Meta, **attrs: Any) -> Meta:
    """Shape rule of :func:`isclose`: nothing broadcasts."""
    known = -1 not in (*x.shape, *y.shape)
    if len(x.shape) != len(y.shape) or (known and x.shape != y.shape):
        raise failure(
            RuntimeError,
            f"Input(Input) and Input(Other) must have the same shape, but received {list(x.shape)} and "
            f"{list(y.shape)}.",
        )
    return to_bool(x)


@listed(_TOLERANCES, inputs="Input, Other")
@operator(
    "allclose", kinds="biuf", infer=lambda x, y, **attrs: Meta((), _near(x, y).dtype), prepare=alike_pair
)
def allclose(
    x: Array, y: Array, *, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Array:
    """Return whether ``|x - y| <= atol + rtol * |y|`` everywhere, as one bool."""
    require(x.shape == y.shape)
    return np.array(np.allclose(x, y, rtol, atol, equal_nan))


@listed(_TOLERANCES, inputs="Input, Other")
@operator("isclose", infer=_near, prepare=alike_pair)
def isclose(
    x: Array, y: Array, *, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
) -> Array:
    """Return where ``|x - y| <= atol + rtol * |y|``."""
    require(x.shape == y.shape)
    return np.isclose(x, y, rtol, atol, equal_nan)


_logic = partial(comparison, prepare=promote_floats, listing=None)

logical_and = _logic("logical_and", np.logical_and, "both are true (not 0)")
logical_or = _logic("logical_or", np.logical_or, "at least one is true (not 0)")
logical_xor = _logic("logical_xor", np.logical_xor, "exactly one is true (not 0)")

logical_not = elementary(
    "logical_not", lambda x: np.logical_not(x), "Tell where a tensor is false (0).", infer=to_bool
)


# -- bits ----------------------------------------------------------------------------------------------------


def _no_floats(name: str, x: Array) -> Array:
    """Refuse floats: only integers and bools have bits."""
    if x.dtype.kind in "fc":
        raise RuntimeError(f"(NotFound) {name}() is for bool and integer tensors, but received {x.dtype}.")
    return x


def _bitwise(name: str, compute: Callable[..., Any], words: str) -> Operator:
    """Define an operator that combines integers bit by bit."""

    def kernel(x: Array, y: Array) -> Any:
        return compute(_no_floats(name, x), y)

    kernel.__doc__ = f"Combine integers bit by bit, or bools: 1 where {words}."
    return tried_with([[1, 7, 3], [4, 0, 6]], [[6, 5, 4], [3, 3, 1]])(
        operator(name, name=name, infer=broadcast, prepare=alike_pair)(kernel)
    )


bitwise_and = _bitwise("bitwise_and", np.bitwise_and, "both are 1")
bitwise_or = _bitwise("bitwise_or", np.bitwise_or, "at least one is 1")
bitwise_xor = _bitwise("bitwise_xor", np.bitwise_xor, "exactly one is 1")


@tried_with([[1, 7, 3], [4, 0, 6]])
@operator("bitwise_not")
def bitwise_not(x: Array) -> Any:
    """Flip every bit of integers, or negate bools."""
    return ~_no_floats("bitwise_not", x)


# -- yes or no -----------------------------------------------------------------------------------------------


def _reduction_test(name: str, join: Callable[..., Any], does: str) -> Operator:
    """Define ``reduce_all`` or ``reduce_any``."""

    def kernel(x: Array, *, axis: Any = None, keepdim: bool = False) -> Any:
        return join(x, numpy_axis(x, axis), None, None, keepdim)

    kernel.__doc__ = does
    return listed(Reduced(), kind=name)(operator(f"reduce_{name}", name=name, infer=reducing("bool"))(kernel))


reduce_all = _reduction_test("all", np.logical_and.reduce, "Ask whether every element along `axis` is true.")
reduce_any = _reduction_test("any", np.logical_or.reduce, "Ask whether some element along `axis` is true.")
all = over_axes(reduce_all, "Return whether all elements along `axis` are true (not zero).")
any = over_axes(reduce_any, "Return whether at least one element along `axis` is true (not zero).")
