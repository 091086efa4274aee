"""Functions with fixed results: those of a CPU build of Paddle that runs in one process.

They are rows of tables in ``device``, ``distributed`` and ``version``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def named(name: str, does: str, answer: Callable[..., Any]) -> Callable[..., Any]:
    """Return `answer` with the name `name` and the docstring `does`."""
    answer.__name__ = answer.__qualname__ = name
    answer.__doc__ = does
    return answer
