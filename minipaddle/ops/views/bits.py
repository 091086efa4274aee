"""The same bytes read as another type: ``x.view("int32")``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from minipaddle.engine.core.dtype import as_numpy
from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.meta import Array, Attrs, Meta
from minipaddle.engine.core.operator import operator


def _read_as(x: Meta, *, dtype: Any) -> Meta:
    """Shape rule of :func:`view_dtype`: the last axis grows or shrinks with the size of an element."""
    wanted = as_numpy(dtype)
    if wanted.itemsize == x.dtype.itemsize:
        return Meta(x.shape, wanted)
    where = f"to view {x.dtype.name} as {wanted.name}"
    if not x.shape:
        raise failure(
            ValueError, f"A tensor without axes cannot be resized {where}.", "reshape it to [1] first"
        )
    *others, last = x.shape
    if last == -1:
        return Meta((*others, -1), wanted)
    if last * x.dtype.itemsize % wanted.itemsize:
        times = wanted.itemsize // x.dtype.itemsize
        raise failure(ValueError, f"input.shape[-1] ({last}) must be multiple of {times} {where}.")
    return Meta((*others, last * x.dtype.itemsize // wanted.itemsize), wanted)


def _halves(rng: np.random.Generator) -> tuple[Sequence[Any], Attrs]:
    return [rng.integers(0, 9, (2, 3))], {"dtype": "int32"}


@operator("view_dtype", "X -> Out", infer=_read_as, view=True, example=_halves, page="view")
def view_dtype(x: Array, dtype: Any) -> Any:
    """Read the bytes of `x` as another type, in the same memory.

    No gradient passes: read as another type the numbers are others.

    Raises:
        ValueError: **must be multiple of**, if the last axis does not come out even.
    """
    return x.view(as_numpy(dtype))
