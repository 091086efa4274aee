"""Along an axis: running extrema and logarithms of sums, differences, areas under curves; renorm and reduce_as."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.engine.core.dtype import as_numpy
from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Meta, Shape
from minipaddle.engine.core.operator import Operator, operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.arguments import axis_in, integer
from minipaddle.ops.common.listed import Listing, listed
from minipaddle.ops.creation.cast import cast, numpy_dtype
from minipaddle.ops.creation.promotion import floating
from minipaddle.ops.indexing.index import slice_op
from minipaddle.ops.indexing.take_along_axis import add_along
from minipaddle.ops.logic.logical import logical_xor
from minipaddle.ops.manipulation.concat import concat
from minipaddle.ops.math.cumulative import cumsum, cumsum_op
from minipaddle.ops.math.exponential import exp
from minipaddle.ops.reduction.sum import cast_to, reduce_sum, sum, unbroadcast
from minipaddle.ops.stat.norm import norm_slope, p_norm
from minipaddle.ops.views.reshape import reshape2

_INT64 = np.dtype("int64")
_LEAST = 1e-7
"""Added to a norm before it is divided by."""


def _in_range(x: Meta, axis: int) -> int:
    """Return an axis, counted from the front.

    Raises:
        IndexError: **out of range**.
    """
    if x.ndim and not -x.ndim <= axis < x.ndim:
        raise failure(
            IndexError,
            f"axis is out of range (expected to be in range of [{-x.ndim}, {x.ndim}), but got {axis}).",
        )
    return axis % x.ndim if x.ndim else 0


# -- running extrema ------------------------------------------------------------------------------------------


def _running_infer(x: Meta, *, axis: int = -1, dtype: Any = _INT64) -> tuple[Meta, Meta]:
    _in_range(x, axis)
    return x, Meta(x.shape, as_numpy(dtype))


def _running(type: str, word: str, extreme: Any, beats: Callable[..., Any]) -> Operator:
    """Define the running maximum or minimum, with the places where it was last met."""

    def kernel(x: Array, axis: int = -1, dtype: Any = _INT64) -> tuple[Array, ...]:
        axis = _in_range(Meta(x.shape, x.dtype), axis)
        if not x.ndim:
            return x.copy(), np.zeros((), as_numpy(dtype))
        out = extreme.accumulate(x, axis)
        turns = np.arange(x.shape[axis]).reshape([-1 if one == axis else 1 for one in range(x.ndim)])
        met = np.where((x == out) | (x != x), turns, 0)
        return out, np.maximum.accumulate(met, axis).astype(as_numpy(dtype))

    kernel.__name__ = f"{type}_op"
    kernel.__doc__ = f"Take the {word} element up to each along an axis, and say where it stands."
    made = operator(
        type, "x -> out, indices~", name=type, infer=_running_infer, kinds="biuf",
        latex=rf"\{type[3:]}_{{j \le i}} x_j",
        example=lambda rng: ([rng.permutation(12).reshape(3, 4) / 12.0], {"axis": 1}),
    )(kernel)  # fmt: skip

    @made.gradient("x")
    def _(dy: Value, indices: Value, axis: int, x_shape: Shape) -> Value:
        return add_along(dy, indices, axis % len(x_shape), x_shape) if x_shape else dy

    return made


cummax_op = _running("cummax", "greatest", np.maximum, np.greater_equal)
cummin_op = _running("cummin", "smallest", np.minimum, np.less_equal)


def _extreme(op: Operator, x: Value, axis: Any, dtype: Any) -> tuple[Value, ...]:
    flat = reshape2(x, (-1,)) if axis is None else x
    return tuple(op(flat, 0 if axis is None else integer(axis), as_numpy(dtype)))


def cummax(x: Value, axis: Any = None, dtype: Any = "int64", name: str | None = None) -> tuple[Value, ...]:
    """Return the greatest element up to each along `axis` (of all in a row, if None), and the places of these.

    Raises:
        IndexError: if there is no such axis.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/cummax_en.html
    """
    return _extreme(cummax_op, x, axis, dtype)


def cummin(x: Value, axis: Any = None, dtype: Any = "int64", name: str | None = None) -> tuple[Value, ...]:
    """Return the smallest element up to each along `axis` (of all in a row, if None), and the places of these.

    Raises:
        IndexError: if there is no such axis.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/cummin_en.html
    """
    return _extreme(cummin_op, x, axis, dtype)


def _scan(x: Meta, *, axis: int = -1) -> Meta:
    _in_range(x, axis)
    return x


@listed(Listing(flatten=False, exclusive=False, reverse=False))
@operator(
    "logcumsumexp",
    "X -> Out",
    kinds="biuf",
    infer=_scan,
    prepare=floating,
    latex=r"\ln \sum_{j \le i} e^{x_j}",
)
def logcumsumexp_op(x: Array, axis: int = -1) -> Array:
    """Return the logarithm of the running sum of exponentials, without overflow."""
    _in_range(Meta(x.shape, x.dtype), axis)
    return np.logaddexp.accumulate(x, axis) if x.ndim else x.copy()


@logcumsumexp_op.gradient("x")
def _(dy: Value, x: Value, out: Value, axis: int) -> Value:
    return cumsum_op(dy * exp(-out), axis, True) * exp(x)


def logcumsumexp(x: Value, axis: Any = None, dtype: Any = None, name: str | None = None) -> Value:
    """Return the logarithms of the running sums of exponentials along `axis` (of all elements in a row, if None).

    Raises:
        IndexError: if there is no such axis.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/logcumsumexp_en.html
    """
    if dtype is not None:
        x = cast(x, dtype)
    return logcumsumexp_op(reshape2(x, (-1,)) if axis is None else x, 0 if axis is None else integer(axis))


# -- neighbours -----------------------------------------------------------------------------------------------


def _but(x: Value, axis: int, part: str) -> Value:
    return slice_op(x, ":, " * axis + part)


def diff(
    x: Value,
    n: int = 1,
    axis: int = -1,
    prepend: Value | None = None,
    append: Value | None = None,
    name: str | None = None,
) -> Value:
    """Return what each element along `axis` is more than the one before; of bools, whether it is another.

    Args:
        x: tensor of one axis or more.
        n: how many times.
        axis: where.
        prepend: what to put before `x` first.
        append: what to put behind `x` first.
        name: ignored.

    Raises:
        ValueError: if `n` is less than 1.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/diff_en.html
    """
    if n < 1:
        raise failure(ValueError, f"The value of input(n) must be greater than 0, but got {n}.")
    place = axis_in(axis, x.ndim)
    parts = [part for part in (prepend, x, append) if part is not None]
    out = concat(parts, place) if len(parts) > 1 else x
    for _ in range(n):
        after, before = _but(out, place, "1:"), _but(out, place, ":-1")
        out = logical_xor(after, before) if numpy_dtype(x).kind == "b" else after - before
    return out


def _areas(y: Value, x: Value | None, dx: Any, axis: int) -> Value:
    """Return the area of each trapezoid along an axis.

    Raises:
        ValueError: if both `x` and `dx` are given.
        TypeError: for other numbers than floats.
    """
    if x is not None and dx is not None:
        raise ValueError("Not permitted to specify both x and dx input args.")
    if numpy_dtype(y).kind != "f":
        raise TypeError(
            "The data type of input must be Tensor, and dtype should be one of float16, float32, float64, "
            f"but got {y.dtype}"
        )
    place = axis_in(axis, y.ndim)
    if x is None:
        width: Any = 1.0 if dx is None else dx
    elif x.ndim == 1 and y.ndim > 1:
        width = reshape2(diff(x), tuple(-1 if one == place else 1 for one in range(y.ndim)))
    else:
        width = diff(x, axis=place)
    return (_but(y, place, "1:") + _but(y, place, ":-1")) * width / 2.0


def trapezoid(
    y: Value, x: Value | None = None, dx: Any = None, axis: int = -1, name: str | None = None
) -> Value:
    """Return the area under the lines between points of heights `y`, along `axis`.

    Args:
        y: tensor of floats.
        x: where the points are; at distances of `dx` (1), if None.
        dx: the distance.
        axis: where.
        name: ignored.

    Raises:
        ValueError: if both `x` and `dx` are given.
        TypeError: for other numbers than floats.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/trapezoid_en.html
    """
    return sum(_areas(y, x, dx, axis), axis)


def cumulative_trapezoid(
    y: Value, x: Any = None, dx: Any = None, axis: int = -1, name: str | None = None
) -> Value:
    """Return the areas of :func:`trapezoid` up to each point but the first.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/cumulative_trapezoid_en.html
    """
    return cumsum(_areas(y, x, dx, axis), axis)


# -- sizes ----------------------------------------------------------------------------------------------------


def _others(ndim: int, axis: int) -> tuple[int, ...]:
    """Return the axes of a slice along `axis`."""
    return tuple(one for one in range(ndim) if one != axis % ndim)


def _renorm_infer(x: Meta, *, p: float, axis: int, max_norm: float) -> Meta:
    if not -x.ndim <= axis < x.ndim:
        raise failure(
            ValueError, f"the axis:{axis} should be less then the shape's size {x.ndim}:{list(x.shape)}"
        )
    return x


@operator(
    "renorm",
    "X -> Out",
    kinds="f",
    infer=_renorm_infer,
    latex=r"x_i \min\left(1, \frac{m}{\lVert x_i \rVert_p}\right)",
    example=lambda rng: (
        [rng.uniform(0.2, 0.9, (2, 3)) * [[1], [3]]],
        {"p": 2.0, "axis": 0, "max_norm": 1.5},
    ),
)
def renorm(x: Array, p: float, axis: int, max_norm: float) -> Array:
    """Return `x` with the slices along `axis` whose `p`-norm is above `max_norm` scaled down to it.

    Raises:
        ValueError: if there is no such axis.
    """
    if not -x.ndim <= axis < x.ndim:
        raise ValueError  # worded by the shape rule
    size = p_norm.kernel(x, p, _others(x.ndim, axis), True)
    return x * np.where(size > max_norm, max_norm / (size + _LEAST), 1).astype(x.dtype)


@renorm.gradient("x")
def _(dy: Value, x: Value, p: float, axis: int, max_norm: float) -> Value:
    others = _others(x.ndim, axis)
    size = p_norm(x, p, others, True)
    over = cast_to(size > max_norm, x.dtype)
    pull = over * max_norm / (size + _LEAST) ** 2 * reduce_sum(dy * x, others, True)
    return dy * (over * max_norm / (size + _LEAST) + (1 - over)) - norm_slope(pull, x, size, p)


def reduce_as(x: Value, target: Value, name: str | None = None) -> Value:
    """Return `x` summed to the shape of `target`, which would broadcast to that of `x`.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/reduce_as_en.html
    """
    x = cast_to(x, "int64") if numpy_dtype(x).name in ("bool", "int32") else x  # as sums of them
    return unbroadcast(x, tuple(target.shape))
