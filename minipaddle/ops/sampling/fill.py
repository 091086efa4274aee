"""Tensors filled with random numbers in place: ``x.uniform_()`` and its like. Gradients end there: they are 0.

Most of them fill with even or normal numbers, and compute the rest in place; that is how Paddle does it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.engine.core.dtype import as_numpy
from minipaddle.engine.core.eager import current, within
from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Attrs
from minipaddle.engine.core.operator import Operator, operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.listed import Listing, listed, of
from minipaddle.ops.creation.full import full, zeros_like
from minipaddle.ops.logic.compare import greater_than, less_than
from minipaddle.ops.math.exponential import log1p
from minipaddle.ops.random import draws
from minipaddle.ops.random.generator import engine
from minipaddle.ops.random.sample import mean_of_parts
from minipaddle.ops.reduction.broadcast import expand


def _constant(**attrs: Any) -> Any:
    """Example: numbers that leave nothing to chance."""
    return lambda rng: ([rng.uniform(0.2, 0.9, (2, 3))], attrs)


def _floats(x: Array) -> np.dtype[Any]:
    if x.dtype.kind not in "fc":
        raise TypeError
    return x.dtype


@listed(Listing(diag_num=0, diag_step=0, diag_val=1.0))
@operator(
    "uniform_random_inplace", "X -> Out", name="uniform", random=True, kinds="fc",
    example=_constant(min=0.5, max=0.5), page="Tensor", latex=r"u \sim U",
)  # fmt: skip
def uniform_inplace(x: Array, min: float = -1.0, max: float = 1.0, seed: int = 0) -> Array:
    """Draw evenly from [min, max): as many numbers as there are."""
    return draws.uniform(engine(seed), x.shape, _floats(x), min, max)


@operator(
    "gaussian_random_inplace", "X -> Out", name="gaussian", random=True, kinds="fc",
    example=_constant(mean=1.0, std=0.0), page="normal_", latex=r"n \sim N",
)  # fmt: skip
def gaussian_inplace(x: Array, mean: float = 0.0, std: float = 1.0, seed: int = 0) -> Array:
    """Draw from the normal distribution: as many numbers as there are."""
    return draws.normal(engine(seed), x.shape, _floats(x), mean, std)


@listed(Listing(**{"lambda": of("lam")}))
@operator(
    "exponential", "X -> Out", random=True, kinds="f", example=_constant(lam=math.inf), page="Tensor",
    latex=r"e \sim \mathrm{Exp}",
)  # fmt: skip
def exponential_inplace(x: Array, lam: float = 1.0) -> Array:
    """Draw waiting times for what happens `lam` times in a unit of time."""
    return draws.exponential(engine(), x.shape, _floats(x), lam)


@operator(
    "random_inplace", "X -> Out", random=True, example=_constant(low=3, high=4), page="Tensor", latex="n"
)
def random_inplace(x: Array, low: int, high: int) -> Array:
    """Draw integers from `low` to before `high`, as numbers of the tensor's type."""
    return draws.remainders(engine(), x.shape, x.dtype, low, high)


for _op in (uniform_inplace, gaussian_inplace, exponential_inplace, random_inplace):

    @_op.gradient("x", program=True)
    def _(dy: Value) -> Value:
        return zeros_like(dy)


def _filled(op: Operator, x: Value, attrs: Attrs) -> Value:
    """Fill `x` by `op`; a Program fills by ``exponential`` only.

    Raises:
        AssertionError: **dynamic graph mode**.
    """
    mode = current.get()
    assert mode.dynamic, (
        "Tensors are filled with random numbers in dynamic graph mode only: paddle.disable_static() comes first."
    )
    return mode.apply_inplace(op, (x,), {**op.defaults, **attrs})


def uniform_(x: Value, min: float = 0, max: float = 1.0, seed: int = 0, name: str | None = None) -> Value:
    """Fill with numbers drawn evenly from [min, max); a `seed` that is not 0 is for this call alone."""
    return _filled(uniform_inplace, x, {"min": float(min), "max": float(max), "seed": seed})


