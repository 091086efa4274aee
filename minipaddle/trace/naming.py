"""The user's names for tensors, read off the variables of the frame that is running."""

from __future__ import annotations

from collections.abc import Iterator
from types import FrameType

from minipaddle.autograd.tensor import Tensor

__all__ = ["depth_of", "names_in"]


def names_in(frame: FrameType) -> Iterator[tuple[str, Tensor]]:
    """Yield the variables of `frame` that hold Tensors, and the attributes of its ``self`` that do."""
    for name, value in list(frame.f_locals.items()):
        if isinstance(value, Tensor):
            yield name, value
    owner = frame.f_locals.get("self")
    for name, value in list(getattr(owner, "__dict__", {}).items()):
        if isinstance(value, Tensor):
            yield f"self.{name}", value


def depth_of(frame: FrameType) -> int:
    """Return how many calls `frame` is away from the bottom of the stack."""
    depth, outer = 0, frame.f_back
    while outer is not None:
        depth, outer = depth + 1, outer.f_back
    return depth
