"""Powers of a matrix."""

from __future__ import annotations

import numpy as np

from minipaddle.engine.errors import failure
from minipaddle.engine.operator.operator import operator
from minipaddle.engine.value.meta import Array
from minipaddle.engine.value.value import Value
from minipaddle.ops.definition.program_printing import listed
from minipaddle.ops.linalg.inverse import inverse
from minipaddle.ops.linalg.matmul import turned
from minipaddle.ops.linalg.matrix import lapack, regular, square_rule


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
    """
    if not isinstance(n, int):
        raise failure(
            TypeError, f"matrix_power(): argument (position 2) must be int, but got {type(n).__name__}"
        )
    return matrix_power_op(x, n)
