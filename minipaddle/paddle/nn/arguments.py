"""The arguments of a class whose signature is taken from a function or an operator: of layers and optimizers."""

from __future__ import annotations

import inspect
from typing import Any


def bound(owner: object, takes: inspect.Signature, args: Any, kwargs: Any) -> dict[str, Any]:
    """Return the arguments of a constructor by their names, with defaults for the arguments that were not given.

    Raises:
        TypeError: **takes these arguments**, for one too many, an unknown name, or one that is missing.
    """
    try:
        given = takes.bind(*args, **kwargs)
    except TypeError as error:
        own, names = type(owner).__name__, ", ".join(takes.parameters)
        raise TypeError(f"{own}: {error}. {own} takes these arguments: {names}") from None
    given.apply_defaults()
    return given.arguments
