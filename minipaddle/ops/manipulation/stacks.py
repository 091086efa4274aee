"""Lists of tensors put side by side, or one below the other."""

from __future__ import annotations

from typing import Any

from minipaddle.engine.value.value import Value
from minipaddle.ops.manipulation.concat import concat
from minipaddle.ops.views.reshape import reshape2, unsqueeze2


def _one(x: Value) -> Value:
    return reshape2(x, (1,)) if x.ndim == 0 else x


def _two(x: Value) -> Value:
    return reshape2(x, (1, 1)) if x.ndim == 0 else unsqueeze2(x, (0,)) if x.ndim == 1 else x


def hstack(x: Any, name: str | None = None) -> Value:
    """Return a list of tensors side by side: along the second axis, vectors along their only one."""
    parts = [_one(one) for one in x]
    return concat(parts, 0 if parts and parts[0].ndim == 1 else 1)


def vstack(x: Any, name: str | None = None) -> Value:
    """Return a list of tensors one below the other: along the first axis, vectors as rows."""
    return concat([_two(one) for one in x], 0)
