"""The arguments of a class whose signature is taken from a function or an operator: a layer or an optimizer."""

from __future__ import annotations

import inspect
from typing import Any


def bound(owner: object, takes: inspect.Signature, args: Any, kwargs: Any) -> dict[str, Any]:
    """Return the arguments of a constructor by name, with defaults for missing ones.

    Raises:
        TypeError: **takes these arguments**, for too many, an unknown name, or a missing one.
    """
    try:
        given = takes.bind(*args, **kwargs)
    except TypeError as error:
        own, names = type(owner).__name__, ", ".join(takes.parameters)
        raise TypeError(f"{own}: {error}. {own} takes these arguments: {names}") from None
    given.apply_defaults()
    return given.arguments
