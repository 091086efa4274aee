"""Calling: what users may say to a function besides its own parameters (:mod:`minipaddle.names.keywords`).

Only a call with keywords comes here: who says ``paddle.sum(x, 0)`` pays nothing for ``paddle.sum(input=x, dim=0)``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from minipaddle.core.extension import Point
from minipaddle.names.keywords import SECOND_NAMES, WISHES, second_names

F = TypeVar("F", bound=Callable[..., Any])

granted = Point("granted")
"""Return the result of a call as the user wishes it: (result, wishes by name)."""
_WISH = {"out": None, "device": None, "requires_grad": False, "pin_memory": False}


class Keywords(NamedTuple):
    """What a function takes besides its own parameters."""

    second_names: dict[str, str]
    wishes: tuple[str, ...]

    def call(self, function: Callable[..., Any], args: tuple[Any, ...], given: dict[str, Any]) -> Any:
        """Call `function`, which knows neither second names nor wishes.

        Raises:
            ValueError: **Cannot specify both**, for a parameter that is given by both of its names.
        """
        for second, first in self.second_names.items():
            if second in given:
                if first in given:
                    raise ValueError(f"Cannot specify both '{first}' and its alias '{second}'")
                given[first] = given.pop(second)
        wishes = {wish: given.pop(wish) for wish in self.wishes if wish in given}
        result = function(*args, **given)
        return granted(result, **wishes) if wishes else result

    def first(self, name: str) -> str:
        """Return the parameter that a keyword means."""
        return self.second_names.get(name, name)

    def signature(self, plain: inspect.Signature) -> inspect.Signature:
        """Return the signature that users see: the wishes stand behind the function's own parameters."""
        own = list(plain.parameters.values())
        only = inspect.Parameter.KEYWORD_ONLY
        wishes = [inspect.Parameter(wish, only, default=_WISH[wish]) for wish in self.wishes]
        return plain.replace(parameters=[*own, *wishes])


def keywords_of(name: str, function: Callable[..., Any]) -> Keywords | None:
    """Return what the function of this name takes besides its parameters; None if that is nothing."""
    if name not in SECOND_NAMES and name not in WISHES:
        return None
    own = inspect.signature(function).parameters
    wishes = tuple(wish for wish in WISHES.get(name, ()) if wish not in own)
    others = second_names(name, own)
    return Keywords(others, wishes) if others or wishes else None
