"""Norms of vectors and matrices, and distances of rows."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.engine.mode.eager import current
from minipaddle.engine.value.dtype import real_of
from minipaddle.ops.creation.promotion import floating
from minipaddle.ops.definition import Array, Meta, Value, derived, invalid, listed, operator, tried_with
from minipaddle.ops.definition.arguments import axis_in, optional_axes
from minipaddle.ops.definition.axis_printing import OneAxis, Reduced, is_flat
from minipaddle.ops.definition.infer_meta import axes_of, reduced_shape
from minipaddle.ops.math.complex import is_complex, sgn
from minipaddle.ops.math.rounding import abs, sign
from minipaddle.ops.reduction.minmax import amax, amin
from minipaddle.ops.reduction.sum import add_up, cast_to, reduce_sum, reducing, sum
from minipaddle.ops.stat.variance import _kept
from minipaddle.ops.views.reshape import reshape2, unsqueeze, unsqueeze2
from minipaddle.ops.views.transpose import moveaxis


def _measure(x: Meta, axis: Any, keepdim: bool, **attrs: Any) -> Meta:
    """Shape rule of :func:`p_norm`."""
    return reducing(str(real_of(x.dtype)))(x, axis=axis, keepdim=keepdim)


@listed(OneAxis("asvector", -1))
@tried_with((2, 3), porder=3.0, axis=1)
@operator("p_norm", infer=_measure, prepare=floating)
def p_norm(
    x: Array, *, porder: float = 2.0, axis: Any = None, keepdim: bool = False, epsilon: float = 1e-12
) -> Any:
    """Return the p-norm along `axis`; p may be 0 (a count), inf or -inf; `epsilon` is for :func:`norm_slope`."""
    axes = axes_of(axis, x.ndim)
    size = np.abs(x)
    if x.dtype.kind == "c":
        x = size
    if math.isinf(porder):
        chooser: Callable[..., Any] = np.maximum.reduce if porder > 0 else np.minimum.reduce
        return chooser(size, axis=axes, keepdims=keepdim)
    if porder == 0:
        return add_up(size != 0, axis=axes, keepdims=keepdim, dtype=size.dtype)
    if porder == 1:
        return add_up(size, axis=axes, keepdims=keepdim)
    if porder == 2:
        return np.sqrt(add_up(x * x, axis=axes, keepdims=keepdim))
    return add_up(size**porder, axis=axes, keepdims=keepdim) ** (1.0 / porder)


@p_norm.gradient("x", conjugate=False)
def _(dy: Value, x: Value, out: Value, porder: float, axis: Any, epsilon: float) -> Value:
    return norm_slope(_kept(dy, x, axis), x, _kept(out, x, axis), porder, epsilon)


@listed(Reduced(reduce_all=derived(is_flat), every=[0]))
@tried_with((2, 3), axis=(0, 1))
@operator("frobenius_norm", infer=_measure, prepare=floating)
def frobenius_norm(x: Array, *, axis: Any = None, keepdim: bool = False) -> Any:
    """Return the root of the sum of squares along `axis`: the norm of a matrix taken as one vector."""
    return p_norm.kernel(x, porder=2.0, axis=axis, keepdim=keepdim)


@frobenius_norm.gradient("x", conjugate=False)
def _(dy: Value, x: Value, out: Value, axis: Any) -> Value:
    return norm_slope(_kept(dy, x, axis), x, _kept(out, x, axis), 2.0)


def norm_slope(dy: Any, x: Any, out: Any, porder: float, epsilon: float = 1e-12) -> Any:
    """Return the gradient of `x`, given its norm's; both broadcast.

    `epsilon`: added to the divisor by Paddle; the default, which only avoids zeros, is not added.
    """
    direction = sgn if is_complex(x) else sign
    if porder == 0:
        return x * 0.0 * dy
    if math.isinf(porder):
        return dy * direction(x) * cast_to(abs(x) == out, dy.dtype)
    if epsilon != 1e-12:
        return dy * direction(x) * abs(x) ** (porder - 1.0) / (out ** (porder - 1.0) + epsilon)
    if porder == 1:
        return dy * direction(x)
    safe = out if porder < 1 else out + cast_to(out == 0, out.dtype)  # p > 1: 0 at the origin
    if porder == 2:
        return dy / safe * x
    return dy * safe ** (1.0 - porder) * direction(x) * abs(x) ** (porder - 1.0)


def norm(
    x: Value,
    p: Any = None,
    axis: Any = None,
    keepdim: bool = False,
    dtype: Any = None,
    name: str | None = None,
) -> Any:
    """Return the norm of `x`: of all elements, of the vectors along one axis, or of the matrices along two.

    Args:
        p: a number, inf, -inf, "fro" or "nuc"; None is 2. Matrices know "fro", "nuc", 1, -1, 2, -2, inf and -inf.
    """
    if dtype is not None:
        x = cast_to(x, dtype)
    axes = optional_axes(axis)
    if axes is None and p in (None, "fro") and not current.get().dynamic:
        return frobenius_norm(x, None, keepdim)
    p = 2.0 if p is None else p
    if axes is None and isinstance(p, str) and p != "fro" and x.ndim == 2:
        axes = (0, 1)
    if isinstance(axes, tuple) and len(axes) == 2:
        return _matrix_norm(x, p, axes, keepdim)
    if p == "fro":
        return p_norm(x, 2.0, axes, keepdim)
    if isinstance(p, str):
        count = x.ndim if axes is None else len(axes) if isinstance(axes, tuple) else 1
        raise invalid(
            f"except axis type int or list (length of list == 2), found {count}, for p = {p!r}.",
            "only 'fro' is a norm of vectors, too; 'fro' and 'nuc' are those of matrices that have a name",
        )
    return p_norm(x, float(p), axes, keepdim)


def _matrix_norm(x: Value, p: Any, axes: Any, keepdim: bool) -> Value:
    """Return a norm of the matrices along two axes."""
    if p == "fro":
        return frobenius_norm(x, axes, keepdim)
    if p not in ("nuc", 2, -2, 1, -1, math.inf, -math.inf):
        raise invalid(f"just support p value 'fro','nuc',1,-1,inf,-inf,2,-2 if axis is 2D, found {p}")
    row, column = [axis_in(one, x.ndim) for one in axes]
    places = tuple(sorted((row, column)))
    if p in ("nuc", 2, -2):
        from minipaddle.ops.linalg.svd import svd_op

        sizes = svd_op(moveaxis(x, (row, column), (-2, -1)))[1]
        chosen = sum(sizes, -1) if p == "nuc" else (amax if p > 0 else amin)(sizes, -1)
        return unsqueeze(chosen, places) if keepdim else chosen
    inner, outer = (row, column) if p in (1, -1) else (column, row)
    chosen = (amax if p > 0 else amin)(reduce_sum(abs(x), inner, True), outer, True)
    return chosen if keepdim else reshape2(chosen, reduced_shape(tuple(x.shape), places, False))


def cdist(
    x: Value,
    y: Value,
    p: float = 2.0,
    compute_mode: str = "use_mm_for_euclid_dist_if_necessary",
    name: str | None = None,
) -> Value:
    """Return the `p`-norm distance of every row of `x` [..., P, M] to every row of `y` [..., R, M]: [..., P, R].

    Args:
        p: which norm: 0 or more, also infinity.
        compute_mode: accepted; distances are taken one by one, which is exact.
    """
    assert x.ndim >= 2, (
        f"The x must be at least 2-dimensional, But received Input x's dimensional is {x.ndim}."
    )
    assert y.ndim >= 2, (
        f"The y must be at least 2-dimensional, But received Input y's dimensional is {y.ndim}."
    )
    assert x.shape[-1] == y.shape[-1], (
        f"The x and y must have same last dimension, But received Input x's last dimension is {x.shape[-1]}, "
        f"Input y's last dimension is {y.shape[-1]}."
    )
    assert p >= 0, f"The p must be greater than or equal to 0, But received p is {p}."
    return norm(unsqueeze2(x, (-2,)) - unsqueeze2(y, (-3,)), p=p, axis=-1)
