"""``paddle.utils.deprecated``: a function that says it will go.

(Paddle has no page for it: python/paddle/utils/deprecated.py)
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

__all__ = ["VisibleDeprecationWarning", "deprecated"]


class VisibleDeprecationWarning(UserWarning):
    """A warning about a function that will go; Python shows it wherever it is raised."""


def deprecated(update_to: str = "", since: str = "", reason: str = "", level: int = 0) -> Callable[[F], F]:
    """Return a decorator for a function that will go: its docstring says so, and a call may.

    Args:
        update_to: what to use instead, a name that begins with ``paddle.``.
        since: the release.
        reason: why.
        level: 0 to say nothing at a call, 1 to warn, 2 to refuse.

    Raises:
        AssertionError: **Argument update_to must start with "paddle."**.
        RuntimeError: **has been deprecated**, when a function of level 2 is called.
    """
    if update_to:
        said = f'Argument update_to must start with "paddle.", your value is "{update_to}"'
        assert update_to.startswith("paddle."), said

    def decorator(function: F) -> F:
        name = f'API "{function.__module__}.{function.__name__}"'
        told = f"{name} is deprecated" + f" since {since}" * bool(since)
        told += ", and will be removed in future versions." + f' Please use "{update_to}" instead.' * bool(
            update_to
        )
        told += f"\n    Reason: {reason}" * bool(reason)

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            if level == 2:
                raise RuntimeError(f"{name} has been deprecated.")
            if level == 1:
                warnings.warn(f"\nWarning:\n{told} ", VisibleDeprecationWarning, stacklevel=2)
            return function(*args, **kwargs)

        wrapper.__doc__ = f"\n\nWarning:\n    {told}\n\n{function.__doc__ or ''}"
        return cast(F, wrapper)

    return decorator
