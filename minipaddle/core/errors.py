"""Errors that teach: what happened, in which operator, at which line of the user, and what to try.

Paddle sorts its errors into categories and maps each to a Python type (InvalidArgument is a ValueError, OutOfRange an
IndexError, and so on). The engine raises those types through :func:`failure`; the operator and the user's line are
added in one place, where an operator is applied (:func:`locate`).
"""

from __future__ import annotations

import linecache
import os
import sys
from types import FrameType
from typing import NamedTuple, TypeVar

E = TypeVar("E", bound=Exception)

_CATEGORIES: dict[type[Exception], str] = {
    ValueError: "InvalidArgument",
    TypeError: "InvalidType",
    IndexError: "OutOfRange",
    SystemError: "Fatal",
    OSError: "External",
    NotImplementedError: "Unimplemented",
    RuntimeError: "PreconditionNotMet",
}
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


class EnforceNotMet(Exception):
    """What Paddle raises where its engine finds an operation impossible: an integer divided by zero."""


class Line(NamedTuple):
    """A line of the user's code."""

    file: str
    number: int
    function: str

    @property
    def text(self) -> str:
        """The source of the line, stripped; empty when it cannot be read."""
        return linecache.getline(self.file, self.number).strip()

    def __str__(self) -> str:
        return f'File "{self.file}", line {self.number}, in {self.function}'


def failure(kind: type[E], message: str, hint: str = "") -> E:
    """Build an error of Paddle's `kind`: its category, `message`, and a hint at what to try."""
    category = _CATEGORIES.get(kind)
    text = f"({category}) {message}" if category else message
    return kind(f"{text}\n  [Hint: {hint}]" if hint else text)


def is_engine_file(file: str) -> bool:
    """Return whether `file` is part of minipaddle (or no file at all)."""
    return file.startswith((_PACKAGE, "<"))


def defined_at(function: object) -> Line | None:
    """Return the first line of a function, or of what an object does when it is called; None if it is no Python."""
    code = getattr(function, "__code__", None) or getattr(type(function).__call__, "__code__", None)
    return None if code is None else Line(code.co_filename, code.co_firstlineno, code.co_name)


def user_frame(frame: FrameType | None) -> FrameType | None:
    """Return the innermost frame, from `frame` outwards, that is not the engine's own."""
    while frame is not None and is_engine_file(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def user_line() -> Line | None:
    """Return the innermost line on the stack that is not the engine's own, or None."""
    frame = user_frame(sys._getframe(1))
    return Line(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name) if frame else None


def locate(error: E, operator: str, line: Line | None = None) -> E:
    """Return `error` with the operator's name and the user's line (`line`, or the one running) added, once."""
    if not error.args or "[operator < " in str(error):
        return error
    line = line or user_line()
    place = f"\n  In user code: {line}\n    {line.text}" if line else ""
    error.args = (f"{error.args[0]}{place}\n  [operator < {operator} > error]", *error.args[1:])
    return error
