"""Helpers for operators on matrices: batches, shape rules, and kernels that call LAPACK."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any

import numpy as np

from minipaddle.ops.definition import Array, Meta, Shape, invalid
from minipaddle.ops.linalg.matmul import turned
from minipaddle.ops.math.complex import conj, is_complex
from minipaddle.ops.reduction.sum import cast_to
from minipaddle.ops.views.reshape import unsqueeze2

SINGULAR = "Input is not invertible."


def adjoint(x: Any) -> Any:
    """Exchange the last two axes and conjugate."""
    return conj(turned(x)) if is_complex(x) else turned(x)


def as_column(x: Any) -> Any:
    """Give vectors, or numbers, a last axis of size 1."""
    return unsqueeze2(x, (-1,))


def as_row(x: Any) -> Any:
    """Return vectors with a second to last axis of size 1."""
    return unsqueeze2(x, (-2,))


def gaps(x: Any) -> Any:
    """Return reciprocal differences of each vector's elements, ``1 / (x[j] - x[i])`` at [i, j]; 0 for equal ones."""
    apart = as_row(x) - as_column(x)
    equal = cast_to(apart == 0, x.dtype)
    return (1 - equal) / (apart + equal)


def halved(x: Any) -> Any:
    """Return the symmetric (Hermitian) part of matrices."""
    return (x + adjoint(x)) * 0.5


def beside_matrix(x: Any) -> Any:
    """Return numbers, one for each matrix of a batch, with two axes of size 1."""
    return unsqueeze2(x, (-1, -2))


def square(x: Meta, message: str = "", few: str = "") -> Shape:
    """Return the shape of square matrices; `message` is the error for others, `few` for fewer than two axes."""
    if x.ndim < 2:
        few = few or f"The dimension of Input(Input) is expected to be no less than 2, but is {x.ndim}"
        raise invalid(f"{few}. But received Input's shape = {list(x.shape)}.")
    rows, columns = x.shape[-2:]
    if rows != columns and -1 not in (rows, columns):
        message = message or "The last two dimensions are expected to be equal"
        raise invalid(f"{message}. But received: {rows} and {columns}; Input's shape = {list(x.shape)}.")
    return x.shape


def square_rule(message: str = "", few: str = "") -> Callable[..., Meta]:
    """Shape rule: square matrices, the output has the same shape; see :func:`square`."""
    return lambda x, **attrs: Meta(square(x, message, few), x.dtype)


def lapack(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """Return a kernel for floats of any width: LAPACK has no 16-bit floats, and its errors get Paddle's words."""

    @wraps(kernel)
    def run(*arrays: Array, **attrs: Any) -> Any:
        try:
            if arrays[0].dtype != np.float16:
                return kernel(*arrays, **attrs)
            made = kernel(
                *[one.astype(np.float32) if one.dtype == np.float16 else one for one in arrays], **attrs
            )
        except np.linalg.LinAlgError:
            raise invalid(SINGULAR, "no matrix times this one is the identity") from None
        return tuple(map(_narrow, made)) if isinstance(made, tuple) else _narrow(made)

    return run


def _narrow(array: Array) -> Array:
    return array.astype(np.float16) if array.dtype == np.float32 else array


def spd(size: int = 3, batch: Shape = ()) -> Callable[[np.random.Generator], Any]:
    """Return an example: symmetric matrices with positive, distinct eigenvalues."""

    def example(rng: np.random.Generator) -> Any:
        x = rng.uniform(0.2, 0.9, (*batch, size, size))
        return [x @ x.swapaxes(-1, -2) + np.diag(np.arange(1.0, size + 1))], {}

    return example


def regular(
    *others: Shape, size: int = 3, batch: Shape = (), **attrs: Any
) -> Callable[[np.random.Generator], Any]:
    """Return an example: matrices far from singular, and arrays of the shapes `others`."""

    def example(rng: np.random.Generator) -> Any:
        x = rng.uniform(0.2, 0.9, (*batch, size, size)) + np.diag(np.arange(1.0, size + 1))
        return [x, *[rng.uniform(0.2, 0.9, shape) for shape in others]], attrs

    return example


def scipy(part: str) -> Any:
    """Return a part of SciPy, ``special`` or ``linalg``; if it is not installed, the error says what to do."""
    try:
        return import_module(f"scipy.{part}")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"this operator is computed by scipy.{part}, and SciPy is not installed: pip install scipy"
        ) from error
