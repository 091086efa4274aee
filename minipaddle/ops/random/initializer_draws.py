"""Random operators that only initializers use."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from minipaddle.engine.operator.operator import operator
from minipaddle.engine.value.meta import Array, Shape
from minipaddle.ops.definition.program_printing import Listing, listed
from minipaddle.ops.random import draws
from minipaddle.ops.random.generator import engine
from minipaddle.ops.random.sample import as_told


def _some(rng: np.random.Generator) -> Any:
    return [], {"shape": (2, 3), "dtype": np.dtype("float64")}


@listed(Listing("a", "b"))
@operator(
    "truncated_gaussian_random", "-> Out", random=True, infer=as_told, example=_some,
    page="nn/initializer/TruncatedNormal",
)  # fmt: skip
def truncated_gaussian_random(
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


@operator(
    "orthogonal_random", "-> Out", random=True, infer=as_told, example=_some, page="nn/initializer/Orthogonal"
)
def orthogonal_random(shape: Shape, dtype: np.dtype[Any], gain: float = 1.0, seed: int = 0) -> Array:
    """Draw a matrix with orthonormal rows (or columns, whichever are fewer), times `gain`.

    Paddle's startup program has eight operators for it, the QR decomposition among them; this is one.
    """
    rows, columns = shape[0], math.prod(shape[1:])
    drawn = draws.normal(engine(seed), (max(rows, columns), min(rows, columns)), dtype)
    q, r = np.linalg.qr(drawn)
    q = q * np.sign(np.diag(r))  # makes the choice of q uniform
    return np.asarray(gain * (q.T if rows < columns else q)).reshape(shape).astype(dtype)
