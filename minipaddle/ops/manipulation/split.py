"""Taking tensors apart: into copies (split, chunk) or views (unbind)."""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from minipaddle.engine.mode.eager import current
from minipaddle.ops.definition import Array, Meta, Shape, Value, invalid, mark, operator, tried_with
from minipaddle.ops.definition.arguments import axis_in, integer, integers
from minipaddle.ops.definition.axis_printing import axis_of
from minipaddle.ops.definition.program_printing import Listing, listed, of
from minipaddle.ops.indexing.index import slice_op
from minipaddle.ops.manipulation.concat import concat_op, stack


def _joined(dys: Any, axis: int) -> Value:
    """Return the gradients joined along `axis`, counted from the front."""
    return concat_op(dys, axis % dys[0].ndim)


def _sections(shape: Shape, sections: Any, axis: int) -> list[int]:
    """Return the sizes of the parts."""
    size = shape[axis_in(axis, len(shape))]
    if isinstance(sections, int):
        if sections <= 0:
            raise invalid(f"Attr(num_or_sections) should be positive, but received {sections}.")
        if size % sections and size != -1:
            raise invalid(
                "The input's size along the split dimension must be evenly divisible by Attr(num_or_sections). But "
                f"received Attr(num_or_sections) = {sections}, input(X)'s shape = {list(shape)}, Attr(dim) = {axis}.",
                "a list of sizes splits unevenly",
            )
        return [size // sections if size != -1 else -1] * sections
    found = list(sections)
    if found.count(-1) > 1:
        raise invalid(
            "Only one dimension value of Attr(num_or_sections) in SplitOp can be -1. "
            f"But received Attr(num_or_sections) = {found}."
        )
    known = sum(part for part in found if part != -1)
    if size != -1 and (known >= size if -1 in found else known != size):
        raise invalid(
            "Sum of Attr(num_or_sections) must be equal to the input's size along the split dimension. But received "
            f"Attr(num_or_sections) = {found}, input(X)'s shape = {list(shape)}, Attr(dim) = {axis}."
        )
    return [(size - known if size != -1 else -1) if part == -1 else part for part in found]


def _cut(x: Array, sizes: list[int], axis: int) -> list[Array]:
    """Return copies of the parts of these sizes."""
    before = (slice(None),) * axis_in(axis, x.ndim)
    ends = list(accumulate(sizes, initial=0))
    return [x[(*before, slice(start, end))].copy() for start, end in pairwise(ends)]


def _split_infer(x: Meta, num_or_sections: Any, axis: int) -> list[Meta]:
    place = axis_in(axis, x.ndim)
    sizes = _sections(x.shape, num_or_sections, axis)
    return [Meta((*x.shape[:place], size, *x.shape[place + 1 :]), x.dtype) for size in sizes]


@listed(Listing(sections=of("num_or_sections"), num=0, axis=axis_of("axis")))
@tried_with((4, 3), num_or_sections=(1, -1))
@operator("split", infer=_split_infer, gives_list=True)
def split_op(x: Array, *, num_or_sections: Any, axis: int = 0) -> list[Array]:
    """Cut into parts along an axis; every part is a copy."""
    return _cut(x, _sections(x.shape, num_or_sections, axis), axis)


split_op.gradient("x", program=_joined)(lambda dys, axis: concat_op(dys, axis))


@listed(Listing(sections=[], axis=axis_of("axis")), type="split", kind="split")
@tried_with((4, 3), num=2)
@operator(
    "split_with_num",
    infer=lambda x, num, axis: _split_infer(x, num_or_sections=num, axis=axis),
    gives_list=True,
)
def split_with_num(x: Array, *, num: int, axis: int = 0) -> list[Array]:
    """Cut into `num` equal parts along an axis; every part is a copy."""
    return _cut(x, _sections(x.shape, num, axis), axis)


split_with_num.gradient("x", program=_joined)(lambda dys, axis: concat_op(dys, axis))


def split(x: Value, num_or_sections: Any, axis: Any = 0, name: str | None = None) -> list[Value]:
    """Return a list of copies of parts of `x` along `axis`: n equal parts, or parts of given sizes, one may be -1."""
    if isinstance(axis, int) and axis < 0:
        assert x.ndim + axis >= 0, "(rank(x) + axis) must >= 0"
    if isinstance(num_or_sections, (list, tuple)):
        return list(split_op(x, integers(num_or_sections), integer(axis)))
    return list(split_with_num(x, integer(num_or_sections), integer(axis)))


def chunk(x: Value, chunks: int, axis: Any = 0, name: str | None = None) -> list[Value]:
    """Return a list of `chunks` equal parts of `x` along `axis`, as copies."""
    axis_in(axis if integer(axis) >= 0 else 0, x.ndim, kind=IndexError)
    return split(x, chunks, axis)


def _unbind_infer(x: Meta, axis: int) -> list[Meta]:
    place = axis_in(axis, x.ndim)
    return [Meta((*x.shape[:place], *x.shape[place + 1 :]), x.dtype) for _ in range(x.shape[place])]


@tried_with((2, 3), axis=1)
@operator("unbind", infer=_unbind_infer, gives_list=True)
def unbind_op(x: Array, *, axis: int = 0) -> Any:
    """Return the slices along an axis, as copies: used in Programs, where sharing is not visible."""
    return [part.copy() for part in np.moveaxis(x, axis, 0)]


unbind_op.gradient("x", program=True)(lambda dys, axis: stack(list(dys), axis))


def unbind(input: Value, axis: int = 0) -> list[Value]:
    """Return a list of the slices of `input` along `axis`, without this axis. They share its memory."""
    if not -input.ndim <= axis < input.ndim:
        raise invalid(f"The axis must in range({-input.ndim}, {input.ndim}), but got {axis}.")
    if not current.get().dynamic:
        return list(unbind_op(input, axis))
    lead = ":, " * (axis % input.ndim)
    return [slice_op(input, f"{lead}{number}") for number in range(input.shape[axis])]


mark("selects", split_op, split_with_num, unbind_op)
