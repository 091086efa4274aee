"""The user's own Python in a Program (py_func), line by line: what its local variables came to hold.

Python tells a tracer of every line that a function is about to run (:func:`sys.settrace`). What the locals hold then is
compared with what they held a line before.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any, NamedTuple

import numpy as np

from minipaddle.engine.errors import Line
from minipaddle.engine.value.meta import Array

_MOST = 200
"""Lines of a call that are read; a loop over elements would have no end."""
_LARGE = 4_000_000
"""Bytes from which on an array is not looked at for what was written into it."""


class Ran(NamedTuple):
    """A line that gave something a value."""

    where: Line
    reads: list[str]
    """Locals that stand in it."""
    made: dict[str, Array]
    """What they hold now: locals; ``return`` for what the function returned."""


class Reader:
    """Calls a function of the user's, and reads along.

    Attributes:
        arguments: the arrays that it was given, by the names of its parameters.
        lines: what it ran.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.arguments: dict[str, Array] = {}
        self.lines: list[Ran] = []
        self._code = _code_of(function)
        self._frame: FrameType | None = None
        self._held: dict[str, tuple[Any, Array]] = {}
        self._line: int | None = None

    def __call__(self, *arguments: Any) -> Any:
        """Call the function; whoever traces already (a debugger, a coverage tool) does so again afterwards."""
        if self._code is None:
            return self.function(*arguments)
        before, mine = sys.gettrace(), self._entered
        sys.settrace(mine)
        try:
            return self.function(*arguments)
        finally:
            if sys.gettrace() == mine:  # else the user's code has called a debugger, which stays
                sys.settrace(before)
            self._frame = None

    def _entered(self, frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code is not self._code or self._frame is not None:
            return None
        self._frame = frame
        return self._traced

    def _traced(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            self._compare(frame, {})
            self._line = frame.f_lineno
        elif event == "return":
            self._compare(frame, _returned(argument))
        return self._traced if len(self.lines) < _MOST else None

    def _compare(self, frame: FrameType, returned: dict[str, Array]) -> None:
        """Note what the line that has just run gave a value."""
        new = ((name, self._new(name, value)) for name, value in frame.f_locals.items())
        made = {name: array for name, array in new if array is not None}
        if self._line is None:
            self.arguments = made
        elif made or returned:
            code = frame.f_code
            where = Line(code.co_filename, self._line, code.co_name)
            words = dict.fromkeys(re.findall(r"[^\W\d]\w*", where.text))
            before = [name for name in words if name in self._held and name not in made]
            self.lines.append(Ran(where, before, {**made, **returned}))

    def _new(self, name: str, value: Any) -> Array | None:
        """Return a copy of what a local holds, if that is numbers, and others than a line before."""
        array = _numbers(value)
        if array is None:
            self._held.pop(name, None)
            return None
        known = self._held.get(name)
        same = known is not None and known[0] is value
        if same and known is not None and (array.nbytes > _LARGE or _equal(array, known[1])):
            return None
        copy = array.copy()
        self._held[name] = value, copy
        return copy


def _code_of(function: Any) -> CodeType | None:
    """Return the code of a function, a method or an object that is called; None if it is no Python."""
    for one in (function, getattr(function, "__func__", None), type(function).__dict__.get("__call__")):
        code = getattr(one, "__code__", None)
        if isinstance(code, CodeType):
            return code
    return None


def _numbers(value: Any) -> Array | None:
    if isinstance(value, (bool, int, float, np.generic, np.ndarray)) or hasattr(type(value), "__array__"):
        array = np.asarray(value)
        return array if array.dtype.kind in "biufc" else None
    return None


def _returned(value: Any) -> dict[str, Array]:
    several = value if isinstance(value, (list, tuple)) else [value]
    names = ["return"] if len(several) == 1 else [f"return[{place}]" for place in range(len(several))]
    found = {name: _numbers(one) for name, one in zip(names, several, strict=True)}
    return {name: array.copy() for name, array in found.items() if array is not None}


def _equal(one: Array, other: Array) -> bool:
    return one.shape == other.shape and np.array_equal(one, other, equal_nan=one.dtype.kind in "fc")
