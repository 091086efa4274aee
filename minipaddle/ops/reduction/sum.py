"""Sums and means along axes, helpers of all reductions, and the sum that undoes a broadcast."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from minipaddle.engine.mode.eager import mode_now
from minipaddle.engine.value.dtype import as_numpy
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.definition import Array, Meta, Operator, Shape, Value, invalid, mark, operator, tried_with
from minipaddle.ops.definition.arguments import optional_axes, wanted_shape
from minipaddle.ops.definition.axis_printing import Reduced
from minipaddle.ops.definition.infer_meta import axes_of, broadcast_shapes, reduced_shape
from minipaddle.ops.definition.lesson import Claim, Seen, lesson
from minipaddle.ops.definition.program_printing import Listing, listed
from minipaddle.ops.views.reshape import reshape2

# NumPy's `sum` and similar functions spend more time on their arguments than a small sum takes.
add_up: Callable[..., Any] = np.add.reduce


def reducing(dtype: str | None = None) -> Callable[..., Meta]:
    """Return the shape rule of a reduction with results of type `dtype` (None: the input's)."""

    def infer(x: Meta, *, axis: Any = None, keepdim: bool = False, **attrs: Any) -> Meta:
        shape = reduced_shape(x.shape, axes_of(axis, len(x.shape)), keepdim)
        return Meta(shape, as_numpy(dtype) if dtype else x.dtype)

    return infer


def expand_back(dy: Any, x_shape: tuple[int, ...], axis: Any, keepdim: bool) -> Any:
    """Return `dy` in the input's shape: repeated over the axes that were reduced away."""
    if axis is not None and not keepdim and dy.ndim != len(x_shape):
        dy = reshape2(dy, reduced_shape(x_shape, axes_of(axis, len(x_shape)), True))
    return expand_view(dy, tuple(x_shape))


def counted(x_shape: tuple[int, ...], axis: Any) -> int:
    """Return the number of elements that become one."""
    return math.prod(x_shape if axis is None else [x_shape[one] for one in axes_of(axis, len(x_shape))])


def numpy_axis(x: Array, axis: Any) -> Any:
    """Return `axis` for NumPy; in Paddle a 0-D array has the axes 0 and -1, in NumPy none."""
    return axis if axis is None or (type(axis) is int and x.ndim) else axes_of(axis, x.ndim)


def over_axes(op: Operator, does: str) -> Callable[..., Any]:
    """Return Paddle's function of a reduction: its axis is an axis, several, or None for all."""

    def function(x: Any, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
        return op(x, optional_axes(axis), keepdim)

    function.__name__ = function.__qualname__ = op.name
    function.__doc__, function.__module__ = does, op.__module__
    return function


def _reduced(op: Operator, x: Value, axis: Any, keepdim: bool, dtype: Any) -> Value:
    """Return the reduction of `x` (as `dtype`, if given), applied directly: the arguments need no sorting."""
    x = x if dtype is None else cast_to(x, dtype)
    attrs = {"axis": axis if axis is None or type(axis) is int else optional_axes(axis), "keepdim": keepdim}
    return mode_now().apply(op, (x,), attrs)


# -- sum and mean --------------------------------------------------------------------------------------------


SUM_TYPES = {np.dtype("bool"): np.dtype("int64"), np.dtype("int32"): np.dtype("int64")}
"""Dtypes of sums of small types."""


@listed(Reduced(reduce_all=False), kind="sum")
@operator(
    "reduce_sum",
    name="sum",
    infer=lambda x, axis, keepdim: Meta(
        reduced_shape(x.shape, axes_of(axis, x.ndim), keepdim), SUM_TYPES.get(x.dtype, x.dtype)
    ),
)
def reduce_sum(x: Array, *, axis: Any = None, keepdim: bool = False) -> Any:
    """Add the elements along `axis` (all of them: None). Bool and int32 add up to int64."""
    return add_up(x, numpy_axis(x, axis), SUM_TYPES.get(x.dtype, x.dtype), None, keepdim)


@reduce_sum.gradient("x")
def _(dy: Value, x_shape: Shape, x_dtype: Any, axis: Any, keepdim: bool) -> Value:
    return cast_to(expand_back(dy, x_shape, axis, keepdim), x_dtype)


@lesson(reduce_sum)
def _(dy: Seen, x: Seen) -> Iterator[Claim]:
    yield Claim(
        "a sum changes by as much as any element of {name}: each gets {gradient}",
        name=x.name,
        gradient=dy.name,
    )


def sum(
    x: Value, axis: Any = None, dtype: Any = None, keepdim: bool = False, name: str | None = None
) -> Value:
    """Add the elements of `x` along `axis`; bool and int32 give int64."""
    return _reduced(reduce_sum, x, axis, keepdim, dtype)


def cast_to(x: Any, dtype: Any) -> Any:
    """Return `x` as `dtype`, differentiably; `x` itself if it is of that type."""
    return x if x.dtype is dtype or as_numpy(x.dtype) == as_numpy(dtype) else cast(x, dtype)


def unbroadcast(grad: Any, shape: tuple[int, ...]) -> Any:
    """Sum `grad` over the axes along which a value of `shape` was repeated."""
    extra = grad.ndim - len(shape)
    if extra:
        grad = fold(grad, 0 if extra == 1 else tuple(range(extra)))
    if 1 not in shape:
        return grad
    stretched = tuple([axis for axis, size in enumerate(shape) if size == 1 and grad.shape[axis] != 1])
    return fold(grad, stretched, True) if stretched else grad


def stretching(infer: Callable[..., Meta]) -> Callable[..., Meta]:
    """Return a shape rule marked as broadcasting its inputs: their gradients are summed outside of the rules."""
    vars(infer)["undone_by"] = unbroadcast
    return infer


@stretching
def broadcast(x: Meta, y: Meta, **attrs: Any) -> Meta:
    """Shape rule of elementwise operators with two inputs."""
    return Meta(broadcast_shapes(x.shape, y.shape), np.result_type(x.dtype, y.dtype))


def fold(x: Any, axis: Any, keepdim: bool = False) -> Any:
    """Sum over repeated axes, for gradient rules: integers keep their type."""
    found = reduce_sum(x, axis, keepdim)
    return found if found.dtype is x.dtype else cast_to(found, x.dtype)


def _expanded(x_shape: Shape, shape: Shape) -> Shape:
    """Return `shape` with its -1 replaced by the sizes of the input."""
    new = len(shape) - len(x_shape)
    if new < 0:
        raise invalid(
            f"The rank of the target shape {list(shape)} must not be less than that of the input {list(x_shape)}."
        )
    found = list(shape)
    for axis, size in enumerate(x_shape, new):
        if found[axis] == -1:
            found[axis] = size
        elif size not in (1, -1, found[axis]):
            raise invalid(
                f"The value ({size}) of the non-singleton dimension does not match the corresponding value "
                f"({found[axis]}) in shape for expand_v2 op: {list(x_shape)} to {list(shape)}.",
                "only axes of size 1 can be repeated; paddle.tile repeats longer ones",
            )
    return tuple(found)


def _expand_infer(x: Meta, shape: Shape) -> Meta:
    return Meta(_expanded(x.shape, shape), x.dtype)


@listed(kind="expand")
@tried_with((2, 1), shape=(2, 2, 3))
@operator("expand_v2", name="expand", infer=_expand_infer)
def expand_v2(x: Array, *, shape: Any) -> Array:
    """Repeat axes of size 1, in fresh memory."""
    out = np.empty(_expanded(x.shape, shape) if -1 in shape or x.ndim > len(shape) else shape, x.dtype)
    out[...] = x
    return out


@tried_with((2, 1), shape=(2, 2, 3))
@operator("expand_view", infer=_expand_infer)
def expand_view(x: Array, *, shape: Any) -> Array:
    """Repeat axes of size 1, for gradient rules: a large result is a read-only view on the small input."""
    if math.prod(shape) > _SMALL:
        return np.broadcast_to(x, shape)
    out = np.empty(shape, x.dtype)
    out[...] = x
    return out


_SMALL = 8192  # elements up to which filling memory is faster than setting up a broadcast


def expand(x: Value, shape: Any, name: str | None = None) -> Value:
    """Return a copy of `x` with axes of size 1 repeated to fit `shape`; -1 keeps the size of an axis."""
    return expand_v2(x, wanted_shape(shape))


def broadcast_to(x: Any, shape: Any, name: str | None = None) -> Any:
    """Return a copy of `x` with axes of size 1 repeated to fit `shape`, like :func:`expand`."""
    return expand_v2(x, wanted_shape(shape))


@listed(kind="expand_as")
@tried_with((2, 1), (2, 2, 3), target_shape=(2, 2, 3))
@operator(
    "expand_as_v2",
    name="expand_as",
    infer=lambda x, y, target_shape: _expand_infer(x, target_shape if y is None else y.shape),
)
def expand_as_op(x: Array, y: Array | None = None, *, target_shape: Any) -> Array:
    """Repeat axes of size 1 to the shape of `y`, in fresh memory."""
    return expand_v2.run(x, shape=target_shape if y is None else y.shape)


def expand_as(x: Value, y: Value, name: str | None = None) -> Value:
    """Return a copy of `x` with axes of size 1 repeated to the shape of `y`."""
    return expand_as_op(x, y, tuple(y.shape))


for _op in (expand_v2, expand_view, expand_as_op):
    _op.gradient("x")(lambda dy, x_shape: unbroadcast(dy, x_shape))


# -- means ---------------------------------------------------------------------------------------------------


@listed(Listing(dim=[], keep_dim=False, reduce_all=True, in_dtype=-1, out_dtype=-1), type="reduce_mean")
@operator("mean", infer=lambda x: Meta((), x.dtype))
def mean_all(x: Array) -> Any:
    """Return the mean of all elements, without axes."""
    return reduce_mean.kernel(x)


mean_all.gradient("x")(lambda dy, x_shape: expand_view(dy / math.prod(x_shape), x_shape))


@listed(Reduced(), kind="mean")
@operator("reduce_mean", name="mean", infer=reducing())
def reduce_mean(x: Array, *, axis: Any = None, keepdim: bool = False) -> Any:
    """Average the elements along `axis` (all of them: None)."""
    total = add_up(x, numpy_axis(x, axis), None, None, keepdim)
    count = x.size if axis is None else counted(x.shape, axis)
    return total / count if x.dtype.kind in "fc" else (total / count).astype(x.dtype)


mark("averages", reduce_sum, mean_all, reduce_mean)


@reduce_mean.gradient("x")
def _(dy: Value, x_shape: Shape, axis: Any, keepdim: bool) -> Value:
    if axis is None:
        part = cast_to(dy / math.prod(x_shape), dy.dtype)
        return mode_now().apply(expand_view, (part,), {"shape": x_shape})
    return expand_back(cast_to(dy / counted(x_shape, axis), dy.dtype), x_shape, axis, keepdim)


@lesson(mean_all, reduce_mean)
def _(dy: Seen, x: Seen) -> Iterator[Claim]:
    size = math.prod(x.shape) // max(math.prod(dy.shape), 1)
    yield Claim(
        "{size} elements share in the mean: each gets {gradient} / {size}", size=size, gradient=dy.name
    )


def mean(
    x: Value, axis: Any = None, keepdim: bool = False, name: str | None = None, *, dtype: Any = None
) -> Value:
    """Average the elements of `x` (as `dtype`, if given) along `axis` (an axis, several, or None for all)."""
    return _reduced(reduce_mean, x, axis, keepdim, dtype)
