"""Changes of shape: the same elements under another shape. All are views, as in Paddle."""

from __future__ import annotations

import math
from typing import Any

from minipaddle.engine.value.meta import Array, Meta, Shape, Unknown
from minipaddle.ops.definition import Value, current, failure, invalid, mark, operator, tried_with
from minipaddle.ops.definition.arguments import axis_in, axis_of_0d, integers, optional_axes, wanted_shape
from minipaddle.ops.definition.axis_printing import axes_as_list, axes_from_list, axis_of
from minipaddle.ops.definition.program_printing import Listing, listed, of


def _resolve(x_shape: Shape, shape: Shape) -> Shape:
    """Replace every 0 in `shape` by the size of that axis of the input, and check that the elements fit."""
    asked = list(shape)
    if sum(size == -1 and not isinstance(size, Unknown) for size in asked) > 1:
        raise invalid(
            f"Only one dimension value of 'shape' in ReshapeOp can be -1, but received shape = {asked}."
        )
    if min(asked, default=0) < -1 or any(
        size == 0 and axis >= len(x_shape) for axis, size in enumerate(asked)
    ):
        raise invalid(
            f"The 'shape' in ReshapeOp is invalid. The input tensor X'shape = {list(x_shape)}, X's "
            f"capacity is {math.prod(x_shape)}. But received 'shape' = {asked}.",
            "sizes are positive; one may be -1 (the rest), and 0 copies the size of the same axis of the input",
        )
    empty = 0 in x_shape and -1 not in asked  # then 0 is the size itself
    found = [x_shape[axis] if size == 0 and not empty else size for axis, size in enumerate(asked)]
    if -1 in x_shape or any(isinstance(size, Unknown) for size in asked):
        return tuple(found)
    have, want = math.prod(x_shape), math.prod(size for size in found if size != -1)
    if -1 in found:
        fits = want != 0 and have % want == 0
        found[found.index(-1)] = have // want if fits else -1
    else:
        fits = have == want
    if not fits:
        must = "divisible by known capacity" if -1 in asked else "equal to the capacity"
        raise invalid(
            f"The 'shape' in ReshapeOp is invalid. The input tensor X'size must be {must} of 'shape'. But received "
            f"X's shape = {list(x_shape)}, X's size = {have}, 'shape' is {asked}, the capacity of 'shape' is {want}.",
            "the number of elements has to stay the same; -1 once lets Paddle work out one size",
        )
    return tuple(found)


@listed(shape_slot="XShape")
@tried_with((2, 3), shape=(3, -1))
@operator(
    "reshape2", name="reshape", infer=lambda x, shape: Meta(_resolve(x.shape, shape), x.dtype), view=True
)
def reshape2(x: Array, *, shape: Any) -> Any:
    """Read the same elements under a new shape; -1 is worked out, 0 copies the size of that axis."""
    if 0 in shape and x.size:
        shape = _resolve(x.shape, shape)
    return x.reshape(shape)


reshape2.gradient("x")(lambda dy, x_shape: reshape2(dy, x_shape))


def reshape(x: Any, shape: Any, *more: Any, name: str | None = None) -> Any:
    """Return `x` under a new `shape` (one -1 is worked out, 0 copies a size), in the same memory; or `x` itself."""
    wanted = wanted_shape((shape, *more) if more else shape)
    if current.get().dynamic and wanted == getattr(x, "shape", None):
        return x
    return reshape2(x, wanted)


def view(x: Value, shape_or_dtype: Any, *more: Any, name: str | None = None) -> Value:
    """Return `x` under a new shape, a list or the sizes themselves, in the same memory; a dtype is refused."""
    if isinstance(shape_or_dtype, int):
        shape_or_dtype = (shape_or_dtype, *more)
    if not isinstance(shape_or_dtype, (list, tuple)):
        raise failure(
            TypeError,
            f"view() takes a shape, but received {shape_or_dtype!r}.",
            "x.astype(dtype) converts; to read bytes as another dtype, x.numpy().view(...)",
        )
    return reshape2(x, wanted_shape(shape_or_dtype))


