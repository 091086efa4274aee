"""sequence_conv: each row and its neighbours in the sequence, times a filter."""

from __future__ import annotations

import numpy as np

from minipaddle.engine.core.meta import Array, Meta
from minipaddle.engine.core.operator import operator
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.listed import Listing, listed, of
from minipaddle.ops.linalg.matmul import matmul
from minipaddle.ops.sequence.offsets import check_rows, example, owners

_SETTINGS = {"start": -1, "length": 3}


def _places(lod: Array, start: int, length: int) -> tuple[Array, Array]:
    """Return which rows are the neighbours of each, and which of these are in its sequence."""
    owner = owners(lod)
    places = np.arange(len(owner))[:, None] + np.arange(start, start + length)
    return places, (places >= lod[owner][:, None]) & (places < lod[owner + 1][:, None])


@operator(
    "sequence_context", "X, LoD -> Out", kinds="f", latex="x_{i+j}", page="static/nn/sequence_conv",
    infer=lambda x, lod, start=-1, length=3: Meta((x.shape[0], x.shape[1] * length), x.dtype), example=example(),
)  # fmt: skip
def context(x: Array, lod: Array, start: int = -1, length: int = 3) -> Array:
    """Return each row's neighbours, `length` of them from `start` on, in one row; zeros where there is none."""
    places, inside = _places(lod, start, length)
    return np.where(inside[..., None], x[np.where(inside, places, 0)], x.dtype.type(0)).reshape(len(x), -1)


@context.gradient("x")
def _(dy: Value, lod: Value, start: int, length: int) -> Value:
    return context_sum(dy, lod, start, length)


@operator(
    "sequence_context_sum", "X, LoD -> Out", kinds="f", latex=r"\sum_j x_{i-j}", page="static/nn/sequence_conv",
    infer=lambda x, lod, start=-1, length=3: Meta((x.shape[0], x.shape[1] // length), x.dtype),
    example=lambda rng: ([rng.uniform(0.2, 0.9, (5, 6)), np.array([0, 2, 5])], {}),
)  # fmt: skip
def context_sum(x: Array, lod: Array, start: int = -1, length: int = 3) -> Array:
    """Add each part of a row to the row that it came from."""
    places, inside = _places(lod, start, length)
    parts = x.reshape(len(x), length, -1)
    out = np.zeros((len(x), parts.shape[2]), x.dtype)
    np.add.at(out, places[inside], parts[inside])
    return out


@context_sum.gradient("x")
def _(dy: Value, lod: Value, start: int, length: int) -> Value:
    return context(dy, lod, start, length)


@listed(
    Listing(contextStart=of("start"), contextLength=of("length"), contextStride=1, paddingTrainable=False)
)
@operator(
    "sequence_conv", "X, Filter, LoD -> Out^", kinds="f", latex=r"\sum_j x_{i+j} w_j",
    infer=lambda x, weight, lod, **attrs: Meta((x.shape[0], weight.shape[1]), x.dtype),
    example=example(np.linspace(-1, 1, 18).reshape(6, 3)),
)  # fmt: skip
def sequence_conv(x: Array, weight: Array, lod: Array, start: int = -1, length: int = 3) -> Array:
    """Multiply each row and its neighbours by a filter [length * width, features]."""
    check_rows(x, lod, "X")
    return context.kernel(x, lod, start, length) @ weight


@sequence_conv.gradient("x")
def _(dy: Value, weight: Value, lod: Value, start: int, length: int) -> Value:
    return context_sum(matmul(dy, weight, transpose_y=True), lod, start, length)


@sequence_conv.gradient("weight")
def _(dy: Value, x: Value, lod: Value, start: int, length: int) -> Value:
    return matmul(context(x, lod, start, length), dy, transpose_x=True)
