"""Random tensors. ``paddle.seed`` makes them repeatable, and equal to real Paddle's (CPU)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.engine.value.dtype import as_numpy, default_float
from minipaddle.ops.creation.cast import cast
from minipaddle.ops.creation.fill_constant import as_told
from minipaddle.ops.creation.full import full_like
from minipaddle.ops.definition import Array, Meta, Shape, Value, current, failure, invalid, operator
from minipaddle.ops.definition.arguments import integer, sizes, sizes_one_by_one, wanted_shape
from minipaddle.ops.definition.example import tried_with
from minipaddle.ops.definition.program_printing import Listing, listed
from minipaddle.ops.definition.traits import draws_numbers
from minipaddle.ops.random import draws
from minipaddle.ops.random.generator import engine
from minipaddle.ops.views.shape_operators import shape as shape_of

DType = np.dtype[Any]


_EXAMPLE: Any = {"shape": (2, 3), "dtype": np.dtype("float64")}


def _float(dtype: Any) -> DType:
    return default_float() if dtype is None else as_numpy(dtype)


@listed(kind="gaussian")
@draws_numbers()
@tried_with(**_EXAMPLE)
@operator("gaussian_random", name="gaussian", infer=as_told)
def gaussian_random(
    *, shape: Shape, dtype: DType, mean: float = 0.0, std: float = 1.0, seed: int = 0
) -> Array:
    """Draw from the normal distribution."""
    return draws.normal(engine(seed), tuple(shape), dtype, mean, std)


@listed(Listing(diag_num=0, diag_step=0, diag_val=1.0), kind="uniform")
@draws_numbers()
@tried_with(**_EXAMPLE)
@operator("uniform_random", name="uniform", infer=as_told)
def uniform_random(
    *, shape: Shape, dtype: DType, min: float = -1.0, max: float = 1.0, seed: int = 0
) -> Array:
    """Draw evenly from [min, max)."""
    return draws.uniform(engine(seed), tuple(shape), dtype, min, max)


@draws_numbers()
@tried_with(shape=(2, 3), dtype=np.dtype("int64"), low=0, high=5)
@operator("randint", infer=as_told)
def random_integers(*, shape: Shape, dtype: DType, low: int, high: int, seed: int = 0) -> Array:
    """Draw integers evenly from `low` to before `high`."""
    return draws.integers(engine(seed), tuple(shape), dtype, low, high)


@draws_numbers()
@tried_with(n=5, dtype=np.dtype("int64"))
@operator("randperm", infer=lambda n, dtype: Meta((n,), as_numpy(dtype)))
def permutation(*, n: int, dtype: DType) -> Array:
    """Put the integers from 0 to before `n` into random order."""
    return draws.permutation(engine(), n).astype(dtype)


@listed(kind="randint")
@draws_numbers()
@operator("bernoulli")
def bernoulli_op(x: Array) -> Any:
    """Draw 1 with the probability given by each element, else 0."""
    return draws.bernoulli(engine(), x)


def bernoulli(x: Value, p: float | None = None, name: str | None = None) -> Value:
    """Draw 1 with the probability given by each element of `x` (by `p`, if that is told), else 0."""
    return bernoulli_op(x if p is None else full_like(x, p))


@sizes_one_by_one
def randn(shape: Any, dtype: Any = None, name: str | None = None) -> Value:
    """Draw from the normal distribution with mean 0 and variance 1; the sizes are separate arguments, or a list."""
    return gaussian_random(shape=wanted_shape(shape), dtype=_float(dtype))


def standard_normal(shape: Any, dtype: Any = None, name: str | None = None) -> Value:
    """Draw from the normal distribution with mean 0 and variance 1; arguments are those of :func:`randn`."""
    return randn(shape, dtype)


def gaussian(
    shape: Any, mean: float = 0.0, std: float = 1.0, seed: int = 0, dtype: Any = None, name: str | None = None
) -> Value:
    """Draw from the normal distribution with `mean` and `std`; a `seed` that is not 0 is for this call alone."""
    dtype = _float(dtype)
    return gaussian_random(wanted_shape(shape), dtype, float(mean), std, seed)


def normal(mean: Any = 0.0, std: Any = 1.0, shape: Any = None, name: str | None = None) -> Value:
    """Draw from the normal distribution; `mean` and `std` are numbers, or tensors whose shape it takes."""
    tensors = [value for value in (mean, std) if hasattr(value, "stop_gradient")]
    if not tensors:
        return gaussian([1] if shape is None else shape, mean, std)
    return gaussian_random(shape=sizes(tensors[0]), dtype=as_numpy(tensors[0].dtype)) * std + mean


@sizes_one_by_one
def rand(shape: Any, dtype: Any = None, name: str | None = None) -> Value:
    """Draw evenly from [0, 1); arguments are those of :func:`randn`."""
    return uniform_random(shape=wanted_shape(shape), dtype=_float(dtype), min=0.0, max=1.0)


def uniform(
    shape: Any,
    dtype: Any = None,
    min: float | None = None,
    max: float = 1.0,
    seed: int = 0,
    name: str | None = None,
) -> Any:
    """Draw evenly from [min, max); a `seed` that is not 0 is for this call alone.

    Args:
        min: the lower bound: by default 0, and -1 in Programs, as in Paddle 2.6, which has Programs.
        seed: a number that is not 0, for the same numbers each time.
    """
    if min is None:
        min = 0.0 if current.get().dynamic else -1.0
    return uniform_random(wanted_shape(shape), _float(dtype), float(min), float(max), seed)


def randint(
    low: int = 0, high: int | None = None, shape: Any = (1,), dtype: Any = None, name: str | None = None
) -> Value:
    """Draw integers from `low` to before `high`; with one bound, from 0 to before that."""
    if high is None and low <= 0:
        raise ValueError(f"If high is None, low must be greater than 0, but received low = {low}.")
    low, high = (0, low) if high is None else (low, high)
    if low >= high:
        raise ValueError(f"randint's low must be less than high, but received low = {low}, high = {high}")
    chosen = np.dtype("int64") if dtype is None else as_numpy(dtype)
    return random_integers(shape=wanted_shape(shape), dtype=chosen, low=low, high=high)


def randperm(n: int, dtype: Any = "int64", name: str | None = None) -> Value:
    """Put the integers from 0 to before `n` into random order."""
    return permutation(n=int(n), dtype=as_numpy(dtype))


@listed(Listing("a", "b"))
@draws_numbers()
@tried_with(**_EXAMPLE)
@operator("truncated_gaussian_random", infer=as_told)
def truncated_gaussian_random(
    *,
    shape: Shape,
    dtype: np.dtype[Any],
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    seed: int = 0,
) -> Array:
    """Draw from the part of a normal distribution between `a` and `b`."""
    return draws.truncated_normal(engine(seed), tuple(shape), dtype, mean, std, a, b)


@draws_numbers()
@tried_with(**_EXAMPLE)
@operator("orthogonal_random", infer=as_told)
def orthogonal_random(*, shape: Shape, dtype: np.dtype[Any], gain: float = 1.0, seed: int = 0) -> Array:
    """Draw a matrix with orthonormal rows (or columns, whichever are fewer), times `gain`.

    Paddle's startup program has eight operators for it, the QR decomposition among them; this is one.
    """
    rows, columns = shape[0], math.prod(shape[1:])
    drawn = draws.normal(engine(seed), (max(rows, columns), min(rows, columns)), dtype)
    q, r = np.linalg.qr(drawn)
    q = q * np.sign(np.diag(r))  # makes the choice of q uniform
    return np.asarray(gain * (q.T if rows < columns else q)).reshape(shape).astype(dtype)


def _samples(x: Meta, num_samples: int, **attrs: Any) -> Meta:
    """Shape rule of :func:`multinomial`."""
    if not 0 < x.ndim <= 2:
        bound = "> 0" if x.ndim == 0 else "<= 2"
        raise invalid(
            f"The number of dimensions of the input probability distribution should be {bound}, but got {x.ndim}.",
            "one row of chances, or a matrix with one row for each distribution",
        )
    if num_samples <= 0:
        raise invalid(f"The number of samples should be > 0, but got {num_samples}.")
    return Meta((*x.shape[:-1], num_samples), np.dtype("int64"))


@draws_numbers()
@operator("multinomial", infer=_samples, kinds="f")
def multinomial_op(x: Array, *, num_samples: int = 1, replacement: bool = False) -> Array:
    """Draw indices of categories, with the weights in `x` as probabilities; every row is a distribution."""
    _samples(Meta(x.shape, x.dtype), num_samples)
    if x.dtype == np.float16:
        words = "The kernel with key (CPU, float16) is not registered."
        raise failure(RuntimeError, words, "draw in float32: x.astype('float32')")
    rows = x.reshape(-1, x.shape[-1])
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