def normal_(x: Value, mean: Any = 0.0, std: float = 1.0, name: str | None = None) -> Value:
    """Fill with numbers from the normal distribution.

    Raises:
        TypeError: for a complex mean of a tensor that is not.
        ValueError: for a complex `mean` whose parts are not equal.
    """
    mean = mean_of_parts(mean, as_numpy(x.dtype))
    return _filled(gaussian_inplace, x, {"mean": mean, "std": float(std)})


def exponential_(x: Value, lam: float = 1.0, name: str | None = None) -> Value:
    """Fill with waiting times for what happens `lam` times in a unit of time."""
    return current.get().apply_inplace(exponential_inplace, (x,), {"lam": float(lam)})


def random_(x: Value, from_: int = 0, to: int | None = None) -> Value:
    """Fill with integers from `from_` to before `to`; with one bound, from 0 to before that.

    Without bounds they end at the largest integer up to which the type knows all.

    Raises:
        ValueError: if the range is empty.
    """
    dtype = as_numpy(x.dtype)
    if to is None and from_ == 0:
        to = 1 << (np.finfo(dtype).nmant + 1) if dtype.kind == "f" else int(np.iinfo(dtype).max)
    elif to is None:
        from_, to = 0, from_
    if from_ >= to:
        raise failure(
            ValueError, f"random_ expects 'from' to be less than 'to', but got from={from_} >= to={to}"
        )
    return _filled(random_inplace, x, {"low": from_, "high": to})


def bernoulli_(x: Any, p: Any = 0.5, name: str | None = None) -> Any:
    """Fill with 1 where chance stays below `p`, a number or a tensor, else with 0."""
    chance = _fitting(x, p.astype(x.dtype) if isinstance(p, Value) else full([], p, x.dtype))
    uniform_(x, 0.0, 1.0)
    ones, zeros = less_than(x, chance), greater_than(x, chance)
    with _unrecorded():
        return x.masked_fill_(ones, 1.0).masked_fill_(zeros, 0.0)


def log_normal_(x: Any, mean: float = 1.0, std: float = 2.0, name: str | None = None) -> Any:
    """Fill with numbers whose logarithms are normally distributed."""
    normal_(x, mean, std)
    with _unrecorded():
        return x.exp_()


def cauchy_(x: Any, loc: float = 0, scale: float = 1, name: str | None = None) -> Any:
    """Fill with what Paddle calls numbers of the Cauchy distribution: the tangent of normal, not of even ones."""
    half, middle = _like(x, 0.5), _like(x, loc)
    scale = float(scale)
    normal_(x)
    with _unrecorded():
        return x.subtract_(half).scale_(math.pi).tan_().scale_(scale).add_(middle)


def geometric_(x: Any, probs: Any, name: str | None = None) -> Any:
    """Fill with waiting times for a success of chance `probs`, as Paddle has them: not rounded to integers."""
    with _unrecorded():
        chance = log1p(-_like(x, probs))
    uniform_(x, float(np.finfo(as_numpy(x.dtype)).tiny), 1.0)
    with _unrecorded():
        return x.log_().divide_(chance)


def _unrecorded() -> within:
    """Return a block for what is computed of drawn numbers: the gradient has ended at the draw."""
    return within(current.get().with_grad(False))


def _like(x: Value, number: Any) -> Value:
    """Return a number or a tensor as a tensor of the type of `x`; a number is one of the default type first."""
    return _fitting(x, (number if isinstance(number, Value) else full([], number)).astype(x.dtype))


def _fitting(x: Value, tensor: Value) -> Value:
    """Return a tensor of the shape of `x`: what does not broadcast is refused before anything is drawn."""
    return tensor if not tensor.ndim or -1 in x.shape else expand(tensor, x.shape)
