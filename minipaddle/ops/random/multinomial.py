"""Categories drawn by the chances that a tensor holds, and integers in the shape of another tensor.

``paddle.seed`` makes them repeatable, and the same as on real Paddle (CPU).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.ops.creation.cast import cast
from minipaddle.ops.definition import Array, Meta, Value, failure, invalid, operator
from minipaddle.ops.definition.arguments import integer
from minipaddle.ops.definition.traits import draws_numbers
from minipaddle.ops.random import draws
from minipaddle.ops.random.generator import engine
from minipaddle.ops.random.sample import randint
from minipaddle.ops.views.shape_operators import shape as shape_of


def _floats(array: Array) -> Array:
    """Return the array; the shape rule knows what to say of one that holds no floats."""
    if array.dtype.kind != "f":
        raise TypeError
    if array.dtype == np.float16:
        raise failure(
            RuntimeError,
            "The kernel with key (CPU, float16) is not registered.",
            "draw in float32: x.astype('float32')",
        )
    return array


def _samples(x: Meta, num_samples: int, **attrs: Any) -> Meta:
    """Shape rule of :func:`multinomial`."""
    if not 0 < x.ndim <= 2:
        sign = ">" if x.ndim == 0 else "<="
        raise invalid(
            "The number of dimensions of the input probability distribution should be "
            f"{sign} {0 if x.ndim == 0 else 2}, but got {x.ndim}.",
            "one row of chances, or a matrix with one row for each distribution",
        )
    if num_samples <= 0:
        raise invalid(f"The number of samples should be > 0, but got {num_samples}.")
    return Meta((*x.shape[:-1], num_samples), np.dtype("int64"))


@draws_numbers()
@operator("multinomial", infer=_samples, kinds="f")
def multinomial_op(x: Array, *, num_samples: int = 1, replacement: bool = False) -> Array:
    """Draw numbers of categories, each with the chance that stands at its place; every row is a distribution."""
    _samples(Meta(x.shape, x.dtype), num_samples)
    rows = _floats(x).reshape(-1, x.shape[-1])
    found = [draws.categories(engine(), row, num_samples, replacement) for row in rows]
    return np.array(found, np.int64).reshape(*x.shape[:-1], num_samples)


def multinomial(x: Value, num_samples: Any = 1, replacement: bool = False, name: str | None = None) -> Value:
    """Draw `num_samples` numbers of categories for each row of chances.

    Args:
        x: float tensor [categories] or [rows, categories]: chances, which need not sum to 1.
        replacement: whether a category may come twice.

    Returns:
        int64 [num_samples] or [rows, num_samples].

    Raises:
        ValueError: **should be >= 0**, **should be > 0** or **less than non-zero categories**.
    """
    return multinomial_op(x, num_samples=integer(num_samples), replacement=bool(replacement))


def randint_like(
    x: Value, low: int = 0, high: int | None = None, dtype: Any = None, name: str | None = None
) -> Value:
    """Draw integers from `low` (or 0) to before `high` in the shape of `x`, and in its type unless told another."""
    return cast(randint(low, high, shape_of(x), "int64"), x.dtype if dtype is None else dtype)
