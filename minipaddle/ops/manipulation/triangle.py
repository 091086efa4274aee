"""The lower and the upper triangle of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from minipaddle.ops.definition import Array, Listing, Meta, failure, listed, operator


def _matrix(x: Meta, **attrs: Any) -> Meta:
    if x.ndim < 2:
        raise failure(
            ValueError,
            f"Input(X)'s rank must be at least 2 in TrilTriuOp, but received shape {list(x.shape)}.",
        )
    return x


@listed(Listing(lower=True), type="tril_triu", kind="tril", bare=True)
@operator("tril", infer=_matrix)
def tril(x: Array, *, diagonal: int = 0) -> Array:
    """Keep the lower triangle of a matrix (or a batch), up to `diagonal`; zeros elsewhere."""
    if x.ndim < 2:
        raise ValueError  # worded by the shape rule
    return np.tril(x, diagonal)


tril.gradient("x")(lambda dy, diagonal: tril(dy, diagonal))


@listed(Listing(lower=False), type="tril_triu", kind="triu", bare=True)
@operator("triu", infer=_matrix)
def triu(x: Array, *, diagonal: int = 0) -> Array:
    """Keep the upper triangle of a matrix (or a batch), from `diagonal` on; zeros elsewhere."""
    if x.ndim < 2:
        raise ValueError  # worded by the shape rule
    return np.triu(x, diagonal)


triu.gradient("x")(lambda dy, diagonal: triu(dy, diagonal))
