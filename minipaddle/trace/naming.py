"""The user's names for tensors, read off the variables of the frame that is running."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from types import FrameType

from minipaddle.autograd.tensor import Tensor

__all__ = ["assigned_name", "depth_of", "names_in"]


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


@lru_cache(maxsize=512)
def assigned_name(line: str) -> str:
    """Return the variable that a line of source assigns its result to; "" if it does nothing so plain.

    >>> assigned_name("y = func1(x)"), assigned_name("return y"), assigned_name("a, b = split(x)")
    ('y', '', '')
    """
    try:
        tree = ast.parse(line)
    except SyntaxError:
        return ""
    statement = tree.body[0] if len(tree.body) == 1 else None
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return ""
    target = statement.targets[0]
    return target.id if isinstance(target, ast.Name) else ""