# -- axes of size 1 ------------------------------------------------------------------------------------------


def _squeezed(x_shape: Shape, axis: int | tuple[int, ...] | None) -> Shape:
    if axis is None:
        return tuple([size for size in x_shape if size != 1])
    named = (axis,) if isinstance(axis, int) else axis
    if not x_shape:
        for one in named:
            axis_of_0d(one)
        return ()
    axes = {axis_in(one, len(x_shape)) for one in named}
    return tuple([size for i, size in enumerate(x_shape) if size != 1 or i not in axes])


@listed(Listing(axes=of("axis", axes_as_list, axes_from_list)), kind="squeeze", shape_slot="XShape")
@tried_with((2, 1, 3), axis=1)
@operator(
    "squeeze2", name="squeeze", infer=lambda x, axis: Meta(_squeezed(x.shape, axis), x.dtype), view=True
)
def squeeze2(x: Array, *, axis: Any = None) -> Array:
    """Drop axes of size 1: those named, or all. Naming a longer axis does nothing."""
    return x.reshape(_squeezed(x.shape, axis))


squeeze2.gradient("x")(lambda dy, x_shape: reshape2(dy, x_shape))


def squeeze(x: Value, axis: Any = None, name: str | None = None) -> Value:
    """Return `x` without its axes of size 1 (only those in `axis`, if given), sharing its memory."""
    return squeeze2(x, optional_axes(axis))


def _unsqueezed(x_shape: Shape, axis: tuple[int, ...]) -> Shape:
    shape = list(x_shape)
    for one in axis:
        shape.insert(axis_in(one, len(shape) + 1), 1)
    return tuple(shape)


@listed(Listing(axes=of("axis", axes_as_list)), shape_slot="XShape")
@tried_with((2, 3), axis=(0, -1))
@operator(
    "unsqueeze2", name="unsqueeze", infer=lambda x, axis: Meta(_unsqueezed(x.shape, axis), x.dtype), view=True
)
def unsqueeze2(x: Array, *, axis: Any) -> Array:
    """Insert axes of size 1, one after the other."""
    return x.reshape(_unsqueezed(x.shape, axis))


unsqueeze2.gradient("x")(lambda dy, x_shape: reshape2(dy, x_shape))


def unsqueeze(x: Any, axis: Any, name: str | None = None) -> Any:
    """Return `x` with an axis of size 1 inserted at each place in `axis`, sharing its memory."""
    return unsqueeze2(x, integers(axis))


def _flattened(x_shape: Shape, start_axis: int, stop_axis: int) -> Shape:
    if not x_shape:
        return (1,)
    start = axis_in(start_axis, len(x_shape), "start_axis")
    stop = axis_in(stop_axis, len(x_shape), "stop_axis")
    if start > stop:
        raise invalid(f"The stop_axis {stop} should be greater than or equal to the start_axis {start}.")
    middle = x_shape[start : stop + 1]
    return (*x_shape[:start], -1 if -1 in middle else math.prod(middle), *x_shape[stop + 1 :])


@listed(
    Listing(start_axis=axis_of("start_axis"), stop_axis=axis_of("stop_axis")),
    kind="flatten",
    shape_slot="XShape",
)
@operator(
    "flatten_contiguous_range",
    infer=lambda x, start_axis, stop_axis: Meta(_flattened(x.shape, start_axis, stop_axis), x.dtype),
    view=True,
)
def flatten(x: Array, *, start_axis: int = 0, stop_axis: int = -1) -> Array:
    """Merge the axes from `start_axis` to `stop_axis` into one, sharing memory."""
    return x.reshape(_flattened(x.shape, start_axis, stop_axis))


mark("same numbers", reshape2, unsqueeze2, squeeze2, flatten)
flatten.gradient("x")(lambda dy, x_shape: reshape2(dy, x_shape))
