"""Changing the type of the elements, and plain copies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.core.dtype import as_numpy
from minipaddle.core.listing import Listing, Metas, as_code, derived, from_code, of
from minipaddle.core.meta import Array, Attrs, Meta
from minipaddle.core.mode import current, within
from minipaddle.core.operator import operator


def numpy_dtype(value: Any) -> np.dtype[Any]:
    """Return the NumPy dtype of an array, a Tensor or a Variable."""
    dtype = getattr(value, "array", value).dtype
    return dtype if isinstance(dtype, np.dtype) else as_numpy(dtype)


def _of_dtype(x: Meta, dtype: Any) -> Meta:
    """Shape rule of :func:`cast`."""
    return Meta(x.shape, as_numpy(dtype))


def _from_type(attrs: Attrs, metas: Metas) -> int:
    """Return the code of the type that is converted, if it is known."""
    return as_code(metas[0].dtype if metas and metas[0] else None)


def _to_single(rng: np.random.Generator) -> tuple[Sequence[Any], Attrs]:
    # The other way round is not testable: differences of float32 numbers are too coarse.
    return [rng.uniform(0.2, 0.9, (2, 3))], {"dtype": "float64"}


@operator(
    "cast",
    "X -> Out",
    infer=_of_dtype,
    example=_to_single,
    listing=Listing(in_dtype=derived(_from_type), out_dtype=of("dtype", as_code, from_code)),
)
def cast(x: Array, dtype: Any) -> Any:
    """Convert the elements to `dtype`; the gradient is converted back.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/cast_en.html). Floats are truncated
    towards zero to become integers; anything but 0 is True. The result is always a copy.

    Raises:
        TypeError: if `dtype` is no data type.
    """
    return x.astype(as_numpy(dtype))


@cast.gradient("x", formula="dy.astype(x_dtype)", program=True)
def _(dy: Any, x_dtype: Any) -> Any:
    return cast(dy, x_dtype)


@operator("assign", "X -> Out", name="assign", latex="x")
def copy(x: Array) -> Any:
    """Copy; the gradient passes as it is. Also ``Tensor.clone()``."""
    return x.copy()


@copy.gradient("x", program=lambda dy: copy(dy))
def _(dy: Any) -> Any:
    return dy


@operator("share_data", "X -> Out", name="detach", latex="x")
def share_data(x: Array) -> Any:
    """Copy, and stop gradients: ``detach()`` in a Program."""
    return x.copy()


def _like_source(output: Meta, x: Meta) -> Meta:
    """Shape rule of :func:`copy_into`."""
    return x


@operator("assign_out_", "Output, X -> Out", name="assign", infer=_like_source, latex="x")
def copy_into(output: Array, x: Array) -> Any:
    """Copy `x` to where `output` was: what ``assign(x, output)`` records. What was there gets no gradient."""
    return x.copy()


@copy_into.gradient("x")
def _(dy: Any) -> Any:
    return dy


def assign(x: Any, output: Any = None) -> Any:
    """Copy a Tensor, an array, a list or a number into a new Tensor, or into `output`.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/assign_en.html)

    Args:
        x: what to copy. Unlike in ``to_tensor``, Python floats become float64, and a number gets an axis.
        output: a Tensor of the same shape that is to hold the copy; its version goes up by one. A leaf that
            wants a gradient stays one, as in Paddle.

    Raises:
        ValueError: **shape of broadcast output**, if `output` has another shape.
    """
    from minipaddle.ops.creation.convert import constant  # it imports this file

    if not hasattr(x, "stop_gradient"):
        x = constant(np.array([x] if isinstance(x, (bool, int, float)) else x))
        if output is None:
            return x
    if output is None:
        return copy(x)
    mode = current.get()
    writing_a_leaf = mode.dynamic and not output.stop_gradient and output.is_leaf
    with within(mode.with_grad(False) if writing_a_leaf else mode):
        return copy_into.bind_inplace(output, x)
