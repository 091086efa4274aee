"""Random tensors. ``paddle.seed`` makes them repeatable; the numbers themselves differ from real Paddle's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.core.dtype import as_numpy, default_float
from minipaddle.core.meta import Array, Attrs, Meta, Shape
from minipaddle.core.operator import operator
from minipaddle.ops.common.arguments import integers
from minipaddle.ops.common.listed import Listing, derived, listed
from minipaddle.ops.random.generator import generator

DType = np.dtype[Any]
_UNUSED = derived(lambda attrs, metas: 0)
"""A seed of its own: whatever was asked for, ``paddle.seed`` decides."""


def as_told(*, shape: Shape, dtype: DType, **attrs: Any) -> Meta:
    """Shape rule of operators that are told shape and type."""
    return Meta(tuple(shape), np.dtype(dtype))


def _told(dtype: str = "float64", **attrs: Any) -> Any:
    """Example for :func:`as_told`."""
    return lambda rng: ([], {"shape": (2, 3), "dtype": np.dtype(dtype), **attrs})


def _float(dtype: Any) -> DType:
    return default_float() if dtype is None else as_numpy(dtype)


@listed(Listing(seed=_UNUSED), kind="gaussian")
@operator(
    "gaussian_random", "-> Out", name="gaussian", random=True, infer=as_told, example=_told(), page="normal"
)
def gaussian_random(shape: Shape, dtype: DType, mean: float = 0.0, std: float = 1.0) -> Any:
    """Draw from the normal distribution."""
    return np.asarray(generator().normal(mean, std, shape), dtype)


@listed(Listing(seed=_UNUSED, diag_num=0, diag_step=0, diag_val=1.0), kind="uniform")
@operator("uniform_random", "-> Out", name="uniform", random=True, infer=as_told, example=_told())
def uniform_random(shape: Shape, dtype: DType, min: float = -1.0, max: float = 1.0) -> Any:
    """Draw evenly from [min, max)."""
    return np.asarray(generator().uniform(min, max, shape), dtype)


@listed(Listing(seed=_UNUSED))
@operator(
    "randint", "-> Out", random=True, infer=as_told, example=_told("int64", low=0, high=5), page="randint"
)
def random_integers(shape: Shape, dtype: DType, low: int, high: int) -> Any:
    """Draw integers evenly from `low` to before `high`."""
    return np.asarray(generator().integers(low, high, shape), dtype)


def _one_axis(*, n: int, dtype: DType) -> Meta:
    """Shape rule of :func:`permutation`."""
    return Meta((n,), np.dtype(dtype))


def _five(rng: np.random.Generator) -> tuple[Sequence[Any], Attrs]:
    return [], {"n": 5, "dtype": np.dtype("int64")}


@operator("randperm", "-> Out", random=True, infer=_one_axis, example=_five, page="randperm")
def permutation(n: int, dtype: DType) -> Any:
    """Put the integers from 0 to before `n` into random order."""
    return generator().permutation(n).astype(dtype)


@listed(kind="randint")
@operator("bernoulli", "X -> Out", random=True, latex=r"b \sim B(x)")
def bernoulli(x: Array) -> Any:
    """Draw 1 with the probability given by each element, else 0."""
    return (generator().random(x.shape) < x).astype(x.dtype)


def randn(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Draw from the normal distribution with mean 0 and variance 1."""
    return gaussian_random(shape=integers(shape), dtype=_float(dtype))


standard_normal = randn


def gaussian(
    shape: Any, mean: float = 0.0, std: float = 1.0, seed: int = 0, dtype: Any = None, name: str | None = None
) -> Any:
    """Draw from the normal distribution with `mean` and `std`; `seed` is ignored: use ``paddle.seed``."""
    return gaussian_random(shape=integers(shape), dtype=_float(dtype), mean=mean, std=std)


def normal(mean: Any = 0.0, std: Any = 1.0, shape: Any = None, name: str | None = None) -> Any:
    """Draw from the normal distribution; `mean` and `std` are numbers, or tensors whose shape it takes.

    (https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/normal_en.html)
    """
    tensors = [value for value in (mean, std) if hasattr(value, "stop_gradient")]
    if not tensors:
        return gaussian([1] if shape is None else shape, mean, std)
    return gaussian_random(shape=tuple(tensors[0].shape), dtype=as_numpy(tensors[0].dtype)) * std + mean


def rand(shape: Any, dtype: Any = None, name: str | None = None) -> Any:
    """Draw evenly from [0, 1)."""
    return uniform_random(shape=integers(shape), dtype=_float(dtype), min=0.0, max=1.0)


def uniform(
    shape: Any, dtype: Any = None, min: float = -1.0, max: float = 1.0, seed: int = 0, name: str | None = None
) -> Any:
    """Draw evenly from [min, max); `seed` is ignored (see ``paddle.seed``)."""
    return uniform_random(shape=integers(shape), dtype=_float(dtype), min=float(min), max=float(max))


def randint(
    low: int = 0, high: int | None = None, shape: Any = (1,), dtype: Any = None, name: str | None = None
) -> Any:
    """Draw integers from `low` to before `high`; with one bound, from 0 to before that.

    Raises:
        ValueError: if the range is empty.
    """
    low, high = (0, low) if high is None else (low, high)
    if low >= high:
        raise ValueError(f"randint's low must be less than high, but received low = {low}, high = {high}")
    chosen = np.dtype("int64") if dtype is None else as_numpy(dtype)
    return random_integers(shape=integers(shape), dtype=chosen, low=low, high=high)


def randperm(n: int, dtype: Any = "int64", name: str | None = None) -> Any:
    """Put the integers from 0 to before `n` into random order."""
    return permutation(n=int(n), dtype=as_numpy(dtype))
