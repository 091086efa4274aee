"""Joining tensors, and taking them apart into copies (split, chunk) or views (unbind, unstack)."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.core.errors import failure, locate
from minipaddle.core.meta import Array, Meta, Shape
from minipaddle.core.operator import operator
from minipaddle.ops.arguments import axis_in, integer, integers
from minipaddle.ops.indexing import slice_view

__all__ = [
    "chunk",
    "concat",
    "join",
    "pile",
    "split",
    "split_sections",
    "split_with_num",
    "stack",
    "unbind",
    "unstack",
]


def _tensors(name: str, x: Any) -> list[Any]:
    """Check the list that is to be joined.

    Raises:
        ValueError: if it is no list, or empty.
    """
    if isinstance(x, (list, tuple)) and x:
        return list(x)
    got = "empty list" if isinstance(x, (list, tuple)) else type(x).__name__
    raise locate(
        failure(ValueError, f"{name}(): argument 'x' (position 0) must be list of Tensors, but got {got}."),
        name,
    )


def _same_type(metas: list[Any]) -> None:
    for number, meta in enumerate(metas):
        if meta.dtype != metas[0].dtype:
            raise failure(
                ValueError,
                "The data_type of input tensor in list isn't consistent, the first tensor is "
                f"{metas[0].dtype}, but {number}th tensor is {meta.dtype}.",
                "paddle.cast converts",
            )


def _mismatch(axis: int | None, number: int, metas: list[Meta]) -> ValueError:
    what = "shape" if axis is None else f"{axis}-th dimension"
    return failure(
        ValueError,
        f"The {what} of input[0] and input[{number}] is expected to be equal. But received input[0]'s "
        "shape = "
        f"{list(metas[0].shape)}, input[{number}]'s shape = {list(metas[number].shape)}.",
    )


# -- concat ------------------------------------------------------------------------


def _concat_infer(x: list[Meta], *, axis: int = 0) -> Meta:
    first = x[0].shape
    place = axis_in(axis, len(first))
    _same_type(x)
    total = 0
    for number, meta in enumerate(x):
        if meta.ndim != len(first):
            raise _mismatch(None, number, x)
        for other in range(len(first)):
            if (
                other != place
                and meta.shape[other] != first[other]
                and -1 not in (meta.shape[other], first[other])
            ):
                raise _mismatch(other, number, x)
        total = -1 if -1 in (total, meta.shape[place]) else total + meta.shape[place]
    return Meta((*first[:place], total, *first[place + 1 :]), x[0].dtype)


@operator("concat", "X* -> Out", name="concat", infer=_concat_infer, latex=r"[x_1, x_2, \dots]")
def join(x: list[Array], axis: int = 0) -> Any:
    """Put tensors one after the other along an axis."""
    _same_type(x)
    return np.concatenate(x, axis)


@join.gradient("x", formula="split(dy, cumsum([shape[axis] for shape in x_shape])[:-1], axis)")
def _(dy: Any, x_shape: Any, axis: int) -> Any:
    parts, start = [], 0
    lead = ":, " * (axis % dy.ndim)
    for shape in x_shape:
        stop = start + shape[axis]
        parts.append(slice_view(dy, f"{lead}{start}:{stop}:"))
        start = stop
    return parts


def concat(x: Any, axis: Any = 0, name: str | None = None) -> Any:
    """Return the tensors of the list `x` one after the other along `axis`.

    Args:
        x: list of tensors of one type, whose shapes differ along `axis` only; 0-D tensors are refused.
        axis: int, or a tensor with one.
        name: ignored.

    Raises:
        ValueError: for shapes (quoted) or types that do not go together.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/concat_en.html
    """
    return join(_tensors("concat", x), integer(axis))


# -- stack ------------------------------------------------------------------------


def _stack_infer(x: list[Meta], *, axis: int = 0) -> Meta:
    shape = list(x[0].shape)
    if not -len(shape) - 1 <= axis <= len(shape):
        raise failure(
            ValueError,
            f"Attr(axis) must be inside [-(rank+1), rank+1), where rank = {len(shape)}, but received axis "
            f"is:{axis}.",
        )
    _same_type(x)
    for number, meta in enumerate(x):
        if meta.shape != x[0].shape and (meta.ndim != len(shape) or -1 not in (*meta.shape, *shape)):
            raise _mismatch(None, number, x)
    shape.insert(axis % (len(shape) + 1), len(x))
    return Meta(tuple(shape), x[0].dtype)


@operator("stack", "X* -> Y", name="stack", infer=_stack_infer, latex=r"[x_1; x_2; \dots]")
def pile(x: list[Array], axis: int = 0) -> Any:
    """Put tensors of one shape side by side along a new axis."""
    _same_type(x)
    return np.stack(x, axis)


@pile.gradient("x", formula="[take(dy, number, axis) for number in range(len(x_shape))]")
def _(dy: Any, x_shape: Any, axis: int) -> Any:
    lead = ":, " * (axis % dy.ndim)
    return [slice_view(dy, f"{lead}{number}") for number in range(len(x_shape))]


def stack(x: Any, axis: Any = 0, name: str | None = None) -> Any:
    """Return the tensors of the list `x`, all of one shape, along a new `axis`.

    Raises:
        ValueError: for shapes (quoted) or types that differ.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/stack_en.html
    """
    return pile(_tensors("stack", x), integer(axis))


# -- split ------------------------------------------------------------------------


def _sections(shape: Shape, sections: Any, axis: int) -> list[int]:
    """Return the sizes of the parts.

    Raises:
        ValueError: **divisible**, or sizes that do not add up.
    """
    size = shape[axis_in(axis, len(shape))]
    if isinstance(sections, int):
        if sections <= 0:
            raise failure(ValueError, f"Attr(num_or_sections) should be positive, but received {sections}.")
        if size % sections and size != -1:
            raise failure(
                ValueError,
                "The input's size along the split dimension must be evenly divisible by "
                "Attr(num_or_sections). But "
                f"received Attr(num_or_sections) = {sections}, input(X)'s shape = {list(shape)}, Attr(dim) "
                f"= {axis}.",
                "a list of sizes splits unevenly",
            )
        return [size // sections if size != -1 else -1] * sections
    found = list(sections)
    if found.count(-1) > 1:
        raise failure(
            ValueError,
            "Only one dimension value of Attr(num_or_sections) in SplitOp can be -1. "
            f"But received Attr(num_or_sections) = {found}.",
        )
    known = sum(part for part in found if part != -1)
    if size != -1 and (known > size if -1 in found else known != size):
        raise failure(
            ValueError,
            "Sum of Attr(num_or_sections) must be equal to the input's size along the split dimension. But "
            "received "
            f"Attr(num_or_sections) = {found}, input(X)'s shape = {list(shape)}, Attr(dim) = {axis}.",
        )
    return [(size - known if size != -1 else -1) if part == -1 else part for part in found]


def _split_infer(x: Meta, *, num_or_sections: Any, axis: int = 0) -> list[Meta]:
    place = axis_in(axis, x.ndim)
    sizes = _sections(x.shape, num_or_sections, axis)
    return [Meta((*x.shape[:place], size, *x.shape[place + 1 :]), x.dtype) for size in sizes]


@operator(
    "split",
    "X -> Out*",
    name="split",
    infer=_split_infer,
    latex=r"x \to x_1, x_2, \dots",
    example=lambda rng: ([rng.uniform(0.2, 0.9, (4, 3))], {"num_or_sections": (1, -1)}),
)
def split_sections(x: Array, num_or_sections: Any, axis: int = 0) -> Any:
    """Cut into parts along an axis; every part is a copy."""
    ends = np.cumsum(_sections(x.shape, num_or_sections, axis))
    return [part.copy() for part in np.split(x, ends[:-1], axis)]


@split_sections.gradient("x", formula="concatenate(dys, axis)")
def _(dys: Any, axis: int) -> Any:
    return join(dys, axis)


def _equal_infer(x: Meta, *, num: int, axis: int = 0) -> list[Meta]:
    return _split_infer(x, num_or_sections=num, axis=axis)


@operator(
    "split_with_num",
    "X -> Out*",
    infer=_equal_infer,
    latex=r"x \to x_1, x_2, \dots",
    example=lambda rng: ([rng.uniform(0.2, 0.9, (4, 3))], {"num": 2}),
)
def split_with_num(x: Array, num: int, axis: int = 0) -> Any:
    """Cut into `num` equal parts along an axis; every part is a copy."""
    _sections(x.shape, num, axis)
    return [part.copy() for part in np.split(x, num, axis)]


@split_with_num.gradient("x", formula="concatenate(dys, axis)")
def _(dys: Any, axis: int) -> Any:
    return join(dys, axis)


def split(x: Any, num_or_sections: Any, axis: Any = 0, name: str | None = None) -> Any:
    """Return a list of the parts of `x` along `axis`, as copies.

    Args:
        x: tensor of one axis or more.
        num_or_sections: how many equal parts, or a list of their sizes, of which one may be -1.
        axis: int, or a tensor with one.
        name: ignored.

    Raises:
        ValueError: **divisible**, or sizes that do not add up.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/split_en.html
    """
    if isinstance(num_or_sections, (list, tuple)):
        return list(split_sections(x, integers(num_or_sections), integer(axis)))
    return list(split_with_num(x, integer(num_or_sections), integer(axis)))


def chunk(x: Any, chunks: int, axis: Any = 0, name: str | None = None) -> Any:
    """Return a list of `chunks` equal parts of `x` along `axis`, as copies.

    Raises:
        ValueError: **divisible**.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/chunk_en.html
    """
    return split(x, chunks, axis)


def unbind(input: Any, axis: int = 0) -> Any:
    """Return a list of the slices of `input` along `axis`, which is gone from them. They share its memory.

    Raises:
        ValueError: if there is no such axis.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/unbind_en.html
    """
    if not -input.ndim <= axis < input.ndim:
        raise failure(ValueError, f"The axis must in range({-input.ndim}, {input.ndim}), but got {axis}.")
    lead = ":, " * (axis % input.ndim)
    return [slice_view(input, f"{lead}{number}") for number in range(input.shape[axis])]


def unstack(x: Any, axis: int = 0, num: int | None = None) -> Any:
    """Return what :func:`unbind` does; `num`, if given, must be the size of the axis.

    Raises:
        ValueError: if there is no such axis, or `num` is wrong.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/unstack_en.html
    """
    parts = unbind(x, axis)
    if num is not None and num != len(parts):
        raise failure(ValueError, f"`num` must be the size of the axis, {len(parts)}, but received {num}.")
    return parts
