"""Joining tensors: concat, stack, hstack, vstack."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.ops.definition import Array, Meta, Shape, Value, current, invalid, locate, operator
from minipaddle.ops.definition.arguments import axis_in, integer
from minipaddle.ops.indexing.index import slice_op
from minipaddle.ops.views.reshape import reshape2, unsqueeze2


def _tensors(name: str, x: Any) -> list[Any]:
    """Return the list of tensors to join, checked."""
    if isinstance(x, (list, tuple)) and x:
        return list(x)
    if name == "concat" and isinstance(x, Value) and not current.get().dynamic:
        return [x]
    got = "empty list" if isinstance(x, (list, tuple)) else type(x).__name__
    raise locate(
        invalid(f"{name}(): argument 'x' (position 0) must be list of Tensors, but got {got}."), name
    )


def _same_type(metas: Sequence[Any]) -> None:
    for number, meta in enumerate(metas):
        if meta.dtype != metas[0].dtype:
            raise invalid(
                "The data_type of input tensor in list isn't consistent, the first tensor is "
                f"{metas[0].dtype}, but {number}th tensor is {meta.dtype}.",
                "paddle.cast converts",
            )


def _mismatch(axis: int | None, number: int, metas: list[Meta]) -> ValueError:
    what = "shape" if axis is None else f"{axis}-th dimension"
    return invalid(
        f"The {what} of input[0] and input[{number}] is expected to be equal. But received input[0]'s "
        f"shape = {list(metas[0].shape)}, input[{number}]'s shape = {list(metas[number].shape)}."
    )


# -- concat ------------------------------------------------------------------------


def _concat_infer(x: list[Meta], axis: int) -> Meta:
    first = x[0].shape
    place = axis_in(axis, len(first))
    _same_type(x)
    total = 0
    for number, meta in enumerate(x):
        if meta.ndim != len(first):
            raise _mismatch(None, number, x)
        for other in range(len(first)):
            sizes = {meta.shape[other], first[other]}
            if other != place and len(sizes) > 1 and -1 not in sizes:
                raise _mismatch(other, number, x)
        total = -1 if -1 in (total, meta.shape[place]) else total + meta.shape[place]
    return Meta((*first[:place], total, *first[place + 1 :]), x[0].dtype)


@operator("concat", infer=_concat_infer)
def concat_op(*x: Array, axis: int = 0) -> Array:
    """Put tensors one after the other along an axis."""
    _same_type(x)
    return np.concatenate(x, axis)


@concat_op.gradient("x")
def _(dy: Value, x_shape: Sequence[Shape], axis: int) -> Sequence[Value]:
    parts, start = [], 0
    lead = ":, " * (axis % dy.ndim)
    for shape in x_shape:
        stop = start + shape[axis]
        parts.append(slice_op(dy, f"{lead}{start}:{stop}:"))
        start = stop
    return parts


def concat(x: Any, axis: Any = 0, name: str | None = None) -> Any:
    """Return tensors joined along `axis`: of one type, none 0-D, with shapes that differ along `axis` only."""
    return concat_op(_tensors("concat", x), integer(axis))


cat = concat


# -- stack ------------------------------------------------------------------------


def _stack_infer(x: list[Meta], axis: int) -> Meta:
    shape = list(x[0].shape)
    if not -len(shape) - 1 <= axis <= len(shape):
        raise invalid(
            f"Attr(axis) must be inside [-(rank+1), rank+1), where rank = {len(shape)}, but received axis is:{axis}."
        )
    _same_type(x)
    for number, meta in enumerate(x):
        if meta.shape != x[0].shape and (meta.ndim != len(shape) or -1 not in (*meta.shape, *shape)):
            raise _mismatch(None, number, x)
    shape.insert(axis % (len(shape) + 1), len(x))
    return Meta(tuple(shape), x[0].dtype)


@operator("stack", infer=_stack_infer, outputs=("y",))
def stack_op(*x: Array, axis: int = 0) -> Array:
    """Put tensors of one shape side by side along a new axis."""
    _same_type(x)
    return np.stack(x, axis)


@stack_op.gradient("x")
def _(dy: Value, x_shape: Sequence[Shape], axis: int) -> Sequence[Value]:
    lead = ":, " * (axis % dy.ndim)
    return [slice_op(dy, f"{lead}{number}") for number in range(len(x_shape))]


def stack(x: Any, axis: Any = 0, name: str | None = None) -> Any:
    """Return the tensors of the list `x`, all of one shape, along a new `axis`."""
    return stack_op(_tensors("stack", x), integer(axis))


def _two(x: Value) -> Value:
    return reshape2(x, (1, 1)) if x.ndim == 0 else unsqueeze2(x, (0,)) if x.ndim == 1 else x


def hstack(x: Any, name: str | None = None) -> Value:
    """Return a list of tensors side by side: along the second axis, vectors along their only one."""
    parts = [one if one.ndim else reshape2(one, (1,)) for one in x]
    return concat(parts, 0 if parts and parts[0].ndim == 1 else 1)


def vstack(x: Any, name: str | None = None) -> Value:
    """Return a list of tensors joined along the first axis, vectors as rows."""
    return concat([_two(one) for one in x], 0)
