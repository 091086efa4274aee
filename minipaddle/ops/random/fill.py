"""Tensors filled with random numbers in place: ``x.uniform_()`` and its like. Gradients end there: they are 0."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.mode.eager import current
from minipaddle.engine.value.dtype import as_numpy
from minipaddle.ops.creation.full import zeros_like
from minipaddle.ops.definition import Array, Attrs, Listing, Operator, Value, listed, operator, tried_with
from minipaddle.ops.definition.traits import draws_numbers
from minipaddle.ops.random import draws
from minipaddle.ops.random.generator import engine
from minipaddle.ops.random.sample import mean_of_parts


def _constant(**attrs: Any) -> Any:
    """Example: numbers that leave nothing to chance."""
    return lambda rng: ([rng.uniform(0.2, 0.9, (2, 3))], attrs)


def _floats(x: Array) -> np.dtype[Any]:
    if x.dtype.kind not in "fc":
        raise TypeError
    return x.dtype


@listed(Listing(diag_num=0, diag_step=0, diag_val=1.0))
@draws_numbers()
@tried_with(_constant(min=0.5, max=0.5))
@operator("uniform_random_inplace", name="uniform", kinds="fc")
def uniform_inplace(x: Array, *, min: float = -1.0, max: float = 1.0, seed: int = 0) -> Array:
    """Draw evenly from [min, max): as many numbers as there are."""
    return draws.uniform(engine(seed), x.shape, _floats(x), min, max)


@draws_numbers()
@tried_with(_constant(mean=1.0, std=0.0))
@operator("gaussian_random_inplace", name="gaussian", kinds="fc")
def gaussian_inplace(x: Array, *, mean: float = 0.0, std: float = 1.0, seed: int = 0) -> Array:
    """Draw from the normal distribution: as many numbers as there are."""
    return draws.normal(engine(seed), x.shape, _floats(x), mean, std)


for _op in (uniform_inplace, gaussian_inplace):
    _op.gradient("x", program=True)(lambda dy: zeros_like(dy))


def _filled(op: Operator, x: Value, attrs: Attrs) -> Value:
    """Fill `x` by `op`, in dynamic mode only."""
    mode = current.get()
    assert mode.dynamic, (
        "Tensors are filled with random numbers in dynamic graph mode only: paddle.disable_static() comes first."
    )
    return mode.apply_inplace(op, (x,), {**op.defaults, **attrs})


def uniform_(x: Value, min: float = 0, max: float = 1.0, seed: int = 0, name: str | None = None) -> Value:
    """Fill with numbers drawn evenly from [min, max); a `seed` that is not 0 is for this call alone."""
    return _filled(uniform_inplace, x, {"min": float(min), "max": float(max), "seed": seed})


def normal_(x: Value, mean: Any = 0.0, std: float = 1.0, name: str | None = None) -> Value:
    """Fill with numbers from the normal distribution."""
    mean = mean_of_parts(mean, as_numpy(x.dtype))
    return _filled(gaussian_inplace, x, {"mean": mean, "std": float(std)})
