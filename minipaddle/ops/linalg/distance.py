"""Products of every element with every, and distances: kron, tensordot, cdist, dist."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Meta, Shape
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.infer_meta import broadcast_shapes
from minipaddle.ops.creation.assign import constant
from minipaddle.ops.creation.promotion import alike_pair
from minipaddle.ops.indexing.gather import gather
from minipaddle.ops.linalg.matmul import matmul, turned
from minipaddle.ops.linalg.product import bmm
from minipaddle.ops.reduction.sum import sum, unbroadcast
from minipaddle.ops.stat.norm import norm, norm_slope, p_norm
from minipaddle.ops.views.reshape import reshape2, unsqueeze2
from minipaddle.ops.views.transpose import transpose2

# -- products -------------------------------------------------------------------------------------------------


def _kron_shapes(x: Shape, y: Shape) -> tuple[Shape, Shape, Shape]:
    """Return the shapes that meet, with an axis for each axis of both, and that of the result."""
    ndim = len(x) if len(x) > len(y) else len(y)
    left, right = (1,) * (ndim - len(x)) + tuple(x), (1,) * (ndim - len(y)) + tuple(y)
    wide_x = tuple(itertools.chain.from_iterable((size, 1) for size in left))
    wide_y = tuple(itertools.chain.from_iterable((1, size) for size in right))
    sizes = tuple(-1 if -1 in (a, b) else a * b for a, b in zip(left, right, strict=True))
    return wide_x, wide_y, sizes


def _kron_infer(x: Meta, y: Meta) -> Meta:
    return Meta(_kron_shapes(x.shape, y.shape)[2], np.result_type(x.dtype, y.dtype))


@operator("kron", "X, Y -> Out", infer=_kron_infer, prepare=alike_pair, latex=r"x \otimes y")
def kron(x: Array, y: Array) -> Array:
    """Return the Kronecker product: every element of `x` replaced by itself times all of `y`.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/kron_en.html
    """
    wide_x, wide_y, sizes = _kron_shapes(x.shape, y.shape)
    return (x.reshape(wide_x) * y.reshape(wide_y)).reshape(sizes)


@kron.gradient("x")
def _(dy: Value, y: Value, x_shape: Shape, y_shape: Shape) -> Value:
    wide_x, wide_y, _ = _kron_shapes(x_shape, y_shape)
    pairs = reshape2(dy, broadcast_shapes(wide_x, wide_y)) * reshape2(y, wide_y)
    return reshape2(unbroadcast(pairs, wide_x), tuple(x_shape))


@kron.gradient("y")
def _(dy: Value, x: Value, x_shape: Shape, y_shape: Shape) -> Value:
    wide_x, wide_y, _ = _kron_shapes(x_shape, y_shape)
    pairs = reshape2(dy, broadcast_shapes(wide_x, wide_y)) * reshape2(x, wide_x)
    return reshape2(unbroadcast(pairs, wide_y), tuple(y_shape))


def _mv_infer(x: Meta, vec: Meta) -> Meta:
    for what, meta, ndim in (("X", x, 2), ("Vec", vec, 1)):
        if meta.ndim != ndim:
            raise failure(ValueError, f"The rank of input {what} should be {ndim}, but is {meta.ndim}")
    if x.shape[1] != vec.shape[0] and -1 not in (x.shape[1], vec.shape[0]):
        raise failure(
            ValueError,
            "X's second dimension is expected to be equal to Vec's first dimension, but received X's shape: "
            f"{list(x.shape)}, Vec's shape: {list(vec.shape)}.",
        )
    return Meta(x.shape[:1], np.result_type(x.dtype, vec.dtype))


@operator(
    "mv",
    "X, Vec -> Out",
    infer=_mv_infer,
    prepare=alike_pair,
    latex=r"X v",
    example=lambda rng: ([rng.uniform(0.2, 0.9, (2, 3)), rng.uniform(0.2, 0.9, (3,))], {}),
)
def mv(x: Array, vec: Array) -> Array:
    """Return the product of the matrix `x` and the vector `vec`.

    Raises:
        ValueError: if they are no matrix and no vector, or do not fit.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/mv_en.html
    """
    if x.ndim != 2 or vec.ndim != 1:
        raise ValueError  # worded by the shape rule
    return np.matmul(x, vec)


@mv.gradient("x")
def _(dy: Value, vec: Value) -> Value:
    return reshape2(dy, (-1, 1)) * vec


@mv.gradient("vec")
def _(dy: Value, x: Value) -> Value:
    return mv(turned(x), dy)


def baddbmm(
    input: Value, x: Value, y: Value, beta: float = 1.0, alpha: float = 1.0, name: str | None = None
) -> Value:
    """Return ``alpha * x @ y + beta * input`` for batches of matrices.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/baddbmm_en.html
    """
    return input * beta + bmm(x, y) * alpha


def _axes_to_sum(axes: Any, x: Value, y: Value) -> tuple[list[int], list[int]]:
    """Return the axes of `x` and of `y` that a tensordot sums over."""
    if isinstance(axes, int):
        return list(range(x.ndim - axes, x.ndim)), list(range(axes))
    axes = [
        list(one) if isinstance(one, (list, tuple)) else one
        for one in (axes.tolist() if hasattr(axes, "tolist") else axes)
    ]
    if not axes:
        return [], []
    if not isinstance(axes[0], list):
        return list(axes), list(axes)
    first = axes[0]
    second = axes[1] if len(axes) > 1 else first
    longer = second if len(second) > len(first) else first
    return first + longer[len(first) :], second + longer[len(second) :]


def tensordot(x: Value, y: Value, axes: Any = 2, name: str | None = None) -> Value:
    """Return the sums of products over some axes of `x` and `y`; the other axes stay, those of `x` first.

    Args:
        x: tensor.
        y: tensor.
        axes: how many, the last ones of `x` and the first ones of `y`; or a list of them, or two lists.
        name: ignored.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/tensordot_en.html
    """
    of_x, of_y = _axes_to_sum(axes, x, y)
    of_x, of_y = [axis % x.ndim for axis in of_x], [axis % y.ndim for axis in of_y]
    for a, b in zip(of_x, of_y, strict=True):  # an axis of size 1 meets one of any size
        if x.shape[a] != y.shape[b]:
            x, y = (sum(x, a, keepdim=True), y) if y.shape[b] == 1 else (x, sum(y, b, keepdim=True))
    rest_x = [axis for axis in range(x.ndim) if axis not in of_x]
    rest_y = [axis for axis in range(y.ndim) if axis not in of_y]
    width = math.prod(x.shape[axis] for axis in of_x)
    left = reshape2(transpose2(x, (*rest_x, *of_x)), (-1, width))
    right = reshape2(transpose2(y, (*of_y, *rest_y)), (width, -1))
    shape = [x.shape[axis] for axis in rest_x] + [y.shape[axis] for axis in rest_y]
    return reshape2(matmul(left, right), tuple(shape))


# -- distances ------------------------------------------------------------------------------------------------


def _dist_infer(x: Meta, y: Meta, *, p: float = 2.0) -> Meta:
    broadcast_shapes(x.shape, y.shape)
    return Meta((), np.result_type(x.dtype, y.dtype))


@operator("dist", "X, Y -> Out", infer=_dist_infer, prepare=alike_pair, latex=r"\|x - y\|_p")
def dist(x: Array, y: Array, p: float = 2.0) -> Array:
    """Return the `p`-norm of the difference of `x` and `y`, which broadcast, as a 0-D tensor.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/dist_en.html
    """
    return np.asarray(p_norm.run((x - y).reshape(-1), float(p)))


@dist.gradient("x", conjugate=False)
def _(dy: Value, x: Value, y: Value, out: Value, p: float, x_shape: Shape) -> Value:
    return unbroadcast(norm_slope(dy, x - y, out, p), x_shape)


@dist.gradient("y", conjugate=False)
def _(dy: Value, x: Value, y: Value, out: Value, p: float, y_shape: Shape) -> Value:
    return unbroadcast(-norm_slope(dy, x - y, out, p), y_shape)


def cdist(
    x: Value,
    y: Value,
    p: float = 2.0,
    compute_mode: str = "use_mm_for_euclid_dist_if_necessary",
    name: str | None = None,
) -> Value:
    """Return the `p`-norm distance of every row of `x` [..., P, M] to every row of `y` [..., R, M]: [..., P, R].

    Args:
        x: tensor of floats.
        y: tensor of floats.
        p: which norm: 0 or more, also infinity.
        compute_mode: accepted; distances are taken one by one, which is exact.
        name: ignored.

    Raises:
        AssertionError: if the tensors do not fit, or `p` is negative.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/cdist_en.html
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
    away = unsqueeze2(x, (-2,)) - unsqueeze2(y, (-3,))
    return norm(away, p=p, axis=-1)


def pdist(
    x: Value,
    p: float = 2.0,
    compute_mode: str = "use_mm_for_euclid_dist_if_necessary",
    name: str | None = None,
) -> Value:
    """Return the `p`-norm distances of every row of the matrix `x` to every later one, as a vector.

    Raises:
        AssertionError: if `x` is no matrix, or `p` is negative.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/pdist_en.html
    """
    assert x.ndim == 2, f"The x must be 2-dimensional, But received Input x's dimensional is {x.ndim}."
    first, second = np.triu_indices(x.shape[0], 1)
    return norm(gather(x, constant(first)) - gather(x, constant(second)), p=p, axis=-1)
