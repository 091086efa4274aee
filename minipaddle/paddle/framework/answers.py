"""Functions that only answer as Paddle does that was built for a CPU and runs in one process.

They are said by the row, in ``device``, ``distributed`` and ``version``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def named(name: str, does: str, answer: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function as one that is called `name` and documented by `does`."""
    answer.__name__ = answer.__qualname__ = name
    answer.__doc__ = does
    return answer
