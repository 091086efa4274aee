"""Masks of sequences: which steps of each count."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.engine.core.dtype import as_numpy
from minipaddle.engine.core.meta import Array, Meta
from minipaddle.engine.core.operator import operator


def _infer(x: Meta, *, maxlen: int = -1, out_dtype: Any = "int64") -> Meta:
    return Meta((*x.shape, maxlen if maxlen >= 0 else -1), as_numpy(out_dtype))


@operator(
    "sequence_mask",
    "X -> Y",
    infer=_infer,
    latex=r"[t < n]",
    example=lambda rng: ([np.array([2, 0, 3])], {"maxlen": 4}),
    page="nn/functional/sequence_mask",
)
def sequence_mask(x: Array, maxlen: int = -1, out_dtype: Any = "int64") -> Array:
    """Return rows of ones as long as `x` says, then zeros: lengths [...] give [..., maxlen]; -1: as the longest."""
    length = maxlen if maxlen >= 0 else int(x.max()) if x.size else 0
    return (np.arange(length) < x[..., None]).astype(as_numpy(out_dtype))
