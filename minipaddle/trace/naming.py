"""The user's names for tensors, read off the variables of the frame that is running."""

from __future__ import annotations

from collections.abc import Iterator
from types import FrameType

from minipaddle.autograd.tensor import Tensor

__all__ = ["names_in"]


def names_in(frame: FrameType) -> Iterator[tuple[str, Tensor]]:
    """Yield the variables of `frame` that hold Tensors, and the attributes of its ``self`` that do."""
    for name, value in list(frame.f_locals.items()):
        if isinstance(value, Tensor):
            yield name, value
    owner = frame.f_locals.get("self")
    for name, value in list(getattr(owner, "__dict__", {}).items()):
        if isinstance(value, Tensor):
            yield f"self.{name}", value
