"""Powers of a matrix, its exponential, and the product of several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Meta, Shape
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.listed import listed
from minipaddle.ops.common.scipy import scipy
from minipaddle.ops.creation.full import zeros_like
from minipaddle.ops.creation.promotion import alike
from minipaddle.ops.linalg.inverse import inverse
from minipaddle.ops.linalg.matmul import matmul, turned
from minipaddle.ops.linalg.matrix import lapack, regular, square_rule
from minipaddle.ops.manipulation.concat import concat
from minipaddle.ops.views.reshape import reshape2


@listed(grad_keeps="Out")
@operator(
    "matrix_power",
    "X -> Out",
    kinds="fc",
    infer=square_rule("The inner-most 2 dimensions of Input(X) all should be square matrices"),
    latex="x^n",
    example=regular(batch=(2,), n=3),
    page="linalg/matrix_power",
)
@lapack
def matrix_power_op(x: Array, n: int = 1) -> Array:
    """Multiply a matrix by itself."""
    return np.linalg.matrix_power(x, n) if n != 1 else x.copy()


@matrix_power_op.gradient("x")
def _(dy: Value, x: Value, n: int) -> Value:
    back = turned(inverse(x) if n < 0 else x)
    total = dy * 0.0
    for step in range(abs(n)):  # each factor in its turn
        total = total + matrix_power_op(back, step) @ dy @ matrix_power_op(back, abs(n) - 1 - step)
    return -(back @ total @ back) if n < 0 else total


def matrix_power(x: Value, n: int, name: str | None = None) -> Value:
    """Return square matrices to the power of `n`: the identity for 0, powers of the inverse below.

    Raises:
        TypeError: if `n` is no int.
        ValueError: **not invertible**, for a negative `n`, or if the last two axes differ in size.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/linalg/matrix_power_en.html
    """
    if not isinstance(n, int):
        raise failure(
            TypeError, f"matrix_power(): argument (position 2) must be int, but got {type(n).__name__}"
        )
    return matrix_power_op(x, n)


@operator(
    "matrix_exp",
    "X -> Out",
    kinds="f",
    infer=square_rule("The input tensor must be square matrices"),
    latex="e^x",
    example=regular(batch=(2,)),
    page="linalg/matrix_exp",
)
@lapack
def matrix_exp(x: Array) -> Array:
    """Return the exponential of square matrices: the sum of ``x^k / k!``.

    Raises:
        ValueError: if the last two axes differ in size.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/linalg/matrix_exp_en.html
    """
    return scipy("linalg").expm(x).astype(x.dtype, copy=False)


@matrix_exp.gradient("x")
def _(dy: Value, x: Value) -> Value:
    back, size = (
        turned(x),
        x.shape[-1],
    )  # the derivative stands in a corner of the exponential of a larger matrix
    above, below = concat([back, dy], -1), concat([zeros_like(back), back], -1)
    return matrix_exp(concat([above, below], -2))[..., :size, size:]


# -- several -------------------------------------------------------------------------------------------------


def _multi_dot_infer(x: list[Meta]) -> Meta:
    if len(x) < 2:
        raise failure(ValueError, f"The number of input tensors in multi_dot op should > 1, but is {len(x)}.")
    shape: Shape = x[0].shape
    for one in x[1:]:
        width, height = shape[-1], one.shape[0]
        if width != height and -1 not in (width, height):
            raise failure(
                ValueError,
                "the input matrix does not meet the multiplication requirements. Received shapes "
                f"{[list(meta.shape) for meta in x]}.",
            )
        shape = (*shape[:-1], *one.shape[1:])
    return Meta(shape, np.result_type(*[one.dtype for one in x]))


@operator(
    "multi_dot",
    "X* -> Out",
    name="multi_dot",
    kinds="fc",
    infer=_multi_dot_infer,
    prepare=alike,
    latex=r"x_1 x_2 \dots",
    example=lambda rng: ([rng.uniform(0.2, 0.9, shape) for shape in ((2, 3), (3, 4), (4, 2))], {}),
    page="linalg/multi_dot",
)
def multi_dot_op(x: list[Array]) -> Array:
    """Multiply matrices, in the order that takes the fewest steps; the first and the last may be vectors."""
    return np.asarray(np.linalg.multi_dot(x)) if len(x) > 1 else x[0].copy()


@multi_dot_op.gradient("x")
def _(dy: Value, x: Sequence[Value], x_shape: Sequence[Shape]) -> Sequence[Value]:
    rows = [reshape2(x[0], (1, -1)) if x[0].ndim == 1 else x[0], *x[1:-1]]
    chain = [*rows, reshape2(x[-1], (-1, 1)) if x[-1].ndim == 1 else x[-1]]
    dy = reshape2(dy, (chain[0].shape[0], chain[-1].shape[-1]))
    found = []
    for place, shape in enumerate(x_shape):
        dx = dy if not place else matmul(_product(chain[:place]), dy, transpose_x=True)
        dx = dx if place == len(chain) - 1 else matmul(dx, _product(chain[place + 1 :]), transpose_y=True)
        found.append(reshape2(dx, shape))
    return found


def _product(chain: Sequence[Any]) -> Any:
    return chain[0] if len(chain) == 1 else multi_dot_op(list(chain))


def multi_dot(x: Any, name: str | None = None) -> Value:
    """Return the product of a list of matrices, in the order that takes the fewest steps.

    Args:
        x: two tensors or more; the first and the last may be vectors.
        name: ignored.

    Raises:
        ValueError: for fewer than two, or if their sizes do not go together.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/linalg/multi_dot_en.html
    """
    if len(x) < 2:
        _multi_dot_infer(list(x))
    return multi_dot_op(list(x))
