"""Parts of a tensor that are named by numbers: slice, crop, narrow; and the same written to: slice_scatter."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

from minipaddle.engine.core.errors import failure
from minipaddle.engine.core.value import Value
from minipaddle.ops.common.arguments import axis_in, integers
from minipaddle.ops.indexing.index import slice_op

# -- reading --------------------------------------------------------------------------------------------------


def _index(ndim: int, axes: Any, starts: Any, ends: Any, strides: Any = None) -> list[builtins.slice]:
    """Return one slice for each axis."""
    found = [builtins.slice(None)] * ndim
    lists = [integers(one) for one in (axes, starts, ends)]
    steps = [1] * len(lists[0]) if strides is None else integers(strides)
    if len({len(one) for one in (*lists, steps)}) > 1:
        raise failure(ValueError, f"axes, starts and ends must be of one length, but received {lists}.")
    for axis, start, end, step in zip(*lists, steps, strict=True):
        found[axis_in(axis, ndim)] = builtins.slice(start, end, step)
    return found


def _written(parts: Sequence[builtins.slice], steps: bool) -> str:
    return (
        ", ".join(
            "::"
            if one == builtins.slice(None)
            else f"{one.start}:{one.stop}{f':{one.step}' if steps else ''}"
            for one in parts
        )
        or "..."
    )


def slice(input: Value, axes: Any, starts: Any, ends: Any) -> Value:
    """Return the part of `input` from `starts` to before `ends` along each of `axes`; it shares its memory.

    Args:
        input: tensor.
        axes: list of axes.
        starts: list of places, or tensor; negative ones count from the end.
        ends: list of places, or tensor; what is too large means the end.

    Raises:
        ValueError: if there is no such axis, or the lists differ in length.

    https://www.paddlepaddle.org.cn/documentation/docs/en/api/paddle/slice_en.html
    """
    return slice_op(input, _written(_index(input.ndim, axes, starts, ends), False))
