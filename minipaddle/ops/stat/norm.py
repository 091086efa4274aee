"""Norms of vectors and matrices."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from minipaddle.core.errors import failure
from minipaddle.core.meta import Array, Meta
from minipaddle.core.operator import operator
from minipaddle.core.value import Value
from minipaddle.ops.common.arguments import optional_axes
from minipaddle.ops.common.infer_meta import axes_of, reduced_shape
from minipaddle.ops.common.listed import listed
from minipaddle.ops.common.listing import OneAxis
from minipaddle.ops.creation.promotion import floating
from minipaddle.ops.math.complex import is_complex, sgn
from minipaddle.ops.math.rounding import abs, sign
from minipaddle.ops.reduction.minmax import amax, amin
from minipaddle.ops.reduction.sum import add_up, cast_to, reduce_sum, reducing
from minipaddle.ops.stat.variance import _kept
from minipaddle.ops.views.reshape import reshape2

# -- norm ------------------------------------------------------------------------


def _measure(x: Meta, *, axis: Any = None, keepdim: bool = False, **attrs: Any) -> Meta:
    """Shape rule of :func:`p_norm`."""
    return reducing(str(np.abs(np.empty(0, x.dtype)).dtype))(x, axis=axis, keepdim=keepdim)


@listed(OneAxis("asvector", -1, epsilon=1e-12))
@operator(
    "p_norm",
    "X -> Out",
    infer=_measure,
    prepare=floating,
    latex=r"\left(\sum |x|^p\right)^{1/p}",
    example=lambda rng: ([rng.uniform(0.2, 0.9, (2, 3))], {"porder": 3.0, "axis": 1}),
    page="linalg/norm",
)
def p_norm(x: Array, porder: float = 2.0, axis: Any = None, keepdim: bool = False) -> Any:
    """Return the p-norm of the elements along `axis`; p may be 0 (a count), inf or -inf."""
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
def _(dy: Value, x: Value, out: Value, porder: float, axis: Any) -> Value:
    dy, out = _kept(dy, x, axis), _kept(out, x, axis)
    direction = sgn if is_complex(x) else sign
    if porder == 0:
        return x * 0.0 * dy
    if porder == 1:
        return dy * direction(x)
    if math.isinf(porder):
        return dy * direction(x) * cast_to(abs(x) == out, dy.dtype)
    safe = out + cast_to(out == 0, out.dtype)  # at the origin the numerator is 0, and so is the gradient
    if porder == 2:
        return dy / safe * x
    return dy * safe ** (1.0 - porder) * direction(x) * abs(x) ** (porder - 1.0)


def norm(x: Any, p: Any = None, axis: Any = None, keepdim: bool = False, name: str | None = None) -> Any:
    """Return the norm of `x`: of all elements, of the vectors along one axis, or of the matrices along two.

    Args:
        x: tensor of floats.
        p: a number, inf, -inf or "fro"; None is 2. Matrices know "fro", 1, -1, inf and -inf.
        axis: int, or a list of one or two, or None for all.
        keepdim: whether the axes stay, with size 1.
        name: ignored.

    Raises:
        ValueError: for a `p` that there is not.
        NotImplementedError: for the norms of a matrix that need its singular values: 2, -2 and "nuc".

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/linalg/norm_en.html
    """
    axes = optional_axes(axis)
    if p is None or p == "fro":
        return p_norm(x, 2.0, axes, keepdim)
    if p == "nuc" or (isinstance(axes, tuple) and len(axes) == 2):
        return _matrix_norm(x, p, axes, keepdim)
    if isinstance(p, str):
        raise failure(ValueError, f"only valid string values are 'fro', 'nuc', found {p}.")
    return p_norm(x, float(p), axes, keepdim)


def _matrix_norm(x: Any, p: Any, axes: Any, keepdim: bool) -> Any:
    """Return the greatest (p > 0) or smallest sum of absolute values of a column (1) or a row (inf)."""
    if p in (2, -2, "nuc"):
        raise failure(
            NotImplementedError, f"The matrix norm p = {p} needs singular values.", "p='fro' is at hand"
        )
    if p not in (1, -1, math.inf, -math.inf):
        raise failure(
            ValueError, f"just support p value 'fro','nuc',1,-1,inf,-inf,2,-2 if axis is 2D, found {p}."
        )
    row, column = [one % x.ndim for one in axes]
    inner, outer = (row, column) if p in (1, -1) else (column, row)
    sums = reduce_sum(abs(x), inner, True)
    chosen = (amax if p > 0 else amin)(sums, outer, True)
    return (
        chosen
        if keepdim
        else reshape2(chosen, reduced_shape(tuple(x.shape), tuple(sorted((row, column))), False))
    )
