"""Expressions at the prompt: Python over the values of the recording, as NumPy arrays."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from minipaddle.debug.session import NoMove, Session
from minipaddle.trace.events import Value

__all__ = ["evaluate", "namespace"]

_AT = re.compile(r"@(?=GRAD\b)|(?<=\w)\.(?=grad\b)")


def _identifier(name: str) -> str:
    """``W@GRAD`` and ``W.grad`` are no Python names: within an expression they become W__GRAD and W__grad."""
    return _AT.sub("__", name)


def namespace(session: Session) -> dict[str, Any]:
    """Return what an expression may use: every value made so far by its name (the latest), and ``np``."""
    limit = session.event.index
    space: dict[str, Any] = {"np": np}
    later = [value for value in session.trace.values if value.producer is not None and value.producer > limit]
    for value in [
        *later[::-1],
        *(v for v in session.trace.values if v.producer is None or v.producer <= limit),
    ]:
        if value.array is not None:
            space[_identifier(value.name)] = value.array
    return space


def evaluate(session: Session, text: str) -> Value | Any:
    """Return the value called `text`, or what the expression `text` gives.

    Raises:
        NoMove: if it fails; the message names the expression and what is wrong with it.
    """
    value = session.find(text)
    if value is not None:
        return value
    space = namespace(session)
    try:
        return eval(_identifier(text), {"__builtins__": _BUILTINS}, space)
    except NameError as error:
        names = ", ".join(sorted(name for name in space if name != "np" and "__" not in name)[:12])
        raise NoMove(f"{text}: {error}; values here: {names}") from error
    except Exception as error:
        raise NoMove(f"{text}: {type(error).__name__}: {error}") from error


_BUILTINS = {function.__name__: function for function in (abs, float, int, len, list, max, min, round, sum)}
