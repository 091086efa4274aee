"""Calls whose inputs are of several float types: batch_norm of float16 with float32 weights, in mixed precision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minipaddle.engine.value.meta import Meta


def as_declared(run: Callable[..., Any], inputs: Sequence[Any], outputs: Sequence[Any]) -> Callable[..., Any]:
    """Return `run`, or if `inputs` are of several float types what rounds its results to the types of `outputs`."""
    if len({one.meta.dtype for one in inputs if one is not None and one.meta.dtype.kind == "f"}) < 2:
        return run
    metas: list[Meta] = [one.meta for one in outputs if one is not None]

    def rounded(*values: Any) -> Any:
        found = run(*values)
        if not isinstance(found, (tuple, list)):
            return _in_type(found, metas[0])
        return type(found)([_in_type(one, meta) for one, meta in zip(found, metas, strict=True)])

    return rounded


def _in_type(value: Any, meta: Meta) -> Any:
    if not isinstance(value, np.ndarray) or value.dtype == meta.dtype:
        return value
    return np.asarray(value, meta.dtype)
