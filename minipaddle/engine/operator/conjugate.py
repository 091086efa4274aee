"""Complex numbers: a rule is the derivative of textbooks, the gradient takes its conjugate (decision 4)."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any


def conjugating(function: Callable[..., Any], count: int) -> Callable[..., Any]:
    """Return a rule for complex numbers: the conjugate of what `function` makes of the conjugates of `count` gradients.

    A rule is linear in the gradient, so this is the gradient times the conjugate of the derivative.
    """

    @wraps(function)
    def rule(*arguments: Any) -> Any:
        found = function(*map(_conjugate, arguments[:count]), *arguments[count:])
        return [_conjugate(one) for one in found] if isinstance(found, (list, tuple)) else _conjugate(found)

    return rule


def _conjugate(value: Any) -> Any:
    return value.conj()
