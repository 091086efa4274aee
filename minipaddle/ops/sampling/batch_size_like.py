"""Random numbers in a shape of which one size is that of another tensor: only Programs of Paddle 2 have them."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.core.dtype import as_numpy
from minipaddle.engine.core.meta import Array, Meta, Shape
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.arguments import wanted_shape
from minipaddle.ops.random import draws
from minipaddle.ops.random.generator import engine
from minipaddle.ops.random.sample import with_diagonal

__all__ = ["uniform_random_batch_size_like"]


def _sized(x: Any, shape: Shape, input_dim_idx: int, output_dim_idx: int) -> tuple[int, ...]:
    sizes = list(shape)
    sizes[output_dim_idx] = x.shape[input_dim_idx]
    return tuple(sizes)


def _like(x: Meta, *, shape: Shape, dtype: Any, **attrs: Any) -> Meta:
    """Shape rule: the given shape with one size of the input."""
    return Meta(_sized(x, shape, attrs["input_dim_idx"], attrs["output_dim_idx"]), as_numpy(dtype))


@operator(
    "uniform_random_batch_size_like",
    "Input -> Out",
    name="uniform_random_batch_size_like",
    infer=_like,
    random=True,
    example=lambda rng: (
        [rng.uniform(size=(2, 3))],
        {"shape": (-1, 4), "dtype": np.dtype("float64"), "min": 0.5, "max": 0.5},
    ),
    latex=r"u \sim U",
    page="uniform",
)
def uniform_op(
    x: Array,
    shape: Shape,
    dtype: Any,
    input_dim_idx: int = 0,
    output_dim_idx: int = 0,
    min: float = -1.0,
    max: float = 1.0,
    seed: int = 0,
    diag_num: int = 0,
    diag_step: int = 0,
    diag_val: float = 1.0,
) -> Array:
    """Draw evenly from [min, max) in a shape, one axis being as long as one of the input."""
    sizes = _sized(x, shape, input_dim_idx, output_dim_idx)
    drawn = draws.uniform(engine(seed), sizes, as_numpy(dtype), min, max)
    return with_diagonal(drawn, diag_num, diag_step, diag_val)


def uniform_random_batch_size_like(
    input: Value,
    shape: Any,
    dtype: Any = "float32",
    input_dim_idx: int = 0,
    output_dim_idx: int = 0,
    min: float = -1.0,
    max: float = 1.0,
    seed: int = 0,
) -> Value:
    """Draw evenly from [min, max) in `shape`, one axis being as long as one of `input`.

    Args:
        input: any tensor.
        shape: sizes; that of the axis `output_dim_idx` does not count.
        dtype: float32 or float64.
        input_dim_idx: the axis of `input`.
        output_dim_idx: the axis of the result.
        min: the smallest number.
        max: all are below it.
        seed: 0: the global stream; else the same numbers in every call.
    """
    return uniform_op(
        input,
        shape=wanted_shape(shape),
        dtype=as_numpy(dtype),
        input_dim_idx=input_dim_idx,
        output_dim_idx=output_dim_idx,
        min=float(min),
        max=float(max),
        seed=seed,
    )
