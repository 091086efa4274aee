"""Stacks and splits along given axes: hstack, vsplit, tensor_split, block_diag, atleast_2d and their like."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.arguments import axis_in, integer, integers, known_size, wanted_shape
from minipaddle.ops.creation.cast import numpy_dtype
from minipaddle.ops.creation.full import full
from minipaddle.ops.indexing.index import slice_op
from minipaddle.ops.manipulation.concat import concat
from minipaddle.ops.views.reshape import reshape, reshape2, unsqueeze2

# -- at least so many axes ------------------------------------------------------------------------------------


def _each(raise_one: Callable[[Any], Any], inputs: Sequence[Any]) -> Any:
    """Return one tensor for one, a list for several."""
    if len(inputs) == 1 and isinstance(inputs[0], (list, tuple)):
        inputs = inputs[0]
    made = [raise_one(one) for one in inputs]
    return made[0] if len(made) == 1 else made


def _one(x: Value) -> Value:
    return reshape2(x, (1,)) if x.ndim == 0 else x


def _two(x: Value) -> Value:
    return reshape2(x, (1, 1)) if x.ndim == 0 else unsqueeze2(x, (0,)) if x.ndim == 1 else x


def _three(x: Value) -> Value:
    return unsqueeze2(_two(x), (2,)) if x.ndim < 3 else x


def atleast_1d(*inputs: Any, name: str | None = None) -> Value:
    """Return each tensor with at least one axis; a list for several.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/atleast_1d_en.html
    """
    return _each(_one, inputs)


def atleast_2d(*inputs: Any, name: str | None = None) -> list[Value]:
    """Return each tensor with at least two axes, a vector as a row; a list for several.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/atleast_2d_en.html
    """
    return _each(_two, inputs)


def atleast_3d(*inputs: Any, name: str | None = None) -> Value:
    """Return each tensor with at least three axes, a matrix with a last one of size 1; a list for several.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/atleast_3d_en.html
    """
    return _each(_three, inputs)


# -- stacks ---------------------------------------------------------------------------------------------------


def hstack(x: Any, name: str | None = None) -> Value:
    """Return a list of tensors side by side: along the second axis, vectors along their only one.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/hstack_en.html
    """
    parts = [_one(one) for one in x]
    return concat(parts, 0 if parts and parts[0].ndim == 1 else 1)


def vstack(x: Any, name: str | None = None) -> Value:
    """Return a list of tensors one below the other: along the first axis, vectors as rows.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/vstack_en.html
    """
    return concat([_two(one) for one in x], 0)


row_stack = vstack


def dstack(x: Any, name: str | None = None) -> Value:
    """Return a list of tensors one behind the other: along the third axis.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/dstack_en.html
    """
    return concat([_three(one) for one in x], 2)


def column_stack(x: Any, name: str | None = None) -> Value:
    """Return a list of tensors side by side, vectors and numbers as columns.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/column_stack_en.html
    """
    return concat([reshape2(one, (-1, 1)) if one.ndim < 2 else one for one in x], 1)


def block_diag(inputs: Any, name: str | None = None) -> Value:
    """Return a matrix with the matrices of a list along its diagonal, zeros elsewhere.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/block_diag_en.html
    """
    blocks = [_two(one) for one in inputs]
    for block in blocks:
        if block.ndim > 2:
            raise failure(ValueError, f"Each Tensor must have 2 or less dimensions, but got {block.ndim}.")
    widths, dtype = [block.shape[1] for block in blocks], numpy_dtype(blocks[0])
    rows = []
    for place, block in enumerate(blocks):
        left, right = sum(widths[:place]), sum(widths[place + 1 :])
        sides = [full((block.shape[0], width), 0, dtype) for width in (left, right)]
        rows.append(concat([sides[0], block, sides[1]], 1))
    return concat(rows, 0)


# -- splits ---------------------------------------------------------------------------------------------------


MOST_PARTS = 1 << 16
"""Beyond the length of the axis parts are empty: so many of them are a mistake, and would fill the memory."""


def _part(x: Value, axis: int, start: int, end: int) -> Value:
    return slice_op(x, ":, " * axis + f"{start}:{end}")


def tensor_split(x: Value, num_or_indices: Any, axis: Any = 0, name: str | None = None) -> list[Any]:
    """Return a list of the parts of `x` along `axis`, which share its memory.

    Args:
        x: tensor of one axis or more.
        num_or_indices: how many parts, of which the first may be longer by one; or the places to cut at.
        axis: int, or a tensor with one.
        name: ignored.

    Raises:
        ValueError: if there is nothing to split, or no such axis, or less than one part.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/tensor_split_en.html
    """
    if x.ndim < 1:
        raise ValueError(f"The input tensor's dimension must be greater than 0, but got {x.ndim}")
    place = axis_in(integer(axis), x.ndim)
    size = known_size(x, place)
    if isinstance(num_or_indices, int):
        if num_or_indices <= 0:
            raise failure(ValueError, f"The num_or_indices must be positive, but received {num_or_indices}.")
        if num_or_indices > MOST_PARTS:
            raise failure(
                ValueError, f"num_or_indices is {num_or_indices}; more than {MOST_PARTS} parts are not made."
            )
        whole, longer = divmod(size, num_or_indices)
        cuts = [number * whole + min(number, longer) for number in range(1, num_or_indices)]
    else:
        cuts = list(integers(num_or_indices))
    return [_part(x, place, start, end) for start, end in zip([0, *cuts], [*cuts, size], strict=True)]


def _at_least(x: Value, ndim: int, name: str) -> None:
    if x.ndim < ndim:
        raise ValueError(
            f"The input tensor's dimension must be greater than {ndim - 1}, but got {x.ndim} in {name}"
        )


def hsplit(x: Value, num_or_indices: Any, name: str | None = None) -> list[Any]:
    """Return the parts of `x` along the second axis, of a vector along its only one, as :func:`tensor_split` does.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/hsplit_en.html
    """
    _at_least(x, 1, "hsplit")
    return tensor_split(x, num_or_indices, 1 if x.ndim > 1 else 0)


def vsplit(x: Value, num_or_indices: Any, name: str | None = None) -> list[Any]:
    """Return the parts of `x` along the first of at least two axes, as :func:`tensor_split` does.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/vsplit_en.html
    """
    _at_least(x, 2, "vsplit")
    return tensor_split(x, num_or_indices, 0)


def dsplit(x: Value, num_or_indices: Any, name: str | None = None) -> list[Any]:
    """Return the parts of `x` along the third of at least three axes, as :func:`tensor_split` does.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/dsplit_en.html
    """
    _at_least(x, 3, "dsplit")
    return tensor_split(x, num_or_indices, 2)


def unflatten(x: Value, axis: Any, shape: Any, name: str | None = None) -> Value:
    """Return `x` with one axis as several of these sizes, of which one may be -1; it shares its memory.

    Raises:
        ValueError: if there is no such axis, or the sizes do not fit.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/unflatten_en.html
    """
    place = axis_in(axis, x.ndim)
    sizes = list(wanted_shape(shape))
    if sizes.count(-1) == 1 and x.shape[place] != -1:
        known = 1
        for size in sizes:
            known *= size if size != -1 else 1
        sizes[sizes.index(-1)] = x.shape[place] // known if known else 0
    return reshape(x, [*x.shape[:place], *sizes, *x.shape[place + 1 :]])
