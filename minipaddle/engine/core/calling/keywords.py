"""Calling: what users may say to a function besides its own parameters (:mod:`minipaddle.engine.names.keywords`).

Only a call with keywords comes here: who says ``paddle.sum(x, 0)`` pays nothing for ``paddle.sum(input=x, dim=0)``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

from minipaddle.engine.core.extension import Point
from minipaddle.engine.names.keywords import RESULT_OPTIONS, SECOND_NAMES, second_names

F = TypeVar("F", bound=Callable[..., Any])

apply_options = Point("apply_options")
"""Return the result of a call with options that the user gave: (result, options by name)."""
_DEFAULTS = {"out": None, "device": None, "requires_grad": False, "pin_memory": False}


class Keywords(NamedTuple):
    """What a function takes besides its own parameters."""

    second_names: dict[str, str]
    options: tuple[str, ...]

    def call(self, function: Callable[..., Any], args: tuple[Any, ...], given: dict[str, Any]) -> Any:
        """Call `function`, which knows neither second names nor result options.

        Raises:
            ValueError: **Cannot specify both**, for a parameter that is given by both of its names.
        """
        for second, first in self.second_names.items():
            if second in given:
                if first in given:
                    raise ValueError(f"Cannot specify both '{first}' and its alias '{second}'")
                given[first] = given.pop(second)
        options = {option: given.pop(option) for option in self.options if option in given}
        result = function(*args, **given)
        return apply_options(result, **options) if options else result

    def first(self, name: str) -> str:
        """Return the parameter that a keyword means."""
        return self.second_names.get(name, name)

    def signature(self, plain: inspect.Signature) -> inspect.Signature:
        """Return the signature that users see: result options stand behind the function's own parameters."""
        own = list(plain.parameters.values())
        only = inspect.Parameter.KEYWORD_ONLY
        options = [inspect.Parameter(option, only, default=_DEFAULTS[option]) for option in self.options]
        return plain.replace(parameters=[*own, *options])


def keywords_of(name: str, function: Callable[..., Any]) -> Keywords | None:
    """Return what the function of this name takes besides its parameters; None if that is nothing."""
    if name not in SECOND_NAMES and name not in RESULT_OPTIONS:
        return None
    own = inspect.signature(function).parameters
    options = tuple(option for option in RESULT_OPTIONS.get(name, ()) if option not in own)
    others = second_names(name, own)
    return Keywords(others, options) if others or options else None
