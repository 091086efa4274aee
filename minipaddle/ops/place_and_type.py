"""What a Tensor says of its memory and of its place, and the other types that it can be had in, by their names."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.errors import failure
from minipaddle.engine.value.value import Value
from minipaddle.ops.indexing.scatter import scatter_nd

__all__ = [
    "cuda",
    "scatter_nd",
]  # fmt: skip


def cuda(x: Value, device_id: Any = None, blocking: bool = True) -> Any:
    """Refuse to copy `x` to a GPU."""
    raise failure(ValueError, "No available device found.", "x.cpu(), or x itself")
