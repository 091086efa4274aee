"""``paddle.slice``: a part of a tensor that is named by lists of axes, starts and ends."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.errors import failure
from minipaddle.engine.value.value import Value
from minipaddle.ops.definition.arguments import axis_in, integers
from minipaddle.ops.indexing.index import slice_op


def slice(input: Value, axes: Any, starts: Any, ends: Any) -> Value:
    """Return the part of `input` from `starts` to before `ends` along each of `axes`; it shares its memory.

    Args:
        starts: list of places, or tensor; negative ones count from the end.
        ends: list of places, or tensor; what is too large means the end.
    """
    lists = [integers(one) for one in (axes, starts, ends)]
    if len({len(one) for one in lists}) > 1:
        raise failure(ValueError, f"axes, starts and ends must be of one length, but received {lists}.")
    parts = ["::"] * input.ndim
    for axis, start, end in zip(*lists, strict=True):
        parts[axis_in(axis, input.ndim)] = f"{start}:{end}"
    return slice_op(input, ", ".join(parts) or "...")
